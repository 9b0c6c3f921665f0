"""The slowest of many moves of the practice opponent, in fights between the ready-made fighters."""

import random
import time
from collections.abc import Iterator
from itertools import product

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Seat, Setup, Viewer
from app.practice.mind import weigh
from app.rulesets.duel import DUEL
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.samples import heroes
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.state import State
from benchmarks.figures import Figure

CLASHES = 12  # of each fight; the hands are no larger later
MOST = 0.200  # seconds for a move


def figures(*, quick: bool = False) -> Iterator[Figure]:
    """Yields the slowest move over pairs of fighters, both sides weighing; the best of three timings counts."""
    sheets = {**OPPONENTS, **heroes()}
    pairs = list(product(sheets, sheets))
    times = sorted(spent for a, b in (pairs[::7] if quick else pairs) for spent in _fight(a, b))
    worst, middle = times[-1], times[len(times) // 2]
    yield Figure(
        name=f"Practice: a move, slowest of {len(times):,}",
        measured=f"{worst * 1e3:.0f} ms (median {middle * 1e3:.0f})",
        floor=f"{MOST * 1e3:.0f} ms",
        ratio=worst / MOST,
        at_most=1.0,
    )


def _fight(a: str, b: str) -> Iterator[float]:
    sheets = {**OPPONENTS, **heroes()}
    brief = Brief(kind="duel", title="Practice", seats={Seat("a"): ("a",), Seat("b"): ("b",), GM: ()})
    begun = Setup(brief=brief, settings=Settings(), sheets={"a": sheets[a], "b": sheets[b]}, kept={})
    state, luck = DUEL.start(begun), random.Random(f"{a} {b}")
    while state.clash <= CLASHES and state.phase != "stalled" and (steps := DUEL.steps(state)):
        answers = {}
        for ask in steps[0].asks:
            view = DUEL.view(state, Viewer(seats=frozenset({ask.seat})))
            tries = []
            for _ in range(3):
                began = time.perf_counter()
                weighed = weigh(view, ask.about[0])
                tries.append(time.perf_counter() - began)
            yield min(tries)
            answers[ask.seat] = Answer(says=weighed.pick(luck))
        log: Recorder[State, object] = Recorder(state, DUEL.apply)
        DUEL.resolve(log, steps[0], Answers(of=answers), SeededChance(luck.randbytes(32), bytes(32)))
