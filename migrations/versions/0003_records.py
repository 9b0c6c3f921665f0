"""The record of a scene, hashed entry by entry.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Older scenes have no head: what was not recorded at the time cannot be proven afterwards.
    op.add_column("scenes", sa.Column("setup_salt", sa.LargeBinary(), nullable=True))
    op.add_column(
        "scenes", sa.Column("carried", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True)
    )
    op.add_column("scenes", sa.Column("head", sa.LargeBinary(), nullable=True))
    op.add_column("kept", sa.Column("from_head", sa.LargeBinary(), nullable=True))
    op.add_column("events", sa.Column("public_no", sa.Integer(), nullable=True))
    _count("records")
    _count("public_events")
    op.execute(
        "UPDATE events SET public_no = counted.place FROM (SELECT campaign_id, scene_id, number, row_number() OVER "
        "(PARTITION BY campaign_id, scene_id ORDER BY number) AS place FROM events WHERE body IS NOT NULL) AS counted "
        "WHERE (events.campaign_id, events.scene_id, events.number) = "
        "(counted.campaign_id, counted.scene_id, counted.number)"
    )
    op.execute(
        "UPDATE scenes SET public_events = (SELECT count(*) FROM events WHERE body IS NOT NULL "
        "AND events.campaign_id = scenes.campaign_id AND events.scene_id = scenes.id)"
    )
    op.create_table(
        "records",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("scene_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("last_event", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=True),
        sa.Column("head", sa.LargeBinary(), nullable=True),
        sa.Column("box", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "scene_id"],
            ["scenes.campaign_id", "scenes.id"],
            name=op.f("fk_records_campaign_id_scene_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "scene_id", "number", name=op.f("pk_records")),
    )


def _count(name: str) -> None:
    """Adds a counter that begins at 0; the program always writes it, so the column has no default."""
    op.add_column("scenes", sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    op.alter_column("scenes", name, server_default=None)


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
