"""The resolution of one clash, in the order of the ledger: costs, Flurry, Dodge, harm, defeat, healing, stamina,
momentum, stored effects, the end of a combo.
"""

import dataclasses
import functools
from dataclasses import dataclass

from app.rulesets.duel import events as ev
from app.rulesets.duel.data import ACTIONS, FLAGS, NUMBERS, Action
from app.rulesets.duel.state import DuelLog, Fighter, Move


@dataclass(slots=True)
class Doing:
    """The effect of one fighter's action in this clash, after additions, copies and dodging."""

    who: str
    cost: int
    kind: str
    damage: int
    block: int
    heal: int
    recover: int
    tiring: int
    momentum: int
    fall_back: int
    halting: int
    reversal: int
    opportunity: int
    discombobulate: int
    finisher: bool
    guard_break: bool
    parry: bool
    dodge: bool
    hits: bool  # has Damage: uses up Opportunity
    void: bool = False  # dodged
    exhausted: bool = False
    own: int = 0  # exhaustion and Rage


def doing(who: Fighter, move: Move) -> Doing:
    """Returns an action with the additions of Surprise! and the copies of Ditto (DUE-52, DUE-63)."""
    one = both(move.action, move.copied) if move.copied else ACTIONS[move.action]
    return Doing(
        who=who.key,
        cost=move.cost,
        kind=one.kind,
        damage=one.damage,
        block=one.block,
        heal=one.heal,
        recover=one.recover,
        tiring=one.tiring,
        momentum=one.momentum + (move.add == "momentum"),
        fall_back=one.fall_back,
        halting=one.halting,
        reversal=one.reversal,
        opportunity=one.opportunity,
        discombobulate=one.discombobulate + (move.add == "discombobulate"),
        finisher=one.finisher,
        guard_break=one.guard_break,
        parry=one.parry,
        dodge=one.dodge,
        hits=one.damage > 0,
    )


@functools.cache
def both(action: str, copied: str) -> Action:
    """Returns an action with all traits of another one added (DUE-52); its kind decides who may use it."""
    one, two = ACTIONS[action], ACTIONS[copied]
    numbers = {name: getattr(one, name) + getattr(two, name) for name in NUMBERS}
    flags = {name: getattr(one, name) or getattr(two, name) for name in FLAGS}
    return dataclasses.replace(one, **numbers, **flags)


def effective_cost(who: Fighter, action: str, add: str = "", copied: str = "") -> int:
    """DUE-30."""
    more = ACTIONS[copied].cost if copied else 0
    return ACTIONS[action].cost + who.discombobulated + bool(add) + more


def resolve(log: DuelLog, *, initial: bool = False) -> None:
    """Resolves one clash, once both actions are known and, in the initial one, the advantage is given."""
    state = log.state
    sides = {key: doing(state.fighters[key], state.moves[key]) for key in state.order}
    for one in sides.values():
        _pay(log, one)
    _flurry(log, sides)
    _dodge(log, sides)
    _harm(log, sides)
    if _defeat(log):
        return
    _heal(log, sides)
    _stamina(log, sides)
    if not initial:
        _momentum(log, sides)
    _store(log, sides)
    _combo(log, sides)
    _what_next(log)


def _pay(log: DuelLog, one: Doing) -> None:
    """DUE-31, DUE-33, DUE-61: stamina, Rage's HP, exhaustion."""
    who, move = log.state.fighters[one.who], log.state.moves[one.who]
    paid = max(0, one.cost - move.rage)
    short = who.stamina - paid
    one.exhausted = paid >= 1 and short < 1
    harm = max(0, -short) if one.exhausted else 0
    one.own = harm + 2 * move.rage
    if one.cost or move.rage:
        event = ev.Paid(one.who, paid, max(0, short), 2 * move.rage, one.exhausted, harm)
        rule = "DUE-33" if one.exhausted else "DUE-61" if move.rage else "DUE-31"
        log.emit(event, rule=rule, because=(log.state.told[one.who],))


def _flurry(log: DuelLog, sides: dict[str, Doing]) -> None:
    """DUE-60: the third Offence action of a combo."""
    state = log.state
    one = sides[state.offence]
    if state.combo == 3 and one.kind == "offence" and state.fighters[one.who].has("flurry"):
        one.momentum += 1
        log.emit(ev.Streak(one.who), rule="DUE-60", because=(state.told[one.who],))


def _dodge(log: DuelLog, sides: dict[str, Doing]) -> None:
    """DUE-39: an action that dodges and costs more cancels the other one."""
    for key, one in sides.items():
        other = sides[log.state.other(key)]
        if one.dodge and one.cost > other.cost:
            other.void = True
            log.emit(ev.Dodged(key, other.who), rule="DUE-39", because=tuple(log.state.told.values()))


def _harm(log: DuelLog, sides: dict[str, Doing]) -> None:
    """All HP losses of the clash at once (DUE-64)."""
    hits = {key: _hit(log, one) for key, one in sides.items()}
    left: dict[str, int] = {}
    told: dict[str, ev.Hurt] = {}
    for key, one in sides.items():
        other = sides[log.state.other(key)]
        who = log.state.fighters[key]
        block = _block(who, one, other)
        damage, extra = hits[other.who], _extra(log.state.fighters[other.who], one)
        through = max(0, damage - block)
        block_left = max(0, block - damage)
        suffered_extra = max(0, extra - block_left)
        left[key] = max(0, block_left - extra)
        back = min(0 if one.void else one.reversal, through)
        told[key] = ev.Hurt(key, who.hp, 0, damage, extra, damage - through + extra - suffered_extra, back, 0, one.own)
    for key in sides:
        mine, theirs = told[key], told[log.state.other(key)]
        returned = max(0, theirs.reversed - left[key])
        loss = mine.damage + mine.extra - mine.blocked - mine.reversed + returned + mine.own
        blocked = mine.blocked + theirs.reversed - returned
        if not (mine.damage or mine.extra or theirs.reversed or mine.own):
            continue
        event = ev.Hurt(
            key, mine.before, mine.before - loss, mine.damage, mine.extra, blocked, mine.reversed, returned, mine.own
        )
        log.emit(event, rule=_hurt_rule(event), because=tuple(log.state.told.values()))


def _hurt_rule(event: ev.Hurt) -> str:
    if event.reversed or event.returned:
        return "DUE-42"
    if event.extra:
        return "DUE-62"
    if event.damage:
        return "DUE-36" if event.blocked else "DUE-38"
    return "DUE-64"


def _hit(log: DuelLog, one: Doing) -> int:
    """Returns the damage of an action; it uses up a stored Opportunity, even if it has no effect (DUE-43)."""
    stored = log.state.fighters[one.who].opportunity
    if not one.hits:
        return 0
    if stored:
        because = (log.state.told[one.who],)
        log.emit(ev.Stored(one.who, "opportunity", -stored), rule="DUE-43", because=because)
    return 0 if one.void else one.damage + stored


def _block(who: Fighter, one: Doing, other: Doing) -> int:
    """Block of the action, unless dodged or broken, and Tough Skin (DUE-36, DUE-37, DUE-57)."""
    broken = other.guard_break and not other.void
    action = 0 if one.void or broken else one.block
    return action + (who.has("tough-skin") and 2 * who.stamina < who.stamina_max)


def _extra(watcher: Fighter, one: Doing) -> int:
    """Don't Even Try: an action with Momentum costs its user HP (DUE-62)."""
    return one.momentum if watcher.has("dont-even-try") else 0


def _defeat(log: DuelLog) -> bool:
    """DUE-65, DUE-66."""
    state = log.state
    down = [key for key in state.order if state.fighters[key].hp <= 0]
    if not down:
        return False
    if len(down) == 1:
        end(log, state.other(down[0]), "defeat", "DUE-65")
    else:
        end(log, state.owner(state.die) if state.settings.double_ko == "momentum" else "", "both", "DUE-66")
    return True


def end(log: DuelLog, winner: str, why: str, rule: str) -> None:
    """Ends a bout, and the match if it is decided, conceded, or out of bouts."""
    state = log.state
    wins = {key: one.bouts + (key == winner) for key, one in state.fighters.items()}
    match = next((key for key, won in wins.items() if won >= state.settings.to_win), "")
    if not match and (why == "conceded" or state.bout >= int(state.settings.best_of)):
        first, second = state.order
        ahead = first if wins[first] > wins[second] else second if wins[second] > wins[first] else "-"
        match = winner if why == "conceded" else ahead
    log.emit(ev.BoutOver(winner, why, match), rule=rule, because=tuple(state.told.values()))  # type: ignore[arg-type]


def _heal(log: DuelLog, sides: dict[str, Doing]) -> None:
    """DUE-50, DUE-56: after damage, up to the maximum."""
    for key, one in sides.items():
        who = log.state.fighters[key]
        because = (log.state.told[key],)
        amount = min(0 if one.void else one.heal, who.hp_max - who.hp)
        if amount > 0:
            log.emit(ev.Healed(key, amount, who.hp + amount, "action"), rule="DUE-50", because=because)
        if one.kind == "defence" and who.has("recuperate") and who.hp < who.hp_max:
            log.emit(ev.Healed(key, 1, who.hp + 1, "recuperate"), rule="DUE-56", because=because)


def _stamina(log: DuelLog, sides: dict[str, Doing]) -> None:
    """DUE-48, DUE-59, then DUE-49."""
    for key, one in sides.items():
        who = log.state.fighters[key]
        if one.recover and not one.void:
            amount = min(one.recover + who.has("agile"), who.stamina_max - who.stamina)
            if amount > 0:
                rule = "DUE-59" if who.has("agile") else "DUE-48"
                event = ev.Rested(key, amount, who.stamina + amount)
                log.emit(event, rule=rule, because=(log.state.told[key],))
    for key, one in sides.items():
        target = log.state.fighters[log.state.other(key)]
        amount = min(0 if one.void else one.tiring, target.stamina)
        if amount > 0:
            event2 = ev.Tired(target.key, amount, target.stamina - amount)
            log.emit(event2, rule="DUE-49", because=(log.state.told[key],))


def _momentum(log: DuelLog, sides: dict[str, Doing]) -> None:
    """Adds all changes, then moves the die once (DUE-45, DUE-46, DUE-47)."""
    state = log.state
    gains = {key: gain(one, sides[state.other(key)]) for key, one in sides.items()}
    if any(gains.values()):
        swing(log, gains[state.high], gains[state.low], "actions", "DUE-46", tuple(state.told.values()))


def gain(one: Doing, other: Doing) -> int:
    """Returns the momentum that an action brings its user, less the opponent's Halting (DUE-40, DUE-45, DUE-47)."""
    if one.void:
        return 0
    halted = 0 if other.void else other.halting
    return max(0, one.momentum - halted) - one.fall_back


def swing(log: DuelLog, high: int, low: int, why: str, rule: str, because: tuple[int, ...]) -> int:
    """Moves the die, high upwards, low downwards, within its faces; returns the event's number."""
    before = log.state.die
    after = min(log.state.settings.die, max(1, before + high - low))
    return log.emit(ev.Swung(before, after, high, low, why), rule=rule, because=because)  # type: ignore[arg-type]


def _store(log: DuelLog, sides: dict[str, Doing]) -> None:
    """DUE-43, DUE-44: effects stored for the next clash."""
    for key, one in sides.items():
        because = (log.state.told[key],)
        if one.opportunity and not one.void:
            log.emit(ev.Stored(key, "opportunity", one.opportunity), rule="DUE-43", because=because)
        if one.discombobulate and not one.void:
            target = log.state.other(key)
            log.emit(ev.Stored(target, "discombobulate", one.discombobulate), rule="DUE-44", because=because)


def _combo(log: DuelLog, sides: dict[str, Doing]) -> None:
    """Decides whether a running combo is over, and who has the offence next (DUE-22, DUE-23, DUE-25)."""
    state = log.state
    offence, defence = sides[state.offence], sides[state.defence]
    because = tuple(state.told.values())
    if not state.combo:
        if offence.kind == "universal" and state.clash > 1:
            check(log, because, "DUE-25")
        return
    why, rule = "", "DUE-23"
    if offence.kind == "universal":
        why = "universal"
    elif offence.finisher:
        why, rule = "finisher", "DUE-28"
    elif defence.parry and not defence.void:
        why, rule = "parry", "DUE-41"
    elif offence.exhausted:
        why, rule = "exhausted", "DUE-34"
    if why:
        end_combo(log, why, rule, because)


def end_combo(log: DuelLog, why: str, rule: str, because: tuple[int, ...]) -> None:
    """Ends a combo: Imposing first, then the check (DUE-22, DUE-58)."""
    state = log.state  # an Imposing named for this combo (DUE-51) still counts at its end
    high, low = (int(state.fighters[key].has("imposing")) for key in (state.high, state.low))
    number = log.emit(ev.ComboOver(state.offence, why, state.combo), rule=rule, because=because)  # type: ignore[arg-type]
    if high or low:
        swing(log, high, low, "imposing", "DUE-58", (number,))
    check(log, (number,), "DUE-22")


def check(log: DuelLog, because: tuple[int, ...], rule: str) -> None:
    owner = log.state.owner(log.state.die)
    log.emit(ev.Checked(owner, log.state.die), rule=rule, because=because)


def _what_next(log: DuelLog) -> None:
    """The next clash, the decision on the combo before it, or the referee's if the fight stalls (DUE-74)."""
    state = log.state
    longest = state.settings.longest
    stalled = not state.harmed and state.calm + 1 >= state.settings.stall_limit
    stalled = stalled or bool(longest and state.clash % longest == 0)  # healing can keep both up for thousands
    follows = "stalled" if stalled else "combo" if state.combo else "clash"
    log.emit(ev.Clashed(follows, state.combo), rule="DUE-74" if stalled else "DUE-03")  # type: ignore[arg-type]
