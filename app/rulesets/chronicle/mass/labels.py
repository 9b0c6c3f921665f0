"""Where the chances of fights are written on the field: beside their units, over no counter and over no other label.

>>> beside([[(5, 5), (5, 6)]], [(5, 5), (5, 6)], (560, 560), WIDE)
[(182, 111)]
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import hypot

from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.picture import Point, centre

WIDE, HIGH = 42, 15  # of a label with the longest words, "<0.1 %"
NUMBER = 22  # more, where the number of the fight is in front
COUNTER = 27  # across a counter
RIM = 12  # from the middle of a counter to its rim
STEP = 5  # from one place to the next one that is tried


def beside(fights: Sequence[Collection[Hex]], counters: Collection[Hex], size: Point, wide: int) -> list[Point]:
    """The middle of each fight's label, this wide, within a drawing of this size. Each lies at the first free place
    around the middle of its units; a later one yields to those before it."""
    taken = [(centre(hex), COUNTER, COUNTER) for hex in counters]
    found = list[Point]()
    for fight in fights:
        spots = [centre(hex) for hex in fight]
        middle = sum(x for x, _ in spots) // len(spots), sum(y for _, y in spots) // len(spots)
        place = next(spot for spot in _around(middle, size, wide) if not any(_meet(spot, wide, *one) for one in taken))
        taken.append((place, wide, HIGH))
        found.append(place)
    return found


def line_end(label: Point, spots: Collection[Point]) -> Point:
    """Where the line from a label ends: at the rim of the counter next to it.

    >>> line_end((100, 40), [(100, 80), (20, 80)])
    (100, 68)
    """
    x, y = label
    near = min(spots, key=lambda spot: (hypot(spot[0] - x, spot[1] - y), spot))
    part = RIM / max(RIM, hypot(near[0] - x, near[1] - y))
    return round(near[0] + (x - near[0]) * part), round(near[1] + (y - near[1]) * part)


def _around(middle: Point, size: Point, wide: int) -> Iterator[Point]:
    """Places within the drawing, ring by ring around a middle; at last below the drawing, where nothing is."""
    halves = wide // 2, HIGH // 2
    x, y = (max(half, min(end - half, at)) for at, end, half in zip(middle, size, halves, strict=True))
    for ring in range(max(size) // STEP):
        for right, down in _ring(ring):
            spot = x + STEP * right, y + STEP * down
            if all(half <= at <= end - half for at, end, half in zip(spot, size, halves, strict=True)):
                yield spot
    yield from ((x, size[1] + HIGH * row) for row in range(1, 500))


@lru_cache(maxsize=256)
def _ring(far: int) -> tuple[Point, ...]:
    """The steps to the places of a ring, the nearest first."""
    sides = range(-far, far + 1)
    edge = {(one, two) for one in sides for two in (-far, far)} | {(two, one) for one in sides for two in (-far, far)}
    return tuple(sorted(edge, key=lambda one: (one[0] ** 2 + one[1] ** 2, one[1], one[0])))


def _meet(spot: Point, own: int, other: Point, wide: int, high: int) -> bool:
    return 2 * abs(spot[0] - other[0]) < own + wide and 2 * abs(spot[1] - other[1]) < HIGH + high
