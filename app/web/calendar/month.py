"""A month as a page shows it: rows of days with short texts, ribbons for longer entries, moons, a band of seasons.

Pure: takes a reckoning, the days' contents, today and the fog, and uses no database. A festival between months has its
own sheet after the month that it follows.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.almanac.calendar_state import MOST_DAY
from app.calendar.days import PHASES, Date, NoSuchDay, Reckoning
from app.calendar.shape import Moon

MOST_WORDS = 4
"""Lines in one day's cell; the rest is only counted there, and listed on the day's own page."""
MOST_LANES = 4
"""Ribbons under one week."""
WIDEST = 10
"""Most columns with room for texts; longer weeks are folded."""
PEAKS = ("new", "first quarter", "full", "last quarter")


@dataclass(frozen=True, slots=True)
class CalendarItem:
    """One occurrence in short. `first` and `last` are day numbers; `said` is its full text."""

    key: str
    kind: str
    title: str
    said: str
    href: str
    first: int
    last: int
    before: str = ""  # the hour
    starts_at: datetime | None = None  # when the group meets, in the real world
    state: str = "open"
    private: str = ""  # for entries with limited visibility: who sees them, in words
    again: str = ""  # of a repeat that is folded into one line: how it repeats, and how often on this page
    follows: str = ""  # the title of the scene that it follows from
    led_to: tuple[str, ...] = ()  # of a played scene: the titles of what came of it
    version: int | None = None  # of an entry that the viewer may edit, and so drag to another day

    @property
    def lasts(self) -> bool:
        return self.last > self.first


@dataclass(frozen=True, slots=True)
class Disc:
    """A moon on a day: `path` is its lit part in a circle of radius 8 around 0 0."""

    name: str
    phase: str
    path: str
    which: int = 0  # the moon's index in the calendar


@dataclass(frozen=True, slots=True)
class Day:
    """A day in its cell."""

    number: int
    day: int
    label: str  # the day of the month, or the name of a festival of one day
    weekday: str
    said: str
    words: tuple[CalendarItem, ...] = ()
    more: int = 0
    lasting: tuple[CalendarItem, ...] = ()  # longer entries on this day, for the list of days
    moons: tuple[Disc, ...] = ()
    begins: str = ""  # the season that begins
    today: bool = False
    past: bool = False
    fogged: bool = False
    adding: bool = False  # the short form for a new entry is open on it
    also: str = ""  # its date in the campaign's calendar, if the page is drawn in another

    @property
    def speaks(self) -> bool:
        """Whether the list of days names it."""
        return bool(self.words or self.moons or self.begins or self.today or self.lasting or self.adding)


@dataclass(frozen=True, slots=True)
class LanePiece:
    """A part of a lane under a week: `span` cells, with a ribbon or empty."""

    span: int
    word: CalendarItem | None = None
    begins: bool = True
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Week:
    days: tuple[Day | None, ...]
    lanes: tuple[tuple[LanePiece, ...], ...] = ()
    hidden: int = 0  # ribbons without room


@dataclass(frozen=True, slots=True)
class Gap:
    """A run of days without anything to list."""

    first: Day
    last: Day


@dataclass(frozen=True, slots=True)
class SeasonPart:
    """A part of the band of seasons, `days` long."""

    colour: str
    name: str
    at: int
    days: int


@dataclass(frozen=True, slots=True)
class MonthSheet:
    """One month, or a festival that follows a month."""

    name: str
    year: int
    month: int
    festival: bool
    columns: int
    heads: tuple[str, ...]
    weeks: tuple[Week, ...]
    days: tuple[Day, ...]

    @property
    def listed(self) -> list[Day | Gap]:
        """The days as a list, with runs of empty days combined into gaps."""
        found: list[Day | Gap] = []
        quiet: list[Day] = []
        for day in self.days:
            if day.speaks:
                found += [Gap(quiet[0], quiet[-1])] if quiet else []
                quiet = []
                found.append(day)
            else:
                quiet.append(day)
        return [*found, *([Gap(quiet[0], quiet[-1])] if quiet else [])]


@dataclass(slots=True)
class DayContents:
    """The contents of days, as `lay` needs them."""

    words: Sequence[CalendarItem] = ()
    today: int = 0
    fog_from: int | None = None  # the first day that this viewer cannot see
    adding: int | None = None  # the day with the short form for a new entry
    main: Reckoning | None = None  # the campaign's own reckoning, if the days are drawn in another; it has the sky
    by_day: dict[int, list[CalendarItem]] = field(default_factory=dict)
    spans: list[CalendarItem] = field(default_factory=list)
    turns: dict[int, list[CalendarItem]] = field(default_factory=dict)  # longer entries that begin or end on a day

    def __post_init__(self) -> None:
        for word in self.words:
            if not word.lasts:
                self.by_day.setdefault(word.first, []).append(word)
                continue
            self.spans.append(word)
            for day in (word.first, word.last):
                self.turns.setdefault(day, []).append(word)


# ---- which months share a page -------------------------------------------------------------------------------------


def chapter(count: Reckoning, month: int) -> tuple[int, ...]:
    """The months of one page, counted from 1: a month and the festivals after it. Festivals before the year's first
    month are on its page."""
    months = count.shape.months
    at = min(max(month, 1), len(months)) - 1
    while at > 0 and months[at].between:
        at -= 1
    while months[at].between:  # the year begins with festivals
        at += 1
    first = 0 if all(one.between for one in months[:at]) else at
    last = at
    while last + 1 < len(months) and months[last + 1].between:
        last += 1
    return tuple(range(first + 1, last + 2))


def beside(count: Reckoning, year: int, month: int, step: int) -> tuple[int, int] | None:
    """The year and month of the page before (-1) or after (1); None at the end of the calendar's range. Skips months
    that a year does not have."""
    while True:
        here = chapter(count, month)
        if step > 0 and here[-1] < len(count.shape.months):
            month = here[-1] + 1
        elif step < 0 and here[0] > 1:
            month = here[0] - 1
        else:
            other = year_beside(count, year, step)
            if other is None:
                return None
            year, month = other, 1 if step > 0 else len(count.shape.months)
        lengths = count.lengths(year)
        there = [one for one in chapter(count, month) if lengths[one - 1]]
        if there:
            return year, month if lengths[month - 1] else there[0]


def year_beside(count: Reckoning, year: int, step: int) -> int | None:
    """The year before (-1) or after (1); None outside the calendar's range."""
    other = year + step
    if count.shape.skip_zero and other == 0:
        other += step
    begins = count.new_year(other)
    return other if begins >= -MOST_DAY and begins + count.year_length(other) <= MOST_DAY else None


def named_month(count: Reckoning, months: Sequence[int]) -> int:
    """The first of these months that is no festival; the first festival if all are."""
    return next((month for month in months if not count.shape.months[month - 1].between), months[0])


def columns_of(count: Reckoning) -> int:
    """Cells in a row: the days of the week, folded if it is long; without weeks, the number that fills rows best."""
    week = len(count.shape.weekdays)
    if week > WIDEST:
        return math.ceil(week / math.ceil(week / WIDEST))
    if week:
        return max(week, 2)
    longest = max(month.days for month in count.shape.months if not month.between)
    if longest > 60:
        return WIDEST
    return min(range(5, 9), key=lambda wide: (-longest % wide, abs(wide - 6)))


# ---- a sheet -------------------------------------------------------------------------------------------------------


def lay(count: Reckoning, year: int, month: int, on: DayContents) -> MonthSheet:
    """One month as rows of days, or a festival as one group of days."""
    shape = count.shape
    length = count.lengths(year)[month - 1]
    begins = count.number(Date(year, month, 1))
    festival = shape.months[month - 1].between
    days = tuple(day_of(count, begins + at, on, whole=at == 0) for at in range(length))
    wide = min(length, 6) if festival else columns_of(count)
    week = len(shape.weekdays)
    in_weeks = bool(week) and not festival
    weekday = count.weekday(begins) if in_weeks else None
    cells: list[Day | None] = []
    for at, day in enumerate(days):
        if weekday is not None and (at == 0 or (weekday + at) % week == 0):
            fill = -len(cells) % wide + (weekday if at == 0 else 0)
            cells += [None] * fill
        cells.append(day)
    cells += [None] * (-len(cells) % wide)
    rows = [row for at in range(0, len(cells), wide) if any(row := tuple(cells[at : at + wide]))]
    spans = [one for one in on.spans if one.first < begins + length and one.last >= begins]
    heads = tuple(shape.weekdays) if in_weeks and week == wide else ()
    return MonthSheet(
        shape.months[month - 1].name, year, month, festival, wide, heads, tuple(_week(row, spans) for row in rows), days
    )


def day_of(count: Reckoning, number: int, on: DayContents, most: int = MOST_WORDS, *, whole: bool = False) -> Day:
    """A day with its contents: at most `most` short texts, or one more if that is all. Of longer entries it has those
    that begin or end; on today, or if `whole`, also those that continue."""
    date = count.date(number)
    words = on.by_day.get(number, [])
    shown = len(words) if len(words) <= most + 1 else most
    month = count.shape.months[date.month - 1]
    weekday = count.weekday(number)
    sky = on.main or count
    there = sky.date(number)
    season = next((one for one in sky.shape.seasons if (one.month + 1, one.day) == (there.month, there.day)), None)
    moons = tuple(
        disc(sky, moon, number, peak) for moon in sky.shape.moons for peak in PEAKS if _turns(sky, moon, number, peak)
    )
    return Day(
        number,
        date.day,
        month.name if month.between and count.lengths(date.year)[date.month - 1] == 1 else str(date.day),
        count.shape.weekdays[weekday] if weekday is not None else "",
        count.said(number),
        words=tuple(words[:shown]),
        more=len(words) - shown,
        lasting=tuple(one for one in on.spans if one.first <= number <= one.last)
        if whole or number == on.today
        else tuple(on.turns.get(number, ())),
        moons=moons,
        begins=season.name if season is not None else "",
        today=number == on.today,
        past=number < on.today,
        fogged=on.fog_from is not None and number >= on.fog_from,
        adding=number == on.adding,
        also=on.main.day_name(number) if on.main is not None else "",
    )


def _turns(count: Reckoning, moon: Moon, number: int, peak: str) -> bool:
    """Whether a phase gets a disc: for quick moons only new and full, for moons of about a week only full."""
    least = {"full": 1, "new": 8}.get(peak, 20)
    return moon.days >= least and count.is_peak(moon, number, peak)


def _week(row: tuple[Day | None, ...], spans: Sequence[CalendarItem]) -> Week:
    """A row of cells with the ribbons under it, by first day, longer ones first, each in the first free lane."""
    there = [(at, day.number) for at, day in enumerate(row) if day is not None]
    if not there or not spans:
        return Week(row)
    first, last = there[0][1], there[-1][1]
    place = {number: at for at, number in there}
    lanes: list[list[tuple[int, int, CalendarItem]]] = []
    hidden = 0
    for word in sorted(
        (one for one in spans if one.first <= last and one.last >= first), key=lambda w: (w.first, -w.last)
    ):
        left, right = place[max(word.first, first)], place[min(word.last, last)]
        lane = next((one for one in lanes if one[-1][1] < left), None)
        if lane is None:
            if len(lanes) == MOST_LANES:
                hidden += 1
                continue
            lane = []
            lanes.append(lane)
        lane.append((left, right, word))
    return Week(row, tuple(_lane(lane, len(row), row) for lane in lanes), hidden)


def _lane(
    lane: Iterable[tuple[int, int, CalendarItem]], wide: int, row: tuple[Day | None, ...]
) -> tuple[LanePiece, ...]:
    pieces: list[LanePiece] = []
    at = 0
    for left, right, word in lane:
        pieces += [LanePiece(1)] * (left - at)
        begin, end = row[left], row[right]
        pieces.append(
            LanePiece(
                right - left + 1,
                word,
                begins=begin is not None and begin.number == word.first,
                ends=end is not None and end.number == word.last,
            )
        )
        at = right + 1
    return (*pieces, *[LanePiece(1)] * (wide - at))


# ---- seasons and moons ---------------------------------------------------------------------------------------------


def band(count: Reckoning, first: int, last: int) -> tuple[SeasonPart, ...]:
    """The seasons from one day to another."""
    parts: list[SeasonPart] = []
    if not count.shape.seasons:
        return ()
    for number in range(first, last + 1):
        season = count.season(number)
        name = season.name if season is not None else ""
        if parts and parts[-1].name == name:
            parts[-1] = SeasonPart(parts[-1].colour, name, parts[-1].at, parts[-1].days + 1)
        else:
            parts.append(SeasonPart(season.colour if season is not None else "", name, number - first, 1))
    return tuple(parts)


def disc(count: Reckoning, moon: Moon, number: int, peak: str = "") -> Disc:
    """A moon on a day; with `peak`, at the exact moment of that phase."""
    age = PHASES.index(peak) / 8 if peak else float(count.age(moon, number))
    return Disc(moon.name, peak or count.phase(moon, number), lit(age), count.shape.moons.index(moon))


def lit(age: float, radius: float = 8) -> str:
    """The lit part of a moon, 0 new and 1/2 full: waxing on the right, as in the northern hemisphere."""
    bulge = abs(math.cos(2 * math.pi * age)) * radius
    if bulge > radius * 0.999:
        whole = 0.25 < age < 0.75
        return f"M0 -{radius}A{radius} {radius} 0 1 1 0 {radius}A{radius} {radius} 0 1 1 0 -{radius}Z" if whole else ""
    waxing = age < 0.5
    right = age < 0.25 or 0.5 <= age < 0.75  # the side of the middle on which light and dark meet
    outer, inner = int(waxing), int(not right)
    return f"M0 -{radius}A{radius} {radius} 0 0 {outer} 0 {radius}A{bulge:.2f} {radius} 0 0 {inner} 0 -{radius}Z"


# ---- typed dates ---------------------------------------------------------------------------------------------------


def typed_date(count: Reckoning, year: int, month: int, day: int) -> int:
    """The day number of a typed date. Raises `NoSuchDay` if there is no such date, or if it is too far away."""
    number = count.number(Date(year, month, day)) if abs(year) <= MOST_DAY else MOST_DAY + 1
    if abs(number) > MOST_DAY - 100_000:
        raise NoSuchDay("That date is too far away.")
    return number
