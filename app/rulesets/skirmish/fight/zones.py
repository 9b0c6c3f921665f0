"""Zones as a graph: boundaries, distance, range, and what hinders a shot (SKI-10, SKI-11, SKI-15, SKI-20)."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Literal

from app.rulesets.skirmish.fight import declarations as de
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.state import Combatant, State, pair
from app.rulesets.skirmish.sheet.gear import Weapon
from app.rulesets.skirmish.sheet.sheets import Way, Zone

Range = Literal["close", "near", "far", "distant"]
Act = de.Deed | ev.Deed  # as a form spells it, or as it was opened
FAR = 2  # zones apart, at most


def boundary(zones: Mapping[str, Zone], a: str, b: str) -> Way | Literal[""]:
    """The boundary that somebody in zone a meets on the way to b; "": there is no way, as against a one-way one."""
    here = next((link.way for link in zones[a].links if link.to == b), None)
    if here is not None:
        return "open" if here == "oneway" else here
    there = next((link.way for link in zones[b].links if link.to == a), None)
    return "" if there is None or there == "oneway" else there


def neighbours(zones: Mapping[str, Zone], a: str) -> list[str]:
    """The zones that can be entered from a."""
    return [b for b in zones if b != a and boundary(zones, a, b) in ("open", "hindered")]


def _in_sight(zones: Mapping[str, Zone], a: str) -> list[tuple[str, bool]]:
    """The zones that can be shot at across one boundary, and whether it hinders the shot."""
    found = []
    for b in zones:
        ways = {boundary(zones, a, b), boundary(zones, b, a)} - {""} if b != a else set()
        if ways and "closed" not in ways:
            found.append((b, "hindered" in ways))
    return found


def distance(zones: Mapping[str, Zone], a: str, b: str) -> int | None:
    """The fewest boundaries between two zones that are not closed; None: there is no way (SKI-11)."""
    seen, edge, steps = {a}, {a}, 0
    while edge and b not in seen:
        edge = {n for zone in edge for n, _ in _in_sight(zones, zone)} - seen
        seen |= edge
        steps += 1
    return steps if b in seen else None


def clear_shot(zones: Mapping[str, Zone], a: str, b: str) -> bool:
    """Whether some shortest way meets neither smoke nor a boundary that hinders (SKI-20)."""
    apart = distance(zones, a, b) or 0
    clear = {a} if not zones[a].smoke else set[str]()
    for _ in range(apart):
        clear = {n for zone in clear for n, hinders in _in_sight(zones, zone) if not hinders and not zones[n].smoke}
    return b in clear


def range_of(state: State, a: Combatant, b: Combatant) -> Range:
    """Close, Near in the same zone, Far to two zones on, else Distant (SKI-10, SKI-11)."""
    if a.zone == b.zone:
        return "close" if state.is_close(a, b) else "near"
    apart = distance(state.zones, a.zone, b.zone)
    return "far" if apart is not None and apart <= FAR else "distant"


def in_reach(state: State, a: Combatant, b: Combatant, weapon: Weapon) -> bool:
    """Whether a weapon or spell reaches from one to the other; nothing reaches Distant (SKI-11, SKI-13, SKI-84)."""
    match range_of(state, a, b):
        case "close":
            return True
        case "near":
            return weapon.reach != "close" or weapon.thrown or bool(weapon.spell)
        case "far":
            return weapon.reach == "far"
        case _:
            return False


def has_room(state: State, zone: str, who: Combatant) -> bool:
    """Whether one more fits in; all able combatants count (SKI-15)."""
    most = state.zones[zone].most
    return most is None or sum(c.zone == zone and c.key != who.key for c in state.present()) < most


def occupants(state: State, zone: str) -> list[Combatant]:
    return [c for c in state.present() if c.zone == zone]


def close_enemies(state: State, who: Combatant) -> list[Combatant]:
    return [other for other in state.enemies(who) if state.is_close(who, other)]


def after(state: State, who: Combatant, deed: Act) -> tuple[State, Combatant]:
    """The fight as it is after a move of this turn, if it goes as planned; the same after any other action."""
    zone = deed.zone or who.zone
    if deed.do != "move" or zone not in state.zones:
        return state, who
    moved = copy(who)
    moved.zone = zone
    close = list(state.close) if zone == who.zone else [two for two in state.close if who.key not in two]
    if deed.close in state.combatants and deed.close != who.key and state.combatants[deed.close].zone == zone:
        close.append(pair(state, who.key, deed.close))
    return replace(state, combatants={**state.combatants, who.key: moved}, close=close), moved
