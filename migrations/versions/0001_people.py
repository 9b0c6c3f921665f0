"""Campaigns, members, characters, browsers signed in to seats, invitations, device codes, notes."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("settings", JSONB(), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        _now("made_at"),
        sa.PrimaryKeyConstraint("id", name="pk_campaigns"),
        sa.UniqueConstraint("slug", name="uq_campaigns_slug"),
    )
    op.create_table(
        "members",
        *_ids(),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("way_back", sa.LargeBinary(), nullable=True),
        _moment("removed_at"),
        _now("joined_at"),
        _moment("seen_at"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_members"),
        _in_campaign("members"),
        sa.UniqueConstraint("campaign_id", "handle", name="uq_members_campaign_id_handle"),
    )
    op.create_index("ix_members_campaign_id_way_back", "members", ["campaign_id", "way_back"], unique=True)
    op.create_table(
        "characters",
        *_ids(),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("sheet", JSONB(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        _moment("retired_at"),
        _now("made_at"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_characters"),
        _in_campaign("characters"),
        _of_member("characters", "owner_id", ondelete=None),
        sa.UniqueConstraint("campaign_id", "slug", name="uq_characters_campaign_id_slug"),
    )
    _ways_in()
    op.create_table(
        "notes",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("changed_by", sa.Uuid(), nullable=True),
        _now("changed_at"),
        sa.PrimaryKeyConstraint("campaign_id", "topic", name="pk_notes"),
        _in_campaign("notes"),
    )


def _ways_in() -> None:
    op.create_table(
        "sessions",
        *_ids(),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        _now("made_at"),
        _now("seen_at"),
        _moment("revoked_at"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_sessions"),
        _of_member("sessions", "member_id"),
        sa.UniqueConstraint("campaign_id", "token_hash", name="uq_sessions_campaign_id_token_hash"),
    )
    op.create_index("ix_sessions_campaign_id_member_id", "sessions", ["campaign_id", "member_id"])
    op.create_table(
        "invitations",
        *_ids(),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("characters", JSONB(), nullable=False),
        sa.Column("for_name", sa.String(), nullable=False),
        sa.Column("replaces_id", sa.Uuid(), nullable=True),
        sa.Column("made_by", sa.Uuid(), nullable=False),
        _now("made_at"),
        _moment("expires_at", nullable=False),
        sa.Column("claimed_by", sa.Uuid(), nullable=True),
        _moment("claimed_at"),
        _moment("revoked_at"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_invitations"),
        _in_campaign("invitations"),
        _of_member("invitations", "made_by"),
        _of_member("invitations", "claimed_by"),
        _of_member("invitations", "replaces_id"),
        sa.UniqueConstraint("campaign_id", "token_hash", name="uq_invitations_campaign_id_token_hash"),
    )
    op.create_table(
        "device_codes",
        *_ids(),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        _now("made_at"),
        _moment("expires_at", nullable=False),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        _moment("used_at"),
        sa.PrimaryKeyConstraint("campaign_id", "id", name="pk_device_codes"),
        _of_member("device_codes", "member_id"),
        sa.UniqueConstraint("campaign_id", "code_hash", name="uq_device_codes_campaign_id_code_hash"),
    )


def _ids() -> tuple[sa.Column, sa.Column]:
    return sa.Column("campaign_id", sa.Uuid(), nullable=False), sa.Column("id", sa.Uuid(), nullable=False)


def _now(name: str) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)


def _moment(name: str, *, nullable: bool = True) -> sa.Column:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _in_campaign(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["campaign_id"], ["campaigns.id"], name=f"fk_{table}_campaign_id", ondelete="CASCADE"
    )


def _of_member(table: str, column: str, ondelete: str | None = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["campaign_id", column],
        ["members.campaign_id", "members.id"],
        name=f"fk_{table}_campaign_id_{column}",
        ondelete=ondelete,
    )
