"""The tables of scenes, seats, steps, envelopes and the log.

`envelopes` is the only table that holds sealed declarations, `drafts` the only one with what is chosen and not sealed
yet; both hold it encrypted (`box`). State, setup and events
that not everybody may see are also encrypted, so that a dump does not show hidden plans.
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
    """One piece of play. Its row is the lock for everything below it."""

    __tablename__ = "scenes"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE"),
        Index("ix_scenes_next_due_at", "next_due_at", postgresql_where=text("next_due_at IS NOT NULL")),
        Index("ix_scenes_waits_for", "campaign_id", "waits_for", postgresql_where=text("waits_for IS NOT NULL")),
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
    setup_salt: Mapped[bytes | None] = mapped_column(LargeBinary)  # encrypted; None in scenes older than the record
    state: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted; a cache of the fold
    last_event: Mapped[int] = mapped_column(default=0)
    orders: Mapped[int] = mapped_column(BigInteger, default=0)  # counts changes of envelopes, for ranked steps
    root: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted; the last link of the chain of luck
    anchor: Mapped[bytes] = mapped_column(LargeBinary)  # link 0, public from the start
    changes: Mapped[int] = mapped_column(BigInteger, default=0)  # counts changes that everybody may see
    seals: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # of them, seals and nothing else
    carried: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))  # from other scenes, by name
    head: Mapped[bytes | None] = mapped_column(LargeBinary)  # a hash over everything recorded so far
    records: Mapped[int] = mapped_column(default=0)
    public_events: Mapped[int] = mapped_column(default=0)
    links_used: Mapped[int] = mapped_column(default=0)
    thread: Mapped[bytes] = mapped_column(LargeBinary)  # mixes in the salts of all public seals so far
    protocol: Mapped[int] = mapped_column(server_default="1")  # of its luck and record (docs/fairness.md)
    hidden_closings: Mapped[int] = mapped_column(server_default="0")
    untold: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    """What a GM did to withdrawn steps, until a record tells it."""
    desk_draws: Mapped[int] = mapped_column(server_default="0")  # a GM's acts at the desk that drew luck
    next_due_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    paused_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    paused_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # None: until somebody resumes it
    paused_by: Mapped[str | None]  # the name at the time; None: nobody, or the X-card
    resume_votes: Mapped[list[str]] = mapped_column(JSONB, default=list, server_default=text("'[]'"))  # seats
    made_in: Mapped[uuid.UUID | None]  # in a copy: the id of the campaign that seals and records are hashed with
    stopped: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # paused by the X-card
    outer_id: Mapped[uuid.UUID | None]  # the scene that this one was opened out of
    waits_for: Mapped[uuid.UUID | None]  # the scene opened out of this one, until it has come back; paused meanwhile
    returned: Mapped[list[str] | None] = mapped_column(JSONB(none_as_null=True))
    """Of a scene opened out of another one: the characters it gave back; None: that one still waits for it."""
    made_at: Mapped[Now]
    ended_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class SeatRow(Base):
    """A seat of the scene; `position` is the order in which answers are taken, never the order of arrival."""

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
    """A member in a seat, and since when: only those who held the seat when an envelope was laid may read it."""

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
    changes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # counts changes that are hidden


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
    left_seconds: Mapped[int | None]  # time left when the scene was paused
    acts: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))  # see step_acts.py
    seconds: Mapped[int | None]  # its usual time limit; "due_at" may differ, or wait for the GM (app/table/clock.py)
    held: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # waits for the GM's word
    fixed: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # the next limit counts from it
    quiet: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # quiet drafts count in it
    closed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    closed_by: Mapped[str | None]  # all, due, gm, itself
    link: Mapped[int | None]
    first_event: Mapped[int | None]
    last_event: Mapped[int | None]


class AskRow(Base):
    """One seat's part in a step, with what the inbox needs from the spec. `how` is set when the step closes."""

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
    awaited: Mapped[bool]  # false: the scene does not wait for it (pace "whenever", or excused)
    excused: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # the GM goes on without it
    nudged_at: Mapped[datetime | None] = mapped_column(
        DateTime(timezone=True)
    )  # when the GM last said: we wait for you
    status: Mapped[str] = mapped_column(default="waiting")  # waiting, ready, taken (a seal was taken back)
    how: Mapped[str | None]  # sealed, draft, default
    quiet: Mapped[bool] = mapped_column(default=False, server_default=text("false"))  # its draft was a quiet one


class Envelope(Base):
    """One revision of a seat's declaration in a step; the newest counts, older ones have no box.

    `box` is AES-GCM over salt and padded words, bound to the key columns. It is decrypted in the closing transaction
    and nowhere else, except for members who held the seat when it was laid.
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


class Draft(Base):
    """What the holder of a seat has chosen in an open step and not sealed; each save overwrites the last one.

    It is saved without the scene's lock (app/table/quiet_drafts.py), and leaves the table when the step ends: as an
    envelope if it counted, else for good.
    """

    __tablename__ = "drafts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "scene_id", "step_key", "seat"],
            ["asks.campaign_id", "asks.scene_id", "asks.step_key", "asks.seat"],
            ondelete="CASCADE",
        ),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    step_key: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    author_id: Mapped[uuid.UUID]
    commitment: Mapped[bytes] = mapped_column("wax", LargeBinary)
    box: Mapped[bytes] = mapped_column(LargeBinary)
    saved_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.clock_timestamp())


class EventRow(Base):
    """One event of the log: `body` where a spectator may see it, `box` (encrypted) where not everybody may."""

    __tablename__ = "events"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    public_no: Mapped[int | None]  # counts events with a body: the number that everybody sees
    step_key: Mapped[str]
    rule: Mapped[str]
    because: Mapped[list[Any]]
    body: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    box: Mapped[bytes | None] = mapped_column(LargeBinary)


SECRET_ROLLS = """text LIKE '{"n":%'"""
"""Which entries of a record are of secret rolls: the keys of a text are sorted, and no other begins with a number."""


class RecordRow(Base):
    """One entry of the scene's record: `text` is exactly what was hashed into `head`. Closings that not everybody may
    know of have no text and no head; they are in `box` until the scene is over. Beside a text, `box` has what it is the
    hash of: a newcomer's sheet, or a GM's secret roll."""

    __tablename__ = "records"
    __table_args__ = (
        _in_scene(),
        Index("ix_records_secret_rolls", "campaign_id", "scene_id", postgresql_where=text(SECRET_ROLLS)),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    last_event: Mapped[int]  # in the log, counting all events; the next entry's events begin after it
    text: Mapped[str | None]
    head: Mapped[bytes | None] = mapped_column(LargeBinary)
    box: Mapped[bytes | None] = mapped_column(LargeBinary)


class Claim(Base):
    """A character or a named memory claimed by one open scene: "character/alice", "kept/deck/players".

    A scene lends its characters to one that is opened out of it; `lent_by` has the lenders, the last one first to get
    them back.
    """

    __tablename__ = "claims"
    __table_args__ = (_in_scene(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    thing: Mapped[str] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID]
    lent_by: Mapped[list[str]] = mapped_column(JSONB, server_default=text("'[]'"))  # ids of scenes


class CampaignMemory(Base):
    """A named memory of the campaign between scenes, for example the cards left in a faction's deck."""

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
    kind: Mapped[str]  # talk, notice, handout (a notice that something was handed to everyone)
    member_id: Mapped[uuid.UUID | None]
    who: Mapped[str]  # the name at the time
    text: Mapped[str]
    at: Mapped[Now]


class Whisper(Base):
    """A word between a seat and the GMs; `box` is encrypted. Only GMs read it, and holders of the seat since `at`."""

    __tablename__ = "whispers"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "scene_id", "seat"],
            ["seats.campaign_id", "seats.scene_id", "seats.seat"],
            ondelete="CASCADE",
        ),
        ForeignKeyConstraint(["campaign_id", "author"], ["members.campaign_id", "members.id"], ondelete="CASCADE"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    scene_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    author: Mapped[uuid.UUID]
    who: Mapped[str]  # the name at the time
    box: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
