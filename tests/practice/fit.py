"""`python -m tests.practice.fit --number 600`: the weights of app/practice/worth.py, from duels played with them.

Practice opponents that look one clash ahead, and now and then do anything at all, fight until one is down; a fight of
150 clashes is left out. A logistic regression then explains who won by what was in sight before each clash. Put the
weights into worth.py and run it again until they stay.
"""

import argparse
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from app.practice.ahead import look_ahead
from app.practice.mind import rebuilt
from app.practice.model import Real
from app.practice.worth import WEIGHTS, features
from app.rulesets.duel import DUEL
from app.rulesets.duel import declarations as de
from tests.practice.duelling import SHEETS, A, begun, close, uniform, view_of

ANYTHING = 0.25  # how often a fighter does anything at all
LONGEST = 150
PULL = 1.0  # towards 0, so that what hardly ever happens gets no wild weight


def one(seed: int) -> tuple[list[list[float]], float]:
    luck = random.Random(seed)
    names = sorted(SHEETS)
    first = SHEETS[luck.choice(names)]
    second = first if luck.random() < 0.7 else SHEETS[luck.choice(names)]
    state = begun(first, second)
    rows: list[list[float]] = []
    while state.clash < LONGEST and (steps := DUEL.steps(state)) and state.phase != "stalled":
        answers = {}
        if state.phase == "clash":
            duel, at = rebuilt(view_of(state, A), A)
            rows.append(features(duel, at[None, :])[0].tolist())
        for ask in steps[0].asks:
            who = ask.about[0]
            view = view_of(state, who)
            if view.phase == "halves" or luck.random() < ANYTHING:
                answers[who] = uniform(view, who, luck)
                continue
            duel, at = rebuilt(view, who)
            if view.phase == "combo":
                on, end = (look_ahead(duel, one, deepest=1).solved.value for one in (at, duel.ended(at[None, :])[0]))
                answers[who] = de.Combo(go="on" if on >= end else "end")
            else:
                seen = look_ahead(duel, at, deepest=1)
                move = luck.choices(seen.moves[0].tolist(), seen.solved.rows.tolist())[0]
                answers[who] = duel.sides[0].moves.says[move]
        close(state, answers, luck.randbytes(32))
    return ([], 0.5) if state.phase != "over" else (rows, 0.5 if not state.winner else float(state.winner == A))


def fitted(x: Real, y: Real) -> Real:
    """Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (y - p) - PULL * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + PULL * np.eye(x.shape[1])
        step = np.linalg.solve(bend, slope)
        w += step
        if np.abs(step).max() < 1e-9:
            break
    return w


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.practice.fit", description=__doc__)
    parser.add_argument("--number", type=int, default=600)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        duels = list(pool.map(one, range(given.first, given.first + given.number), chunksize=5))
    ended = [(rows, result) for rows, result in duels if rows]
    x = np.array([row for rows, _ in ended for row in rows])
    y = np.array([result for rows, result in ended for _ in rows])
    w = fitted(np.concatenate([x, -x]), np.concatenate([y, 1 - y]))  # both sides' eyes
    sys.stdout.write(f"{len(ended)} of {len(duels)} duels ended, {len(x)} positions\n")
    for name, old, new in zip(WEIGHTS, WEIGHTS.values(), w, strict=True):
        sys.stdout.write(f'    "{name}": {new:.3f},  # was {old}\n')


if __name__ == "__main__":
    main()
