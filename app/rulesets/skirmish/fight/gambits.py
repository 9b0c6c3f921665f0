"""Gambits: a Test in place of an attack, and their effects (SKI-54 to SKI-57)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.engine.ruleset import Log
from app.rulesets.skirmish.fight import attacks, damage, legal, zones
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.state import Combatant, State
from app.rulesets.skirmish.sheet.gear import UNARMED, Weapon

Table = Log[State, ev.Event]

OPPOSED: Mapping[str, Attribute] = {"disarm": "agi", "shove": "mgt", "trip": "mgt", "stun": "mgt"}  # SKI-55


def gambit(log: Table, chance: Chance, who: Combatant, target: Combatant, deed: ev.Deed) -> None:
    """Tier 1 fails, tier 3 works; at tier 2 the target's own Test of tier 2 or more avoids it (SKI-54)."""
    because: tuple[int, ...] = (log.state.now.acting,)
    verdict = log.state.now.verdicts.get(who.key)
    if deed.gambit == "other" and (verdict is None or not verdict.allowed):
        log.emit(ev.Idle(who.key, "gambit", "not allowed"), rule="SKI-55", because=because)
        return
    thing = legal.main_weapon(who)
    weapon = thing.gear if thing is not None and isinstance(thing.gear, Weapon) else UNARMED
    attribute = legal.attribute_for(who, weapon)
    key = f"{who.key}>{target.key}"
    name = deed.words if deed.gambit == "other" else deed.gambit
    hit, number = attacks.test(log, chance, who.key, target.key, "gambit", name, attribute, f"gambit/{key}", because)
    works, because = hit == 3, (number,)
    if hit == 2:
        against = verdict.against if deed.gambit == "other" and verdict else OPPOSED[deed.gambit]
        avoided, number = attacks.test(
            log, chance, target.key, who.key, "opposite", name, against, f"opposite/{key}", because
        )
        works, because = avoided == 1, (*because, number)
    words = verdict.words if deed.gambit == "other" and verdict else ""
    event = ev.Gambited(who.key, target.key, deed.gambit or "shove", works, words)
    told = log.emit(event, rule="SKI-54", because=because)
    if works:
        _effect(log, target, deed, (told,))


def _effect(log: Table, target: Combatant, deed: ev.Deed, because: tuple[int, ...]) -> None:
    """What the fold does not do by itself: where a shove ends, what a hand lets fall (SKI-57)."""
    state = log.state
    if deed.gambit == "shove" and deed.zone in zones.neighbours(state.zones, target.zone):
        if zones.has_room(state, deed.zone, target):
            log.emit(ev.Moved(target.key, target.zone, deed.zone, "", "shove"), rule="SKI-57", because=because)
    elif deed.gambit == "disarm":
        held = next((t for t in target.things if t.held == "main"), None)
        if held is not None:
            damage.drop(log, target, held, "SKI-57", because)
