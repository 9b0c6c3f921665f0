"""Phases 0 to 2: facing and steps, considered movement, transport, and bodies in one place (ARC-13, ARC-20)."""

from collections.abc import Mapping

from app.engine.chance import Chance
from app.rulesets.arcana import events as ev
from app.rulesets.arcana import stealth, treading, warding
from app.rulesets.arcana.batch import change
from app.rulesets.arcana.body import considered, special, transport
from app.rulesets.arcana.conditions import Way
from app.rulesets.arcana.declarations import Action, Turn
from app.rulesets.arcana.launch import ASK, Table
from app.rulesets.arcana.reeling import shied
from app.rulesets.arcana.rulings import Ruling
from app.rulesets.arcana.space import GRID, Cell, cut, settle, settle_on_the_way
from app.rulesets.arcana.state import Fighter


def free(tale: Table) -> dict[str, Cell]:
    """Phase 0: coming out of cover and facing at once; the steps that are to be made (ARC-60, ARC-61, ARC-69)."""
    state = tale.state
    for who, one in state.fighters.items():
        if not one.able:
            continue
        if one.turn.free.emerge and state.cover(who) != "none":
            tale.tell(ev.Emerged(who), rule="ARC-61", because=one.said)
        if one.turn.free.back and one.out and one.turn.free.step is None and _free_to_go(tale, who):
            tale.tell(ev.Covered(who), rule="ARC-61", because=one.said)
        facing = _facing(tale, who, one.turn)
        if facing != one.facing and facing != (0, 0):
            tale.tell(ev.Faced(who, facing), rule="ARC-69", because=one.said)
    return {
        who: state.passable(one.place, shied(state, one, cut(one.place, one.turn.free.step, state.settings.step)))
        for who, one in state.fighters.items()
        if one.turn.free.step is not None and not (one.turn.major and one.turn.major.do == "move")
        and _free_to_go(tale, who) and not one.has("prone")
    }  # fmt: skip


def _facing(tale: Table, who: str, turn: Turn) -> Cell:
    """ARC-69: as declared, else towards the target of what is done anyway, else along the movement."""
    place = tale.state.fighters[who].place
    goal = turn.free.face
    for action in turn.plain() if goal is None else ():
        if action.do == "communicate":
            continue
        if action.target in tale.state.fighters and action.target != who:
            goal = tale.state.fighters[action.target].place
        elif action.to is not None:
            goal = goal or action.to
        elif action.at is not None:
            goal = goal or action.at
    return (goal[0] - place[0], goal[1] - place[1]) if goal is not None else tale.state.fighters[who].facing


def _free_to_go(tale: Table, who: str) -> bool:
    one = tale.state.fighters[who]
    return one.able and not one.still and not one.forbidden("movement")


def moves(tale: Table, do: str) -> dict[str, Cell]:
    """Phases 1 and 2: where everybody goes, cut short where it turns out too far (ARC-66, ARC-68)."""
    goals: dict[str, Cell] = {}
    for who, one in tale.state.fighters.items():
        for action in one.turn.plain() if not one.dead else ():
            if action.do != do or action.to is None:
                continue
            if one.reels:
                tale.tell(ev.Void(who, do, ASK["reels"]), rule="ARC-145", because=one.said)
                continue
            if not _free_to_go(tale, who):
                tale.tell(ev.Void(who, do, "cannot move"), rule="ARC-144", because=one.said)
                continue
            goals[who] = _goal(tale, who, action)
    return goals


def meant(tale: Table, do: str) -> list[Way]:
    """The movements of a phase that are declared and not made yet, so that somebody may come first (ARC-49)."""
    found: list[Way] = []
    for who, one in tale.state.fighters.items():
        for action in one.turn.plain() if _free_to_go(tale, who) and not one.reels else ():
            if action.do == do and action.to is not None:
                found.append(Way(who=who, start=one.place, end=_goal(tale, who, action), over=False))
    return [way for way in found if way.start != way.end]


def _goal(tale: Table, who: str, action: Action) -> Cell:
    one = tale.state.fighters[who]
    goal = shied(tale.state, one, cut(one.place, action.to or one.place, allowance(tale, who, action)))
    return tale.state.passable(one.place, goal, climbs=climbs(one, action))


def climbs(one: Fighter, action: Action) -> bool:
    """Climbing, crawling, swimming: slowly, but up and down whatever there is (ARC-25, ARC-68)."""
    return action.do == "move" and (action.gait == "special" or one.has("prone"))


def allowance(tale: Table, who: str, action: Action) -> int:
    """How far this movement may go, in cm."""
    one = tale.state.fighters[who]
    slow, ground = one.encumbered, tale.state.footing(one.place)
    if action.do == "considered":
        return 0 if one.has("prone") else considered(one.body, tale.state.settings, terrain=ground, encumbered=slow)
    if action.gait == "special" or one.has("prone"):
        ruling = tale.state.rulings.get(f"gait/{who}", Ruling(yes=True))
        usual = special(one.body, terrain=ground, encumbered=slow)
        return (GRID * ruling.value or usual) if ruling.yes else 0
    return transport(one.body, terrain=ground, encumbered=slow)


def clashing(tale: Table, goals: Mapping[str, Cell]) -> tuple[str, ...]:
    """Who would end in one cell with somebody else (ARC-20)."""
    starts = {key: one.place for key, one in tale.state.fighters.items()}
    moving = {who: goal for who, goal in goals.items() if goal != starts[who]}
    return _settled(tale, starts, moving)[1] if moving else ()


def _settled(
    tale: Table, starts: Mapping[str, Cell], moving: Mapping[str, Cell]
) -> tuple[dict[str, Cell], tuple[str, ...], Mapping[str, Cell]]:
    """Where everybody ends, who slams, and where each of these met the others (ARC-21)."""
    if tale.state.settings.collision_mode == "path":
        return settle_on_the_way(starts, moving)
    ends, slammed = settle(starts, moving)
    return ends, slammed, {**starts, **moving}


def go(tale: Table, goals: Mapping[str, Cell], how: str, chance: Chance, *, harm: bool = True) -> None:
    """One phase of movement with its body slams; `harm` False: the GM says that they only stop (ARC-20, ARC-21)."""
    state = tale.state
    moving = {who: goal for who, goal in goals.items() if goal != state.fighters[who].place}
    if not moving:
        return
    starts = {key: one.place for key, one in state.fighters.items()}
    ends, slammed, met_at = _settled(tale, starts, moving)
    told: dict[str, int] = {}
    for who in sorted(moving):
        covered = state.cover(who)
        manner = "step" if how == "step" else "considered" if how == "considered" else "move"
        moved = ev.Moved(who, manner, starts[who], moving[who], ends[who])
        told[who] = tale.tell(moved, rule="ARC-66", because=state.fighters[who].said)
        if covered != "none" and ends[who] != starts[who] and state.cover(who) == "none":
            tale.tell(ev.Emerged(who), rule="ARC-61", because=(told[who],))
    stealth.slammed(tale, slammed, met_at)
    before = stealth.health(state)
    for who in slammed if harm else ():
        roll = chance.die(state.settings.body_slam, f"ARC-21/slam/{how}/{who}")
        met = tuple(number for key, number in told.items() if key == who or met_at.get(key) == met_at[who])
        number = tale.tell(ev.Slammed(who, roll), rule="ARC-21", because=met)
        change(tale, who, roll.face, 0, (), (number,))
    stealth.hurt(tale, before, chance)
    ways = {who: (starts[who], ends[who]) for who in moving if ends[who] != starts[who]}
    if state.ground:
        climbing = [
            who for who in ways if any(climbs(state.fighters[who], one) for one in state.fighters[who].turn.plain())
        ]
        treading.trodden(tale, ways, how, chance, climbing, told)
    warding.entered(tale, ways, chance)
