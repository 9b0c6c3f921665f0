"""Who has nothing to do in a phase of a battle, why, and what happens next: for those who wait, and for who watches."""

from collections.abc import Iterator

from app.engine.sentences import and_list
from app.rulesets.chronicle.mass import moving, shooting
from app.rulesets.chronicle.mass.state import OTHER, SIDES, Side, State


def idle(state: State) -> list[str]:
    """Sentences about the present phase; none where everybody has something to do, or nobody expects to."""
    match state.phase:
        case "place":
            return list(_placed(state))
        case "leave":
            return list(_shut_in(state))
        case "quick":
            return list(_alone(state))
        case "move":
            return list(_moving(state))
        case "clusters" | "order":
            return list(_stuck(state))
        case "targets":
            return list(_aiming(state))
        case _:
            return []


def _placed(state: State) -> Iterator[str]:
    for side in SIDES:
        units = state.of(side)
        if units and all(unit.here for unit in units) and not all(unit.here for unit in state.of(OTHER[side])):
            name, other = state.names[side], state.names[OTHER[side]]
            yield f"{name} has no units left to place. Wait until {other} is placed; then round 1 begins."


def _shut_in(state: State) -> Iterator[str]:
    for side in SIDES:
        if state.intents.get(side) == "retreat" and not moving.leavers(state, side):
            yield f"No unit of {state.names[side]} has a way off the field. All fight on, and can try again next round."


def _alone(state: State) -> Iterator[str]:
    for side in SIDES:
        if len(state.of(side)) == 1:
            yield f"{state.names[side]} has one unit left. It is quick, so there is nothing to choose."


def _moving(state: State) -> Iterator[str]:
    side, movers = moving.mover(state), moving.movers(state)
    group = [unit for unit in state.of(side) if unit.here and unit.quick == (state.turn <= 2)]
    held = [state.name(unit.key) for unit in group if unit.locked]
    name, other = state.names[side], state.names[OTHER[side]]
    if held:
        yield f"Locked next to an enemy, so without a move: {and_list(held)} ({name})."
    if not movers:
        yield f"No unit of {name} can move now. The next units move."
    yield f"{other} has no units to move now. Wait for {name}; {_next(state, side)}."


def _next(state: State, side: Side) -> str:
    """What comes after this movement phase: the same units of the other side, all others, or the fights."""
    other = state.names[OTHER[side]]
    if state.turn in (1, 3):
        return f"then the {'quick' if state.turn == 1 else 'other'} units of {other} move"
    return "then the other units move" if state.turn == 2 else "then the fights are formed"


def _stuck(state: State) -> Iterator[str]:
    here = [unit for side in SIDES for unit in state.of(side) if unit.here]
    if state.round > 1 and here and all(unit.locked for unit in here):
        yield "All units are locked next to an enemy, so nobody can move. Choose how they fight."


def _aiming(state: State) -> Iterator[str]:
    shooters = shooting.shooters(state)
    for side in SIDES:
        if not any(state.units[key].side == side for key in shooters):
            reason = "no bowmen" if not any(u.kind.range for u in state.of(side)) else "nothing in reach of its bowmen"
            yield f"{state.names[side]} has {reason}. Wait for {state.names[OTHER[side]]} to shoot; the fights follow."
