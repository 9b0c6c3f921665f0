"""The value of a position where the look-ahead stops: a logistic curve over what is visible (docs/practice.md)."""

import numpy as np

from app.practice.model import CALM, COMBO, DIE, DISCOMBOBULATED, HP, OPPORTUNITY, SIDE, STAMINA, Duel, Real
from app.practice.moves import Whole

WEIGHTS = {
    "hp": 0.26,  # for each point of difference
    "hp_share": 0.99,  # logarithm of the ratio of HP
    "stamina": 0.26,
    "spent": 0.32,  # must Rest
    "offence": 0.23,
    "combo": 0.28,
    "momentum": 1.36,  # from -1 to 1: the position of the die
    "opportunity": 0.1,
    "discombobulated": 0.1,
}


def features(duel: Duel, at: Whole) -> Real:
    """One column for each weight, side 0 less side 1, so that exchanging the sides changes every sign."""

    def ahead(columns: tuple[int, int]) -> Real:
        return (at[:, columns[0]] - at[:, columns[1]]).astype(np.float64)

    has = np.where(at[:, SIDE] == 0, 1.0, np.where(at[:, SIDE] == 1, -1.0, 0.0))
    half = duel.faces / 2
    towards = (at[:, DIE] - half - 0.5) / half * (1.0 if duel.high == 0 else -1.0)
    spent = (at[:, STAMINA[1]] < 1).astype(np.float64) - (at[:, STAMINA[0]] < 1)
    return np.column_stack([
        ahead(HP),
        np.log(np.maximum(1, at[:, HP[0]]) / np.maximum(1, at[:, HP[1]])),
        ahead(STAMINA),
        spent,
        has,
        has * (at[:, COMBO] > 0),
        np.where(at[:, SIDE] > 1, 0.0, towards),
        ahead(OPPORTUNITY),
        -ahead(DISCOMBOBULATED),
    ])  # fmt: skip


def worth(duel: Duel, at: Whole) -> Real:
    """Side 0's chance to win; the closer a stalled fight is to its end, the closer to a draw."""
    chance = 1.0 / (1.0 + np.exp(-features(duel, at) @ np.array(list(WEIGHTS.values()))))
    patience = 1.0 - (at[:, CALM] / duel.stall_limit) ** 2
    return 0.5 + (chance - 0.5) * patience
