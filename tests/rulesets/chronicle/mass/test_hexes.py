"""Hexes: the ledger's examples EXM-01 to -03, and distance and lines of sight against slower ways to find them."""

import doctest
import math
from collections import deque
from itertools import pairwise

import pytest

from app.rulesets.chronicle.mass import hexes
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex, cube, distance, line, neighbours, of_cube, read, spell, value

FIELD = Field()
ALL = list(FIELD)


def test_examples_in_the_docstring() -> None:
    assert doctest.testmod(hexes).attempted and not doctest.testmod(hexes).failed


def test_a_good_size_is_449_hexes() -> None:
    """EXM-01."""
    assert (FIELD.width(0), FIELD.width(1), FIELD.width(22)) == (20, 19, 20)
    assert len(ALL) == len(set(ALL)) == 449
    assert (sum(len(FIELD.neighbours(hex)) for hex in ALL), len(FIELD.edge)) == (2 * 1262, 82)


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [((11, 5), (11, 9), 4), ((0, 0), (22, 19), 30), ((3, 4), (8, 2), 5), ((10, 9), (11, 10), 2), ((4, 17), (9, 11), 8)],
)
def test_distances(one: Hex, other: Hex, steps: int) -> None:
    """EXM-02."""
    assert distance(one, other) == distance(other, one) == steps


@pytest.mark.parametrize(
    ("hex", "around"),
    [
        ((0, 0), {(0, 1), (1, 0)}),
        ((1, 18), {(1, 17), (0, 18), (0, 19), (2, 18), (2, 19)}),
        ((11, 9), {(11, 8), (11, 10), (10, 9), (10, 10), (12, 9), (12, 10)}),
    ],
)
def test_neighbours(hex: Hex, around: set[Hex]) -> None:
    """EXM-03."""
    assert set(FIELD.neighbours(hex)) == around


def test_the_order_of_neighbours() -> None:
    assert neighbours((11, 9)) == ((11, 10), (11, 8), (10, 10), (10, 9), (12, 10), (12, 9))  # E W NE NW SE SW
    assert neighbours((10, 9)) == ((10, 10), (10, 8), (9, 9), (9, 8), (11, 9), (11, 8))


def _steps_from(start: Hex) -> dict[Hex, int]:
    """Breadth-first, with the neighbours in terms of rows and columns (ledger 3.2)."""
    found, queue = {start: 0}, deque([start])
    while queue:
        r, c = here = queue.popleft()
        side = c + (1 if r % 2 else -1)
        for hex in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, side), (r + 1, side)):
            if 0 <= hex[0] < 23 and 0 <= hex[1] < 20 - hex[0] % 2 and hex not in found:
                found[hex] = found[here] + 1
                queue.append(hex)
    return found


def test_distance_and_adjacency_of_all_pairs() -> None:
    for start in ALL:
        steps = _steps_from(start)
        assert steps == {hex: distance(start, hex) for hex in ALL}
        assert {hex for hex, count in steps.items() if count == 1} == set(FIELD.neighbours(start))


def _nudged(one: Hex, other: Hex, sign: int) -> list[Hex]:
    """The line by fractions of hexes in space: the hex whose middle is nearest to each point."""
    nudge = (1e-6 * sign, 2e-6 * sign, -3e-6 * sign)
    start, end = ([a + b for a, b in zip(cube(hex), nudge, strict=True)] for hex in (one, other))
    steps, found = distance(one, other), []
    for i in range(1, steps):
        point = [a + (b - a) * i / steps for a, b in zip(start, end, strict=True)]
        near = [of_cube(math.floor(point[0]) + dx, math.floor(point[2]) + dz) for dx in (0, 1) for dz in (0, 1)]
        found.append(min(near, key=lambda hex: math.dist(cube(hex), point)))
    return found


def test_lines_of_sight_of_all_pairs() -> None:
    """Symmetric for all ordered pairs at distance 2 to 4 (CHR-RNG-06), and the same hexes as by the nearest middle."""
    pairs = [(one, other) for one in ALL for other in ALL if 2 <= distance(one, other) <= 4]
    assert len(pairs) == 19_806
    for one, other in pairs:
        lines = line(one, other, 1), line(one, other, -1)
        assert {tuple(each) for each in lines} == {tuple(line(other, one, sign)[::-1]) for sign in (1, -1)}
    for one, other in pairs[::3]:
        assert [line(one, other, 1), line(one, other, -1)] == [_nudged(one, other, 1), _nudged(one, other, -1)]


def test_straight_rows() -> None:
    for axis in ("x", "y", "z"):
        rows = {number: FIELD.straight_row(axis, number) for number in {value(hex, axis) for hex in ALL}}
        assert sum(map(len, rows.values())) == 449
        for row in rows.values():
            assert all(distance(one, other) == 1 for one, other in pairwise(row)), axis
    assert FIELD.straight_row("z", 3) == [(3, c) for c in range(19)]
    assert FIELD.straight_row("x", 0)[:4] == [(0, 0), (1, 0), (2, 1), (3, 1)]  # to the south-east
    assert FIELD.straight_row("y", -2)[:3] == [(0, 2), (1, 1), (2, 1)]  # to the south-west


def test_hexes_are_spelled_and_read() -> None:
    assert [read(spell(hex)) for hex in ALL] == ALL
    assert (spell((25, 0)), read("Z1"), read(" z 1 ")) == ("Z1", (25, 0), (25, 0))
    for text in ("", "L", "6", "L0", "LL6", "L6x", "Ł6", "L٣", "L-1", "L" + "1" * 9, " " * 30 + "L6"):
        assert read(text) is None, text
