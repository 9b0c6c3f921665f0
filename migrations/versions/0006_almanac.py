"""The campaign's calendar: date, entries, movements of time; standing answers of characters to passing days.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "almanacs",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("shape", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("today", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("fog", sa.BigInteger(), nullable=True),
        sa.Column("settings", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("made", sa.Integer(), server_default="0", nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_almanacs_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_almanacs")),
    )
    op.create_table(
        "crossings",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("from_day", sa.BigInteger(), nullable=False),
        sa.Column("to_day", sa.BigInteger(), nullable=False),
        sa.Column("wanted_day", sa.BigInteger(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("request_id", sa.Uuid(), nullable=False),
        sa.Column("before", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_crossings_campaign_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_crossings_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_crossings")),
        sa.UniqueConstraint("campaign_id", "number", name=op.f("uq_crossings_campaign_id_number")),
    )
    op.create_table(
        "entries",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("made_no", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("last_day", sa.BigInteger(), nullable=True),
        sa.Column("minute", sa.Integer(), nullable=True),
        sa.Column("rule", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("people", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("seen_by", sa.String(), nullable=False),
        sa.Column("viewers", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("brief", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("scene_id", sa.Uuid(), nullable=True),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("data", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "author_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_entries_campaign_id_author_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_entries_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_entries")),
        sa.UniqueConstraint("campaign_id", "made_no", name=op.f("uq_entries_campaign_id_made_no")),
    )
    op.create_index(op.f("ix_entries_campaign_id_day"), "entries", ["campaign_id", "day"], unique=False)
    op.create_index(op.f("ix_entries_campaign_id_scene_id"), "entries", ["campaign_id", "scene_id"], unique=False)
    op.create_table(
        "feeds",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_feeds_campaign_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "member_id", "kind", name=op.f("pk_feeds")),
        sa.UniqueConstraint("campaign_id", "token_hash", name=op.f("uq_feeds_campaign_id_token_hash")),
    )
    op.create_table(
        "happenings",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("crossing_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("thing", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("rule", sa.String(), nullable=False),
        sa.Column("rolls", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("people", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("seen_by", sa.String(), nullable=False),
        sa.Column("viewers", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "crossing_id"],
            ["crossings.campaign_id", "crossings.id"],
            name=op.f("fk_happenings_campaign_id_crossing_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "id", name=op.f("pk_happenings")),
        sa.UniqueConstraint("campaign_id", "thing", "day", name=op.f("uq_happenings_campaign_id_thing_day")),
    )
    op.create_index(op.f("ix_happenings_campaign_id_day"), "happenings", ["campaign_id", "day"], unique=False)
    op.create_table(
        "replies",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("entry_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "entry_id"],
            ["entries.campaign_id", "entries.id"],
            name=op.f("fk_replies_campaign_id_entry_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id", "member_id"],
            ["members.campaign_id", "members.id"],
            name=op.f("fk_replies_campaign_id_member_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "entry_id", "member_id", name=op.f("pk_replies")),
    )
    op.add_column(
        "characters", sa.Column("care", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False)
    )


def downgrade() -> None:
    raise NotImplementedError("A campaign is never taken back to an older table; restore the dump made before it.")
