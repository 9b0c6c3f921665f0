"""The ground: squares of one metre, diagonals count as one (CHR-FTW-01), and the ways across it (CHR-FTW-15)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.rulesets.chronicle.arms import DISTANCE_NAMES

Square = tuple[int, int]

DAGGER, SWORD, SPEAR = 1, 2, 3
OUT_OF_REACH = 4  # and farther: no action against that enemy (CHR-FTW-10)
AROUND = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)  # lowest y first, then lowest x


def distance(one: Square, other: Square) -> int:
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    return dx if dx > dy else dy


def distance_name(d: int) -> str:
    """The book's name of a distance; 0 does not occur between two fighters."""
    return DISTANCE_NAMES.get(d, "Out of distance")


def in_order(squares: Iterable[Square]) -> list[Square]:
    """Lowest y first, then lowest x: the order of every default."""
    return sorted(squares, key=lambda square: (square[1], square[0]))


def spell(square: Square) -> str:
    """ "3,-1": a square as forms write it."""
    return f"{square[0]},{square[1]}"


def read(text: str) -> Square | None:
    """The square of a form's text; None if it is not one."""
    x, comma, y = text.replace(" ", "").partition(",")
    if not comma or not x.removeprefix("-").isdecimal() or not y.removeprefix("-").isdecimal() or len(text) > 12:
        return None
    return int(x), int(y)


@dataclass(frozen=True, slots=True)
class Ground:
    """The squares to step on: inside the arena (0 wide or high: no bounds), not blocked, not taken."""

    width: int
    height: int
    blocked: frozenset[Square]
    taken: Collection[Square]

    def free(self, square: Square) -> bool:
        if square in self.taken or square in self.blocked:
            return False
        return (not self.width or 0 <= square[0] < self.width) and (not self.height or 0 <= square[1] < self.height)

    def around(self, square: Square) -> list[Square]:
        """Free neighbours, in order."""
        x, y = square
        return [one for dx, dy in AROUND if self.free(one := (x + dx, y + dy))]

    def reach(self, start: Square, most: int) -> dict[Square, int]:
        """Squares within that many steps, each with its number of steps; the start with 0."""
        found = {start: 0}
        edge: list[Square] = [start]
        for step in range(1, most + 1):
            last = edge
            edge = list[Square]()
            for x, y in last:
                for dx, dy in AROUND:
                    one = (x + dx, y + dy)
                    if one not in found and self.free(one):
                        found[one] = step
                        edge.append(one)
        return found

    def away(self, who: Square, other: Square) -> list[Square]:
        """Neighbours exactly one farther from the other square (CHR-DEF-05, CHR-ACT-25), in order."""
        (x, y), d = who, distance(who, other) + 1
        return [one for dx, dy in AROUND if distance(one := (x + dx, y + dy), other) == d and self.free(one)]

    def towards(self, who: Square, other: Square) -> list[Square]:
        """Neighbours exactly one nearer to the other square (CHR-DEF-06), in order."""
        d = distance(who, other)
        return [one for one in self.around(who) if distance(one, other) == d - 1]

    def way_next_to(self, who: Square, other: Square, near: int = 1, most: int = 8) -> list[Square]:
        """The ends of all shortest ways to a distance of `near` or less; the mover chooses among several."""
        for steps in range(most + 1):
            if found := [square for square in self.reach(who, steps) if distance(square, other) <= near]:
                return in_order(found)
        return []


def straight_back(who: Square, other: Square) -> Square:
    """The square behind `who`, as seen from `other`."""

    def sign(n: int) -> int:
        return (n > 0) - (n < 0)

    return who[0] + sign(who[0] - other[0]), who[1] + sign(who[1] - other[1])
