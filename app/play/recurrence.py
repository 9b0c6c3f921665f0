"""Writes the days of a repeat as a recurrence rule of RFC 5545, where one gives exactly these days.

In a feed the world's days lie on real dates, but its months and weeks do not. So only rules that count days can be
exact: every so many days, and days of the real week, for a world whose week has seven days as well. They are found from
the days themselves, whatever rule of the world gave them; what fits neither stays a list of days.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

LEAST = 3
"""The fewest days of a repeat that become a rule; two are two events."""
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A rule that begins on its first day: `rule` has the parts of RRULE, `without` the days that it leaves out."""

    rule: dict[str, object]
    without: tuple[date, ...] = ()


def recurrence_of(days: Sequence[date], left_out: Collection[date] = ()) -> Recurrence | None:
    """The rule for these days, in order; None if none gives exactly these. `left_out` are days between
    them on which the entry would fall too, but which it skips: a rule names them as exceptions where it needs them."""
    if len(days) < LEAST:
        return None
    without = tuple(sorted(left_out))
    for gone in ((), without) if without else ((),):
        rule = _rule(sorted({*days, *gone}))
        if rule is not None:
            return Recurrence(rule, gone)
    return None


def _rule(days: Sequence[date]) -> dict[str, object] | None:
    steps = {(later - one).days for one, later in pairwise(days)}
    if len(steps) == 1:
        return {"freq": "DAILY", "interval": steps.pop(), "count": len(days)}
    weekdays = sorted({day.weekday() for day in days})
    whole = [day for day in _every(days[0], days[-1]) if day.weekday() in weekdays]
    if len(weekdays) < 7 and whole == list(days):
        return {"freq": "WEEKLY", "byday": [WEEKDAYS[one] for one in weekdays], "count": len(days)}
    return None


def _every(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]
