"""Habits: turns suggested for the GM's combatants, which the GM may change or seal unchanged."""

from typing import Any

from app.rulesets.skirmish.fight import legal, zones
from app.rulesets.skirmish.fight.state import Combatant, State
from app.rulesets.skirmish.sheet.gear import Weapon


def hand(state: State) -> dict[str, dict[str, Any]]:
    """Returns turns by combatant, as a form spells them; one who cannot follow the habit holds."""
    able = [c for c in state.combatants.values() if c.seat == "gm" and c.able]
    return {c.key: plan(state, c, number) for number, c in enumerate(able)}


def plan(state: State, who: Combatant, number: int = 0) -> dict[str, Any]:
    """Strikes or shoots whom it reaches, with the one next to it first; else goes toward the nearest enemy.

    Of enemies that are equally near, each of a side takes another one, by its `number`.
    """
    spare = [t for t in who.weapons if t.spent and isinstance(t.gear, Weapon)]
    there = state.enemies(who)
    turned = number % len(there) if there else 0
    enemies = sorted(there[turned:] + there[:turned], key=lambda c: _apart(state, who, c))
    if who.habit == "hold" or not enemies:
        return _turn({"do": "hold"})
    for ranged in (True, False) if who.habit == "shoot" else (False, True):
        for enemy in enemies:
            if (deed := _attack(state, who, enemy, ranged=ranged)) is not None:
                others = [c.key for c in enemies if c is not enemy and _attack(state, who, c, ranged=ranged)]
                return _turn(deed | {"spare": others[:3]})
    if spare:
        return _turn({"do": "ready", "item": spare[0].key})
    return _approach(state, who, enemies[0])


def _turn(first: dict[str, Any], then: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"turn": "full" if then else "quick", "first": first, **({"then": then} if then else {})}


def _apart(state: State, who: Combatant, other: Combatant) -> tuple[int, bool]:
    apart = zones.distance(state.zones, who.zone, other.zone)
    return (99 if apart is None else apart, not state.is_close(who, other))


def _attack(state: State, who: Combatant, enemy: Combatant, *, ranged: bool) -> dict[str, Any] | None:
    arms = [(t.key, t.gear) for t in who.weapons if isinstance(t.gear, Weapon) and not t.spent]
    spells = [(spell.id, spell) for spell in who.spells if spell.spell == "fast"]
    for key, weapon in (*arms, *spells) if ranged else arms:
        if weapon.melee is not ranged and zones.in_reach(state, who, enemy, weapon):
            if not ranged and zones.range_of(state, who, enemy) != "close":
                continue  # it would have to throw its weapon
            return {"do": "cast", "spell": key, "target": enemy.key} if weapon.spell else {
                "do": "attack", "weapon": key, "target": enemy.key
            }  # fmt: skip
    if not ranged and not arms and zones.range_of(state, who, enemy) == "close":
        return {"do": "attack", "weapon": "", "target": enemy.key}
    return None


def _approach(state: State, who: Combatant, enemy: Combatant) -> dict[str, Any]:
    """Goes beside an enemy in its zone or next door, and strikes; else one zone nearer, or two."""
    thing = legal.usual_arm(who).thing
    strike = {"do": "attack", "weapon": thing.key if thing else "", "target": enemy.key}
    if enemy.zone == who.zone:
        return _turn({"do": "move", "zone": who.zone, "close": enemy.key}, strike)
    nearer = _next(state, who, who.zone, enemy.zone)
    if not nearer:
        return _turn({"do": "hold"})
    if nearer == enemy.zone:
        return _turn({"do": "move", "zone": nearer, "close": enemy.key}, strike)
    second = _next(state, who, nearer, enemy.zone)
    beside = enemy.key if second == enemy.zone else ""
    then = {"do": "move", "zone": second, "close": beside} if second else {"do": "hold"}
    return _turn({"do": "move", "zone": nearer, "close": ""}, then)


def _next(state: State, who: Combatant, a: str, b: str) -> str:
    """The zone next door that is on a shortest way and has room; "": none."""
    here = zones.distance(state.zones, a, b)
    ways = [n for n in zones.neighbours(state.zones, a) if zones.has_room(state, n, who)]
    nearer = [
        n
        for n in ways
        if (apart := zones.distance(state.zones, n, b)) is not None and here is not None and apart < here
    ]
    return nearer[0] if nearer else ""
