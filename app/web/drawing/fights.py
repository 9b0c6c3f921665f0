"""Groups the lines of a step by fights, so that a log tells two fights of one round one after the other.

A fight is everybody whom the step's events connect: attackers with targets, guards with wards. A log.html takes part by
its `apart`: the kinds of events that belong to no single fight, such as the roll for who goes first. Their lines stay
where they are, and no line passes them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Protocol, TypeVar


class KindedEvent(Protocol):
    """An event with its kind."""

    @property
    def event(self) -> Any: ...


L = TypeVar("L", bound=tuple[Any, ...])


def by_fight(words: Any, lines: Sequence[L], told: Iterable[KindedEvent], people: Collection[str]) -> Sequence[L]:
    """Returns lines, each with its event in front, fight after fight where there are two fights or more.

    `words` is the module of the log.html, `told` has all events of the step, `people` the keys of those in the scene.
    """
    apart = getattr(words, "apart", None)
    if apart is None:
        return lines
    fight = fights_of([one.event for one in told if one.event.kind not in apart], people)
    if sum(size > 1 for size in Counter(fight.values()).values()) < 2:
        return lines
    keyed: list[tuple[tuple[int, int], L]] = []
    part = place = 0
    for line in lines:
        event = line[0].event
        named: list[str] = [] if event.kind in apart else named_in(event, people)
        part += event.kind in apart
        place = fight[named[0]] if named else -1 if event.kind in apart else place
        keyed.append(((part, place), line))
    return [line for _, line in sorted(keyed, key=lambda one: one[0])]


def fights_of(events: Iterable[Any], people: Collection[str]) -> dict[str, int]:
    """Returns the number of the fight of everybody whom the events name, counted as they are named."""
    above: dict[str, str] = {}  # who -> somebody of the same fight who was named before, or who
    number: dict[str, int] = {}

    def first(who: str) -> str:
        while above[who] != who:
            above[who] = who = above[above[who]]
        return who

    for event in events:
        named = named_in(event, people)
        for who in named:
            number.setdefault(who, len(number))
            above.setdefault(who, who)
            one, other = sorted((first(named[0]), first(who)), key=number.__getitem__)
            above[other] = one
    return {who: number[first(who)] for who in above}


def named_in(value: Any, people: Collection[str]) -> list[str]:
    """Returns the people whom an event names, in the order of its fields."""
    if isinstance(value, str):
        return [value] if value in people else []
    if isinstance(value, (tuple, list)):
        return [who for one in value for who in named_in(one, people)]
    if is_dataclass(value):
        return [who for one in fields(value) for who in named_in(getattr(value, one.name), people)]
    return []
