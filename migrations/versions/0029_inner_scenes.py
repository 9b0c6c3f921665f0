"""Scenes that wait for scenes: one that was opened out of another, and the characters lent to it.

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("scenes", sa.Column("outer_id", sa.Uuid(), nullable=True))
    op.add_column("scenes", sa.Column("waits_for", sa.Uuid(), nullable=True))
    op.add_column("scenes", sa.Column("returned", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.add_column(
        "claims",
        sa.Column("lent_by", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
    )
    op.create_index(
        "ix_scenes_waits_for",
        "scenes",
        ["campaign_id", "waits_for"],
        unique=False,
        postgresql_where=sa.text("waits_for IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
