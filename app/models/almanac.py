"""The tables of a campaign's calendar: its shape and date, entries, replies, and what passing days did."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKeyConstraint, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.models.base import Base, Now


def _campaign() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["campaign_id"], ["campaigns.id"], ondelete="CASCADE")


def _member(column: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["campaign_id", column], ["members.campaign_id", "members.id"], ondelete="CASCADE")


class Almanac(Base):
    """The calendar and the date of a campaign. Its row is the lock for everything that time does. Without a row a
    campaign has the plain calendar, on day 0."""

    __tablename__ = "almanacs"
    __table_args__ = (_campaign(),)

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    shape: Mapped[dict[str, Any]]  # app.calendar.shape.Shape
    today: Mapped[int] = mapped_column(BigInteger, default=0)  # a day number of app.calendar.days
    root: Mapped[bytes] = mapped_column(LargeBinary)  # encrypted; a day's luck is drawn from it by subject and day
    fog: Mapped[int | None] = mapped_column(BigInteger)  # how many days ahead players see; None: all days
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    made: Mapped[int] = mapped_column(default=0, server_default="0")  # entries made so far
    touched: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # counts changes by people
    version: Mapped[int] = mapped_column(default=1, server_default="1")  # counts changes of date, shape and settings
    changed_at: Mapped[Now]


class Entry(Base):
    """An entry on the calendar (CHR-CAL-13): a scene, an arrival, a note, a real-world session.

    `day` is the first day (of the first occurrence, if `rule` repeats it), `last_day` the last of a span. `seen_by`
    says who may see it; its author always may.
    """

    __tablename__ = "entries"
    __table_args__ = (
        _campaign(),
        _member("author_id"),
        UniqueConstraint("campaign_id", "made_no"),
        Index(None, "campaign_id", "day"),
        Index(None, "campaign_id", "scene_id"),
        Index("ix_entries_spans", "campaign_id", "last_day", postgresql_where=text("last_day IS NOT NULL")),
        Index(
            "ix_entries_waiting",
            "campaign_id",
            "day",
            postgresql_where=text("state IN ('open', 'paused') AND standing = 'stop'"),
        ),
        Index("ix_entries_rules", "campaign_id", postgresql_where=text("rule IS NOT NULL")),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    made_no: Mapped[int]  # 1.. in the order of making: on the same date the earlier entry comes first (CHR-CAL-04)
    kind: Mapped[str]  # scene, leg, arrival, completion, healing, reckoning, event, holiday, note, session
    state: Mapped[str] = mapped_column(default="open")  # open, paused, done, dropped
    title: Mapped[str]
    text: Mapped[str] = mapped_column(default="")
    place: Mapped[str] = mapped_column(default="")
    day: Mapped[int] = mapped_column(BigInteger)
    last_day: Mapped[int | None] = mapped_column(BigInteger)
    minute: Mapped[int | None]  # of the in-world day, if the group uses hours
    rule: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))  # app.calendar.repeat.Rule
    people: Mapped[list[Any]] = mapped_column(default=list)  # slugs of characters
    seen_by: Mapped[str] = mapped_column(default="all")  # all, named, gm
    viewers: Mapped[list[Any]] = mapped_column(default=list)  # members' ids as text, where seen_by is "named"
    author_id: Mapped[uuid.UUID]
    standing: Mapped[str] = mapped_column(default="stop")  # when time reaches it: stop (a member decides), pass
    brief: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))  # the order for a scene
    scene_id: Mapped[uuid.UUID | None]  # the scene it is, or has been, played in
    starts_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # a real-world session
    minutes: Mapped[int | None]  # how long the session lasts
    data: Mapped[dict[str, Any]] = mapped_column(default=dict)
    touched: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")  # the almanac's, at the last change
    version: Mapped[int] = mapped_column(default=1, server_default="1")
    made_at: Mapped[Now]
    changed_at: Mapped[Now]


class Reply(Base):
    """Whether a member can come to a real-world session."""

    __tablename__ = "replies"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id", "entry_id"], ["entries.campaign_id", "entries.id"], ondelete="CASCADE"),
        _member("member_id"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    entry_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    answer: Mapped[str]  # yes, maybe, no
    at: Mapped[Now]


class Crossing(Base):
    """One movement of time, with the rows as they were before, by table, to undo it."""

    __tablename__ = "crossings"
    __table_args__ = (_campaign(), _member("member_id"), UniqueConstraint("campaign_id", "number"))

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    number: Mapped[int]  # 1.. in a campaign
    from_day: Mapped[int] = mapped_column(BigInteger)
    to_day: Mapped[int] = mapped_column(BigInteger)  # where it stopped
    wanted_day: Mapped[int] = mapped_column(BigInteger)  # the day that was asked for
    member_id: Mapped[uuid.UUID]
    request_id: Mapped[uuid.UUID]  # a repeated press moves time only once
    before: Mapped[dict[str, Any]]
    at: Mapped[Now]
    undone_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Happening(Base):
    """One thing that a passing day did. The unique key makes sure that nothing runs twice."""

    __tablename__ = "happenings"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "crossing_id"], ["crossings.campaign_id", "crossings.id"], ondelete="CASCADE"
        ),
        UniqueConstraint("campaign_id", "thing", "day"),
        Index(None, "campaign_id", "day"),
    )

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    crossing_id: Mapped[uuid.UUID]
    number: Mapped[int]  # 1.. in the crossing, in the order of CHR-CAL-11
    day: Mapped[int] = mapped_column(BigInteger)
    thing: Mapped[str]  # what ran on the day: "entry/<id>", "days/<character>"
    kind: Mapped[str]  # of the entry, or "healing"
    title: Mapped[str]
    text: Mapped[str] = mapped_column(default="")
    rule: Mapped[str] = mapped_column(default="")  # id in the ruleset's rulebook
    rolls: Mapped[list[Any]] = mapped_column(default=list)
    people: Mapped[list[Any]] = mapped_column(default=list)
    seen_by: Mapped[str] = mapped_column(default="all")
    viewers: Mapped[list[Any]] = mapped_column(default=list)


class Feed(Base):
    """A secret address where calendar programs read (ICS). Only the token's SHA-256 is stored."""

    __tablename__ = "feeds"
    __table_args__ = (_member("member_id"), UniqueConstraint("campaign_id", "token_hash"))

    campaign_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    member_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)  # real: sessions and deadlines; world: the in-world year
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    made_at: Mapped[Now]
