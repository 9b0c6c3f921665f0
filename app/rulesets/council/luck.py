"""A hand in the luck: seats may tap once before dice fall, and their salt is mixed in (COU-25)."""

from collections.abc import Callable
from typing import Any

from app.engine.chance import Chance
from app.engine.decisions import Decision
from app.engine.ruleset import Answers, Ask, Log, Phase, Seat, Step
from app.rulesets.council.declarations import Ready
from app.rulesets.council.events import Event


def ready(
    title: str, default: str, resolve: Callable[[Log[Any, Event], Answers[Ready], Chance], None]
) -> Decision[Any, Event, Any, Ready]:
    """The decision to have a hand in the luck of what follows."""

    def step(state: Any) -> Step:
        asks = tuple(Ask(seat=Seat(seat), kind="ready", call="Put your hand in") for seat in state.seats)
        return Step(key="ready", title=title, asks=asks, seconds=state.settings.seconds)

    phase = Phase(words=title, steps=("ready",), default=default)
    return Decision(Ready, step, resolve, phase, words={"Put your hand in": "Add your randomness"})


def hands(answers: Answers[Ready]) -> tuple[str, ...]:
    """The seats that put a hand in; the others' silence changes nothing (COU-29)."""
    return tuple(seat for seat, answer in answers.of.items() if answer.how != "default")
