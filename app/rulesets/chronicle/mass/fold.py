"""Folds events into the state, which has no other writer."""

from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.state import OTHER, Fight, Line, Side, State, Unit


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event; those that are told most often are looked for first."""
    event = told.event
    how = getattr(event, "how", "only")
    side: Side | None = getattr(event, "side", None)
    if how not in ("only", "default") and side and side not in state.heard:
        state.heard.append(side)
    _fight(state, event, told.number)


def _fight(state: State, event: ev.Event, number: int) -> None:
    """Shots, melee and losses."""
    match event:
        case ev.Clustered():
            state.clusters = list(event.clusters)
            state.busy = state.busy or bool(event.clusters)
        case ev.Shot():
            state.busy = True
        case ev.Ordered():
            state.waiting, state.flanked = list(event.clusters), list(event.flanked)
        case ev.Beaten():
            state.waiting.pop(0)
            state.at_hand = Fight(
                event.cluster, list(event.losers), event.winner, list(event.many), event.times, event.half, number
            )
        case ev.Driven():
            if state.at_hand:
                state.at_hand.winner, state.at_hand.cause = event.winner, number
        case ev.Lost():
            state.units[event.who].losses = event.after
        case ev.Fell() | ev.Stepped():
            _stand(state, event.who, event.to)
        case ev.Fallen():
            if state.at_hand:
                state.at_hand.losers = [key for key in state.at_hand.losers if key != event.who]
        case ev.Left():
            state.units[event.who].gone = event.why
            _leave(state, event.who)
        case _:
            _round(state, event)


def _round(state: State, event: ev.Event) -> None:
    """The parts of a round before its fights, and its end."""
    match event:
        case ev.Began():
            state.round = event.round
            state.first = event.proactive if event.round % 2 else OTHER[event.proactive]
        case ev.Stage():
            state.phase, state.turn, state.tries = event.phase, event.turn, 1
            if event.phase == "fight":
                state.at_hand = None
        case ev.Intended():
            state.intents[event.side] = event.what
            if event.what == "retreat" and event.side not in state.retreated:
                state.retreated.append(event.side)
        case ev.Quickened():
            for key in event.units:
                state.units[key].quick = True
        case ev.Moved():
            unit = state.units[event.who]
            _stand(state, event.who, event.way[-1])
            unit.moved += len(event.way)
            unit.locked = bool(event.touched)
            for key in event.touched:
                state.units[key].locked = True
        case ev.RoundOver():
            for unit in state.units.values():
                unit.moved, unit.locked, unit.quick = 0, False, False
            state.intents.clear()
            for row in (state.heard, state.clusters, state.flanked):
                row.clear()
            state.busy, state.quiet = False, event.quiet
        case ev.WentOn():
            state.quiet = 0
        case _:
            _before(state, event)


def _before(state: State, event: ev.Event) -> None:
    """Armies and placing."""
    match event:
        case ev.Army():
            state.armies[event.side] = dict(event.men)
        case ev.Divided():
            state.loss = event.loss
            state.units = {
                key: Unit(key, side, troop, men, state.commanders[side]) for key, side, troop, men in event.units
            }
        case ev.Battlefield():
            state.place, state.field = event.place, event.field
        case ev.Objected():
            state.place, state.field, state.phase = "", None, "field"
        case ev.Placed():
            state.offered = {}
            state.shape = event.shape or state.shape
            for key, hex, seat in event.at:
                state.units[key].seat = seat
                _stand(state, key, hex)
        case ev.Lined():
            state.line = Line(event.axis, event.value, event.sign)
        case ev.First():
            state.first = event.side if event.checked.success else OTHER[event.side]
        case _:
            _end(state, event)


def _end(state: State, event: ev.Event) -> None:
    """The end, and what the GM does."""
    match event:
        case ev.Offered():
            state.terms = event.terms
        case ev.Agreed():
            state.agreed = event.agreed
        case ev.Ended():
            state.phase, state.end, state.winner, state.reason = "over", event.why, event.winner, event.reason
        case ev.Corrected():
            if event.losses is not None:
                state.units[event.who].losses = event.losses
            if event.hex is not None:
                _stand(state, event.who, event.hex)
                _leave(state, event.who)
        case ev.Desk():
            state.desk += 1
            state.tries += 1
        case _:
            pass


def _stand(state: State, key: str, hex: Hex) -> None:
    """Every change of hex has a rising stamp (CHR-TER-09)."""
    state.stamp += 1
    state.units[key].hex, state.units[key].stamp = hex, state.stamp


def _leave(state: State, key: str) -> None:
    """A unit that is gone, or that the GM has moved, leaves its cluster; without both sides that vanishes (CHR-CLU-07).

    Nobody falls back from it any more.
    """
    state.clusters = _without(state, state.clusters, key)
    state.waiting = _without(state, state.waiting, key)
    if at_hand := state.at_hand:
        at_hand.losers = [one for one in at_hand.losers if one != key]
        at_hand.many = [one for one in at_hand.many if one != key]
        at_hand.winner = "" if at_hand.winner == key else at_hand.winner


def _without(state: State, clusters: list[tuple[str, ...]], key: str) -> list[tuple[str, ...]]:
    left = (tuple(one for one in cluster if one != key) for cluster in clusters)
    return [cluster for cluster in left if len({state.units[one].side for one in cluster}) == 2]
