"""Finds characters who would have to be in two places at once, or go back in time (CHR-CAL-12). Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.almanac.time_walk import TimeItem


@dataclass(frozen=True, slots=True)
class Clash:
    """A scene to come that cannot be on its day, with the character who prevents it and the first possible day."""

    item: TimeItem
    who: str  # the character's slug
    other: TimeItem | None  # the scene it collides with; None: the character has been in later scenes already
    legal: int


def clashes(scenes: Sequence[TimeItem], clocks: Mapping[str, int]) -> list[Clash]:
    """Returns clashes among scenes to come, at most one for each scene; of two scenes, the one made later has it.

    `clocks`: the day of each character's last scene. Two scenes on one day follow one another (CHR-CAL-04), unless both
    have the same time; a scene on the first or last day of a journey comes before or after it.
    """
    found = (clash_of(item, scenes, clocks) for item in sorted(scenes, key=lambda one: one.made_no))
    return [clash for clash in found if clash is not None]


def clash_of(item: TimeItem, scenes: Sequence[TimeItem], clocks: Mapping[str, int]) -> Clash | None:
    """Returns the clash of one of these scenes, or None."""
    others = [one for one in scenes if one.made_no < item.made_no and not set(one.people).isdisjoint(item.people)]
    found = _first(item, item.due, others, clocks)
    return None if found is None else Clash(item, *found, _legal(item, others, clocks))


def _first(
    item: TimeItem, day: int, others: Sequence[TimeItem], clocks: Mapping[str, int]
) -> tuple[str, TimeItem | None] | None:
    for who in item.people:
        if day < clocks.get(who, day):
            return who, None
    for other in others:
        if _meet(day, item, other):
            return next(who for who in item.people if who in other.people), other
    return None


def _legal(item: TimeItem, others: Sequence[TimeItem], clocks: Mapping[str, int]) -> int:
    day = max([item.due, *(clocks[who] for who in item.people if who in clocks)])
    while (clash := _first(item, day, others, clocks)) is not None:
        other = clash[1]
        assert other is not None, "no clock is later than this day"
        day = max(day + 1, other.due + other.length)
    return day


def _meet(day: int, item: TimeItem, other: TimeItem) -> bool:
    """Whether both overlap if `item` begins on this day."""
    last, other_last = day + item.length, other.due + other.length
    if item.length and other.length:
        return max(day, other.due) < min(last, other_last)
    if item.length:
        return day < other.due < last
    if other.length:
        return other.due < day < other_last
    return day == other.due and item.minute is not None and item.minute == other.minute
