"""Steps of a journey, and what several decisions do alike."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from app.engine.decisions import Decision
from app.engine.form_fields import FormModel
from app.engine.ruleset import NOBODY, Answers, Ask, Audience, Faults, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.chronicle.journey import events as ev
from app.rulesets.chronicle.journey.state import SIDES, Side, State
from app.rulesets.chronicle.journey.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]


def step(
    state: State,
    kind: str,
    sides: tuple[Side, ...],
    pace: Literal["plan", "react"],
    *,
    known_to: Audience = None,
    opens: Literal["close", "end"] = "close",
) -> Step:
    """A step of the leg that asks the deciders of these sides; one seat that decides for both has one ask."""
    about: dict[str, tuple[str, ...]] = {}
    for side in sides:
        seat = state.decider(side)
        about[seat] = (*about.get(seat, ()), side)
    asks = tuple(
        Ask(seat=Seat(seat), kind=kind, call="", about=about[seat], open_to=NOBODY, known_to=known_to, opens=opens)
        for seat in state.seats
        if seat in about
    )
    key = f"l{state.leg}/{kind}{retry_suffix(state.tries)}"
    return Step(key=key, title="", asks=asks, pace=pace)


def told_to(state: State, *sides: Side) -> tuple[str, ...]:
    """The seats that know what these sides do."""
    found = {seat for side in sides for seat in state.members(side)}
    return tuple(seat for seat in state.seats if seat in found)


def answer_of(state: State, side: Side, answers: Answers[F]) -> tuple[F | None, str]:
    """What a side's decider says, and how; None if that seat was not asked."""
    answer = answers.of.get(Seat(state.decider(side)))
    return (answer.says, answer.how) if answer else (None, "default")


def only_own(ask: Ask, of: Mapping[Side, object]) -> Faults:
    """A fault for each side of a form that is not the asked seat's."""
    words = "There is nothing to choose for that side."
    return {f"of.{side}": words for side in SIDES if side in of and side not in ask.about}
