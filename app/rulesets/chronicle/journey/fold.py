"""What each event changes in a journey."""

from typing import assert_never

from app.engine.ruleset import LoggedEvent
from app.rulesets.chronicle import host, people
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey.state import SIDES, Contact, Sight, State


def apply(state: State, told: LoggedEvent[ev.Event]) -> None:
    """Folds one event."""
    event = told.event
    match event:
        case ev.Ordered():
            course = state.courses[event.side]
            course.route, course.at, course.before = event.route, event.at, event.at
            course.way, course.pace = event.way, event.pace
            course.hidden, course.alone = event.hidden, event.alone
        case ev.Moved():
            state.courses[event.side].at = event.to
        case ev.Strained():
            state.courses[event.side].worn = not event.checked.success
        case ev.Crossed():
            state.contact = Contact(event.route, event.at, [])
        case ev.Looked():
            if event.checked.success and state.contact:
                state.contact.seen.append(event.side)
        case ev.Sighted():
            state.courses[event.side].sight = Sight(state.leg, event.route, event.at)
        case ev.Waits():
            state.phase = "see"
        case ev.Met():
            _meet(state)
        case ev.Broke():
            if event.away:
                course = state.courses[event.side]
                course.at, state.no_contact = course.before, state.leg + 1
        case ev.NextLeg():
            _next_leg(state, event.leg)
        case ev.Situation():
            state.words = event.words
        case ev.Out():
            state.gone.append(event.who)
            state.tries += 1
        case ev.CameBack():
            _come_back(state, event)
        case ev.Desk():
            state.desk += 1
        case ev.ActShown() | ev.ActJudged() | ev.ActDone():
            host.fold(state, event)
        case ev.Over():
            state.phase, state.end = "over", event.why
            state.attacker, state.words_of_end = event.attacker, event.words
        case ev.Decided():
            state.gap = event.gap
        case ev.Stances() | ev.Tactics() | ev.Tracked() | ev.Nothing() | ev.InnerOver():
            pass
        case _:
            assert_never(event)


def _come_back(state: State, event: ev.CameBack) -> None:
    """What is open is asked again if the sheet makes another character the leader of a side (CHR-TRV-05)."""
    before = [state.decider(side) for side in SIDES]
    people.come_back(state, event)
    state.tries += before != [state.decider(side) for side in SIDES]


def _meet(state: State) -> None:
    """Both sides know where the other is."""
    state.phase = "stance"
    assert state.contact is not None
    state.contact.seen = list(SIDES)
    for side, other in (("a", "b"), ("b", "a")):
        course = state.courses[other]
        state.courses[side].sight = Sight(state.leg, course.route or 0, course.at)


def _next_leg(state: State, leg: int) -> None:
    """A leg that was careful, or halted, ends weariness (CHR-TRV-12)."""
    state.phase, state.leg, state.contact, state.tries = "orders", leg, None, 1
    for course in state.courses.values():
        course.worn = course.worn and course.pace not in ("careful", "halt")
