"""Texts and pictures that GMs hand out, and who has been given which.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "handouts",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("box", sa.LargeBinary(), nullable=False),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("everyone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name="fk_handouts_campaign_id_campaigns", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_handouts"),
    )
    op.create_table(
        "handout_readers",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("handout_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "handout_id"],
            ["handouts.campaign_id", "handouts.id"],
            name="fk_handout_readers_campaign_id_handouts",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name="fk_handout_readers_campaign_id_members",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "handout_id", "member_id", name="pk_handout_readers"),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
