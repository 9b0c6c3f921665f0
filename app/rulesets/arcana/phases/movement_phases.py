"""Phases 0 to 2: facing and steps, considered movement, transport, and bodies in one place (ARC-13, ARC-20)."""

from collections.abc import Mapping, Sequence
from typing import cast

from app.engine.chance import Chance
from app.rulesets.arcana.effects import hazards, stealth, wards
from app.rulesets.arcana.effects.batch import change
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight import facing
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.events import FightLog, Manner
from app.rulesets.arcana.fight.ifthens import Way
from app.rulesets.arcana.fight.movement import MOVES, climbs, free_to_go, goal, shied
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.fight.targeting import ASK
from app.rulesets.arcana.rules.grid import Cell, cut, settle, settle_on_the_way


def free(log: FightLog) -> dict[str, Cell]:
    """Carries out phase 0: coming out of cover and facing. Returns the goals of free steps (ARC-60, ARC-61, ARC-69)."""
    state = log.state
    for who, one in state.fighters.items():
        if not one.able:
            continue
        if one.turn.free.emerge and state.cover(who) != "none":
            log.emit(ev.Emerged(who), rule="ARC-61", because=one.said)
        if one.turn.free.back and one.out and one.turn.free.step is None and free_to_go(log.state, who):
            log.emit(ev.Covered(who), rule="ARC-61", because=one.said)
        facing.at_the_reveal(log, who)
    return {
        who: state.passable(one.place, shied(state, one, cut(one.place, one.turn.free.step, state.settings.step)))
        for who, one in state.fighters.items()
        if one.turn.free.step is not None and not (one.turn.major and one.turn.major.do == "move")
        and free_to_go(log.state, who) and not one.has("prone")
    }  # fmt: skip


def moves(log: FightLog, do: str) -> dict[str, Cell]:
    """Returns the goals of phase 1 or 2, cut short if too far (ARC-66, ARC-68)."""
    goals: dict[str, Cell] = {}
    for who, one in log.state.fighters.items():
        for action in one.turn.plain() if not one.dead else ():
            if action.do == do and action.to is not None and not _void(log, who, do):
                goals[who] = goal(log.state, who, action)
    return goals


def _void(log: FightLog, who: str, do: str, *, guarded: bool = False) -> str:
    """Emits why a movement fails and returns it; "": it does not."""
    one = log.state.fighters[who]
    if one.reels:
        log.emit(ev.Void(who, do, ASK["reels"], guarded=guarded), rule="ARC-145", because=one.said)
        return ASK["reels"]
    if not free_to_go(log.state, who):
        log.emit(ev.Void(who, do, "cannot move", guarded=guarded), rule="ARC-144", because=one.said)
        return "cannot move"
    return ""


def guarded(log: FightLog, owners: Sequence[str], how: str, chance: Chance) -> dict[str, str]:
    """Carries out the conditional movements of one round, all at once; the GM is not asked about bodies here (ARC-43).

    Returns "" for each mover, or why it failed; `how` labels the dice.
    """
    goals: dict[str, Cell] = {}
    notes: dict[str, str] = {}
    for who in owners:
        for action in log.state.fighters[who].turn.guarded():
            if action.do in MOVES and action.to is not None:
                notes[who] = _void(log, who, action.do, guarded=True)
                goals |= {} if notes[who] else {who: goal(log.state, who, action)}
    for who, end in goals.items():
        facing.along(log, who, end)
    go(log, goals, how, chance)
    return notes


def meant(log: FightLog, do: str) -> list[Way]:
    """Returns the movements of a phase that are declared but not made yet, for interrupts (ARC-49)."""
    found: list[Way] = []
    for who, one in log.state.fighters.items():
        for action in one.turn.plain() if free_to_go(log.state, who) and not one.reels else ():
            if action.do == do and action.to is not None:
                found.append(Way(who=who, start=one.place, end=goal(log.state, who, action), over=False))
    return [way for way in found if way.start != way.end]


def clashing(log: FightLog, goals: Mapping[str, Cell]) -> tuple[str, ...]:
    """Returns those who would end in one cell with another combatant (ARC-20)."""
    starts = {key: one.place for key, one in log.state.fighters.items()}
    moving = {who: goal for who, goal in goals.items() if goal != starts[who]}
    return _settled(log, starts, moving)[1] if moving else ()


def _settled(
    log: FightLog, starts: Mapping[str, Cell], moving: Mapping[str, Cell]
) -> tuple[dict[str, Cell], tuple[str, ...], Mapping[str, Cell]]:
    """Everyone's final place, those in a body slam, and the cell of each clash (ARC-21)."""
    if log.state.settings.collision_mode == "path":
        return settle_on_the_way(starts, moving)
    ends, slammed = settle(starts, moving)
    return ends, slammed, {**starts, **moving}


def go(log: FightLog, goals: Mapping[str, Cell], how: str, chance: Chance, *, harm: bool = True) -> None:
    """Makes one phase of movement with its body slams; `harm` False: by ruling they only stop (ARC-20, ARC-21)."""
    state = log.state
    moving = {who: goal for who, goal in goals.items() if goal != state.fighters[who].place}
    if not moving:
        return
    starts = {key: one.place for key, one in state.fighters.items()}
    ends, slammed, met_at = _settled(log, starts, moving)
    told: dict[str, int] = {}
    for who in sorted(moving):
        covered = state.cover(who)
        manner = how if how in ("step", "considered", "move") else _manner(state.fighters[who])
        moved = ev.Moved(who, cast(Manner, manner), starts[who], moving[who], ends[who])
        told[who] = log.emit(moved, rule="ARC-66", because=state.fighters[who].said)
        if covered != "none" and ends[who] != starts[who] and state.cover(who) == "none":
            log.emit(ev.Emerged(who), rule="ARC-61", because=(told[who],))
    stealth.slammed(log, slammed, met_at)
    before = stealth.health(state)
    for who in slammed if harm else ():
        roll = chance.die(state.settings.body_slam, f"ARC-21/slam/{how}/{who}")
        met = tuple(number for key, number in told.items() if key == who or met_at.get(key) == met_at[who])
        number = log.emit(ev.Slammed(who, roll), rule="ARC-21", because=met)
        change(log, who, roll.face, 0, (), (number,))
    stealth.hurt(log, before, chance)
    ways = {who: (starts[who], ends[who]) for who in moving if ends[who] != starts[who]}
    if state.ground:
        climbing = [who for who in ways if any(climbs(state.fighters[who], one) for one in _acts(state.fighters[who]))]
        hazards.trodden(log, ways, how, chance, climbing, told)
    wards.entered(log, ways)


def _acts(one: Fighter) -> tuple[Action, ...]:
    return (*one.turn.plain(), *one.turn.guarded())


def _manner(one: Fighter) -> str:
    """The kind of a conditional movement."""
    return next((action.do for action in one.turn.guarded() if action.do in MOVES), "move")
