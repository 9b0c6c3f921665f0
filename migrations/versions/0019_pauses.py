"""Pauses that end, the players' votes to end one, and time limits that are moments.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scenes", sa.Column("paused_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "scenes", sa.Column("resume_votes", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False)
    )
    op.add_column("steps", sa.Column("fixed", sa.Boolean(), server_default=sa.text("false"), nullable=False))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
