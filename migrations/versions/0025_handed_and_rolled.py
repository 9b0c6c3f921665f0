"""When a member was handed something that they have not looked at yet; an index of secret rolls.

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("members", sa.Column("handed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        op.f("ix_records_secret_rolls"),
        "records",
        ["campaign_id", "scene_id"],
        postgresql_where=sa.text("text LIKE '{\"n\":%'"),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
