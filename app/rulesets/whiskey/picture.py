"""The board of a battle as numbers: the places of tokens, the lines between them, the spots of clashes.

The rules have no positions (WHI-41), so sides face each other and the lines show who goes for whom.
"""

import math
from dataclasses import dataclass

from app.rulesets.whiskey.state import Fighter, State

WIDTH = 600
ROW = 116
LONG = 24  # more between rows where a name takes two lines
LETTERS = (16, 12)  # of a line of a name; the second where a side stands in two ranks
EDGE = 56
ROOM = 32  # between a token's middle and the end of a line


@dataclass(frozen=True, slots=True)
class Token:
    key: str
    name: str
    letter: str
    x: int
    y: int
    down: bool
    hidden: bool
    free: bool  # not stopped in the newest round


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of an area."""

    key: str
    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line from a token to another one or an area ("area:<key>"), bent towards `cx, cy`; `stopped` ends short."""

    who: str
    to: str
    what: str  # attack, guard, advance; bar: bars the way to an area, independent of the round
    letter: str
    stopped: bool
    x1: int
    y1: int
    cx: int
    cy: int
    x2: int
    y2: int


@dataclass(frozen=True, slots=True)
class Clash:
    """A clash: the line between the two, its middle, and the winner and damage ("" and 0 before the checks).

    A hit without effect has no damage (WHI-42).
    """

    clash: str
    by: str
    other: str
    x1: int
    y1: int
    x2: int
    y2: int
    x: int
    y: int
    winner: str
    damage: int
    hit_x: int  # beside the loser
    hit_y: int


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    letters: int  # in a line of a name
    round: int  # the round whose lines are drawn; 0: none yet
    tokens: tuple[Token, ...]
    areas: tuple[Spot, ...]
    lines: tuple[Line, ...]
    clashes: tuple[Clash, ...]


def draw(state: State, seen: dict[str, Fighter], letters: dict[str, str]) -> Picture:
    """Returns the picture for a viewer who sees these fighters."""
    spots, height, room = _spots(seen, letters)
    areas = [
        Spot(area.key, area.name, round(WIDTH * (number + 1) / (len(state.areas) + 1)), height + 18)
        for number, area in enumerate(state.areas.values())
    ]
    spots |= {f"area:{area.key}": (area.x, area.y) for area in areas}
    last = state.last
    met = {frozenset((f.by, f.other)) for f in last.fights.values() if not f.struck}
    lines = [
        _line(line.who, line.to, line.what, letters[seen[line.who].side], bool(line.stopped_by), spots)
        for line in last.lines.values()
        if line.who in spots and line.to in spots and frozenset((line.who, line.to)) not in met
    ]
    lines += [
        _line(who, f"area:{area.key}", "bar", letters[seen[who].side], False, spots)
        for area in state.areas.values()
        for who in area.barrers
        if who in seen and seen[who].able
    ]
    clashes = [
        _clash(f.clash, f.by, f.other, f.winner, 0 if f.cosmetic else f.damage, spots)
        for f in last.fights.values()
        if f.by in spots and f.other in spots and not f.struck
    ]
    tokens = [
        Token(
            key, f.name, letters[f.side], *spots[key], not f.able, f.hidden,
            free=last.number > 0 and key in last.declared and key not in last.stopped and key in last.active,
        )
        for key, f in seen.items()
    ]  # fmt: skip
    height += 60 if areas else 0
    return Picture(WIDTH, height, room, last.number, tuple(tokens), tuple(areas), tuple(lines), tuple(clashes))


def _spots(seen: dict[str, Fighter], letters: dict[str, str]) -> tuple[dict[str, tuple[int, int]], int, int]:
    """The first side on the left, all others on the right; two staggered columns each, guarded fighters behind. With
    the height that takes, and the letters that a line of a name may have."""
    wards = {f.guards for f in seen.values() if f.habit == "guard"}
    left = [key for key, f in seen.items() if letters[f.side] == "a"]
    right = [key for key, f in seen.items() if letters[f.side] != "a"]
    spots: dict[str, tuple[int, int]] = {}
    rows = max(2, *(len(rank) for side in (left, right) for rank in _ranks(side, wards)))
    room = LETTERS[any(_ranks(side, wards)[1] for side in (left, right))]
    row = ROW + LONG * any(len(f.name) > room for f in seen.values())
    height = EDGE * 2 + row * (rows - 1) + 60
    for keys, inwards, edge in ((left, 1, 0), (right, -1, WIDTH)):
        front, back = _ranks(keys, wards)
        for some, x in ((front, 206 if back else 130), (back, 76)):
            for number, key in enumerate(some):
                spots[key] = (edge + inwards * x, round(EDGE + row * ((rows - len(some)) / 2 + number)))
    return spots, height, room


def _ranks(keys: list[str], wards: set[str]) -> tuple[list[str], list[str]]:
    """Front and back: the guarded are behind; a crowd without them forms two ranks."""
    back = [key for key in keys if key in wards]
    front = [key for key in keys if key not in wards]
    if len(front) > 4:
        half = (len(front) + 1) // 2
        front, back = front[:half], front[half:] + back
    return front, back


def _line(
    who: str, to: str, what: str, letter: str, stopped: bool, spots: dict[str, tuple[int, int]], short: float = 0.62
) -> Line:
    """A straight line; a bow between two tokens of one column, to pass the tokens between them, and to an area, to pass
    beside the words below its own token."""
    (ax, ay), (bx, by) = spots[who], spots[to]
    bow = 0 if ax != bx else -78 if ax < WIDTH / 2 else 78
    mx, my = (bx + (ax - bx) * 0.2, ay) if to.startswith("area:") else ((ax + bx) / 2 + bow, (ay + by) / 2)
    x1, y1 = _towards((ax, ay), (mx, my))
    x2, y2 = _towards((bx, by), (mx, my))
    if stopped:  # the first part of the same curve
        hx, hy = mx + (x2 - mx) * short, my + (y2 - my) * short
        mx, my = x1 + (mx - x1) * short, y1 + (my - y1) * short
        x2, y2 = mx + (hx - mx) * short, my + (hy - my) * short
    return Line(who, to, what, letter, stopped, *(round(n) for n in (x1, y1, mx, my, x2, y2)))


def _towards(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """The point where a line from a token's middle towards `b` leaves the token."""
    length = math.dist(a, b) or 1
    return a[0] + (b[0] - a[0]) * ROOM / length, a[1] + (b[1] - a[1]) * ROOM / length


def _clash(clash: str, by: str, other: str, winner: str, damage: int, spots: dict[str, tuple[int, int]]) -> Clash:
    (x1, y1), (x2, y2) = _rounded(_towards(spots[by], spots[other])), _rounded(_towards(spots[other], spots[by]))
    x, y = (x1 + x2) // 2, (y1 + y2) // 2
    near = (x2, y2) if winner == by else (x1, y1)
    hit_x, hit_y = round(near[0] + (x - near[0]) * 0.42), round(near[1] + (y - near[1]) * 0.42) - 19
    return Clash(clash, by, other, x1, y1, x2, y2, x, y, winner, damage, hit_x, hit_y)


def _rounded(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])
