"""Far more than half of the duels against somebody who does anything; all 2,000: `python -m tests.practice.duels`."""

import math

import pytest

from tests.practice.duels import won

NUMBER = 40
SHARE = 0.6


@pytest.mark.nightly
def test_it_beats_uniform_play() -> None:
    """So many wins that an opponent winning 60 % would have them less often than once in a hundred."""
    wins = won(NUMBER, first=10_000).count(1.0)
    chance = sum(math.comb(NUMBER, k) * SHARE**k * (1 - SHARE) ** (NUMBER - k) for k in range(wins, NUMBER + 1))
    assert chance < 0.01, f"{wins} of {NUMBER}"
