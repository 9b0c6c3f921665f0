"""The board of a battle as numbers: where tokens stand, which lines run between them, where clashes meet.

There are no positions in the rules (WHI-41), so sides face each other and the lines say who goes for whom.
"""

import math
from dataclasses import dataclass

from app.rulesets.whiskey.state import Fighter, State

WIDTH = 840
ROW = 104
EDGE = 58
MARGIN = 104  # for names on either side
BEND = 74  # how far a line between two of one rank swings out


@dataclass(frozen=True, slots=True)
class Token:
    key: str
    name: str
    letter: str
    x: int
    y: int
    down: bool
    hidden: bool
    free: bool  # nobody stopped what he did in the newest round


@dataclass(frozen=True, slots=True)
class Line:
    """From a token towards another; `stopped` ends short with a cross."""

    who: str
    to: str
    what: str  # attack, guard
    letter: str
    stopped: bool
    path: str
    x: int  # where it ends
    y: int


@dataclass(frozen=True, slots=True)
class Clash:
    """Two who fought: the line between them, its middle, and who hit whom for how much ("" before the checks)."""

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


@dataclass(frozen=True, slots=True)
class Picture:
    left: int
    width: int
    height: int
    round: int  # of the round whose lines are drawn; 0: none yet
    tokens: tuple[Token, ...]
    lines: tuple[Line, ...]
    clashes: tuple[Clash, ...]


def draw(state: State, seen: dict[str, Fighter], letters: dict[str, str]) -> Picture:
    """The picture for somebody who sees these fighters."""
    spots, height = _spots(seen, letters)
    last = state.last
    met = {frozenset((f.by, f.other)) for f in last.fights.values() if not f.struck}
    lines = [
        _line(line.who, line.to, line.what, letters[seen[line.who].side], bool(line.stopped_by), spots)
        for line in last.lines.values()
        if line.who in spots and line.to in spots and frozenset((line.who, line.to)) not in met
    ]
    clashes = [
        _clash(f.clash, f.by, f.other, f.winner, f.damage, spots)
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
    across = [x for x, _ in spots.values()] or [WIDTH // 2]
    left, right = min(across) - MARGIN, max(across) + MARGIN
    return Picture(left, right - left, height, last.number, tuple(tokens), tuple(lines), tuple(clashes))


def _spots(seen: dict[str, Fighter], letters: dict[str, str]) -> tuple[dict[str, tuple[int, int]], int]:
    """The first side on the left, all others on the right; two staggered columns each, the guarded ones behind."""
    wards = {f.guards for f in seen.values() if f.habit == "guard"}
    left = [key for key, f in seen.items() if letters[f.side] == "a"]
    right = [key for key, f in seen.items() if letters[f.side] != "a"]
    spots: dict[str, tuple[int, int]] = {}
    rows = max(2, *(len(rank) for side in (left, right) for rank in _ranks(side, wards)))
    height = EDGE * 2 + ROW * (rows - 1) + 16
    for keys, near, far in ((left, 250, 96), (right, WIDTH - 250, WIDTH - 96)):
        front, back = _ranks(keys, wards)
        for some, x in ((front, near), (back, far)):
            for number, key in enumerate(some):
                spots[key] = (x, round(EDGE + ROW * ((rows - len(some)) / 2 + number)))
    return spots, height


def _ranks(keys: list[str], wards: set[str]) -> tuple[list[str], list[str]]:
    """Front and back: the guarded stand behind; a crowd without them stands in two ranks."""
    back = [key for key in keys if key in wards]
    front = [key for key in keys if key not in wards]
    if len(front) > 4:
        half = (len(front) + 1) // 2
        front, back = front[:half], front[half:] + back
    return front, back


def _ends(a: tuple[int, int], b: tuple[int, int], room: int = 30) -> tuple[int, int, int, int]:
    length = math.dist(a, b) or 1
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    return (
        round(a[0] + ux * room),
        round(a[1] + uy * room),
        round(b[0] - ux * room),
        round(b[1] - uy * room),
    )


def _line(who: str, to: str, what: str, letter: str, stopped: bool, spots: dict[str, tuple[int, int]]) -> Line:
    kind = "guard" if what == "guard" else "attack"
    if spots[who][0] == spots[to][0]:
        path, x, y = _swung(spots[who], spots[to], stopped)
        return Line(who, to, kind, letter, stopped, path, x, y)
    x1, y1, x2, y2 = _ends(spots[who], spots[to])
    if stopped:
        x2, y2 = round(x1 + (x2 - x1) * 0.62), round(y1 + (y2 - y1) * 0.62)
    return Line(who, to, kind, letter, stopped, f"M{x1} {y1}L{x2} {y2}", x2, y2)


def _swung(a: tuple[int, int], b: tuple[int, int], stopped: bool) -> tuple[str, int, int]:
    """Between two of one rank the line swings outwards, round whoever stands between them."""
    out = -1 if a[0] < WIDTH / 2 else 1
    x, middle = a[0] + out * 22, (a[1] + b[1]) // 2
    far = x + out * BEND
    if stopped:
        return f"M{x} {a[1]}Q{far} {a[1]} {x + out * BEND // 2} {middle}", x + out * BEND // 2, middle
    return f"M{x} {a[1]}Q{far} {middle} {x + out * 6} {b[1]}", x, b[1]


def _clash(clash: str, by: str, other: str, winner: str, damage: int, spots: dict[str, tuple[int, int]]) -> Clash:
    x1, y1, x2, y2 = _ends(spots[by], spots[other])
    return Clash(clash, by, other, x1, y1, x2, y2, (x1 + x2) // 2, (y1 + y2) // 2, winner, damage)
