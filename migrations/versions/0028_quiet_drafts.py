"""Quiet drafts: saved while their authors choose, used when the time is up, in steps that open from now on.

Revision ID: 0028
Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "drafts",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("scene_id", sa.Uuid(), nullable=False),
        sa.Column("step_key", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("wax", sa.LargeBinary(), nullable=False),
        sa.Column("box", sa.LargeBinary(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), server_default=sa.func.clock_timestamp(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "scene_id", "step_key", "seat"],
            ["asks.campaign_id", "asks.scene_id", "asks.step_key", "asks.seat"],
            name=op.f("fk_drafts_campaign_id_scene_id_step_key_seat"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "scene_id", "step_key", "seat", name=op.f("pk_drafts")),
    )
    for table, column, usual in (
        ("steps", "quiet", "false"),
        ("asks", "quiet", "false"),
        ("members", "quiet_drafts", "true"),
    ):
        op.add_column(table, sa.Column(column, sa.Boolean(), server_default=sa.text(usual), nullable=False))


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
