"""Telling and folding: the state of a scene is the fold of its events, and nothing else."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.engine.ruleset import Told

S = TypeVar("S")
E = TypeVar("E")


@dataclass(slots=True)
class Telling(Generic[S, E]):
    """The one `Tale`: appends to `told` and folds each event into `state` as it is told."""

    state: S
    apply: Callable[[S, Told[E]], None]
    last: int = 0  # number of the newest event before this telling
    told: list[Told[E]] = field(default_factory=list)

    def tell(self, event: E, *, rule: str, because: tuple[int, ...] = ()) -> int:
        number = self.last + len(self.told) + 1
        for cause in because:
            if not 0 < cause < number:
                raise ValueError(f"event {number} cannot follow from event {cause}")
        told = Told(number=number, rule=rule, because=because, event=event)
        self.told.append(told)
        self.apply(self.state, told)
        return number


def fold(state: S, apply: Callable[[S, Told[E]], None], log: Iterable[Told[E]]) -> S:
    """Replay a log on a start state, which is changed in place and returned; needs no luck."""
    for told in log:
        apply(state, told)
    return state
