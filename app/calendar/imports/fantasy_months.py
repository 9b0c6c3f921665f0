"""Fantasy-Calendar's months as ours: leap days between weeks become festivals before or after their month.

There, the days of a month are counted together with all its leap days: an intercalary one at its beginning is day 1.
"""

from dataclasses import dataclass, field

from app.calendar.days import Date, NoSuchDay, Reckoning
from app.calendar.imports.reading import Unusable


@dataclass(frozen=True, slots=True)
class MonthSpan:
    """The months of ours that one month of theirs has become: `first` to `last`, the month itself among them."""

    first: int
    main: int
    last: int


@dataclass(slots=True)
class Months:
    """Their months in order."""

    parts: list[MonthSpan] = field(default_factory=list)

    def number(self, count: Reckoning, year: int, month: int, day: int) -> int | None:
        """The day number of a date of theirs; None if there is none."""
        if not 0 <= month < len(self.parts):
            return None
        parts = self.parts[month]
        try:
            lengths = count.lengths(year)
        except NoSuchDay:
            return None
        if not 1 <= day <= sum(lengths[parts.first : parts.last + 1]):
            return None
        return count.begins(year, parts.first + 1) + day - 1

    def nearest(self, count: Reckoning, year: int, month: int, day: int) -> int:
        """The day number of the nearest earlier day of ours."""
        main = self.parts[month].main if 0 <= month < len(self.parts) else 0
        return count.number(count.clamp(Date(year, main + 1, day)))

    def yearly(self, count: Reckoning, month: int, day: int) -> tuple[int, int]:
        """Our month, from 1, and its day, for a day of a month of theirs in every year. Raises `Unusable` if that
        differs from year to year."""
        parts = self.parts[month]
        for part in range(parts.first, parts.last + 1):
            days = count.shape.months[part].days
            varies = any(leap.month == part for leap in count.shape.leaps)
            if day <= days or (part == parts.last and varies):
                return part + 1, day
            if varies:
                break
            day -= days
        raise Unusable("That day does not exist, or differs from year to year.")

    @property
    def numbers_differ(self) -> bool:
        """Whether a month of theirs begins with a festival of ours, so that its days have other numbers here."""
        return any(parts.first != parts.main for parts in self.parts)

    @property
    def split(self) -> bool:
        """Whether a month of theirs is more than one of ours."""
        return any(parts.first != parts.last for parts in self.parts)
