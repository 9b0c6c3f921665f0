"""Scenes, seats, steps, envelopes and the log, as stored.

`envelopes` is the only table that ever holds a sealed declaration, and holds it encrypted (`box`). State, setup and
events that not everybody may see are encrypted too: hidden plans deserve the same against a dump.
"""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, Now


def _in_scene() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["campaign_id", "scene_id"], ["scenes.campaign_id", "scenes.id"], ondelete="CASCADE")


class Scene(Base):
    """One piece of play. Its row is the lock of everything below it."""

    __tablename__ = "scenes"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        Index("ix_scenes_next_due_at", "next_due_at", postgresql_where=text("next_due_at IS NOT NULL")),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    title: Mapped[str]
    ruleset: Mapped[str]
    kind: Mapped[str]
    rules_version: Mapped[str]
    status: Mapped[str] = mapped_column(default="open")  # open, over, abandoned
    settings: Mapped[dict[str, Any]]
    setup: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted
    setup_salt: Mapped[bytes | None] = mapped_column(LargeBinary)  # encrypted; none in scenes from before the record
    state: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted; a cache of the fold
    last_event: Mapped[int] = mapped_column(default=0)
    orders: Mapped[int] = mapped_column(BigInteger, default=0)  # counts changes of envelopes, for ranked steps
    root: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted; the far end of the chain of luck
    anchor: Mapped[bytes] = mapped_column(LargeBinary)  # link 0, known from the start
    changes: Mapped[int] = mapped_column(BigInteger, default=0)  # counts what everybody may see change
    carried: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))  # names kept from other scenes
    head: Mapped[bytes | None] = mapped_column(LargeBinary)  # over everything recorded so far
    records: Mapped[int] = mapped_column(default=0)
    public_events: Mapped[int] = mapped_column(default=0)
    links_used: Mapped[int] = mapped_column(default=0)
    thread: Mapped[bytes] = mapped_column(LargeBinary)  # mixes in the salts of all public seals so far
    next_due_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    paused_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    made_in: Mapped[uuid.UUID | None]  # in a copy: the campaign under whose id its seals and records are made
    stopped: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # paused by the X-card
    made_at: Mapped[Now]
    ended_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class SeatRow(Base):
    """A chair at the scene; `position` is the order in which answers are taken, never the order of arrival."""

    __tablename__ = "seats"
    __table_args__ = (_in_scene(), UniqueConstraint("campaign_id", "scene_id", "position"))

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    name: Mapped[str]
    role: Mapped[str]  # gm, player
    characters: Mapped[list[Any]]  # slugs


class SeatHolder(Base):
    """Who sits there, and since when: an envelope is readable only by who held the seat as it was laid."""

    __tablename__ = "seat_holders"
    __table_args__ = (
        _in_scene(),
        ForeignKeyConstraint(["campaign_id", "member_id"], ["members.campaign_id", "members.id"], ondelete="CASCADE"),
        Index(None, "campaign_id", "member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    since: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.clock_timestamp())
    changes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # of what not everybody may see


class StepRow(Base):
    """Decisions that close together. `spec` is the frozen engine `Step`; `link` numbers the public closings."""

    __tablename__ = "steps"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    spec: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(default="open")  # open, closed, retired, stuck
    opened_at: Mapped[Now]
    due_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    left_seconds: Mapped[int | None]  # what was left of the time when the scene was paused
    closed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    closed_by: Mapped[str | None]  # all, due, gm, itself
    link: Mapped[int | None]
    first_event: Mapped[int | None]
    last_event: Mapped[int | None]


class AskRow(Base):
    """One seat's part in a step; repeats of the spec what the inbox needs. `how` is known when the step has closed."""

    __tablename__ = "asks"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "scene_id", "step_key"],
            ["steps.campaign_id", "steps.scene_id", "steps.key"],
            ondelete="CASCADE",
        ),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    step_key: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    call: Mapped[str]
    awaited: Mapped[bool]  # false for asks of pace "whenever": nobody waits for them
    status: Mapped[str] = mapped_column(default="waiting")  # waiting, ready, taken (a seal was taken back)
    how: Mapped[str | None]  # sealed, draft, default


class Envelope(Base):
    """One revision of what a seat says in a step; the newest counts, older ones have lost their box.

    `box` is AES-GCM over salt and padded words, bound to the key columns. It is opened in the closing transaction and
    nowhere else, except for the eyes of those who held the seat when it was laid.
    """

    __tablename__ = "envelopes"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "scene_id", "step_key", "seat"],
            ["asks.campaign_id", "asks.scene_id", "asks.step_key", "asks.seat"],
            ondelete="CASCADE",
        ),
        UniqueConstraint("campaign_id", "request_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    step_key: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[uuid.UUID]
    request_id: Mapped[uuid.UUID]
    ready: Mapped[bool]  # false: a draft, or a seal taken back
    use_draft: Mapped[bool] = mapped_column(default=False)  # its owner wants the draft used when the time is up
    order_no: Mapped[int] = mapped_column(BigInteger)
    salted_by: Mapped[str]  # browser, server
    commitment: Mapped[bytes] = mapped_column("wax", LargeBinary)
    box: Mapped[bytes | None] = mapped_column(LargeBinary)
    opened: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))  # after publication
    written_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.clock_timestamp())
    laid_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.clock_timestamp())


class EventRow(Base):
    """One event of the log: `body` where a spectator may see it, `box` (encrypted) where not everybody may."""

    __tablename__ = "events"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    public_no: Mapped[int | None]  # counts those with a body: the number that may be told to everybody
    step_key: Mapped[str]
    rule: Mapped[str]
    because: Mapped[list[Any]]
    body: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    box: Mapped[bytes | None] = mapped_column(LargeBinary)


class RecordRow(Base):
    """One entry of the scene's record: `text` is exactly what `head` was made over. Closings that not everybody may
    know of have no text and no head; they lie in `box` until the scene is over."""

    __tablename__ = "records"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    last_event: Mapped[int]  # of the log, all events counted: where the next entry's events begin
    text: Mapped[str | None]
    head: Mapped[bytes | None] = mapped_column(LargeBinary)
    box: Mapped[bytes | None] = mapped_column(LargeBinary)


class Claim(Base):
    """A character or a named memory held by one open scene: "character/alice", "kept/deck/players"."""

    __tablename__ = "claims"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    thing: Mapped[str] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID]


class CampaignMemory(Base):
    """What the campaign remembers by name between scenes, for example the cards left in a faction's deck."""

    __tablename__ = "kept"
    __table_args__ = (ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    body: Mapped[dict[str, Any]]
    from_scene: Mapped[uuid.UUID]
    from_head: Mapped[bytes | None] = mapped_column(LargeBinary)  # the head of that scene when it was over
    version: Mapped[int] = mapped_column(default=1)


class Line(Base):
    """Table talk, and notices of what people did to the table (paused, extended, opened early, handed over)."""

    __tablename__ = "lines"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]  # talk, notice
    member_id: Mapped[uuid.UUID | None]
    who: Mapped[str]  # the name at the time
    text: Mapped[str]
    at: Mapped[Now]
