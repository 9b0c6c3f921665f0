"""Steps of a discussion, and what several decisions do alike."""

from collections.abc import Iterable
from typing import Literal, TypeVar

from app.engine.decisions import Decision
from app.engine.form_fields import FormModel
from app.engine.ruleset import Ask, Step
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.discussion.view import View

F = TypeVar("F", bound=FormModel)
Of = Decision[State, ev.Event, View, F]


def by_round(state: State) -> str:
    """The start of the keys of the steps of an appeal."""
    return f"d{state.number}/"


def step(state: State, key: str, asks: Iterable[Ask], pace: Literal["plan", "react", "rule"]) -> Step:
    """A step of the current appeal; titles and calls are drawn."""
    return Step(key=by_round(state) + key, title="", asks=tuple(asks), pace=pace)


def end_if_empty(log: ev.DiscussionLog) -> None:
    """Ends a discussion that has nobody left in it."""
    if log.state.phase == "talk" and not log.state.talking():
        log.emit(ev.Over("nobody", "", "rules"), rule="CHR-DIS-20")


def say(log: ev.DiscussionLog, who: str, words: str) -> int:
    """Tells what somebody says in character. Returns the number of the event; 0 for nothing."""
    return log.emit(ev.Speech(who, words.strip()), rule="CHR-DIS-04") if words.strip() else 0
