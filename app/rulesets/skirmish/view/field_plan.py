"""The plan of a field: a rectangle for each zone, laid out from the graph of zones alone (SKI-14).

Zones stand in columns by their distance from the company's zone, which is at the left; more than four columns wrap into
bands, each running back under the one above. The order in a column keeps boundaries from crossing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.rulesets.skirmish.sheet.sheets import Zone

WIDTHS = (640, 720, 800)  # of the drawing: the first that is wide enough for its height
HIGH = 400  # at least
GAP = 46  # between two cards, for the boundary
EDGE = 4
MOST_COLUMNS = 4  # in a band
MOST_ROWS = 3  # in a column
SWEEPS = 6


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its upper left corner and its size, in units of the drawing."""

    x: int
    y: int
    wide: int
    high: int

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.wide / 2, self.y + self.high / 2

    @property
    def right(self) -> int:
        return self.x + self.wide

    @property
    def bottom(self) -> int:
        return self.y + self.high


def linked(zones: Mapping[str, Zone]) -> dict[str, list[str]]:
    """The zones that share a boundary of any kind with each zone, in the order of the field."""
    pairs = {(zone.key, link.to) for zone in zones.values() for link in zone.links if link.to in zones}
    return {a: [b for b in zones if b != a and ((a, b) in pairs or (b, a) in pairs)] for a in zones}


def columns(zones: Mapping[str, Zone], start: str) -> list[list[str]]:
    """The columns from left to right, each from top to bottom; zones that no boundary leads to come last."""
    near = linked(zones)
    seen: set[str] = set()
    layers: list[list[str]] = []
    for first in (start, *zones):
        layer = [first] if first in zones and first not in seen else []
        while layer:
            seen.update(layer)
            layers.append(layer)
            layer = [b for b in zones if b not in seen and any(b in near[a] for a in layer)]
    _untangle(layers, near)
    return [
        layer[at : at + size] for layer in layers for size in [_even(len(layer))] for at in range(0, len(layer), size)
    ]


def _even(count: int) -> int:
    """The size of the parts into which a long column falls, as even as can be."""
    parts = -(-count // MOST_ROWS)
    return -(-count // parts)


def _untangle(layers: list[list[str]], near: Mapping[str, Sequence[str]]) -> None:
    """Orders each layer by the middle of its neighbours in the layer before, then in the one after, and so on."""
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for at in range(1, len(layers)) if forth else range(len(layers) - 2, -1, -1):
            there = layers[at - 1 if forth else at + 1]
            share = {zone: (place + 0.5) / len(there) for place, zone in enumerate(there)}
            own = {zone: (place + 0.5) / len(layers[at]) for place, zone in enumerate(layers[at])}
            layers[at].sort(
                key=lambda zone: (_mean([share[n] for n in near[zone] if n in share], own[zone]), own[zone])
            )


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def bands(cols: Sequence[list[str]]) -> list[list[list[str]]]:
    """The columns in bands of at most four; every second band runs from right to left."""
    count = -(-len(cols) // MOST_COLUMNS)
    size = -(-len(cols) // count)
    cut = [list(cols[at : at + size]) for at in range(0, len(cols), size)]
    return [band[:: 1 - 2 * (number % 2)] for number, band in enumerate(cut)]


def place(rows: Sequence[Sequence[Sequence[str]]], needs: Mapping[str, int], whole: int) -> tuple[dict[str, Box], int]:
    """The rectangle of each zone, none smaller in height than it needs, and the height of the drawing.

    `rows` are bands of columns of zones. `needs` is the least height of each zone's card, `whole` the drawing's width.
    """
    least = [max(sum(needs[z] for z in column) + GAP * (len(column) - 1) for column in band if column) for band in rows]
    spare = max(0, HIGH - sum(least) - GAP * (len(rows) - 1) - 2 * EDGE)
    boxes: dict[str, Box] = {}
    y = EDGE
    size = max(len(band) for band in rows)
    wide = card_width(size, whole)
    for number, (band, high) in enumerate(zip(rows, least, strict=True)):
        high += spare // len(rows)
        shift = size - len(band) if number % 2 else 0  # a short band that runs back begins below the end of the last
        for at, column in enumerate(band, start=shift):
            boxes |= _stack(column, needs, EDGE + at * (wide + GAP), y, wide, high)
        y += high + GAP
    return boxes, y - GAP + EDGE


def card_width(size: int, whole: int) -> int:
    """The width of a card in a band of so many columns."""
    return (whole - 2 * EDGE - GAP * (size - 1)) // size


def _stack(column: Sequence[str], needs: Mapping[str, int], x: int, y: int, wide: int, high: int) -> dict[str, Box]:
    """The cards of a column, which share what is left of the height evenly."""
    if not column:
        return {}
    spare = (high - sum(needs[zone] for zone in column) - GAP * (len(column) - 1)) // len(column)
    found = {}
    for zone in column:
        found[zone] = Box(x, y, wide, needs[zone] + spare)
        y += needs[zone] + spare + GAP
    return found
