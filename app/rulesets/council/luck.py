"""A hand in the luck: seats may tap once before dice fall, and their salt is mixed in (COU-25)."""

from app.engine.ruleset import Answers, Ask, Seat, Step
from app.rulesets.council.declarations import Ready

WORDS = {"Put your hand in": "Add your randomness"}


def ready_step(seats: tuple[str, ...], title: str, seconds: int | None) -> Step:
    asks = tuple(Ask(seat=Seat(seat), kind="ready", call="Put your hand in") for seat in seats)
    return Step(key="ready", title=title, asks=asks, seconds=seconds)


def hands(answers: Answers[Ready]) -> tuple[str, ...]:
    """The seats that put a hand in; the others' silence changes nothing (COU-29)."""
    return tuple(seat for seat, answer in answers.of.items() if answer.how != "default")
