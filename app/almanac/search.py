"""Searches the whole calendar, however far away an entry is."""

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Filter, Occurrence, beyond, fitting, known_to, length, occurrence
from app.calendar.repeat import RULE, upcoming
from app.campaign import character_visibility
from app.models.almanac import Entry
from app.models.people import Member

MOST_FOUND = 100


async def find(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, book: CalendarState, want: Filter
) -> tuple[list[Occurrence], bool]:
    """Returns the `MOST_FOUND` matching entries nearest to today, each once and in calendar order, and whether there
    are more.

    A repeating entry has the day of its next occurrence or, if it is over, its first."""
    hidden = await character_visibility.hidden(session, member)
    query = (
        select(Entry)
        .where(Entry.campaign_id == campaign_id, *known_to(member, book), *fitting(want, hidden))
        .order_by(func.abs(Entry.day - book.today), Entry.made_no)
        .limit(MOST_FOUND + 1)
    )
    rows: Sequence[Entry] = (await session.scalars(query)).all()
    found = [occurrence(entry, member, _nearest(entry, book, member), hidden) for entry in rows[:MOST_FOUND]]
    return sorted(found, key=lambda one: one.order), len(rows) > MOST_FOUND


def _nearest(entry: Entry, book: CalendarState, member: Member) -> int:
    if entry.rule is None:
        return entry.day
    following = upcoming(RULE.validate_python(entry.rule), book.count, book.today - length(entry) - 1, 1)
    day = next(iter(following), entry.day)
    return entry.day if beyond(entry, member, book, day) else day
