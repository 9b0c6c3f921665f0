"""Recording and folding: the state of a scene is the fold of its events."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.engine.ruleset import LoggedEvent

S = TypeVar("S")
E = TypeVar("E")


@dataclass(slots=True)
class Recorder(Generic[S, E]):
    """The implementation of `Log`: appends each event to `events` and folds it into `state`."""

    state: S
    apply: Callable[[S, LoggedEvent[E]], None]
    last: int = 0  # number of the newest event before this recorder
    events: list[LoggedEvent[E]] = field(default_factory=list)

    def emit(self, event: E, *, rule: str, because: tuple[int, ...] = ()) -> int:
        number = self.last + len(self.events) + 1
        for cause in because:
            if not 0 < cause < number:
                raise ValueError(f"event {number} cannot follow from event {cause}")
        told = LoggedEvent(number=number, rule=rule, because=because, event=event)
        self.events.append(told)
        self.apply(self.state, told)
        return number


def fold(state: S, apply: Callable[[S, LoggedEvent[E]], None], log: Iterable[LoggedEvent[E]]) -> S:
    """Replays a log on a start state, which is changed in place and returned; needs no luck."""
    for told in log:
        apply(state, told)
    return state
