"""Applies everything that lands in one batch together: HP and FP, statuses, pushes (ledger 1.5, ARC-15)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isqrt
from typing import Literal

from app.rulesets.arcana.effects.health import Healing, settle
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.events import FightLog
from app.rulesets.arcana.fight.skills import MERCY
from app.rulesets.arcana.rules.book import STATUSES
from app.rulesets.arcana.rules.grid import GRID, Cell, cut, gap2
from app.rulesets.arcana.rules.grid import settle as settle_places


@dataclass(slots=True)
class Pending:
    """The effects of a batch on one combatant, applied once the whole batch has been computed (ARC-15)."""

    harm: int = 0
    fp: int = 0
    chilled: int = 0  # FP lost to cold
    healing: list[Healing] = field(default_factory=list)
    cures: set[str] = field(default_factory=set)
    gained: list[ev.Gained] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    turned: list[tuple[str, ev.Gained]] = field(default_factory=list)  # statuses that replace others
    lapsed: list[tuple[ev.Lapsed, int]] = field(default_factory=list)  # loans that end, and the event behind it
    lent: list[tuple[ev.Lent | ev.Mended, str, int]] = field(default_factory=list)  # with its rule and event
    pushes: list[tuple[str, int]] = field(default_factory=list)
    throws: list[tuple[Cell, int]] = field(default_factory=list)
    drops: list[ev.Dropped] = field(default_factory=list)
    because: list[int] = field(default_factory=list)
    blows: dict[str, str] = field(default_factory=dict)  # harmful attacks by label, each with its attacker; "": none
    spared: bool = False  # unconscious instead of dying (ARC-175)
    leap: Cell | None = None  # the place it leaps to, out of an area that missed (ARC-174)


class Crowd:
    """Combatants by place during pushes; read from the state once, and only if there is a push."""

    def __init__(self, log: FightLog) -> None:
        self.log = log
        self.cells: dict[Cell, str] = {}

    def push(
        self, goals: dict[str, Cell], because: dict[str, tuple[int, ...]], how: Literal["push", "leap"] = "push"
    ) -> None:
        """Pushes all targets of one batch, or lets them leap; they stop short of occupied cells."""
        fighters = self.log.state.fighters
        self.cells = self.cells or {one.place: key for key, one in fighters.items()}
        near = set(goals)
        for who, goal in goals.items():
            start = fighters[who].place
            way = isqrt(gap2(start, goal))
            ends = (cut(start, goal, max(0, way - GRID * back)) for back in range(way // GRID + 2))
            near.update(self.cells[cell] for cell in (goal, *ends) if cell in self.cells)
        ends_at, _ = settle_places({key: fighters[key].place for key in near}, goals)
        for who in goals:
            self.cells.pop(fighters[who].place, None)
        for who in sorted(goals):
            start, end = fighters[who].place, ends_at[who]
            self.cells[end] = who
            if end != start:
                moved, rule = ev.Moved(who, how, start, goals[who], end), "ARC-19" if how == "push" else "ARC-174"
                number = self.log.emit(moved, rule=rule, because=because[who])
                if how == "leap":
                    self.log.emit(ev.Gained(who, "prone", 0), rule=rule, because=(number,))


def settle_batch(log: FightLog, pending: dict[str, Pending], crowd: Crowd) -> None:
    """Applies a batch: HP and FP, statuses, pushes (ledger 1.5)."""
    pushed: dict[str, Cell] = {}
    for who, on in sorted(pending.items()):
        one, because = log.state.fighters[who], tuple(sorted(set(on.because)))
        if one.dead:
            _lend(log, who, on)
            continue
        for key in sorted(on.cures):
            log.emit(ev.Ended(who, key), rule="ARC-135" if key == "major_injury" else "ARC-142", because=because)
        change(log, who, on.harm, on.fp, on.healing, because, spared=on.spared)
        for key in on.ended:
            if one.has(key):
                log.emit(ev.Ended(who, key), rule="ARC-142", because=because)
        for old, new in on.turned:
            if one.has(old) and not one.dead:
                log.emit(ev.Ended(who, old), rule="ARC-142", because=because)
                log.emit(new, rule="ARC-142", because=because)
        if not one.dead:
            for gained in on.gained:
                log.emit(gained, rule="ARC-130" if gained.rider else "ARC-142", because=because)
        _lend(log, who, on)
        if on.pushes or on.throws:
            pushed[who] = log.state.passable(one.place, _pushed(log, one.place, on))
        for dropped in on.drops:
            if dropped.what in one.body.weapons:
                log.emit(dropped, rule="ARC-161", because=because)
    if pushed:
        crowd.push(pushed, {who: tuple(sorted(set(pending[who].because))) for who in pushed})
    leaping = {who: on.leap for who, on in pending.items() if on.leap is not None and log.state.fighters[who].able}
    if leaping:
        crowd.push(leaping, {who: tuple(sorted(set(pending[who].because))) for who in leaping}, "leap")


def _lend(log: FightLog, who: str, on: Pending) -> None:
    """Ends, lends and mends by the spells of this batch; the rest of it was not affected by that (ARC-15)."""
    one = log.state.fighters[who]
    for lapsed, number in on.lapsed:
        log.emit(lapsed, rule="ARC-148", because=(number,))
    for lent, rule, number in on.lent:
        if one.dead and not (isinstance(lent, ev.Lent) and lent.rolls):  # a rolled die stays in the log
            continue
        told = log.emit(lent, rule=rule, because=(number,))
        if one.hp > 0 and one.statuses:
            _up_again(log, who, told)


def _up_again(log: FightLog, who: str, number: int) -> None:
    """A combatant above 0 HP is neither dying nor stable (ARC-136, ARC-138)."""
    one = log.state.fighters[who]
    for key in ("critical", "stable"):
        if one.has(key):
            log.emit(ev.Ended(who, key), rule="ARC-138", because=(number,))


def _pushed(log: FightLog, start: Cell, on: Pending) -> Cell:
    """The place after all pushes and throws of one batch, added up, so that their order does not matter."""
    x, y = start
    ends = [cut(start, goal, far) for goal, far in on.throws]
    for source, far in on.pushes:
        away = log.state.fighters[source].place
        goal = (start[0] + 200 * (start[0] - away[0]), start[1] + 200 * (start[1] - away[1]))
        ends.append(cut(start, goal, far))
    return x + sum(end[0] - start[0] for end in ends), y + sum(end[1] - start[1] for end in ends)


def change(
    log: FightLog, who: str, harm: int, fp: int, healing: Sequence[Healing], because: tuple[int, ...], *,
    spared: bool = False,
) -> None:  # fmt: skip
    """Changes a combatant's HP and FP after a batch, and what follows directly (ARC-133, ARC-136, ARC-138, ARC-175)."""
    one, settings = log.state.fighters[who], log.state.settings
    if not harm and not fp and not healing:
        return
    injured = one.has("major_injury") or one.has("broken_bone")
    health = settle(one.hp, one.body.hp_max, settings, harm=harm, healing=healing, injured=injured)
    if spared:
        health = replace(health, hp=1, state="up")
    left = max(0, min(one.body.fp_max, one.fp - fp))
    wakes = health.hp > one.hp and one.has("unconscious") and one.statuses["unconscious"].source == MERCY
    changed = ev.Changed(who, health.hp, left, health.state, hp_before=one.hp, fp_before=one.fp)
    number = log.emit(changed, rule="ARC-15", because=because)
    if health.gained:
        log.emit(ev.Gained(who, "major_injury", 0), rule="ARC-133", because=(number,))
    if spared:
        log.emit(ev.Gained(who, "unconscious", 0, MERCY), rule="ARC-175", because=(number,))
    if wakes:
        log.emit(ev.Ended(who, "unconscious"), rule="ARC-175", because=(number,))
    if health.state == "critical" and not one.has("critical") and not one.has("stable"):
        log.emit(ev.Gained(who, "critical", 0), rule="ARC-136", because=(number,))
    if health.state == "critical" and harm and one.has("stable"):
        log.emit(ev.Ended(who, "stable"), rule="ARC-138", because=(number,))
        log.emit(ev.Gained(who, "critical", 0), rule="ARC-136", because=(number,))
    if health.state == "up" and one.statuses:
        _up_again(log, who, number)
    if harm:
        for key in [key for key in one.statuses if STATUSES[key].ends_by_harm] if one.statuses else ():
            log.emit(ev.Ended(who, key), rule="ARC-142", because=(number,))
