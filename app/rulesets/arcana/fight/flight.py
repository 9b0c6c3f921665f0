"""Flights: launched actions that have not landed. They are part of the state, so that a fight may pause meanwhile."""

from collections.abc import Iterable
from dataclasses import replace

from app.engine.frozen import frozen
from app.rulesets.arcana.fight.declarations import Action

Batch = tuple[int, int]
SPRUNG = -2  # the key of a ward's attack: below every distance and every counterspell


@frozen(kw_only=True)
class Flight:
    """One launched action. `key` is its order of landing: squared distance in cm, then a count at equal distance.

    Named counterspells have a distance below 0, so they land before everything else (ARC-56).
    """

    who: str
    slot: int
    do: str
    action: Action
    conditional: bool
    distance2: int  # the nearer lands earlier (ARC-14)
    targets: tuple[tuple[str, int], ...] = ()  # with the squared distance of each
    using: str = ""  # the id of its spell, weapon or item
    unaware: tuple[str, ...] = ()  # of its actor, at launch (ARC-105)
    blind: bool = False  # at a place and any combatant there; a target "" means it is empty (ARC-90)
    arrives: int = 0  # the cycle in which it lands; 0: at once (ARC-18)
    key: Batch = (0, 0)  # flights with the same key land together
    count: int = 0  # missiles for its one target; 0: the spell's own number (ARC-163)
    total: int = 0  # the total of the casting check
    tag: str = ""  # replaces actor and slot in labels, for a flight thrown back or repeated
    number: int = 0  # the number of its launch event
    sure: int = 0  # cm: the accurate range of the weapon with this much aim (ARC-166)
    part: int = 1  # the divisor of its damage (ARC-174)
    held: bool = False  # a Focus that lands again: its shields do not regain points (ARC-157)

    @property
    def label(self) -> str:
        return self.tag or f"{self.who}/{self.slot}"

    @property
    def sprung(self) -> bool:
        """Whether a ward on a place launched it (ARC-160)."""
        return self.key[0] == SPRUNG

    @property
    def back(self) -> bool:
        """Whether it was thrown back at its caster (ARC-57, ARC-161)."""
        return "<" in self.tag


def aimed(flight: Flight, target: str) -> str:
    """Returns the label of a flight's dice against one target; a blind one names the place instead of the target."""
    at = flight.action.at
    return f"{flight.label}>{at[0]},{at[1]}" if flight.blind and at is not None else f"{flight.label}>{target}"


def in_order(flights: Iterable[Flight], cycle: int) -> list[Flight]:
    """Returns flights by distance, an actor's second never before the first, later cycles last (ARC-14 to ARC-18).

    Missiles of one casting at several targets each land at their own distance (ARC-163).
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
    """Returns flights that have their keys in the order of landing."""
    return sorted(flights, key=lambda one: (max(one.arrives, cycle), one.key, one.who, one.slot))
