"""The field as a drawing: one path for each kind of ground and barrier, in whole numbers.

A hex is 28 wide and 32 high, a row 24 below the one before, so that every corner is a whole number.

>>> centre((0, 0)), centre((1, 2)), border([(0, 0)])
((14, 16), (84, 40), 'M14 0l14 8v16l-14 8-14-8v-16z')
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.field_text import read_field, spell_field
from app.rulesets.chronicle.mass.hexes import DIRECTIONS, Hex, cube, of_cube

Point = tuple[int, int]
HALF, POINT, ROW = 14, 16, 24  # half a hex's width, half its height, from row to row
CORNERS: Sequence[Point] = ((0, -16), (14, -8), (14, 8), (0, 16), (-14, 8), (-14, -8))
SIDES = ("NE", "E", "SE", "SW", "W", "NW")  # the side from each corner to the next one


@dataclass(frozen=True, slots=True)
class Ground:
    """A field without units; its size, paths, and a mark for each height as x, y and level."""

    wide: int
    high: int
    whole: str
    closed: str
    impassable: str
    heights: tuple[str, ...]  # the ground of each level and above, from 1
    slopes: tuple[str, ...]  # its border within the map
    marks: tuple[tuple[int, int, int], ...]
    soft: str
    hard: str
    teeth: str  # of one-way barriers, towards the outer hex


def ground(field: Field) -> Ground:
    """The drawing of a field."""
    return _ground(spell_field(field))


def centre(hex: Hex) -> Point:
    """The middle of a hex."""
    row, column = hex
    return HALF + 2 * HALF * column + HALF * (row % 2), POINT + ROW * row


def border(hexes: Collection[Hex]) -> str:
    """The line around an area, its holes included."""
    return "".join(_loops(hexes))


def way(hexes: Sequence[Hex]) -> str:
    """A line through the middles of hexes."""
    return _line([centre(hex) for hex in hexes])


@lru_cache(maxsize=64)
def _ground(text: str) -> Ground:
    field = read_field(text)
    kinds = {kind: [hex for hex in field if field.kind(hex) == kind] for kind in ("closed", "impassable")}
    most = max((field.level(hex) for hex in field), default=0)
    heights = [[hex for hex in field if field.level(hex) >= level] for level in range(1, most + 1)]
    both_ways = {kind: [one for one in field.barriers if one.kind == kind] for kind in ("soft", "hard")}
    return Ground(
        2 * HALF * field.columns,
        ROW * field.rows + 8,
        border(list(field)),
        border(kinds["closed"]),
        border(kinds["impassable"]),
        tuple(map(border, heights)),
        tuple("".join(_lines(area, field)) for area in heights),
        tuple(mark for level, area in enumerate(heights, 1) for mark in _marks(field, area, level)),
        "".join(_stream(*_side(one.one, one.other)) for one in both_ways["soft"]),
        "".join(_line(_side(one.one, one.other)) for one in both_ways["hard"]),
        "".join(_tooth(one.one, one.other) for one in field.barriers if one.one_way),
    )


def _around(hex: Hex) -> list[Hex]:
    """The six hexes around in the order of `SIDES`."""
    x, _, z = cube(hex)
    return [of_cube(x + dx, z + dz) for dx, dz in (DIRECTIONS[side] for side in SIDES)]


def _corner(hex: Hex, number: int) -> Point:
    (x, y), (right, down) = centre(hex), CORNERS[number % 6]
    return x + right, y + down


def _side(one: Hex, other: Hex) -> tuple[Point, Point]:
    """The two corners between neighbours."""
    side = _around(one).index(other)
    return _corner(one, side), _corner(one, side + 1)


def _rims(hexes: Collection[Hex]) -> Iterator[tuple[Hex, Point, Point]]:
    """The sides between an area and the rest, clockwise: the hex beyond, and the two corners."""
    area = set(hexes)
    for hex in sorted(area):
        for side, other in enumerate(_around(hex)):
            if other not in area:
                yield other, _corner(hex, side), _corner(hex, side + 1)


def _loops(hexes: Collection[Hex]) -> Iterator[str]:
    follow = {one: other for _, one, other in _rims(hexes)}
    while follow:
        yield _line(_followed(follow, next(iter(follow)))[:-1]) + "z"


def _lines(hexes: Collection[Hex], field: Field) -> Iterator[str]:
    """The border of an area without what lies on the edge of the map."""
    follow = {one: other for beyond, one, other in _rims(hexes) if beyond in field}
    while follow:
        ends = set(follow.values())
        yield _line(_followed(follow, next((one for one in follow if one not in ends), next(iter(follow)))))


def _followed(follow: dict[Point, Point], start: Point) -> list[Point]:
    """The points from a start on, which are taken out."""
    line = [start]
    while line[-1] in follow:
        line.append(follow.pop(line[-1]))
    return line


def _line(points: Iterable[Point]) -> str:
    """A path in steps: "M14 0l14 8v16"."""
    (x, y), *others = points
    path, last = f"M{x} {y}", ""
    for right, down in others:
        kind, step = (
            ("v", f"{down - y}")
            if right == x
            else ("h", f"{right - x}")
            if down == y
            else ("l", f"{right - x} {down - y}")
        )
        path += (" " if kind == last else kind) + step
        last, x, y = kind, right, down
    return path.replace(" -", "-")


def _marks(field: Field, area: Collection[Hex], level: int) -> Iterator[tuple[int, int, int]]:
    """One mark for each height that hangs together, near its middle and where nothing else is drawn if possible."""
    rest = {hex for hex in area if field.level(hex) == level}
    while rest:
        found = edge = {min(rest)}
        while edge:
            edge = {hex for here in edge for hex in _around(here) if hex in rest} - found
            found = found | edge
        rest -= found
        middle = [sum(part) / len(found) for part in zip(*map(centre, found), strict=True)]
        far = {hex: abs(centre(hex)[0] - middle[0]) + abs(centre(hex)[1] - middle[1]) for hex in found}
        x, y = centre(min(found, key=lambda hex: (field.kind(hex) != "open", far[hex], hex)))
        yield x, y, level


def _stream(one: Point, other: Point) -> str:
    """A side as soft waves."""
    (x1, y1), (x2, y2) = one, other
    right, down = (x2 - x1) / 2, (y2 - y1) / 2
    bend = f"q{right / 2 + down * 0.4:.0f} {down / 2 - right * 0.4:.0f} {right:.0f} {down:.0f}"
    return f"M{x1} {y1}{bend}t{x2 - x1 - round(right)} {y2 - y1 - round(down)}".replace(" -", "-")


def _tooth(inner: Hex, outer: Hex) -> str:
    """Three teeth on a side, pointing at its outer hex."""
    ((x1, y1), (x2, y2)), (ix, iy), (ox, oy) = _side(inner, outer), centre(inner), centre(outer)
    path = ""
    for part in (0.25, 0.5, 0.75):
        x, y = round(x1 + (x2 - x1) * part), round(y1 + (y2 - y1) * part)
        right, down, out, ahead = (round(far) for far in ((x2 - x1) / 9, (y2 - y1) / 9, (ox - ix) / 5, (oy - iy) / 5))
        path += f"M{x - right} {y - down}l{right + out} {down + ahead} {right - out} {down - ahead}z"
    return path.replace(" -", "-")
