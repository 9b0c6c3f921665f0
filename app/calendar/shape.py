"""The shape of a calendar as data: months, festivals between them, leap days, weeks, eras, seasons, moons, hours.

Everything a group can edit is defined and checked here; `Reckoning` (app/calendar/days.py) does the arithmetic.
"""

import functools
from fractions import Fraction
from math import lcm
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

MOST_MONTHS = 60
MOST_CYCLE = 20_000
"""The most years after which leap days repeat: 400 in our own calendar, 4 to a few thousand in invented ones."""

PATTERNS = {
    "every": "Write numbers of years: 4, or 400, !100, 4. Eight at most.",
    "period": "Enter a number of days from 1 to 99,999, for example 29.53.",
    "new_at": "Enter a number of days, for example 3 or 3.5.",
}
"""What to write in the fields of a leap rule and a moon that have a pattern."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=60, strip_whitespace=True)]


class _ShapeModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Month(_ShapeModel):
    """A month, or (`between`) a festival that lies between months and belongs to no week.

    A month without days exists only in years in which a leap rule gives it some: a leap month, a leap festival.
    """

    name: Name
    days: Annotated[int, Field(ge=0, le=500)]
    between: bool = False


class Leap(_ShapeModel):
    """Days that only some years have. `every` is like "400, !100, 4": years divisible by 400 have them; other years
    divisible by 100 do not; other years divisible by 4 do. `shift` moves the whole rule by so many years.
    """

    month: Annotated[int, Field(ge=0, lt=MOST_MONTHS)]  # the month that gets the days, counted from 0
    every: Annotated[str, StringConstraints(pattern=r"^\s*!?\d{1,5}(\s*,\s*!?\d{1,5}){0,7}\s*$")] = "4"
    shift: Annotated[int, Field(ge=-10_000, le=10_000)] = 0
    name: Annotated[str, Field(max_length=60)] = ""
    days: Annotated[int, Field(ge=1, le=500)] = 1

    @property
    def intervals(self) -> tuple[tuple[int, bool], ...]:
        """Divisors, largest first, each with whether it makes a leap year."""
        return _intervals(self.every)

    def falls_in(self, year: int) -> bool:
        """Whether a year has these days; the largest divisor that fits decides."""
        for divisor, leaps in self.intervals:
            if (year - self.shift) % divisor == 0:
                return leaps
        return False

    @property
    def cycle(self) -> int:
        return lcm(*(divisor for divisor, _ in self.intervals))

    @model_validator(mode="after")
    def _divisible(self) -> Self:
        if any(divisor < 1 for divisor, _ in self.intervals):
            raise ValueError("Every how many years? A leap rule needs numbers of 1 and more.")
        return self


@functools.lru_cache(maxsize=1024)
def _intervals(every: str) -> tuple[tuple[int, bool], ...]:
    parts = [part.strip() for part in every.split(",")]
    return tuple(sorted(((int(part.lstrip("!")), not part.startswith("!")) for part in parts), reverse=True))


class Era(_ShapeModel):
    """Years counted from `first_year`; before the first era, years count down to it."""

    name: Name
    short: Annotated[str, Field(max_length=12)] = ""
    first_year: int = 1  # the calendar's year that is year 1 of this era
    backwards: bool = False  # years before `first_year`, counted back from it


class Season(_ShapeModel):
    name: Name
    month: Annotated[int, Field(ge=0, lt=MOST_MONTHS)]  # the month of its first day, counted from 0
    day: Annotated[int, Field(ge=1, le=500)] = 1
    colour: Literal["", "spring", "summer", "autumn", "winter"] = ""


class Moon(_ShapeModel):
    """A moon. `period` is in days, as text ("29.53059") to be exact; `new_at` is a day number on which it is new."""

    name: Name
    period: Annotated[str, StringConstraints(pattern=r"^\d{1,5}(\.\d{1,10})?$")]
    new_at: Annotated[str, StringConstraints(pattern=r"^-?\d{1,9}(\.\d{1,10})?$")] = "0"

    @property
    def days(self) -> Fraction:
        return Fraction(self.period)

    @model_validator(mode="after")
    def _turns(self) -> Self:
        if self.days < 1:
            raise ValueError(f"{self.name} would be new more than once a day. Its cycle must be 1 day or longer.")
        return self


class Shape(_ShapeModel):
    """A whole calendar. Day 0 is the first day of year 1; there is a year 0 unless `skip_zero`."""

    name: Name
    months: Annotated[tuple[Month, ...], Field(min_length=1, max_length=MOST_MONTHS)]
    weekdays: Annotated[tuple[Name, ...], Field(max_length=30)] = ()
    first_weekday: Annotated[int, Field(ge=0, lt=30)] = 0  # of day 0
    weeks: Literal["on", "by-month", "by-year"] = "on"  # whether each month or year begins with a new week
    leaps: Annotated[tuple[Leap, ...], Field(max_length=20)] = ()
    eras: Annotated[tuple[Era, ...], Field(max_length=20)] = ()
    seasons: Annotated[tuple[Season, ...], Field(max_length=12)] = ()
    moons: Annotated[tuple[Moon, ...], Field(max_length=12)] = ()
    hours: Annotated[int, Field(ge=1, le=1000)] = 24
    minutes: Annotated[int, Field(ge=1, le=1000)] = 60
    show_hours: bool = False
    skip_zero: bool = False

    @property
    def cycle(self) -> int:
        """The number of years after which leap days repeat."""
        return lcm(1, *(leap.cycle for leap in self.leaps))

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for leap in self.leaps:
            if leap.month >= len(self.months):
                raise ValueError(
                    f"A leap rule is for month {leap.month + 1}, but there are only {len(self.months)} months."
                )
        for season in self.seasons:
            if season.month >= len(self.months) or season.day > self.months[season.month].days:
                raise ValueError(f"{season.name} begins on a day that does not exist.")
        if len({(season.month, season.day) for season in self.seasons}) != len(self.seasons):
            raise ValueError("Two seasons begin on the same day.")
        if self.weekdays and self.first_weekday >= len(self.weekdays):
            raise ValueError("The first day falls on a weekday that does not exist.")
        if not any(month.days and not month.between for month in self.months):
            raise ValueError("A calendar needs at least one month that is not a festival and has days every year.")
        given = {leap.month for leap in self.leaps}
        for index, month in enumerate(self.months):
            if not month.days and index not in given:
                raise ValueError(f"{month.name} never has a day. Give it days, or add a leap rule that does.")
        if self.cycle > MOST_CYCLE:
            raise ValueError(
                f"These leap rules together repeat after {self.cycle:,} years; {MOST_CYCLE:,} is the most. "
                "Choose numbers with common divisors."
            )
        return self
