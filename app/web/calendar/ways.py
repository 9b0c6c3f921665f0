"""The calendars in which a day can be written, as links: the same page, drawn in each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.almanac.calendar_state import CalendarState
from app.calendar.days import Reckoning
from app.web.calendar import month as sheets
from app.web.calendar.words import CalendarQuery


@dataclass(frozen=True, slots=True)
class WayOfWriting:
    """A day in one calendar: the calendar's name, month and year in short, the whole date, and the page drawn in it."""

    name: str
    month: str
    said: str
    href: str
    here: bool


def ways_of_writing(book: CalendarState, look: CalendarQuery, path: str, number: int) -> Sequence[WayOfWriting]:
    """A day in the campaign's calendar and then in the further ones; nothing if there are none."""
    if not book.settings.others:
        return ()
    named = [("", book.shape.name), *((str(one.key), one.name) for one in book.settings.others)]
    ways: list[WayOfWriting] = []
    for (key, name), count in zip(named, book.counts, strict=True):
        date = count.date(number)
        href = replace(look, cal=key).to(path, year=date.year, month=date.month, day=date.day)
        month = f"{month_name(count, date.month)} {count.year_name(date.year)}"
        ways.append(WayOfWriting(name, month, count.said(number), href, here=key == look.cal))
    return ways


def month_name(count: Reckoning, month: int) -> str:
    """The name of the page with this month on it: the month's name, not a festival's."""
    return count.shape.months[sheets.named_month(count, sheets.chapter(count, month)) - 1].name
