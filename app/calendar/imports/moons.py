"""Moons of other programs, which show a phase for each whole day, while ours turn all the time."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from app.calendar.imports.reading import exact

MOST_PLACES = 10  # decimal places of a moon's numbers

NAMES = (
    "New Moon", "Waxing Crescent", "First Quarter", "Waxing Gibbous", "Full Moon", "Waning Gibbous", "Last Quarter",
    "Waning Crescent",
)  # fmt: skip


def first_day_from(begins: Fraction, period: Fraction) -> Fraction:
    """When ours is new, in days, if another program's cycle begins at `begins` and it shows the phase of each day's
    beginning: then a phase comes on the first day that begins at or after its moment, and ours on the day in which its
    moment lies. So ours is a day later, less a quarter of the smallest step in which moments of quarters differ."""
    places = min(max(_places(begins), _places(period)), MOST_PLACES - 2)
    return (begins + 1 - Fraction(1, 4 * 10**places)) % period


def _places(number: Fraction) -> int:
    """The decimal places of a number."""
    return next((places for places in range(MOST_PLACES) if number * 10**places % 1 == 0), MOST_PLACES)


def unlike_ours(phases: list[Any], cycle: Fraction) -> Iterator[str]:
    """Yields sentences on what a list of Simple Calendar's phases has that ours have not."""
    given = [one for one in phases if isinstance(one, Mapping)]
    if given and tuple(one.get("name") for one in given) != NAMES:
        yield "These moons' phases have other names than the eight of Signet."
    rest = (cycle - 4) / 4
    usual = [Fraction(1) if number % 2 == 0 else rest for number in range(8)]
    lengths = [exact(one.get("length")) for one in given]
    if given and not (
        len(lengths) == 8
        and all(
            ours is not None and abs(ours - wanted) < Fraction(1, 100)
            for ours, wanted in zip(lengths, usual, strict=True)
        )
    ):
        yield "These moons' phases have other lengths than those of Signet."
