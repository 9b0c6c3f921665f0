"""Closings of a round of one kind of scene, prepared once and timed many times over."""

import copy
import time
from dataclasses import dataclass
from typing import Any

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import Answers, SceneKind, Step

Kind = SceneKind[Any, Any, Any, Any, Any, Any]


@dataclass(frozen=True)
class Closing:
    """One step of a round when everybody has answered."""

    kind: Kind
    state: Any
    step: Step
    answers: Answers[Any]
    last: int  # number of the newest event before

    def begin(self) -> Recorder[Any, Any]:
        return Recorder(copy.deepcopy(self.state), self.kind.apply, last=self.last)

    def seconds(self, tables: int) -> float:
        """Returns the processor seconds of this closing for the whole table, the mean of some tables."""
        logs = [self.begin() for _ in range(tables)]
        began = time.process_time()
        for log in logs:
            self.kind.resolve(log, self.step, self.answers, same_chance())
        return (time.process_time() - began) / len(logs)


def same_chance() -> SeededChance:
    return SeededChance(b"open" * 8, b"shut" * 8)
