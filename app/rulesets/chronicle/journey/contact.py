"""Whether two sides meet in a leg (CHR-TRV-14), and whether they see each other (CHR-TRV-15 to -17)."""

from app.engine.chance import Chance
from app.rulesets.chronicle.checks import check
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey import ratings
from app.rulesets.chronicle.journey.asks import told_to
from app.rulesets.chronicle.journey.state import OTHER, SIDES, Course, Side, State


def meeting_point(state: State) -> tuple[int, int] | None:
    """The route and the point at which the sides meet in this leg; None if they do not."""
    mover, other = (state.courses[side] for side in state.order)
    if mover.route is None or mover.route != other.route or state.leg == state.no_contact:
        return None
    if state.holds(state.order[1]):
        return (mover.route, other.at) if _passes(mover, other.at) else None
    return (mover.route, mover.at) if _catches_up(mover, other) else None


def _passes(mover: Course, point: int) -> bool:
    """Whether a way covers a point: the end of it, not the start."""
    low, high = sorted((mover.before, mover.at))
    return low <= point <= high and point != mover.before


def _catches_up(mover: Course, other: Course) -> bool:
    """Whether a pursuer comes level with the mover or past it, or both sides, coming to meet, are level or have
    crossed. Who started level is behind the mover.
    """
    ahead = other.before - mover.before
    if ahead == 0:
        ahead = -1 if mover.way == "on" else 1
    return other.at >= mover.at if ahead < 0 else other.at <= mover.at


def spot(log: ev.JourneyLog, chance: Chance) -> None:
    """The mover looks for the other, then the other for the mover, both always (CHR-TRV-15)."""
    seen = [side for side in log.state.order if _look(log, side, chance.veiled)]
    contact = log.state.contact
    assert contact is not None
    if len(seen) == len(SIDES):
        log.emit(ev.Met(contact.route, contact.at), rule="CHR-TRV-18")
    for side in seen if len(seen) == 1 else ():
        seats = told_to(log.state, side)
        number = log.emit(ev.Sighted(seats, side, *_place_of(log.state, OTHER[side])), rule="CHR-TRV-15")
        log.emit(ev.Waits(seats, side), rule="CHR-TRV-17", because=(number,))


def _look(log: ev.JourneyLog, side: Side, chance: Chance) -> bool:
    """One side's Notice against the other's Hide. Who sees nothing does not learn that there was something to see."""
    state = log.state
    mine, theirs = ratings.notice(state, side), ratings.hide(state, OTHER[side])
    made = check(chance, f"CHR-TRV-15/l{state.leg}/{side}", mine.total, theirs.total)
    seats = told_to(state, side) if made.success else ()
    log.emit(ev.Looked(seats, side, mine.parts, theirs.parts, made), rule="CHR-TRV-15")
    return made.success


def _place_of(state: State, side: Side) -> tuple[int, int]:
    course = state.courses[side]
    return course.route or 0, course.at


def track(log: ev.JourneyLog, chance: Chance) -> None:
    """A catcher on another route looks for traces of the other side (CHR-TRV-23)."""
    state = log.state
    for side in state.order:
        mine, theirs = state.courses[side], state.courses[OTHER[side]]
        apart = mine.route is not None and theirs.route is not None and mine.route != theirs.route
        if state.companies[side].aim == "catch" and not state.holds(OTHER[side]) and apart:
            _follow_traces(log, side, chance.veiled)


def _follow_traces(log: ev.JourneyLog, side: Side, chance: Chance) -> None:
    state = log.state
    skill, against = ratings.survive(state, side), ratings.hide(state, OTHER[side])
    made = check(chance, f"CHR-TRV-23/l{state.leg}/{side}", skill.total, against.total)
    seats = told_to(state, side) if made.success else ()
    number = log.emit(ev.Tracked(seats, side, skill.parts, against.parts, made), rule="CHR-TRV-23")
    if made.success:
        place = _place_of(state, OTHER[side])
        log.emit(ev.Sighted(seats, side, *place), rule="CHR-TRV-23", because=(number,))
