"""Repetition: every so many days, on weekdays, on dates, with the moon, with the seasons.

`falls_on` defines a rule day by day; `occurrences` jumps from one day to the next and must agree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from app.calendar.days import PHASES, Date, Reckoning
from app.calendar.shape import MOST_MONTHS, Shape

MOST_DAYS = 1_100_000
"""The most days that one call looks ahead: about three thousand years, after which it gives up."""

MOST_YEARS = 3_000
"""The most years that `upcoming` looks ahead, however short they are."""

MOST_STEPS = 40_000
"""The most months that `upcoming` checks, or years if a rule names the month: three thousand years of twelve months."""


MISSED_YEARS = 100
"""How many years `misses` looks ahead if a rule names a month; a tenth of it, month by month, if not."""


@dataclass(slots=True)
class Steps:
    """A budget of months and years to check, the cost of a rule that never falls; several calls may share it."""

    left: int

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    start: int = 0  # the first day on which it may fall
    until: int | None = None  # the last such day
    skip: Annotated[frozenset[int], Field(max_length=500)] = frozenset()  # days on which it does not fall

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until < self.start:
            raise ValueError("The end is before the start.")
        return self


class EveryDays(_Rule):
    """Every so many days from `start`."""

    kind: Literal["days"] = "days"
    days: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class Weekly(_Rule):
    """On these weekdays, counted from 0."""

    kind: Literal["weekly"] = "weekly"
    weekdays: Annotated[frozenset[Annotated[int, Field(ge=0, lt=30)]], Field(min_length=1)]


class OnDate(_Rule):
    """On a day of every month, or of one month each year; -1 is the last day. Months without that day are skipped."""

    kind: Literal["date"] = "date"
    day: Annotated[int, Field(ge=-1, le=520)]
    month: Annotated[int, Field(ge=1, le=MOST_MONTHS)] | None = None  # counted from 1; None: every month

    @model_validator(mode="after")
    def _some_day(self) -> Self:
        if self.day == 0:
            raise ValueError("Days are counted from 1; -1 is the last of the month.")
        return self


class NthWeekday(_Rule):
    """The second Restday, the last Moonday: of every month, or of one month each year."""

    kind: Literal["nth"] = "nth"
    nth: Literal[1, 2, 3, 4, 5, -1]
    weekday: Annotated[int, Field(ge=0, lt=30)]
    month: Annotated[int, Field(ge=1, le=MOST_MONTHS)] | None = None


class WithMoon(_Rule):
    """On the days of a moon's phase."""

    kind: Literal["moon"] = "moon"
    moon: Annotated[int, Field(ge=0, lt=12)] = 0
    phase: Literal["new", "first quarter", "full", "last quarter"] = "full"


class WithSeason(_Rule):
    """On the first day of a season."""

    kind: Literal["season"] = "season"
    season: Annotated[int, Field(ge=0, lt=12)] = 0


Rule = Annotated[EveryDays | Weekly | OnDate | NthWeekday | WithMoon | WithSeason, Field(discriminator="kind")]
RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


def falls_on(rule: Rule, count: Reckoning, number: int) -> bool:
    """Whether a rule falls on a day."""
    if number < rule.start or (rule.until is not None and number > rule.until) or number in rule.skip:
        return False
    match rule:
        case EveryDays():
            return (number - rule.start) % rule.days == 0
        case Weekly():
            return count.weekday(number) in rule.weekdays
        case OnDate():
            date = count.date(number)
            last = count.lengths(date.year)[date.month - 1]
            return rule.month in (None, date.month) and date.day == (last if rule.day == -1 else rule.day)
        case NthWeekday():
            date = count.date(number)
            return rule.month in (None, date.month) and number in _nth_days(rule, count, date.year, date.month)
        case WithMoon():
            moons = count.shape.moons
            return rule.moon < len(moons) and count.is_peak(moons[rule.moon], number, rule.phase)
        case WithSeason():
            return number == _season_day(rule, count, count.date(number).year)


def occurrences(rule: Rule, count: Reckoning, first: int, last: int, steps: Steps | None = None) -> Iterator[int]:
    """Yields the days from `first` to `last` on which a rule falls, in order, until the steps run out."""
    low = max(first, rule.start)
    high = min(last, low + MOST_DAYS) if rule.until is None else min(last, rule.until, low + MOST_DAYS)
    if low > high:
        return
    for number in _candidates(rule, count, low, high, steps or Steps(MOST_DAYS)):
        if number > high:
            return
        if number >= low and number not in rule.skip:
            yield number


def upcoming(rule: Rule, count: Reckoning, after: int, most: int = 5, steps: Steps | None = None) -> list[int]:
    """Returns the next days after `after` on which a rule falls; fewer if it ends, or the search does."""
    if not possible(rule, count.shape):
        return []
    last = after + MOST_DAYS
    if not isinstance(rule, EveryDays | WithMoon):  # rules checked month by month
        last = min(last, count.new_year(count.date(after + 1).year + MOST_YEARS or 1))
    own = Steps(MOST_STEPS if steps is None else max(0, min(MOST_STEPS, steps.left)))
    given = own.left
    found = list(islice(occurrences(rule, count, after + 1, last, own), most))
    if steps is not None:
        steps.left -= given - max(0, own.left)
    return found


def possible(rule: Rule, shape: Shape) -> bool:
    """False if a calendar has no day on which the rule could ever fall; quick, while a search takes long."""
    match rule:
        case EveryDays():
            return True
        case Weekly():
            return min(rule.weekdays) < len(shape.weekdays)
        case OnDate():
            return any(length >= max(1, rule.day) for length in _longest(shape, rule.month))
        case NthWeekday():
            week = len(shape.weekdays)
            lengths = _longest(shape, rule.month, festivals=False)
            return rule.weekday < week and any(-(-length // week) >= rule.nth for length in lengths)
        case WithMoon():
            return rule.moon < len(shape.moons)
        case WithSeason():
            return rule.season < len(shape.seasons)


def misses(rule: Rule, count: Reckoning) -> bool:
    """Whether a rule of a date skips one of the next years, or of the next months, for want of its day. Festivals
    between months count only where the rule names one."""
    if not isinstance(rule, OnDate | NthWeekday):
        return False
    months = range(1, len(count.shape.months) + 1) if rule.month is None else [rule.month]
    year = count.date(rule.start).year
    for _ in range(MISSED_YEARS if rule.month is not None else MISSED_YEARS // 10):
        lengths = count.lengths(year)
        for month in months:
            if month > len(lengths) or (rule.month is None and count.shape.months[month - 1].between):
                continue
            if rule.month is None and not lengths[month - 1]:
                continue
            if isinstance(rule, NthWeekday):
                lacks = not _nth_days(rule, count, year, month)
            else:
                lacks = lengths[month - 1] < max(1, rule.day)
            if lacks:
                return True
        year = _next_year(count, year)
    return False


def _longest(shape: Shape, month: int | None, *, festivals: bool = True) -> list[int]:
    """The greatest lengths of a month, or of each month: with all its leap days in one year."""
    months = range(len(shape.months)) if month is None else range(month - 1, min(month, len(shape.months)))
    return [
        shape.months[one].days + sum(leap.days for leap in shape.leaps if leap.month == one)
        for one in months
        if festivals or not shape.months[one].between
    ]


def _candidates(rule: Rule, count: Reckoning, low: int, high: int, steps: Steps) -> Iterator[int]:
    match rule:
        case EveryDays():
            yield from range(low + (rule.start - low) % rule.days, high + 1, rule.days)
        case OnDate() | NthWeekday() | Weekly():
            yield from _by_month(rule, count, low, high, steps)
        case WithMoon():
            yield from _by_moon(rule, count, low, high)
        case WithSeason():
            yield from _by_year(rule, count, low, high, steps)


def _by_month(rule: OnDate | NthWeekday | Weekly, count: Reckoning, low: int, high: int, steps: Steps) -> Iterator[int]:
    """Month by month; year by year if the rule names a month."""
    only = None if isinstance(rule, Weekly) else rule.month
    months = len(count.shape.months)
    if only is not None and only > months:
        return
    year, month = count.date(low)[:2]
    if only is not None:
        year, month = (year if month <= only else _next_year(count, year)), only
    begins = count.begins(year, month)
    while begins <= high and steps.take():
        length = count.lengths(year)[month - 1]
        match rule:
            case Weekly():
                yield from sorted({n for one in rule.weekdays for n in _weekday_days(count, one, year, month, begins)})
            case NthWeekday():
                yield from _nth(rule, _weekday_days(count, rule.weekday, year, month, begins))
            case OnDate() if length and rule.day <= length:
                yield begins + (length if rule.day == -1 else rule.day) - 1
        if only is None and month < months:
            begins, month = begins + length, month + 1
            continue
        year, month = _next_year(count, year), only or 1
        begins = count.begins(year, month)


def _nth_days(rule: NthWeekday, count: Reckoning, year: int, month: int) -> Sequence[int]:
    """The day of the rule in one month, if there is one."""
    return _nth(rule, _weekday_days(count, rule.weekday, year, month, count.begins(year, month)))


def _nth(rule: NthWeekday, days: Sequence[int]) -> Sequence[int]:
    return days[-1:] if rule.nth == -1 else days[rule.nth - 1 : rule.nth]


def _weekday_days(count: Reckoning, weekday: int, year: int, month: int, begins: int) -> range:
    """All days of a month that fall on a weekday; inside a month, weekdays follow one another without gaps."""
    week, first = len(count.shape.weekdays), count.first_weekday(year, month)
    if first is None or weekday >= week:
        return range(0)
    return range(begins + (weekday - first) % week, begins + count.lengths(year)[month - 1], week)


def _by_moon(rule: WithMoon, count: Reckoning, low: int, high: int) -> Iterator[int]:
    """From one cycle of the moon to the next; the moment of a phase falls on exactly one day per cycle."""
    if rule.moon >= len(count.shape.moons):
        return
    moon = count.shape.moons[rule.moon]
    first = Fraction(moon.new_at) + Fraction(PHASES.index(rule.phase), 8) * moon.days
    turn = ceil((low - first) / moon.days)
    while (number := floor(first + turn * moon.days)) <= high:
        yield number
        turn += 1


def _by_year(rule: WithSeason, count: Reckoning, low: int, high: int, steps: Steps) -> Iterator[int]:
    year = count.date(low).year
    while count.new_year(year) <= high and steps.take():
        number = _season_day(rule, count, year)
        if number is not None:
            yield number
        year = _next_year(count, year)


def _season_day(rule: WithSeason, count: Reckoning, year: int) -> int | None:
    if rule.season >= len(count.shape.seasons):
        return None
    season = count.shape.seasons[rule.season]
    return count.number(Date(year, season.month + 1, season.day))


def _next_year(count: Reckoning, year: int) -> int:
    return 1 if count.shape.skip_zero and year == -1 else year + 1
