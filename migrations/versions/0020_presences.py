"""When a member's open pages were last heard of.

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "presences",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("page", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_presences_campaign_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "member_id", "page", name=op.f("pk_presences")),
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
