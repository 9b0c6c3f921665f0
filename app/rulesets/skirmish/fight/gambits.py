"""Gambits: a Test in place of an attack, and their effects (SKI-54 to SKI-57)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.skirmish.fight import attacks, damage, legal, zones
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.declarations import Attribute
from app.rulesets.skirmish.fight.state import Combatant, FightLog

OPPOSED: Mapping[str, Attribute] = {"disarm": "agi", "shove": "mgt", "trip": "mgt", "stun": "mgt"}  # SKI-55


def gambit(log: FightLog, chance: Chance, who: Combatant, target: Combatant, deed: ev.Deed) -> None:
    """Tier 1 fails, tier 3 works; at tier 2 the target's own Test of tier 2 or more avoids it (SKI-54)."""
    because: tuple[int, ...] = (log.state.now.acting,)
    verdict = log.state.now.verdicts.get(who.key)
    if deed.gambit == "other" and (verdict is None or not verdict.allowed):
        log.emit(ev.Idle(who.key, "gambit", "not allowed"), rule="SKI-55", because=because)
        return
    attribute = legal.attribute_for(who, legal.usual_arm(who).weapon)
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
    if works and deed.gambit == "stun":
        _stun(log, who, target, because)
        return
    words = verdict.words if deed.gambit == "other" and verdict else ""
    event = ev.Gambited(who.key, target.key, deed.gambit or "shove", works, words)
    told = log.emit(event, rule="SKI-54", because=because)
    if works:
        _effect(log, who, target, deed, (told,))


def _stun(log: FightLog, who: Combatant, target: Combatant, because: tuple[int, ...]) -> None:
    """The target loses one action, the next that it has not taken; of two in a full turn the other is left (SKI-57)."""
    lost = next((part for _, key, part in log.state.now.queue if key == target.key), None)
    told = log.emit(ev.Stunned(target.key, who.key, lost is not None), rule="SKI-57", because=because)
    if lost is not None:
        deed = log.state.now.declared[target.key].deeds[lost]
        log.emit(ev.Idle(target.key, deed.do, "stunned"), rule="SKI-57", because=(told,))


def _effect(log: FightLog, who: Combatant, target: Combatant, deed: ev.Deed, because: tuple[int, ...]) -> None:
    """What the fold does not do by itself: where a shove ends, what a hand lets fall (SKI-57)."""
    event: ev.Foiled | None = None
    if deed.gambit == "shove" and deed.zone:
        event = _shoved(log, who, target, deed.zone, because)
    elif deed.gambit == "disarm":
        held = next((t for t in target.things if t.held == "main" and not getattr(t.gear, "natural", False)), None)
        if held is not None:
            damage.drop(log, target, held, "SKI-57", because)
        else:
            event = ev.Foiled(who.key, "disarm", "empty", target.key)
    if event is not None:
        log.emit(event, rule="SKI-57", because=because)


def _shoved(log: FightLog, who: Combatant, target: Combatant, zone: str, because: tuple[int, ...]) -> ev.Foiled | None:
    """Shoves the target into a zone next door; returns what keeps it where it is, None: nothing does."""
    if zone not in zones.neighbours(log.state.zones, target.zone):
        return ev.Foiled(who.key, "shove", "way", target.key, zone=zone)
    if not zones.has_room(log.state, zone, target):
        return ev.Foiled(who.key, "shove", "room", target.key, zone=zone)
    log.emit(ev.Moved(target.key, target.zone, zone, "", "shove"), rule="SKI-57", because=because)
    return None
