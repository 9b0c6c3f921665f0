"""Something launched, on its way to where it lands: data of the state, so that a fight may stop while it flies."""

from collections.abc import Iterable
from dataclasses import replace

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.declarations import Action

Batch = tuple[int, int]
SPRUNG = -2  # the key of what a ward does: below every distance and every counterspell


@frozen(kw_only=True)
class Flight:
    """One launched action; `key` is the squared distance in cm, and a count for what follows at the same one.

    Named counterspells have a distance below 0: they land before everything else (ARC-56).
    """

    who: str
    slot: int
    do: str
    action: Action
    conditional: bool
    distance2: int  # what is nearer lands earlier (ARC-14)
    targets: tuple[tuple[str, int], ...] = ()  # with the squared distance of each
    using: str = ""  # the id of its spell, weapon or item
    unaware: tuple[str, ...] = ()  # of its actor, at launch (ARC-105)
    blind: bool = False  # at a place, at whoever may be there; a target "" is nobody (ARC-90)
    arrives: int = 0  # the cycle in which it lands; 0: at once (ARC-18)
    key: Batch = (0, 0)  # what has the same lands in the same instant
    count: int = 0  # of missiles on its one target; 0: as many as the spell has (ARC-163)
    total: int = 0  # what the casting check came to
    tag: str = ""  # of what is thrown back or lands later: instead of actor and slot
    number: int = 0  # the event of its launch
    sure: int = 0  # cm: how far the weapon was accurate with this much aim (ARC-166)
    part: int = 1  # what its damage is divided by (ARC-174)
    held: bool = False  # a Focus that lands again: its shields keep the points they have (ARC-157)

    @property
    def label(self) -> str:
        return self.tag or f"{self.who}/{self.slot}"

    @property
    def sprung(self) -> bool:
        """Whether a ward on a place sent it (ARC-160)."""
        return self.key[0] == SPRUNG

    @property
    def back(self) -> bool:
        """Whether it was thrown back at its caster (ARC-57, ARC-161)."""
        return "<" in self.tag


def aimed(flight: Flight, target: str) -> str:
    """What the dice of a flight against one target are called; a blind one names its place, not who is there."""
    at = flight.action.at
    return f"{flight.label}>{at[0]},{at[1]}" if flight.blind and at is not None else f"{flight.label}>{target}"


def in_order(flights: Iterable[Flight], cycle: int) -> list[Flight]:
    """By distance, of one actor's two the second never before the first; later cycles behind (ARC-14 to ARC-18).

    The missiles of one casting that go to several targets land each at its own distance (ARC-163).
    """
    keyed: list[Flight] = []
    last: dict[str, tuple[int, Batch]] = {}
    before: dict[str, Batch] = {}
    for flight in sorted(flights, key=lambda one: (one.who, one.slot)):
        if flight.sprung or flight.back:
            keyed.append(flight)
            continue
        who, key = flight.tag or flight.who, (flight.distance2, 0)
        if who in last and last[who][0] != flight.slot:
            before[who] = last[who][1]
        if who in before and key <= before[who]:
            key = (before[who][0], before[who][1] + 1)
        last[who] = (flight.slot, max(key, last[who][1]) if who in last else key)
        keyed.append(flight if flight.key == key else replace(flight, key=key))
    return by_key(keyed, cycle)


def by_key(flights: Iterable[Flight], cycle: int) -> list[Flight]:
    """Those that have their keys already, in the order of landing."""
    return sorted(flights, key=lambda one: (max(one.arrives, cycle), one.key, one.who, one.slot))
