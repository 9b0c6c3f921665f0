"""Terrain as a GM writes it: "mud 10,10 to 14,12", in cells of half a metre (ARC-68)."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from app.engine.frozen import frozen
from app.rulesets.arcana.rules.grid import Cell, way
from app.rulesets.arcana.rules.schema import Named, read

MOST_ZONES = 100
CELL = r"([0-9]{1,3}) ?, ?([0-9]{1,3})"
DEEP = r"(?: ([1-9][0-9]?) ?m(?:etres?)?(?: deep)?)?"
LINE = re.compile(rf"([a-z_ -]+?)(?: from| at)? {CELL}(?: ?(?:to|-|–) ?{CELL})?{DEEP}")
USUAL = 3  # metres; the default depth of a drop
SAFE = 2  # metres up or down without climbing or falling

Sight = Literal["", "dim", "severe", "total"]
THICKER: tuple[Sight, ...] = ("", "dim", "severe", "total")
HIDES: Mapping[Sight, str] = {
    "dim": "attacks through it have disadvantage", "severe": "attacks through it have disadvantage and lose 3",
    "total": "nobody sees through it",
}  # fmt: skip


class Terrain(Named):
    """`percent`: the share of the usual movement that is left to somebody who starts there; None: all of it."""

    percent: Annotated[int, Field(ge=0, le=200)] | None = None
    sight: Sight = ""
    pricks: bool = False  # hurts those who move over it
    drops: bool = False


TERRAIN: Mapping[str, Terrain] = read("terrain", Terrain)
PLAIN = 100


class WrongTerrain(ValueError):
    """A line that cannot be read, with a message for its author."""


@frozen()
class Zone:
    """A rectangle of one terrain, `deep` metres below the rest of the ground."""

    kind: str
    x: int
    y: int
    wide: int
    high: int
    deep: int = 0

    @property
    def name(self) -> str:
        return TERRAIN[self.kind].name

    @property
    def sight(self) -> Sight:
        return TERRAIN[self.kind].sight

    @property
    def words(self) -> str:
        """Its effects, in words."""
        made, found = TERRAIN[self.kind], list[str]()
        if made.percent is not None:
            found.append(f"a move that starts there goes {made.percent / 100:g} times as far")
        if made.pricks:
            found.append("1d6 for each metre on it")
        if made.sight:
            found.append(HIDES[made.sight])
        if self.deep:
            found.append(f"{self.deep} m deep" + ("; you can only climb back up" if self.deep > SAFE else ""))
        return ", ".join(found) or "it hides nothing yet"

    def holds(self, cell: Cell) -> bool:
        return self.x <= cell[0] < self.x + self.wide and self.y <= cell[1] < self.y + self.high


def percent(zones: Iterable[Zone], cell: Cell) -> int:
    """Returns the movement from a cell, in percent; where zones overlap, the last one counts."""
    there = (TERRAIN[zone.kind].percent for zone in reversed(tuple(zones)) if zone.holds(cell))
    return next((far for far in there if far is not None), PLAIN)


def depth(zones: Iterable[Zone], cell: Cell) -> int:
    """Returns how many metres a cell lies below the rest; where drops overlap, the deepest counts."""
    return max((zone.deep for zone in zones if zone.deep and zone.holds(cell)), default=0)


def pricks(zones: Iterable[Zone], cell: Cell) -> bool:
    """Whether a cell has caltrops."""
    return any(TERRAIN[zone.kind].pricks and zone.holds(cell) for zone in zones)


def thickest(levels: Iterable[Sight]) -> Sight:
    """Returns the level that hides most."""
    return max(levels, key=THICKER.index, default="")


def hazy(zones: Iterable[Zone], one: Cell, other: Cell) -> Sight:
    """Returns the worst sight between two places, both included: fog, darkness and the like."""
    there = [zone for zone in zones if zone.sight]
    return thickest(zone.sight for zone in there if any(zone.holds(cell) for cell in way(one, other)))


def stops(zones: tuple[Zone, ...], start: Cell, goal: Cell, *, climbs: bool = False) -> tuple[Cell, bool]:
    """Returns the cell where drops stop a straight movement, and whether a rise too steep to walk stops it. Movement
    ends with a fall in the first drop; a climber passes drops and rises."""
    last = start
    for cell in way(start, goal)[1:] if not climbs and any(zone.deep for zone in zones) else ():
        down = depth(zones, cell) - depth(zones, last)
        if down < -SAFE:
            return last, True
        if down > SAFE:
            return cell, False
        last = cell
    return goal, False


def read_zones(text: str, wide: int, high: int) -> tuple[Zone, ...]:
    """Returns zones in the order of their lines. Raises WrongTerrain for a bad line, terrain or place."""
    found: list[Zone] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.lower().split())
        if not words:
            continue
        read = LINE.fullmatch(words)
        kind = read[1].replace(" ", "_").replace("-", "_") if read is not None else ""
        if read is None or kind not in TERRAIN:
            raise WrongTerrain(f"Line {number}: write terrain like mud 10,10 to 14,12. There is {listed()}.")
        if read[6] and not TERRAIN[kind].drops:
            raise WrongTerrain(f"Line {number}: only a drop has a depth.")
        left, top = int(read[2]), int(read[3])
        right, bottom = (int(read[4]), int(read[5])) if read[4] else (left, top)
        across, along = sorted((left, right)), sorted((top, bottom))
        if across[1] >= wide or along[1] >= high:
            raise WrongTerrain(f"Line {number}: the ground goes from 0,0 to {wide - 1},{high - 1}.")
        deep = int(read[6] or USUAL) if TERRAIN[kind].drops else 0
        found.append(Zone(kind, across[0], along[0], across[1] - across[0] + 1, along[1] - along[0] + 1, deep))
    if len(found) > MOST_ZONES:
        raise WrongTerrain(f"That is {len(found)} lines of terrain; at most {MOST_ZONES} are allowed.")
    return tuple(found)


def listed() -> str:
    """Returns the names of all terrain, with commas."""
    return ", ".join(one.name.lower() for one in TERRAIN.values())


def write_zones(zones: Iterable[Zone]) -> str:
    """Returns the same zones as lines."""
    return "\n".join(
        f"{one.name.lower()} {one.x},{one.y}"
        + (f" to {one.x + one.wide - 1},{one.y + one.high - 1}" if one.wide > 1 or one.high > 1 else "")
        + (f" {one.deep} m deep" if one.deep else "")
        for one in zones
    )
