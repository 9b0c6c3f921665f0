"""Words between one seat and the GMs.

Revision ID: 0024
Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "whispers",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("scene_id", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("author", sa.Uuid(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("box", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "scene_id", "seat"],
            ["seats.campaign_id", "seats.scene_id", "seats.seat"],
            name=op.f("fk_whispers_campaign_id_scene_id_seat"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "author"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_whispers_campaign_id_author"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "scene_id", "seat", "id", name=op.f("pk_whispers")),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
