"""The world on the GM's desk: the date, what stops time, what is on the way, and when the group meets next."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import advance, entries, rsvp
from app.almanac.advance import Ahead
from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.almanac.rsvp import Coming
from app.almanac.visibility import Occurrence
from app.errors import Conflict
from app.play import next_up
from app.web.characters.history import calendar
from app.web.http.seat_session import SeatSession

AHEAD = 30  # days in which the page looks for what stops time or is on the way
MOST_ON_THE_WAY = 3  # lines
ANSWERS = (("yes", "coming"), ("maybe", "maybe"), ("no", "not coming"), ("", "no answer yet"))


@dataclass(frozen=True, slots=True)
class Meeting:
    """The next session, and the names of members by their answer, those without one last."""

    title: str
    starts_at: datetime | None
    href: str
    answers: tuple[tuple[str, tuple[str, ...]], ...]


async def world(session: AsyncSession, seated: SeatSession) -> dict[str, Any]:
    """The strip's part of the page's context; `book` is None without a calendar."""
    book = await calendar(session, seated.campaign.id)
    if book is None:
        return {"book": None}
    ahead = await _ahead(session, seated, book.today)
    stops = ahead.stops if ahead is not None else ()
    today = book.today
    found = await entries.between(session, seated.campaign.id, seated.member, today, min(today + AHEAD, MOST_DAY))
    coming = on_the_way(found, today)
    return {
        "book": book,
        "season": book.count.season(book.today),
        "next_up": await next_up.proposed(session, seated.campaign.id, seated.member),
        "ahead": ahead,
        "way_on": advance.way_on(stops) if ahead is not None else "",
        "stopping": await next_up.stopping(session, seated.campaign.id, seated.member, stops),
        "on_the_way": coming[:MOST_ON_THE_WAY],
        "more_coming": max(0, len(coming) - MOST_ON_THE_WAY),
        "meeting": await _meeting(session, seated, book),
    }


def on_the_way(found: Sequence[Occurrence], today: int) -> list[Occurrence]:
    """What lies on the coming days, each entry once; without sessions of the real world and what is done."""
    first: dict[uuid.UUID, Occurrence] = {}
    for one in found:
        if one.first > today and one.kind != "session" and one.state == "open":
            first.setdefault(one.id, one)
    return list(first.values())


def by_answer(coming: Sequence[Coming]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Members by what they answered, without answers that nobody gave."""
    named = [(words, tuple(one.name for one in coming if one.answer == key)) for key, words in ANSWERS]
    return tuple((words, names) for words, names in named if names)


async def _meeting(session: AsyncSession, seated: SeatSession, book: CalendarState) -> Meeting | None:
    found = await rsvp.meetings(session, seated.campaign.id, seated.member, book, most=1)
    if not found:
        return None
    one = found[0]
    coming = await rsvp.who_comes(session, seated.campaign.id, seated.member, found)
    return Meeting(one.title, one.starts_at, f"{seated.base}/calendar/entries/{one.id}", by_answer(coming[one.id]))


async def _ahead(session: AsyncSession, seated: SeatSession, today: int) -> Ahead | None:
    """What lies ahead in the coming days; None on the last days that a calendar counts."""
    try:
        return await advance.preview(session, seated.campaign.id, seated.member, min(today + AHEAD, MOST_DAY))
    except Conflict:
        return None
