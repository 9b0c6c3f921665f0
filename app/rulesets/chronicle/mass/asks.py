"""Steps of a battle and their asks: only seats that have something to decide are asked."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from app.engine.decisions import Decision
from app.engine.form_fields import FormModel
from app.engine.ruleset import NOBODY, Answers, Ask, Audience, Faults, Seat, Step
from app.engine.steps import retry_suffix
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.state import SIDES, Side, State
from app.rulesets.chronicle.mass.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]
Pace = Literal["plan", "react", "rule"]
Readers = Literal["", "side", "all"]


def step(state: State, key: str, asks: Iterable[Ask], pace: Pace = "plan") -> Step:
    """A step of the scene or of its round; titles and calls are drawn. Without asks it closes at once."""
    before = f"r{state.round}/" if state.round else ""
    key = f"{before}{key}{retry_suffix(state.tries)}"
    return Step(key=key, title="", asks=tuple(asks), pace=pace, seconds=state.settings.mass_seconds)


def commanders(state: State, kind: str, about: Mapping[Side, Sequence[str]], shown: Readers = "") -> list[Ask]:
    """An ask of the commander of each side that has ids, about them; one ask for a seat that commands both."""
    found = dict[str, list[str]]()
    for side in SIDES:
        if side in about:
            found.setdefault(state.commanders[side], []).extend(about[side])
    return by_seat(state, kind, found, shown)


def owners(state: State, kind: str, keys: Collection[str]) -> list[Ask]:
    """An ask of each seat about those of these units that it moves; its side reads the answer."""
    return by_seat(state, kind, state.owners(keys), "side")


def by_seat(state: State, kind: str, about: Mapping[str, Sequence[str]], shown: Readers) -> list[Ask]:
    """An ask of each seat about its ids, in the order of seats. `shown`: who reads the answer before it closes."""
    return [
        Ask(seat=Seat(seat), kind=kind, call="", about=tuple(about[seat]), open_to=_readers(state, seat, shown))
        for seat in state.seats
        if seat in about
    ]


def _readers(state: State, seat: str, shown: Readers) -> Audience:
    """All, nobody, or the seats of a seat's side; nobody for a seat that has both sides."""
    if shown != "side":
        return None if shown == "all" else NOBODY
    sides = [side for side in SIDES if seat in state.members[side]]
    return frozenset(map(Seat, state.members[sides[0]])) if len(sides) == 1 else NOBODY


def aloud(state: State, kind: str, side: Side, about: Sequence[str] = ()) -> list[Ask]:
    """An ask of a side's commander, which all read while it is answered."""
    return by_seat(state, kind, {state.commanders[side]: about}, "all")


def commanders_answer(state: State, side: Side, answers: Answers[F]) -> tuple[F | None, str]:
    """What a side's commander answered, and how; None and "only" if there was nothing to ask."""
    answer = answers.of.get(Seat(state.commanders[side]))
    return (answer.says, answer.how) if answer else (None, "only")


def only_about(ask: Ask, named: Iterable[str], field: str) -> Faults:
    """A fault for each id of a form that is not the asked seat's now."""
    words = "There is nothing to choose for that one. Leave it out."
    return {f"of.{key[:60]}.{field}": words for key in named if key not in ask.about}
