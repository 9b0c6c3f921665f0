"""Cover as a GM writes it: one line per piece, "10,4 to 10,9 full", in cells of half a metre (ARC-70)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.rulesets.arcana.rules.grid import Cell
from app.rulesets.arcana.rules.rulings import Cover, Edge

NOWHERE: Mapping[str, tuple[Edge, ...]] = {}
MOST_CELLS = 4000
KINDS: Mapping[str, Cover] = {"none": "none", "half": "half", "three": "three_quarter", "full": "full"}
SAID: Mapping[Cover, str] = {"none": "none", "half": "half", "three_quarter": "three-quarter", "full": "full"}
SIDES: tuple[Edge, ...] = ("north", "east", "south", "west")
CELL = r"([0-9]{1,3}) ?, ?([0-9]{1,3})"
KIND = r"(none|half|three(?=[-_ ]quarter)|full)(?:[-_ ]quarters?)?(?: cover)?"
SIDE = rf"(?:the )?(?:{'|'.join(SIDES)})"
FROM = rf"(?: from ({SIDE}(?:(?:,| and|, and) {SIDE})*))?"
LINE = re.compile(rf"(?:wall )?{CELL}(?: ?(?:to|-|–) ?{CELL})? {KIND}{FROM}")


@dataclass(frozen=True, slots=True)
class Wall:
    """Adjacent cells of the same cover, as one rectangle."""

    cover: Cover
    x: int
    y: int
    wide: int
    high: int
    sides: tuple[Edge, ...] = ()  # it covers only from these sides; (): from all

    @property
    def bars(self) -> str:
        """The edges on these sides, as an SVG path."""
        paths = {
            "north": f"M{self.x} {self.y}h{self.wide}",
            "east": f"M{self.x + self.wide} {self.y}v{self.high}",
            "south": f"M{self.x} {self.y + self.high}h{self.wide}",
            "west": f"M{self.x} {self.y}v{self.high}",
        }
        return "".join(paths[side] for side in self.sides)


class Wrong(ValueError):
    """A line that cannot be read, with a message for its author."""


def read_walls(text: str, wide: int, high: int) -> dict[str, Cover]:
    """Returns covers by "x,y"; later lines replace earlier ones. Raises Wrong for a bad line or one off the ground."""
    return {cell: cover for cell, (cover, _) in _read(text, wide, high).items()}


def read_sides(text: str, wide: int, high: int) -> dict[str, tuple[Edge, ...]]:
    """Returns the sides by "x,y" of cells that cover only from those sides (ARC-70)."""
    return {cell: sides for cell, (_, sides) in _read(text, wide, high).items() if sides}


def _read(text: str, wide: int, high: int) -> dict[str, tuple[Cover, tuple[Edge, ...]]]:
    found: dict[Cell, tuple[Cover, tuple[Edge, ...]]] = {}
    written = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.lower().split())
        if not words:
            continue
        read = LINE.fullmatch(words)
        if read is None:
            raise Wrong(f"Line {number}: write cover like 10,4 to 10,9 full, or 8,3 half from north.")
        if read[6] and read[5] in ("full", "none"):
            raise Wrong(f"Line {number}: only half and three-quarter cover can be limited to one side.")
        left, top = int(read[1]), int(read[2])
        right, bottom = (int(read[3]), int(read[4])) if read[3] else (left, top)
        across, along = sorted((left, right)), sorted((top, bottom))
        if across[1] >= wide or along[1] >= high:
            raise Wrong(f"Line {number}: the ground goes from 0,0 to {wide - 1},{high - 1}.")
        written += (across[1] - across[0] + 1) * (along[1] - along[0] + 1)
        if written > 4 * MOST_CELLS:
            raise Wrong(f"Line {number}: that is too much cover; at most {MOST_CELLS} cells are allowed.")
        sides = tuple(side for side in SIDES if side in (read[6] or ""))
        for x in range(across[0], across[1] + 1):
            for y in range(along[0], along[1] + 1):
                found[x, y] = KINDS[read[5]], sides if len(sides) < len(SIDES) else ()
    there = {f"{x},{y}": cover for (x, y), cover in sorted(found.items()) if cover[0] != "none"}
    if len(there) > MOST_CELLS:
        raise Wrong(f"That is cover on {len(there)} cells; at most {MOST_CELLS} are allowed.")
    return there


def write_walls(covers: Mapping[str, Cover], sides: Mapping[str, tuple[Edge, ...]] = NOWHERE) -> str:
    """Returns the same covers as few lines of text."""
    return "\n".join(
        f"{one.x},{one.y}"
        + (f" to {one.x + one.wide - 1},{one.y + one.high - 1}" if one.wide > 1 or one.high > 1 else "")
        + f" {SAID[one.cover]}"
        + (f" from {' and '.join(one.sides)}" if one.sides else "")
        for one in walls(covers, sides)
    )


def walls(covers: Mapping[str, Cover], sides: Mapping[str, tuple[Edge, ...]] = NOWHERE) -> tuple[Wall, ...]:
    """Returns the covered cells as few rectangles: runs along a row, joined with equal runs below."""
    left = {_cell(key): (cover, sides.get(key, ())) for key, cover in covers.items() if cover != "none"}
    found: list[Wall] = []
    for x, y in sorted(left, key=lambda cell: (cell[1], cell[0])):
        if (x, y) not in left:
            continue
        cover, wide, high = left[x, y], 1, 1
        while left.get((x + wide, y)) == cover:
            wide += 1
        while all(left.get((x + n, y + high)) == cover for n in range(wide)):
            high += 1
        for cell in [(x + n, y + m) for n in range(wide) for m in range(high)]:
            del left[cell]
        found.append(Wall(cover[0], x, y, wide, high, cover[1]))
    return tuple(found)


def _cell(key: str) -> Cell:
    x, _, y = key.partition(",")
    return int(x), int(y)
