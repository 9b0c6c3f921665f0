"""Carrying out a turn, one action after the other, as far as nobody has to decide anything (SKI-24 to SKI-29)."""

from app.engine.chance import Chance
from app.rulesets.skirmish.fight import attacks, damage, gambits, incoming, morale, moves, order, zones
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.state import Combatant, FightLog, Possession, State
from app.rulesets.skirmish.sheet.gear import Weapon


def carry_on(log: FightLog, chance: Chance) -> None:
    """Acts through the queue; stops where the GM has to say what those do whose morale fails (SKI-76)."""
    while log.state.now.queue and not log.state.now.wavering:
        _act(log, chance)
    if log.state.now.wavering:
        _ask_morale(log)
    else:
        _end_of_turn(log, chance)


def _act(log: FightLog, chance: Chance) -> None:
    """One action, complete with everything that follows from it; then morale (SKI-74)."""
    state = log.state
    _, key, part = state.now.queue[0]
    who, declared = state.combatants[key], state.now.declared[key]
    rule = "SKI-03" if state.free else "SKI-24"
    acts = log.emit(ev.Acts(key, declared.turn, part), rule=rule, because=(state.now.told[key],))
    before = morale.at_zero(state)
    if who.bleeding:
        _bleed(log, chance, who, acts)
    if who.able:
        _do(log, chance, who, declared.deeds[part], full=declared.turn == "full")
    for victim in list(state.now.brutal):
        morale.forced(log, chance, victim, acts)
    morale.check(log, chance, before, acts)


def _bleed(log: FightLog, chance: Chance, who: Combatant, acts: int) -> None:
    """Bleed costs d4 MGT when the next turn begins, without a save (SKI-85)."""
    roll = chance.die(4, f"SKI-85/bleed/{who.key}")
    number = log.emit(ev.Struck(who.key, who.key, "bleeds", roll), rule="SKI-85", because=(acts,))
    part: ev.Stat = "wil" if who.detachment else "mgt"
    damage.take(log, chance, who.key, roll.face, f"bleed/{who.key}", (number,), part=part, save=False)


def _do(log: FightLog, chance: Chance, who: Combatant, deed: ev.Deed, *, full: bool) -> None:
    match deed.do:
        case "move" | "withdraw":
            moves.move(log, chance, who, deed, full=full)
        case "retreat":
            moves.retreat(log, chance, who, deed, full=full)
        case "attack" | "cast":
            _attack(log, chance, who, deed)
        case "gambit":
            _gambit(log, chance, who, deed)
        case "ready":
            _ready(log, who, deed)
        case "hold":
            log.emit(ev.Idle(who.key, "hold", "held"), rule="SKI-27", because=(log.state.now.acting,))


def _lost(log: FightLog, who: Combatant, deed: ev.Deed, why: str) -> None:
    """An action without a target or a weapon comes to nothing (SKI-28)."""
    log.emit(ev.Idle(who.key, deed.do, why), rule="SKI-28", because=(log.state.now.acting,))  # type: ignore[arg-type]


def _target(state: State, who: Combatant, deed: ev.Deed, reaches: Weapon | None) -> Combatant | None:
    """The declared target, else the next on the list in reach; without a weapon it must be beside (SKI-28)."""
    for key in (deed.target, *deed.spare):
        target = state.combatants.get(key)
        if target is None or not target.able or target.hidden:
            continue
        if zones.in_reach(state, who, target, reaches) if reaches else state.is_close(who, target):
            return target
    return None


def _attack(log: FightLog, chance: Chance, who: Combatant, deed: ev.Deed) -> None:
    """An attack or a spell on its target, or a blast on all in a zone, in roster order (SKI-30, SKI-51, SKI-82)."""
    state = log.state
    weapons = incoming.weapons_of(who, deed)
    things = [t for t in who.things if t.key in (deed.weapon, deed.second) and t.key]
    if len(weapons) < (2 if deed.second else 1) or any(thing.spent for thing in things):
        _lost(log, who, deed, "weapon")
        return
    aimed = _target(state, who, deed, None if deed.second else weapons[0])
    if aimed is None:
        _lost(log, who, deed, "target")
        return
    if order.strikes_with_one(state, who, deed):
        kept = order.quicker_of(state, who, aimed, deed)
        things = [t for t in things if t.key == kept]
        weapons = tuple(w for w in (who.weapon(kept),) if w)
    thrown = weapons[0].melee and zones.range_of(state, who, aimed) != "close"
    for target in incoming.targets_of(state, who, deed, weapons, aimed.key):
        if who.able and target.able:
            sealed = state.now.reactions.get(f"{who.key}>{target.key}")
            reaction = attacks.reaction_of(log, target, who, weapons, sealed, thrown=thrown)
            blow = attacks.Blow(who.key, target.key, weapons, reaction=reaction, thrown=thrown, things=tuple(things))
            attacks.attack(log, chance, blow, (state.now.acting, *_reacted(state, blow.key)))
            things = list[Possession]()  # a blast uses a weapon up but once


def _reacted(state: State, attack: str) -> tuple[int, ...]:
    return (state.now.reacted[attack],) if attack in state.now.reacted else ()


def _gambit(log: FightLog, chance: Chance, who: Combatant, deed: ev.Deed) -> None:
    target = _target(log.state, who, deed, None)
    if target is None:
        _lost(log, who, deed, "target")
    else:
        gambits.gambit(log, chance, who, target, deed)


def _ready(log: FightLog, who: Combatant, deed: ev.Deed) -> None:
    """Reloads, draws, takes in hand, or picks up what lies in the zone (SKI-27, SKI-83)."""
    thing = _within_reach(log.state, who, deed.item)
    if thing is None:
        _lost(log, who, deed, "weapon")
        return
    lies = thing.held == "floor"
    if lies and who.slots_used + thing.gear.slots > log.state.settings.slots:
        _lost(log, who, deed, "room")
        return
    ready = thing.spent and thing.at_hand
    event = ev.Item(who.key, thing.key, thing.gear.name, "ready" if ready else "taken")
    number = log.emit(event, rule="SKI-83" if ready else "SKI-27", because=(log.state.now.acting,))
    damage.fill(log, who.key, (number,))


def _within_reach(state: State, who: Combatant, item: str) -> Possession | None:
    for c in state.combatants.values():
        for thing in c.things:
            lies = thing.held == "floor" and thing.zone == who.zone
            mine = c is who and thing.held not in ("floor", "gone", "worn")
            if thing.key == item and (lies or mine):
                return thing
    return None


def _end_of_turn(log: FightLog, chance: Chance) -> None:
    """Hazards, the end of all that lasts, and whether the fight goes on (SKI-19, SKI-26)."""
    state = log.state
    if not state.free and not state.now.burned:
        before, start = morale.at_zero(state), state.now.acting
        for who in state.present():
            _burn(log, chance, who)
        morale.check(log, chance, before, start or state.now.initiative)
        if state.now.wavering:
            _ask_morale(log)
            return
    _finish(log)


def _ask_morale(log: FightLog) -> None:
    log.emit(ev.Stage("morale", tuple(log.state.now.wavering)), rule="SKI-76")


def _finish(log: FightLog) -> None:
    """The turn is over; with one side left the GM says whether the fight is (SKI-26)."""
    state = log.state
    log.emit(ev.TurnOver(state.turn, state.free), rule="SKI-26")
    if len({c.side for c in state.present()}) < 2:
        log.emit(ev.Stage("next"), rule="SKI-26")


def over(log: FightLog, words: str) -> None:
    """The end of the fight; the side that is left alone wins (SKI-26)."""
    sides = list(dict.fromkeys(c.side for c in log.state.present()))
    log.emit(ev.FightOver(sides[0] if len(sides) == 1 else "", words), rule="SKI-26")


def _burn(log: FightLog, chance: Chance, who: Combatant) -> None:
    """The hazard of his zone: no Armor, HP first or straight to an attribute (SKI-19)."""
    hazard = log.state.zones[who.zone].hazard if who.able else None
    if hazard is None:
        return
    blow = f"{who.zone}>{who.key}"
    roll = chance.die(hazard.die, f"SKI-19/hazard/{blow}") if hazard.die > 1 else None
    hurt = roll.face if roll else 1
    event = ev.Burned(who.key, who.zone, hazard.name, roll, hurt, hazard.to)
    number = log.emit(event, rule="SKI-19")
    damage.take(log, chance, who.key, hurt, f"hazard/{blow}", (number,), part=hazard.to, save=hazard.save)
