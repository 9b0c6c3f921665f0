"""Facing: at the reveal, and again at each launch (ARC-69)."""

from collections.abc import Iterable

from app.engine.ruleset import Log
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.rules.grid import Cell


def at_the_reveal(log: Log[State, ev.Event], who: str) -> None:
    """Turns a combatant in phase 0: as declared, else to its unconditional target, else along its movement (ARC-69)."""
    state, turn = log.state, log.state.fighters[who].turn
    goal = turn.free.face if turn.free.face is not None else _goal(state, who, turn.plain())
    place = state.fighters[who].place
    facing = (goal[0] - place[0], goal[1] - place[1]) if goal is not None else state.fighters[who].facing
    if facing != state.fighters[who].facing and facing != (0, 0):
        log.emit(ev.Faced(who, facing), rule="ARC-69", because=state.fighters[who].said)


def at_launch(log: Log[State, ev.Event], who: str, action: Action) -> None:
    """Turns a combatant to the target of a launch, wherever that is now; a declared facing stays (ARC-69)."""
    goal = goal_of(log.state, who, action)
    if goal is not None:
        _turn(log, who, goal)


def _turn(log: Log[State, ev.Event], who: str, goal: Cell) -> None:
    one = log.state.fighters[who]
    if one.turn.free.face is not None:
        return
    facing = (goal[0] - one.place[0], goal[1] - one.place[1])
    if facing != (0, 0) and not _along(facing, one.facing):
        log.emit(ev.Faced(who, facing), rule="ARC-69", because=one.said)


def along(log: Log[State, ev.Event], who: str, goal: Cell) -> None:
    """Turns a combatant along a conditional movement, unless it declared a facing (ARC-69)."""
    _turn(log, who, goal)


def goal_of(state: State, who: str, action: Action) -> Cell | None:
    """Returns the place an action is aimed at, of several targets the first; None: only at oneself or nowhere."""
    return None if action.do == "communicate" else _somebody(state, who, action) or action.at


def _somebody(state: State, who: str, action: Action) -> Cell | None:
    named = action.split or (action.target,)
    return next((place for key in named if key != who and (place := state.place_of(key)) is not None), None)


def _goal(state: State, who: str, actions: Iterable[Action]) -> Cell | None:
    """The place of the last target; without targets the first place to go to or aim at."""
    acts = [action for action in actions if action.do != "communicate"]
    targets = [place for action in acts if (place := _somebody(state, who, action))]
    places = [place for action in acts if (place := action.to or action.at)]
    return targets[-1] if targets else places[0] if places else None


def _along(one: Cell, other: Cell) -> bool:
    """Whether two directions are the same."""
    return one[0] * other[1] == one[1] * other[0] and one[0] * other[0] + one[1] * other[1] > 0
