"""Day numbers and dates, exact both ways for any year: whole cycles of leap years, then a look-up."""

import functools
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, compress
from typing import NamedTuple

from app.calendar.shape import Leap, Moon, Season, Shape

PHASES = (
    "new", "waxing crescent", "first quarter", "waxing gibbous", "full", "waning gibbous", "last quarter",
    "waning crescent",
)  # fmt: skip

MOST_SEEN = 4096  # years of a cycle whose months are cached


class Date(NamedTuple):
    """A date in a calendar: its own year, month and day, month and day counted from 1."""

    year: int
    month: int
    day: int


class NoSuchDay(ValueError):
    """The calendar has no such date; the text says what it has instead."""


@dataclass(frozen=True)
class Reckoning:
    """Converts between days and dates of one calendar. `reckoning(shape)` makes it and caches the tables of a cycle.

    Its own day 0 is the first day of its year 1; with a `shift`, day 0 of the count is its own day `shift`. Moons are
    in the sky and do not shift.
    """

    shape: Shape
    year_starts: Sequence[int] = field(hash=False)  # days before each year of a cycle; last, those of the whole cycle
    week_starts: Sequence[int] = field(hash=False)  # the same for days that belong to weeks
    shift: int = 0  # days
    _seen: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    # ---- years -----------------------------------------------------------------------------------------------------

    def _counted(self, year: int) -> int:
        """Years since the first one: 0 for year 1. Without a year 0, year -1 comes right before year 1."""
        if self.shape.skip_zero and year == 0:
            raise NoSuchDay("This calendar has no year 0.")
        return year if self.shape.skip_zero and year < 0 else year - 1

    def _named(self, counted: int) -> int:
        return counted if self.shape.skip_zero and counted < 0 else counted + 1

    def _before(self, starts: Sequence[int], counted: int) -> int:
        cycles, place = divmod(counted, len(starts) - 1)
        return cycles * starts[-1] + starts[place]

    def lengths(self, year: int) -> tuple[int, ...]:
        """The days of each month of a year."""
        place = self._counted(year) % (len(self.year_starts) - 1)
        found = self._seen.get(place)
        if found is None:
            if len(self._seen) >= MOST_SEEN:
                self._seen.clear()
            found = self._seen[place] = _lengths(self.shape, place + 1)
        return found

    def begins(self, year: int, month: int) -> int:
        """The day number of a month's first day; for a month without days this year, that of the next day."""
        return self.new_year(year) + sum(self.lengths(year)[: month - 1])

    def year_length(self, year: int) -> int:
        return sum(self.lengths(year))

    # ---- dates -----------------------------------------------------------------------------------------------------

    def number(self, date: Date) -> int:
        """The day number of a date. Raises `NoSuchDay` if there is none."""
        lengths = self.lengths(date.year)
        if not 1 <= date.month <= len(lengths):
            raise NoSuchDay(f"There is no month {date.month}; a year has {len(lengths)}.")
        if not 1 <= date.day <= lengths[date.month - 1]:
            month = self.shape.months[date.month - 1].name
            if not lengths[date.month - 1]:
                raise NoSuchDay(f"There is no {month} in {date.year}; it comes only in some years.")
            raise NoSuchDay(f"There is no {date.day} {month} in {date.year}; it has {lengths[date.month - 1]} days.")
        return self.new_year(date.year) + sum(lengths[: date.month - 1]) + date.day - 1

    def date(self, number: int) -> Date:
        """The date of a day number."""
        cycles, rest = divmod(number + self.shift, self.year_starts[-1])
        place = bisect_right(self.year_starts, rest) - 1
        counted = cycles * (len(self.year_starts) - 1) + place
        rest -= self.year_starts[place]
        for month, length in enumerate(self.lengths(self._named(counted)), start=1):
            if rest < length:
                return Date(self._named(counted), month, rest + 1)
            rest -= length
        raise AssertionError("a year's months hold all its days")

    def clamp(self, date: Date) -> Date:
        """The nearest earlier date that exists: the 30th of a month with 28 days is its 28th; a day of a month without
        days this year is the last day of the month before.
        """
        lengths = self.lengths(date.year)
        month, day = min(max(1, date.month), len(lengths)), max(1, date.day)
        while month > 1 and not lengths[month - 1]:
            month, day = month - 1, lengths[month - 2]
        if not lengths[month - 1]:  # the year's first months have no days
            month, day = next(index for index, length in enumerate(lengths, start=1) if length), 1
        return Date(date.year, month, min(day, lengths[month - 1]))

    def new_year(self, year: int) -> int:
        """The day number of a year's first day, in any month."""
        return self._before(self.year_starts, self._counted(year)) - self.shift

    # ---- weeks -----------------------------------------------------------------------------------------------------

    def weekday(self, number: int) -> int | None:
        """The weekday, counted from 0; None on festivals between months and in calendars without weeks."""
        date = self.date(number)
        first = self.first_weekday(date.year, date.month)
        return None if first is None else (first + date.day - 1) % len(self.shape.weekdays)

    def first_weekday(self, year: int, month: int) -> int | None:
        """The weekday on which a month begins; None for a festival between months and in calendars without weeks."""
        days = len(self.shape.weekdays)
        if not days or self.shape.months[month - 1].between:
            return None
        if self.shape.weeks == "by-month":
            return 0
        earlier = zip(self.shape.months[: month - 1], self.lengths(year), strict=False)
        in_year = sum(length for one, length in earlier if not one.between)
        if self.shape.weeks == "by-year":
            return in_year % days
        return (self.shape.first_weekday + self._before(self.week_starts, self._counted(year)) + in_year) % days

    # ---- seasons and moons -----------------------------------------------------------------------------------------

    def season(self, number: int) -> Season | None:
        """The season of a day: the one that began last. None: the calendar has no seasons."""
        if not self.shape.seasons:
            return None
        date = self.date(number)
        ordered = sorted(self.shape.seasons, key=lambda season: (season.month, season.day))
        begun = [season for season in ordered if (season.month + 1, season.day) <= (date.month, date.day)]
        return begun[-1] if begun else ordered[-1]

    def age(self, moon: Moon, number: int) -> Fraction:
        """The fraction of a moon's cycle at the middle of a day: 0 new, 1/2 full."""
        return ((number + Fraction(1, 2) - Fraction(moon.new_at)) % moon.days) / moon.days

    def phase(self, moon: Moon, number: int) -> str:
        """The name of the nearest of the eight phases."""
        return PHASES[int(self.age(moon, number) * 8 + Fraction(1, 2)) % 8]

    def is_peak(self, moon: Moon, number: int, phase: str) -> bool:
        """Whether the exact moment of a phase, for example "full", falls on this day."""
        moment = Fraction(PHASES.index(phase), 8)
        start = ((number - Fraction(moon.new_at)) % moon.days) / moon.days
        return (moment - start) % 1 < 1 / moon.days

    # ---- words -----------------------------------------------------------------------------------------------------

    def day_name(self, number: int) -> str:
        """A day without its year: "14 Mead"; a festival of one day by its name."""
        date = self.date(number)
        month = self.shape.months[date.month - 1]
        alone = month.between and self.lengths(date.year)[date.month - 1] == 1
        return month.name if alone else f"{date.day} {month.name}"

    def year_name(self, year: int) -> str:
        """A year as its era counts it."""
        eras = sorted(self.shape.eras, key=lambda era: era.first_year)
        found = [era for era in eras if not era.backwards and era.first_year <= year]
        if found:
            era = found[-1]
            return f"{self._counted(year) - self._counted(era.first_year) + 1} {era.short or era.name}"
        back = next((era for era in eras if era.backwards), None)
        if back is not None:
            return f"{self._counted(back.first_year) - self._counted(year)} {back.short or back.name}"
        return str(year)

    def said(self, number: int) -> str:
        """A day in words: "Starday, 14 Mead 1021 AC"; a festival of one day by its name, without a date."""
        weekday = self.weekday(number)
        before = f"{self.shape.weekdays[weekday]}, " if weekday is not None else ""
        return f"{before}{self.day_name(number)} {self.year_name(self.date(number).year)}"


@functools.lru_cache(maxsize=128)  # the largest tables are a third of a megabyte
def reckoning(shape: Shape, shift: int = 0) -> Reckoning:
    """The reckoning of a calendar; its tables are made once per shape."""
    if shift:
        return replace(reckoning(shape), shift=shift)
    cycle = shape.cycle
    years = [sum(month.days for month in shape.months)] * cycle
    weeks = [sum(month.days for month in shape.months if not month.between)] * cycle
    for leap in shape.leaps:
        in_weeks = not shape.months[leap.month].between
        for year in compress(range(cycle), _leap_years(leap, cycle)):
            years[year] += leap.days
            if in_weeks:
                weeks[year] += leap.days
    return Reckoning(shape, array("q", (0, *accumulate(years))), array("q", (0, *accumulate(weeks))))


def _leap_years(leap: Leap, cycle: int) -> bytearray:
    """Which of the years 1, 2, 3 … have this leap day, as flags: a larger divisor overrules a smaller one."""
    flags = bytearray(cycle)
    for divisor, leaps in reversed(leap.intervals):
        first = (leap.shift - 1) % divisor
        flags[first::divisor] = bytes([leaps]) * len(range(first, cycle, divisor))
    return flags


def _lengths(shape: Shape, year: int) -> tuple[int, ...]:
    """The days of each month in the year that is `year` - 1 years after the first."""
    more = [0] * len(shape.months)
    for leap in shape.leaps:
        if leap.falls_in(year):
            more[leap.month] += leap.days
    return tuple(month.days + extra for month, extra in zip(shape.months, more, strict=True))
