"""Campaigns and their people. Tokens are stored as SHA-256 only; whoever reads the database cannot sit down."""

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import DateTime, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, Now


class Role(StrEnum):
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class Campaign(Base):
    """A group's long-running game. `slug` is its name in addresses: /c/<slug>/<member handle>/…"""

    __tablename__ = "campaigns"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    about: Mapped[str] = mapped_column(default="")
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    demo: Mapped[bool] = mapped_column(default=False)
    made_at: Mapped[Now]


class Member(Base):
    """A person in a campaign. `handle` is fixed on joining and stands in this member's addresses and cookie path."""

    __tablename__ = "members"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        UniqueConstraint("campaign_id", "handle"),
        Index(None, "campaign_id", "way_back", unique=True),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    handle: Mapped[str]
    name: Mapped[str]
    role: Mapped[Role]
    way_back: Mapped[bytes | None] = mapped_column(LargeBinary)  # SHA-256 of the personal link's token
    removed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    joined_at: Mapped[Now]
    seen_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Character(Base):
    """A sheet that outlives scenes; `owner_id` is None where it is the GM's. `slug` names it in rulesets and forms."""

    __tablename__ = "characters"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        ForeignKeyConstraint(["campaign_id", "owner_id"], ["members.campaign_id", "members.id"]),
        UniqueConstraint("campaign_id", "slug"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    slug: Mapped[str]
    name: Mapped[str]
    ruleset: Mapped[str]
    owner_id: Mapped[uuid.UUID | None]
    sheet: Mapped[dict[str, Any]]
    version: Mapped[int] = mapped_column(default=1)
    retired_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    made_at: Mapped[Now]
