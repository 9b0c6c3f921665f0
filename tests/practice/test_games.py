"""Matrix games with known answers, and that a solution is one."""

import numpy as np
import pytest

from app.practice.games import solve


def test_scissors_paper_stone_is_mixed_evenly() -> None:
    found = solve(np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]]))
    assert found.value == pytest.approx(0.5)
    assert found.rows == pytest.approx([1 / 3] * 3)
    assert found.columns == pytest.approx([1 / 3] * 3)


def test_a_sure_best_move_is_not_mixed() -> None:
    found = solve(np.array([[0.2, 0.9], [0.4, 0.6]]))
    assert (found.value, found.rows.tolist(), found.columns.tolist()) == (0.4, [0.0, 1.0], [1.0, 0.0])


@pytest.mark.parametrize("seed", range(60))
def test_neither_side_can_do_better_alone(seed: int) -> None:
    luck = np.random.default_rng(seed)
    payoff = luck.integers(0, 6, size=luck.integers(1, 9, size=2)) / 5
    found = solve(payoff)
    assert found.rows.sum() == pytest.approx(1.0)
    assert found.columns.sum() == pytest.approx(1.0)
    assert (found.rows @ payoff).min() == pytest.approx(found.value, abs=1e-6)
    assert (payoff @ found.columns).max() == pytest.approx(found.value, abs=1e-6)
