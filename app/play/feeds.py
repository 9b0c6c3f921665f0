"""Feeds: secret addresses at which calendar programs get what one member may see, and nothing else.

A member has at most one address of each kind: `real` for sessions and deadlines, `world` for the in-world year. Only
the SHA-256 of its token is stored; a new address ends the old one, and so does leaving the campaign.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import visibility as seeing
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Occurrence
from app.campaign import seats, tokens
from app.models.almanac import Entry, Feed, Reply
from app.models.people import Campaign, Member
from app.table import listing
from app.table.listing import Call

Kind = Literal["real", "world"]

PAST = timedelta(days=180)
"""How long a session stays in the feed after it was."""

MOST_EVENTS = 2000


@dataclass(frozen=True, slots=True)
class Session:
    """A real-world session as a feed tells it: `answer` is the member's own ("yes", "maybe", "no", "")."""

    id: uuid.UUID
    title: str
    text: str
    place: str
    starts_at: datetime
    minutes: int | None
    version: int
    changed_at: datetime
    answer: str


@dataclass(frozen=True, slots=True)
class RealFeed:
    """What lies ahead in the real world: sessions, and the steps whose time runs while the member is awaited."""

    sessions: tuple[Session, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where in-world days stand in a calendar program: day `first` on `begins`, each later day a day later.

    The in-world year that holds today begins on 1 January of the real year. So spring is spring in both, nothing moves
    while the group does not play, and the next in-world year simply goes on.
    """

    first: int
    begins: date

    def on(self, number: int) -> date:
        return self.begins + timedelta(days=number - self.first)


@dataclass(frozen=True, slots=True)
class WorldFeed:
    """The in-world year that holds today, and the one after it."""

    book: CalendarState
    anchor: Anchor
    entries: tuple[Occurrence, ...]


async def mine(session: AsyncSession, member: Member) -> dict[str, Feed]:
    """A member's addresses by kind."""
    rows = await session.scalars(
        select(Feed).where(Feed.campaign_id == member.campaign_id, Feed.member_id == member.id)
    )
    return {row.kind: row for row in rows}


async def make(session: AsyncSession, member: Member, kind: Kind, once: str | None = None) -> str:
    """A new address's token, kept nowhere; the one before it ends. The same `once` gives the same token."""
    await seats.hold(session, member.campaign_id)
    token = tokens.derive(once, f"feed/{member.campaign_id}/{member.id}/{kind}")
    row = await session.get(Feed, (member.campaign_id, member.id, kind), populate_existing=True)
    if row is None:
        row = Feed(campaign_id=member.campaign_id, member_id=member.id, kind=kind, token_hash=tokens.digest(token))
        session.add(row)
    elif row.token_hash != tokens.digest(token):
        row.token_hash, row.made_at = tokens.digest(token), func.now()
    await session.flush()
    return token


async def revoke(session: AsyncSession, member: Member, kind: Kind) -> None:
    """Take an address away; nothing to do where there is none."""
    await session.execute(
        delete(Feed).where(Feed.campaign_id == member.campaign_id, Feed.member_id == member.id, Feed.kind == kind)
    )


async def find(session: AsyncSession, slug: str, token: str) -> tuple[Campaign, Member, Feed] | None:
    """Whose feed a token opens; None where it opens nothing, or its member has left."""
    campaign = await seats.by_slug(session, slug) if tokens.well_formed(token) else None
    if campaign is None:
        return None
    found = await session.execute(
        select(Member, Feed)
        .join(Feed, (Feed.campaign_id == Member.campaign_id) & (Feed.member_id == Member.id))
        .where(
            Member.campaign_id == campaign.id,
            Member.removed_at.is_(None),
            Feed.campaign_id == campaign.id,
            Feed.token_hash == tokens.digest(token),
        )
    )
    row = found.one_or_none()
    return None if row is None else (campaign, row[0], row[1])


async def real(session: AsyncSession, member: Member) -> RealFeed:
    """The real-world feed of a member, as things stand now."""
    campaign = member.campaign_id
    book = await books.read(session, campaign)
    rows = await session.execute(
        select(Entry, Reply.answer)
        .outerjoin(
            Reply,
            (Reply.campaign_id == Entry.campaign_id) & (Reply.entry_id == Entry.id) & (Reply.member_id == member.id),
        )
        .where(
            Entry.campaign_id == campaign,
            Entry.kind == "session",
            Entry.starts_at > func.now() - PAST,
            *seeing.known_to(member, book),
            *seeing.fitting(None, ()),
        )
        .order_by(Entry.starts_at, Entry.made_no)
        .limit(MOST_EVENTS)
    )
    sessions = tuple(_session(entry, answer) for entry, answer in rows)
    calls = [call for call in await listing.calls(session, campaign, member.id) if call.due_at is not None]
    return RealFeed(sessions, tuple(calls))


def _session(entry: Entry, answer: str | None) -> Session:
    assert entry.starts_at is not None
    return Session(
        id=entry.id,
        title=entry.title,
        text=entry.text,
        place=entry.place,
        starts_at=entry.starts_at,
        minutes=entry.minutes,
        version=entry.version,
        changed_at=entry.changed_at,
        answer=answer or "",
    )


async def world(session: AsyncSession, member: Member) -> WorldFeed:
    """The in-world feed of a member: what they may see from the first day of this in-world year to the last of the
    next. Sessions are left out, for those are days of the real world."""
    book = await books.read(session, member.campaign_id)
    where = await anchor(session, book)
    count = book.count
    year = count.date(book.today).year
    for _ in range(2):
        year = 1 if book.shape.skip_zero and year == -1 else year + 1
    last = count.new_year(year) - 1
    days = range(where.first, last + 1)
    found: Sequence[Occurrence] = await seeing.find_between(session, member.campaign_id, member, book, days, None)
    kept = [one for one in found if one.kind != "session"]
    return WorldFeed(book, where, tuple(kept[:MOST_EVENTS]))


async def anchor(session: AsyncSession, book: CalendarState) -> Anchor:
    """Where the days of a calendar stand in calendar programs this year, by the database's clock."""
    now = await session.scalar(select(func.now()))
    assert now is not None
    first = book.count.new_year(book.count.date(book.today).year)
    return Anchor(first, date(now.year, 1, 1))
