"""Small duels solved to the end by backward induction: what they are worth, and what a best response leaves of a plan.

Without healing, a clash either takes HP or adds to the calm that ends the fight. So no position comes twice, and those
with less HP, or as much and more calm, come after the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from app.practice.ahead import expand, payoffs
from app.practice.games import solve
from app.practice.model import CALM, HP, Duel, Real, packed
from app.practice.moves import Whole


@dataclass(frozen=True, slots=True)
class Plan:
    """How side 0 mixes its legal moves at a position, and whether it ends a combo that runs there."""

    shares: Real
    ends: bool


def everything_after(duel: Duel, at: Whole) -> list[Whole]:
    """Every position that can follow from one, itself too, in groups of which the earlier never lead to the later."""
    found = new = at[None, :]
    while len(new):
        after = expand(duel, new).after
        new = after[~np.isin(packed(after), packed(found))]
        found = np.concatenate([found, new])

    def rank(row: Whole) -> tuple[int, int]:
        return int(row[HP[0]] + row[HP[1]]), -int(row[CALM])

    return [np.array(list(group)) for _, group in groupby(sorted(found, key=rank), key=rank)]


def exact(duel: Duel, groups: list[Whole]) -> dict[int, float]:
    """Side 0's chance to win from each position (by its `packed` number) if both play as well as can be."""
    known: dict[int, float] = {}
    for at in groups:
        layer = expand(duel, at)
        values = np.array([known[int(key)] for key in packed(layer.after)])
        found = [solve(payoff).value for payoff in payoffs(layer, values)]
        known |= zip(packed(at).tolist(), found, strict=True)
    return known


def left(duel: Duel, groups: list[Whole], plan: Callable[[Whole], Plan]) -> dict[int, float]:
    """The same if side 0 keeps to its plan and side 1 answers it best, knowing the plan but not its luck."""
    known: dict[int, float] = {}
    ends: dict[int, bool] = {}
    for at in groups:
        layer = expand(duel, at)
        after = packed(layer.after).tolist()
        values, ending = np.array([known[key] for key in after]), np.array([ends[key] for key in after], dtype=np.bool_)
        for key, row, payoff in zip(packed(at).tolist(), at, payoffs(layer, values, ending), strict=True):
            mine = plan(row)
            assert np.isclose(mine.shares.sum(), 1.0)
            known[key], ends[key] = float((mine.shares @ payoff).min()), mine.ends
    return known
