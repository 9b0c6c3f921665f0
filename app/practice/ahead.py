"""Looking clashes ahead: layers of positions, each a matrix game over the next, solved from the last layer back."""

from dataclasses import dataclass

import numpy as np

from app.practice.games import Solved, solve
from app.practice.model import NOBODY, SIDE, Clashes, Duel, Real, packed
from app.practice.moves import Truth, Whole
from app.practice.worth import worth

GAMES = 500  # most positions solved beyond the first layer
CELLS = 25_000  # most pairs of moves resolved beyond the first layer
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Layer:
    """Positions before a clash, and the results of every legal pair of moves."""

    at: Whole
    legal: tuple[Truth, Truth]
    pair: Whole  # of each clash: its cell, counted through all games in a row
    share: Real  # its probability, given the pair: a coin halves it
    clashes: Clashes
    on: Whole  # of each clash that continues: the index of its position in the next layer
    end: Whole  # the same, if a running combo is ended
    after: Whole  # the next layer's positions


@dataclass(frozen=True, slots=True)
class Lookahead:
    """The game at a position: its solution over the moves of both sides, and the number of clashes looked ahead."""

    solved: Solved
    payoff: Real
    moves: tuple[Whole, Whole]  # which of each side's moves the rows and columns are
    depth: int


def look_ahead(duel: Duel, at: Whole, *, games: int = GAMES, cells: int = CELLS, deepest: int = DEEPEST) -> Lookahead:
    """Solves the game at one position before a clash; the fewer positions can follow, the deeper. Deterministic."""
    layers = [expand(duel, at[None, :])]
    solved_games = used = 0
    while len(layers) < deepest and len(layers[-1].after):
        after = layers[-1].after
        wide = int((duel.legal(after, 0).sum(axis=1) * duel.legal(after, 1).sum(axis=1)).sum())
        solved_games, used = solved_games + len(after), used + wide
        if solved_games > games or used > cells:
            break
        layers.append(expand(duel, after))
    values = worth(duel, layers[-1].after)
    for layer in reversed(layers[1:]):
        values = np.array([solve(payoff).value for payoff in payoffs(layer, values)])
    payoff = payoffs(layers[0], values)[0]
    rows, columns = (np.flatnonzero(may[0]) for may in layers[0].legal)
    return Lookahead(solve(payoff), payoff, (rows, columns), len(layers))


def expand(duel: Duel, at: Whole) -> Layer:
    """Resolves one clash at these positions, for all legal pairs of moves."""
    legal = (duel.legal(at, 0), duel.legal(at, 1))
    which, a, b = np.nonzero(legal[0][:, :, None] & legal[1][:, None, :])
    pair, share = np.arange(len(which)), np.ones(len(which))
    before, won = at[which], None
    if (at[:, SIDE] == NOBODY).any():
        won = duel.winners(before, a, b)
        coin = np.flatnonzero((won == NOBODY) & (before[:, SIDE] == NOBODY))
        share[coin] = 0.5
        won[coin] = 0
        pair, share = np.append(pair, coin), np.append(share, share[coin])
        before, a, b = (np.concatenate([all_of, all_of[coin]]) for all_of in (before, a, b))
        won = np.append(won, np.ones(len(coin), dtype=np.int64))
    clashes = duel.clash(before, a, b, won)
    going = ~clashes.over
    running = clashes.running & going
    follow = np.concatenate([clashes.after[going], duel.ended(clashes.after[running])])
    _, first, inverse = np.unique(packed(follow), return_index=True, return_inverse=True)
    on = np.full(len(pair), -1)
    end = np.full(len(pair), -1)
    on[going] = inverse[: int(going.sum())]
    end[running] = inverse[int(going.sum()) :]
    return Layer(at, legal, pair, share, clashes, on, end, follow[first])


def payoffs(layer: Layer, values: Real, ends: Truth | None = None) -> list[Real]:
    """Returns one matrix for each position of a layer, from the values of the positions after it.

    A side with a running combo ends it if that is better for it; side 0 follows `ends`, if given.
    """
    clashes = layer.clashes
    worths = np.append(values, 0.0)
    on, end = worths[layer.on], worths[layer.end]
    mine = clashes.after[:, SIDE] == 0
    best = np.maximum(on, end) if ends is None else np.where(np.append(ends, False)[layer.on], end, on)
    chosen = np.where(mine, best, np.minimum(on, end))
    value = np.where(clashes.over, clashes.value, np.where(layer.end >= 0, chosen, on))
    cells: Real = np.bincount(layer.pair, weights=value * layer.share).astype(np.float64)
    shapes = [(int(m), int(n)) for m, n in zip(*(may.sum(axis=1) for may in layer.legal), strict=True)]
    edges = np.cumsum([0, *(m * n for m, n in shapes)])
    return [cells[edges[i] : edges[i + 1]].reshape(shape) for i, shape in enumerate(shapes)]
