"""`python -m tests.practice.duels --number 2000`: practice opponents against uniformly random legal play.

Two of the ready-made fighters meet, each pair as likely, and the opponent sits on either side in turn.
"""

import argparse
import math
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.practice.duelling import SHEETS, A, B, duel, solved, uniform


def one(seed: int, *, mirrored: bool = False) -> float:
    """1 if the practice opponent wins, 0.5 for a draw; `mirrored`: both have the same fighter."""
    luck = random.Random(f"who {seed}")
    names = sorted(SHEETS)
    first = SHEETS[luck.choice(names)]
    second = first if mirrored else SHEETS[luck.choice(names)]
    mine = seed % 2
    state = duel(first, second, (solved, uniform) if mine == 0 else (uniform, solved), seed)
    return 0.5 if not state.winner else float(state.winner == (A, B)[mine])


def won(number: int, *, first: int = 0, mirrored: bool = False, workers: int | None = None) -> list[float]:
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        return list(pool.map(partial(one, mirrored=mirrored), range(first, first + number), chunksize=10))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.practice.duels", description=__doc__)
    parser.add_argument("--number", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--mirrored", action="store_true", help="both have the same fighter")
    given = parser.parse_args()
    began = time.monotonic()
    found = won(given.number, first=given.first, mirrored=given.mirrored)
    wins, draws = found.count(1.0), found.count(0.5)
    share = wins / len(found)
    spread = 1.96 * math.sqrt(share * (1 - share) / len(found))
    sys.stdout.write(
        f"{wins} of {len(found)} won ({share:.1%} ± {spread:.1%}), {draws} drawn, {time.monotonic() - began:.0f} s\n"
    )


if __name__ == "__main__":
    main()
