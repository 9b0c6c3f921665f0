"""Steps of a fight and their asks: only seats whose fighters have something left to decide are asked."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from app.engine.decisions import Decision
from app.engine.form_fields import FormModel
from app.engine.ruleset import GM, Ask, Seat, Step
from app.engine.sentences import and_list
from app.engine.steps import retry_suffix
from app.rulesets.chronicle.hand import events as ev
from app.rulesets.chronicle.hand.state import Fight, State
from app.rulesets.chronicle.hand.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]
NOT_YOURS = "That character is not yours."


def step(
    fight: Fight, key: str, title: str, asks: tuple[Ask, ...], pace: Literal["plan", "react", "rule"] = "plan"
) -> Step:
    """A step of the scene or of its round. Without asks (everything is settled beforehand) it closes at once."""
    before = "" if not fight.round else f"r{fight.round}/"
    name = title if not fight.round else f"Round {fight.round}: {title[0].lower()}{title[1:]}"
    seconds = fight.settings.hand_seconds
    return Step(key=f"{before}{key}{retry_suffix(fight.tries)}", title=name, asks=asks, pace=pace, seconds=seconds)


def by_seat(
    fight: Fight, kind: str, call: str, about: Mapping[str, Sequence[str]], *, late: bool = False
) -> tuple[Ask, ...]:
    """One ask for each seat: `about` has ids by fighter. Sealed; `late`: the words hold standing choices."""
    seats: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for key, ids in about.items():
        seats.setdefault(fight[key].seat, []).extend(ids)
        names.setdefault(fight[key].seat, []).append(fight[key].name)
    order = sorted(seats, key=lambda seat: seat == GM)
    return tuple(
        Ask(
            seat=Seat(seat),
            kind=kind,
            call=f"{call} {and_list(names[seat])}",
            about=tuple(dict.fromkeys(seats[seat])),
            opens="end" if late else "close",
        )
        for seat in order
    )


def aloud(seat: str, kind: str, call: str, about: str) -> tuple[Ask, ...]:
    """An ask of one seat, which all read while it answers."""
    return (Ask(seat=Seat(seat), kind=kind, call=call, about=(about,), open_to=None),)


def of_gm(kind: str, call: str) -> tuple[Ask, ...]:
    return (Ask(seat=GM, kind=kind, call=call),)
