"""Hexes by row and column (CHR-TER-02): neighbours, distance, straight rows and lines of sight.

All functions are pure and know no map: a hex may lie outside it. Rows count from the north, and odd rows lie half a
hex to the right.

>>> distance((11, 5), (11, 9)), distance((0, 0), (22, 19)), distance((3, 4), (8, 2))
(4, 30, 5)
>>> distance((10, 9), (11, 10)), distance((4, 17), (9, 11))
(2, 8)
>>> sorted(neighbours((11, 9)))
[(10, 9), (10, 10), (11, 8), (11, 10), (12, 9), (12, 10)]
>>> spell((11, 5)), read(" l 6"), read("6L"), spans([(10, 9), (11, 5), (10, 8)])
('L6', (11, 5), None, 'K9–K10, L6')
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Hex = tuple[int, int]  # row, column
Axis = Literal["x", "y", "z"]

MOST_ROWS = 26
DIRECTIONS = {  # in the order of every tie, as steps in x and z
    "E": (1, 0),
    "W": (-1, 0),
    "NE": (1, -1),
    "NW": (0, -1),
    "SE": (0, 1),
    "SW": (-1, 1),
}
_SPELLED = re.compile(r"([A-Z])([1-9][0-9]{0,3})", re.ASCII)
_FINE = 10**6  # a line of sight is moved by this part of a hex


def cube(hex: Hex) -> tuple[int, int, int]:
    """The cube coordinates x, y, z; their sum is 0."""
    row, column = hex
    x = column - row // 2
    return x, -x - row, row


def of_cube(x: int, z: int) -> Hex:
    """The hex with these cube coordinates."""
    return z, x + z // 2


@lru_cache(maxsize=4096)
def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """The six hexes around, in the order of `DIRECTIONS`."""
    return tuple(go(hex, direction) for direction in DIRECTIONS)


def distance(one: Hex, other: Hex) -> int:
    """The number of steps from hex to hex; 0 for the same hex."""
    (row, column), (row2, column2) = one, other
    x, z = column2 - row2 // 2 - column + row // 2, row2 - row  # in cube coordinates
    return max(abs(x), abs(z), abs(x + z))


def go(hex: Hex, direction: str, steps: int = 1) -> Hex:
    """The hex some steps away in one of the `DIRECTIONS`."""
    (x, _, z), (dx, dz) = cube(hex), DIRECTIONS[direction]
    return of_cube(x + dx * steps, z + dz * steps)


def value(hex: Hex, axis: Axis) -> int:
    """The number of the straight row that holds the hex (CHR-PLC-05).

    Along z rows run from west to east, along x from north-west to south-east, along y from north-east to south-west.
    """
    return cube(hex)["xyz".index(axis)]


def line(one: Hex, other: Hex, sign: Literal[1, -1]) -> list[Hex]:
    """The hexes between two on a line that is moved a little to one side (CHR-RNG-06), without both ends.

    Exact: whole numbers of a millionth of a hex, times the distance.
    """
    (x, _, z), (x2, _, z2) = cube(one), cube(other)
    return [of_cube(x + right, z + down) for right, down in _between(x2 - x, z2 - z, sign)]


@lru_cache(maxsize=4096)
def _between(x: int, z: int, sign: Literal[1, -1]) -> tuple[tuple[int, int], ...]:
    """The steps in x and z from one end of a line to the hexes on it; its other end lies there."""
    steps = max(abs(x), abs(z), abs(x + z))
    unit, nudge = steps * _FINE, [steps * sign * part for part in (1, 2, -3)]
    far = list(zip((x, -x - z, z), nudge, strict=True))
    points = (_nearest([part * i * _FINE + by for part, by in far], unit) for i in range(1, steps))
    return tuple((right, down) for right, _, down in points)


def _nearest(point: list[int], unit: int) -> list[int]:
    """The cube coordinates of the hex that holds a point, given in `unit`ths."""
    whole = [(2 * part + unit) // (2 * unit) for part in point]
    errors = [abs(part - unit * near) for part, near in zip(point, whole, strict=True)]
    worst = errors.index(max(errors))
    whole[worst] -= sum(whole)
    return whole


def spell(hex: Hex) -> str:
    """ "L6": the letter of the row from the north, and the column from 1."""
    return f"{chr(ord('A') + hex[0])}{hex[1] + 1}"


def spans(hexes: Iterable[Hex]) -> str:
    """Hexes by row, "K9–K11, L6"."""
    found = list[list[Hex]]()
    for hex in sorted(hexes):
        if found and found[-1][-1] == (hex[0], hex[1] - 1):
            found[-1].append(hex)
        else:
            found.append([hex])
    return ", ".join(spell(row[0]) if len(row) == 1 else f"{spell(row[0])}–{spell(row[-1])}" for row in found)


def read(text: str) -> Hex | None:
    """The hex of a form's text; None if the text is not one. Case and spaces do not matter."""
    found = _SPELLED.fullmatch("".join(text.split()).upper()) if len(text) <= 20 else None
    return (ord(found[1]) - ord("A"), int(found[2]) - 1) if found else None
