"""The clashes of some random duels, each from both sealed actions to the last event.

Compared with only making and folding the events of each clash.
"""

import copy
import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import Answer, Answers, Seat, Setup, Step, Viewer
from app.rulesets.duel import DUEL
from app.rulesets.duel.declarations import Combo, Half, Move
from app.rulesets.duel.samples import mira_and_tomo
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.state import State
from benchmarks.figures import Figure
from benchmarks.retelling import Made, no_collector, replay, taken_apart

DUELS = 20
TRIES = 9
Table = Recorder[State, Any]


@dataclass(frozen=True)
class Clash:
    """One clash when both actions are known, and its events."""

    state: State
    step: Step
    answers: Answers[Any]
    log: list[Made]

    def begin(self) -> Table:
        return Recorder(copy.deepcopy(self.state), DUEL.apply)


def figures(*, quick: bool = False, count: int = DUELS) -> Iterator[Figure]:
    clashes = _clashes(count)
    best = bare = math.inf
    with no_collector():
        for _ in range(TRIES // 3 if quick else TRIES):  # in turn, so that a busy moment affects both
            best = min(best, _timed(clashes, _resolve))
            bare = min(bare, _timed(clashes, lambda clash, log: replay(clash.log, log)))
    yield Figure(name="Duel, a clash: over its events", measured=f"{best * 1e6:.1f} µs",
                 floor=f"{bare * 1e6:.1f} µs (the events alone)", ratio=best / bare, at_most=3.0)  # fmt: skip


def _resolve(clash: Clash, log: Table) -> None:
    DUEL.resolve(log, clash.step, clash.answers, _chance())


def _timed(clashes: list[Clash], work: Callable[[Clash, Table], None]) -> float:
    """Returns processor seconds per clash."""
    begun = [(clash, clash.begin()) for clash in clashes]
    began = time.process_time()
    for clash, log in begun:
        work(clash, log)
    return (time.process_time() - began) / len(begun)


def _chance() -> SeededChance:
    return SeededChance(b"open" * 8, b"shut" * 8)


def _clashes(count: int) -> list[Clash]:
    """Returns all clashes of `count` duels between two players who choose any allowed action."""
    luck, found = random.Random(1), []
    sheets, brief = mira_and_tomo()
    for _ in range(count):
        log: Table = Recorder(DUEL.start(Setup(brief=brief, settings=Settings(), sheets=sheets, kept={})), DUEL.apply)
        while log.state.phase not in ("over", "stalled"):
            step = DUEL.steps(log.state)[0]
            answers = Answers(of={ask.seat: Answer(says=_says(log.state, ask.seat, luck)) for ask in step.asks})
            before, told = copy.deepcopy(log.state), len(log.events)
            DUEL.resolve(log, step, answers, _chance())
            if before.phase in ("initial", "clash"):
                fresh: Table = Recorder(copy.deepcopy(before), DUEL.apply)
                DUEL.resolve(fresh, step, answers, _chance())
                assert len(fresh.events) == len(log.events) - told
                found.append(Clash(before, step, answers, taken_apart(fresh.events)))
    return found


def _says(state: State, seat: Seat, luck: random.Random) -> Any:
    if state.phase == "halves":
        return Half(half=luck.choice(("high", "low")))
    if state.phase == "combo":
        return Combo()
    view = DUEL.view(state, Viewer(seats=frozenset({seat})))
    return Move(action=luck.choice([one.action.key for one in view.options[view.mine[0]] if not one.why_not]))
