"""Changes of characters, and how they came about.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sheet_changes",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("character_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=True),
        sa.Column("scene_id", sa.Uuid(), nullable=True),
        sa.Column("crossing_id", sa.Uuid(), nullable=True),
        sa.Column("day", sa.BigInteger(), nullable=True),
        sa.Column("changes", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "character_id"],
            ["characters.campaign_id", "characters.id"],
            name=op.f("fk_sheet_changes_campaign_id_character_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_sheet_changes_campaign_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_sheet_changes")),
    )
    index = op.f("ix_sheet_changes_campaign_id_character_id_id")
    op.create_index(index, "sheet_changes", ["campaign_id", "character_id", "id"], unique=False)
    index = op.f("ix_sheet_changes_campaign_id_crossing_id")
    op.create_index(index, "sheet_changes", ["campaign_id", "crossing_id"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
