"""Who acts when: four groups, in roster or the side's order, or by length of weapons (SKI-24, SKI-25, SKI-47)."""

from app.engine.chance import Chance, Roll
from app.rulesets.skirmish.fight import events as ev
from app.rulesets.skirmish.fight.incoming import weapons_of
from app.rulesets.skirmish.fight.odds import saved
from app.rulesets.skirmish.fight.state import Combatant, FightLog, State
from app.rulesets.skirmish.sheet.gear import Weapon
from app.rulesets.skirmish.sheet.sheets import Side


def queue(log: FightLog, chance: Chance) -> None:
    """Settles the order: leader quick, other quick, leader full, other full; in a free turn one side's two groups."""
    state = log.state
    leads: Side = state.now.leads or ("foes" if state.surprised == "company" else "company")
    other: Side = "foes" if leads == "company" else "company"
    sides = (leads,) if state.free else (leads, other)
    turns: tuple[ev.Turn, ...] = ("quick", "full")
    groups = [(side, turn, _group(state, side, turn)) for turn in turns for side in sides]
    ties: list[Roll] = []
    if state.settings.length_order == "on" and not state.free:
        for one, two in ((groups[0], groups[1]), (groups[2], groups[3])):
            ties += _by_length(state, one[2], two[2], chance)
    event = ev.Queued(tuple((side, turn, tuple(order)) for side, turn, order in groups), tuple(ties))
    because = (state.now.initiative,) if state.now.initiative and not state.free else ()
    log.emit(event, rule="SKI-03" if state.free else "SKI-24", because=because)


def _group(state: State, side: Side, turn: ev.Turn) -> list[str]:
    declared = [d.who for d in state.now.declared.values() if d.turn == turn]
    there = [key for key in state.combatants if key in declared and _acts(state.combatants[key], side)]
    wanted = state.now.orders.get(side, [])
    return sorted(there, key=lambda key: wanted.index(key) if key in wanted else len(wanted))


def _acts(c: Combatant, side: Side) -> bool:
    return c.able and not c.hidden and c.side == side


def _by_length(state: State, leading: list[str], other: list[str], chance: Chance) -> list[Roll]:
    """Two who attack each other at the same speed go by their weapons: the quicker one is put before the other.

    Whoever moves ahead of the leading side stands in its group, right before the opponent. Equal lengths are an AGI
    save of the player's character (SKI-47).
    """
    rolls: list[Roll] = []
    for b in list(other):
        a = _opponent(state, b)
        if a not in leading or _opponent(state, a) != b:
            continue
        first, roll = _first(state, state.combatants[a], state.combatants[b], chance)
        rolls += [roll] if roll else []
        if first == b:
            other.remove(b)
            leading.insert(leading.index(a), b)
    return rolls


def _opponent(state: State, who: str) -> str:
    deeds = state.now.declared[who].deeds
    return next((deed.target for deed in deeds if deed.do == "attack"), "")


def _first(state: State, a: Combatant, b: Combatant, chance: Chance) -> tuple[str, Roll | None]:
    closing = _closing(state, a, b)
    mine, theirs = _length(state, a, closing=closing), _length(state, b, closing=closing)
    if mine != theirs:
        return (a.key if mine < theirs else b.key), None
    pc, other = (a, b) if a.pc or not b.pc else (b, a)
    roll = chance.die(20, f"SKI-47/length/{pc.key}>{other.key}")
    quick = max((w.quick for w in _arms(state, pc) if pc.skilled(w)), default=0)
    bonus = quick if state.settings.weapon_traits == "on" else 0
    return (pc.key if saved(pc.agi + bonus, roll.face) and not pc.shocked else other.key), roll


def _closing(state: State, a: Combatant, b: Combatant) -> bool:
    """Whether one of them comes up beside the other in this turn; else they stand beside each other already."""
    return any(
        deed.do == "move" and deed.close == other.key
        for one, other in ((a, b), (b, a))
        if one.key in state.now.declared
        for deed in state.now.declared[one.key].deeds
    )


def _arms(state: State, who: Combatant) -> tuple[Weapon, ...]:
    deed = next(deed for deed in state.now.declared[who.key].deeds if deed.do == "attack")
    return weapons_of(who, deed)


def _length(state: State, who: Combatant, *, closing: bool) -> int:
    """Lower goes first: the longest weapon when closing in, the shortest when beside each other already."""
    deed = next(deed for deed in state.now.declared[who.key].deeds if deed.do == "attack")
    lengths = [weapon.length if closing else -weapon.length for weapon in weapons_of(who, deed)] or [0]
    return min(lengths) if deed.quicker else max(lengths)


def strikes_with_one(state: State, who: Combatant, deed: ev.Deed) -> bool:
    """Whether a two-weapon fighter who would rather be quick strikes with the quicker weapon only: it got him ahead of
    his opponent, and both would not have (SKI-46, SKI-47)."""
    if not (deed.quicker and deed.second and state.settings.length_order == "on"):
        return False
    opponent = state.combatants[deed.target]
    order = [key for _, _, group in state.now.groups for key in group]
    if opponent.key not in order or _opponent(state, opponent.key) != who.key:
        return False
    closing = _closing(state, who, opponent)
    both = max(weapon.length if closing else -weapon.length for weapon in weapons_of(who, deed))
    return order.index(who.key) < order.index(opponent.key) and both >= _length(state, opponent, closing=closing)


def quicker_of(state: State, who: Combatant, target: Combatant, deed: ev.Deed) -> str:
    """The key of the weapon that goes first against this target."""
    closing = _closing(state, who, target)
    found = {key: who.weapon(key) for key in (deed.weapon, deed.second)}
    lengths = {key: weapon.length if closing else -weapon.length for key, weapon in found.items() if weapon}
    return min(lengths, key=lambda key: lengths[key])
