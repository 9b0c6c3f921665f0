"""An index for entries that a member has to decide about.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        op.f("ix_entries_waiting"),
        "entries",
        ["campaign_id", "day"],
        postgresql_where=sa.text("state IN ('open', 'paused') AND standing = 'stop'"),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
