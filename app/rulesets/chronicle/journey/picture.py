"""The picture of the routes: lines from the start to the destination, points on them, and who is where."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.rulesets.chronicle.journey.state import Route, Side

WIDE, ROW, TOP, BOTTOM = 400, 58, 34, 16
LEFT, RIGHT, BEND = 52, 384, 44  # the start, the destination, and how far a route takes to get to its row
BEHIND = 40  # the road before the start
APART = 11  # marks that would lie on each other


@dataclass(frozen=True, slots=True)
class Mark:
    """Somebody at a point of a route."""

    side: Side
    route: int | None
    at: int
    kind: Literal["own", "seen", "met"]
    words: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A route, drawn."""

    line: str
    label: tuple[int, int]
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """In units of the picture, from its top left corner."""

    width: int
    height: int
    start: tuple[int, int]
    end: tuple[int, int]
    behind: str  # the road before the start; "" if nobody is there
    routes: tuple[Drawn, ...]
    marks: tuple[tuple[float, float, Mark], ...]


def draw(routes: Sequence[Route], marks: Iterable[Mark]) -> Picture:
    """The picture of these routes with these marks."""
    marks = list(marks)
    middle = TOP + ROW * (len(routes) - 1) // 2
    lowest = min([-1, *(mark.at for mark in marks)])
    placed = Counter[tuple[float, float]]()
    found = list[tuple[float, float, Mark]]()
    for mark in marks:
        x, y = _spot(routes, mark, middle, lowest)
        found.append((x, y + APART * placed[x, y], mark))
        placed[x, y] += 2
    return Picture(
        WIDE,
        TOP + BOTTOM + ROW * (len(routes) - 1),
        (LEFT, middle),
        (RIGHT, middle),
        f"M{LEFT - BEHIND} {middle}H{LEFT}" if lowest < -1 or any(mark.at < 0 for mark in marks) else "",
        tuple(_route(number, route, middle) for number, route in enumerate(routes)),
        tuple(found),
    )


def _row(number: int) -> int:
    return TOP + ROW * number


def _route(number: int, route: Route, middle: int) -> Drawn:
    y = _row(number)
    line = f"M{LEFT} {middle}L{LEFT + BEND} {y}H{RIGHT - BEND}L{RIGHT} {middle}"
    points = tuple(_point(number, at / route.length, middle) for at in range(1, route.length))
    return Drawn(line, ((LEFT + RIGHT) // 2, y - 14), points)


def _point(number: int, share: float, middle: int) -> tuple[float, float]:
    """A point on a route: `share` of the way from the start."""
    x, y = LEFT + share * (RIGHT - LEFT), _row(number)
    bent = min((x - LEFT) / BEND, (RIGHT - x) / BEND, 1)
    return round(x, 1), round(middle + (y - middle) * bent, 1)


def _spot(routes: Sequence[Route], mark: Mark, middle: int, lowest: int) -> tuple[float, float]:
    if mark.at < 0:
        return round(LEFT - BEHIND * mark.at / lowest, 1), middle
    if mark.route is None:
        return (RIGHT if mark.at else LEFT), middle
    return _point(mark.route, mark.at / routes[mark.route].length, middle)
