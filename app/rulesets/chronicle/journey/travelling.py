"""A leg on the way: orders, moves, strain, contact, and its end (steps T1 to T5 and T9)."""

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.options import Choice, Options
from app.engine.ruleset import Answers, Ask, Faults, Phase, Step
from app.rulesets.chronicle.checks import DIFFICULTY, check
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey import forms, ratings
from app.rulesets.chronicle.journey.asks import Of, answer_of, only_own, step, told_to
from app.rulesets.chronicle.journey.contact import meeting_point, spot, track
from app.rulesets.chronicle.journey.state import POINTS, SIDES, Course, Pace, Side, State, Way
from app.rulesets.chronicle.journey.view import SideSight, View

PACES: tuple[tuple[Pace, str], ...] = (
    ("steady", "steady: 2 points"),
    ("careful", "careful: 1 point, Hide +2"),
    ("forced", "forced: 3 points, Hide −2, Notice −2, and a check of Endurance"),
    ("halt", "halt"),
)
ALONE = (
    ("ask", "ask me then"),
    ("ambush", "lay an ambush"),
    ("show", "show ourselves"),
    ("pass", "let them pass"),
)
WORN = "Your side is worn. Go carefully, or halt, for one leg."
NO_WAY: dict[Way, str] = {"on": "You are at the end of the route.", "back": "You are at its start."}


def _options(view: View, ask: Ask) -> Options:
    return {
        f"of.{side}.{field}": choices
        for side, one in view.sides.items()
        if side in ask.about
        for field, choices in _of(one).items()
    }


def _of(one: SideSight) -> dict[str, tuple[Choice, ...]]:
    course = one.course
    if course is None:  # a GM who sees the page as this side's seat does not know it
        return {}
    found = {"alone": tuple(Choice(key, words) for key, words in ALONE)}
    usual, stays = (one.routes[0] if course.route is None else one.routes[course.route]), "You are on another route."
    found["route"] = (
        Choice("", usual),
        *(
            Choice(str(number), name, why_not="" if one.forks or number == course.route else stays)
            for number, name in enumerate(one.routes)
        ),
    )
    if one.aim == "hold":
        return found
    worn = WORN if course.worn else ""
    paces = (Choice(pace, words, why_not=worn if pace == "forced" else "") for pace, words in PACES)
    found["pace"] = (Choice("", "steady"), *paces)
    ways: tuple[Way, ...] = ("on", "back")
    found["way"] = (
        Choice("", "as before"),
        *(Choice(way, one.heads[way], why_not="" if way in one.ways else NO_WAY[way]) for way in ways),
    )
    return found


def _check(view: View, ask: Ask, says: forms.Orders) -> Faults:
    faults = only_own(ask, says.of)
    for side, order in says.of.items():
        one = view.sides[side]
        if side in ask.about and one.aim == "hold" and order.station is not None and one.course is not None:
            length = view.routes[int(order.route or one.course.route or 0)].length
            if one.course.route is None and not 0 < order.station <= length:
                faults[f"of.{side}.station"] = f"That route has {length} points. Choose one from 1 to {length}."
    return faults


def _travel(log: ev.JourneyLog, answers: Answers[forms.Orders], chance: Chance) -> None:
    """Both sides at once: orders, moves, strain; then what comes of it (steps T1 to T5)."""
    for side in log.state.order:
        says, how = answer_of(log.state, side, answers)
        _order(log, side, says.of.get(side) if says else None, how)
    for side in log.state.order:
        _move(log, side)
    for side in log.state.order:
        if log.state.courses[side].pace == "forced":
            _strain(log, side, chance.veiled)
    point = meeting_point(log.state)
    if point is None:
        end_leg(log, chance)
        return
    log.emit(ev.Crossed((), *point), rule="CHR-TRV-14")
    spot(log, chance)
    if log.state.contact and not log.state.contact.seen:
        end_leg(log, chance)  # nobody sees the other, and they pass (CHR-TRV-16)


def _order(log: ev.JourneyLog, side: Side, says: forms.Order | None, how: str) -> None:
    """Where a side is going; what is left open is as before, or as for an absent player (step T1)."""
    state, course = log.state, log.state.courses[side]
    says = says or forms.Order()
    chosen = int(says.route) if says.route and state.at_a_fork(side) else course.route
    route = chosen if chosen is not None else 0
    length = state.routes[route].length
    seats = told_to(state, side)
    if state.holds(side):
        station = course.at if course.route is not None else length if says.station is None else says.station
        ordered = ev.Ordered(seats, side, route, min(station, length), "on", "halt", says.hidden, says.alone, how)
        log.emit(ordered, rule="CHR-TRV-10")
        return
    at = start_of(state, course, length)
    ways, way = state.ways(side), says.way or course.way
    way = way if way in ways else ways[0]
    pace = says.pace or "steady"
    pace = "steady" if pace == "forced" and course.worn else pace
    ordered = ev.Ordered(seats, side, route, at, way, pace, False, says.alone, how)
    log.emit(ordered, rule="CHR-TRV-10")


def start_of(state: State, course: Course, length: int) -> int:
    """Where a leg begins on a route of that length: at its far end for who stands at the end of another one."""
    if course.route is None:
        return length if course.far else course.at
    return length if course.at >= state.routes[course.route].length else course.at


def _strain(log: ev.JourneyLog, side: Side, chance: Chance) -> None:
    """Endurance of the decider's character against 3; a failure wears the side out (CHR-TRV-12)."""
    state = log.state
    made = check(chance, f"CHR-TRV-12/l{state.leg}/{side}", ratings.endurance(state, side).total, DIFFICULTY)
    log.emit(ev.Strained(told_to(state, side), side, state.leader(side), made), rule="CHR-TRV-12")


def _move(log: ev.JourneyLog, side: Side) -> None:
    """The points of the pace; both ends of a route stop a side (CHR-TRV-11)."""
    state, course = log.state, log.state.courses[side]
    route = course.route or 0
    if course.way == "on":
        to = min(course.at + POINTS[course.pace], state.routes[route].length)
    else:
        to = max(course.at - POINTS[course.pace], min(course.at, 0))
    if not state.holds(side):
        log.emit(ev.Moved(told_to(state, side), side, route, course.at, to), rule="CHR-TRV-11")


def end_leg(log: ev.JourneyLog, chance: Chance) -> None:
    """Traces; then arrival, or the next leg (step T9)."""
    track(log, chance)
    state, mover = log.state, log.state.mover
    course = state.courses[mover]
    arrived = course.route is not None and course.at >= state.routes[course.route].length
    if state.companies[mover].aim == "reach" and arrived:
        log.emit(ev.Over("arrived"), rule="CHR-TRV-08")
    else:
        log.emit(ev.NextLeg(state.leg + 1), rule="CHR-CAL-06")


def _as_before(view: View, ask: Ask) -> forms.Orders:
    """An absent player's order: on as before; who lay hidden or had a plan for a meeting still does (step T1)."""
    courses = {side: one.course for side, one in view.sides.items() if side in ask.about}
    return forms.Orders(
        of={side: forms.Order(hidden=it.hidden, alone=it.alone) for side, it in courses.items() if it is not None}
    )


def _step(state: State) -> Step:
    return step(state, "orders", SIDES, "plan", opens="end")


ORDERS: Of[forms.Orders] = Decision(
    forms.Orders,
    step=_step,
    resolve=_travel,
    phase=Phase(words="Orders", steps=("orders",), default="go on as before, at a steady pace"),
    options=_options,
    check=_check,
    default=_as_before,
    title="Leg <n>: orders",
    call="Give orders for <seat>’s side",
)
