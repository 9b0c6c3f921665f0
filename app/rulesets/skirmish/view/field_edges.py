"""The boundaries between zones as lines between their cards (SKI-11, SKI-16, SKI-20)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from app.rulesets.skirmish.fight import zones as graph
from app.rulesets.skirmish.sheet.sheets import Zone
from app.rulesets.skirmish.view.field_plan import Box, linked

Mark = Literal["open", "hindered", "closed", "oneway"]
Point = tuple[float, float]

LEAST_SHARED = 30  # of two cards' sides that face each other, for a straight line between them
BENDS = (0, 60, -60, 110, -110, 170, -170, 240, -240)
STEPS = 16  # at which a bent line is tried against the cards


@dataclass(frozen=True, slots=True)
class Edge:
    """A boundary: a line from card a to card b, bent towards `cx, cy`; a one-way one leads from a to b.

    `x, y` is its middle and `turn` its direction there in degrees, for the marks across it.
    """

    a: str
    b: str
    way: Mark
    x1: int
    y1: int
    cx: int
    cy: int
    x2: int
    y2: int
    x: int
    y: int
    turn: int


def edges(zones: Mapping[str, Zone], boxes: Mapping[str, Box]) -> tuple[Edge, ...]:
    """All boundaries, each once."""
    keys = list(zones)
    near = linked(zones)
    pairs = [(a, b) for a in keys for b in near[a] if keys.index(a) < keys.index(b)]
    return tuple(_edge(*turned(zones, a, b), boxes) for a, b in pairs)


def turned(zones: Mapping[str, Zone], a: str, b: str) -> tuple[str, str, Mark]:
    """A boundary's kind, with its ends so that a one-way one leads from the first to the second."""
    there, back = graph.boundary(zones, a, b), graph.boundary(zones, b, a)
    go, come = there in ("open", "hindered"), back in ("open", "hindered")
    if go and come:
        return a, b, "hindered" if "hindered" in (there, back) else "open"
    if go:
        return a, b, "oneway"
    return (b, a, "oneway") if come else (a, b, "closed")


def _edge(a: str, b: str, way: Mark, boxes: Mapping[str, Box]) -> Edge:
    one, other = boxes[a], boxes[b]
    others = [box for key, box in boxes.items() if key not in (a, b)]
    p, q = _ends(one, other)
    tried = [_bent(one, other, p, q, bend) for bend in BENDS]
    whole = (max(box.right for box in boxes.values()), max(box.bottom for box in boxes.values()))
    best = min(tried, key=lambda curve: _hits(curve, others, whole))
    x1, y1, cx, cy, x2, y2 = (*best[0], *best[1], *best[2])
    x, y = _at(best, 0.5)
    turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
    return Edge(a, b, way, *(round(n) for n in (x1, y1, cx, cy, x2, y2, x, y, turn)))


def _ends(one: Box, other: Box) -> tuple[Point, Point]:
    """Where the line begins and ends: straight across where the cards face each other, else from middle to middle."""
    top, bottom = max(one.y, other.y), min(one.bottom, other.bottom)
    left, right = max(one.x, other.x), min(one.right, other.right)
    if bottom - top >= LEAST_SHARED:
        y = (top + bottom) / 2
        return ((one.right, y), (other.x, y)) if one.x < other.x else ((one.x, y), (other.right, y))
    if right - left >= LEAST_SHARED:
        x = (left + right) / 2
        return ((x, one.bottom), (x, other.y)) if one.y < other.y else ((x, one.y), (x, other.bottom))
    return _leaves(one, other.middle), _leaves(other, one.middle)


def _leaves(box: Box, to: Point) -> Point:
    """The point where a line from the card's middle leaves the card."""
    (x, y), (dx, dy) = box.middle, (to[0] - box.middle[0], to[1] - box.middle[1])
    share = min(box.wide / 2 / abs(dx) if dx else 99.0, box.high / 2 / abs(dy) if dy else 99.0, 1.0)
    return x + dx * share, y + dy * share


Curve = tuple[Point, Point, Point]


def _bent(one: Box, other: Box, p: Point, q: Point, bend: int) -> Curve:
    """The line with its middle pulled aside; a bent one begins where it leaves the cards for that side."""
    mx, my = (p[0] + q[0]) / 2, (p[1] + q[1]) / 2
    long = math.dist(p, q) or 1
    pull = (mx - (q[1] - p[1]) / long * bend, my + (q[0] - p[0]) / long * bend)
    if not bend:
        return p, pull, q
    return _leaves(one, pull), pull, _leaves(other, pull)


def _at(curve: Curve, t: float) -> Point:
    (x1, y1), (cx, cy), (x2, y2) = curve
    rest = 1 - t
    return rest * rest * x1 + 2 * rest * t * cx + t * t * x2, rest * rest * y1 + 2 * rest * t * cy + t * t * y2


def _hits(curve: Curve, boxes: Sequence[Box], whole: Point) -> int:
    """How many points of the line lie on other cards, or outside all of them."""
    points = [_at(curve, step / STEPS) for step in range(STEPS + 1)]
    on = sum(box.x < x < box.right and box.y < y < box.bottom for x, y in points for box in boxes)
    return on + sum(not (0 <= x <= whole[0] and 0 <= y <= whole[1]) for x, y in points)
