"""Indexes for spans and repeating entries; how many times people have changed something on a calendar.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("almanacs", sa.Column("touched", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("entries", sa.Column("touched", sa.BigInteger(), server_default="0", nullable=False))
    op.create_index(
        op.f("ix_entries_spans"),
        "entries",
        ["campaign_id", "last_day"],
        postgresql_where=sa.text("last_day IS NOT NULL"),
    )
    op.create_index(op.f("ix_entries_rules"), "entries", ["campaign_id"], postgresql_where=sa.text("rule IS NOT NULL"))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
