"""Feeds: secret addresses where calendar programs get only the entries that one member may see.

A member has at most one address of each kind: `real` for sessions and deadlines, `world` for the in-world year. Only
the SHA-256 of its token is stored; an address stops working when a new one is made or the member leaves the campaign.
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
"""How long a session stays in the feed after it began."""

MOST_EVENTS = 2000


@dataclass(frozen=True, slots=True)
class Session:
    """A session in a feed; `answer` is the member's own ("yes", "maybe", "no", "")."""

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
    """The dates of the real world: sessions, and deadlines of steps that wait for the member."""

    sessions: tuple[Session, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """The dates of in-world days in a calendar program: day `first` is shown as `begins`, each later day a day later.

    The current in-world year begins on 1 January of the real year. So spring is spring in both, nothing moves while the
    group does not play, and the next in-world year follows directly.
    """

    first: int
    begins: date

    def on(self, number: int) -> date:
        return self.begins + timedelta(days=number - self.first)


@dataclass(frozen=True, slots=True)
class WorldFeed:
    """The current in-world year, and the one after it."""

    book: CalendarState
    anchor: Anchor
    entries: tuple[Occurrence, ...]


async def mine(session: AsyncSession, member: Member) -> dict[str, Feed]:
    """Returns a member's feeds by kind."""
    rows = await session.scalars(
        select(Feed).where(Feed.campaign_id == member.campaign_id, Feed.member_id == member.id)
    )
    return {row.kind: row for row in rows}


async def make(session: AsyncSession, member: Member, kind: Kind, once: str | None = None) -> str:
    """Returns the token of a new address, stored only as a hash; the old address stops working. The same `once` gives
    the same token."""
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
    """Deletes a member's address of this kind, if there is one."""
    await session.execute(
        delete(Feed).where(Feed.campaign_id == member.campaign_id, Feed.member_id == member.id, Feed.kind == kind)
    )


async def find(session: AsyncSession, slug: str, token: str) -> tuple[Campaign, Member, Feed] | None:
    """Returns the feed of a token, with campaign and member; None for an invalid token or a member who has left."""
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
    """Returns a member's current feed of the real world."""
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
    """Returns a member's in-world feed: the entries they may see from the first day of this in-world year to the last
    of the next, without sessions, which are dates of the real world."""
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
    """Returns the anchor of a calendar for the current real year, by the database's clock."""
    now = await session.scalar(select(func.now()))
    assert now is not None
    first = book.count.new_year(book.count.date(book.today).year)
    return Anchor(first, date(now.year, 1, 1))
