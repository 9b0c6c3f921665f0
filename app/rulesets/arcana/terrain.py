"""What the ground is made of, as a GM writes it: "mud 10,10 to 14,12", in cells of half a metre (ARC-68)."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from app.engine.record import record
from app.rulesets.arcana.schema import Named, read
from app.rulesets.arcana.space import Cell

MOST_ZONES = 100
CELL = r"([0-9]{1,3}) ?, ?([0-9]{1,3})"
LINE = re.compile(rf"([a-z_ -]+?)(?: from| at)? {CELL}(?: ?(?:to|-|–) ?{CELL})?")


class Terrain(Named):
    percent: Annotated[int, Field(ge=0, le=200)]


TERRAIN: Mapping[str, Terrain] = read("terrain", Terrain)
PLAIN = 100


class WrongTerrain(ValueError):
    """A line that cannot be read, in words for its author."""


@record()
class Zone:
    """A rectangle of one terrain."""

    kind: str
    x: int
    y: int
    wide: int
    high: int

    @property
    def name(self) -> str:
        return TERRAIN[self.kind].name

    @property
    def percent(self) -> int:
        return TERRAIN[self.kind].percent

    def holds(self, cell: Cell) -> bool:
        return self.x <= cell[0] < self.x + self.wide and self.y <= cell[1] < self.y + self.high


def percent(zones: Iterable[Zone], cell: Cell) -> int:
    """How far one gets from there, in percent; of zones that overlap the last one counts."""
    return next((zone.percent for zone in reversed(tuple(zones)) if zone.holds(cell)), PLAIN)


def read_zones(text: str, wide: int, high: int) -> tuple[Zone, ...]:
    """Zones in the order of their lines. `WrongTerrain` for what is no line, no terrain or not on the ground."""
    found: list[Zone] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = " ".join(line.lower().split())
        if not words:
            continue
        read = LINE.fullmatch(words)
        kind = read[1].replace(" ", "_").replace("-", "_") if read is not None else ""
        if read is None or kind not in TERRAIN:
            raise WrongTerrain(f"Line {number}: write terrain like mud 10,10 to 14,12. There is {listed()}.")
        left, top = int(read[2]), int(read[3])
        right, bottom = (int(read[4]), int(read[5])) if read[4] else (left, top)
        across, along = sorted((left, right)), sorted((top, bottom))
        if across[1] >= wide or along[1] >= high:
            raise WrongTerrain(f"Line {number}: the ground goes from 0,0 to {wide - 1},{high - 1}.")
        found.append(Zone(kind, across[0], along[0], across[1] - across[0] + 1, along[1] - along[0] + 1))
    if len(found) > MOST_ZONES:
        raise WrongTerrain(f"That is {len(found)} lines of terrain; {MOST_ZONES} are the most.")
    return tuple(found)


def listed() -> str:
    """The names of all terrain."""
    return ", ".join(one.name.lower() for one in TERRAIN.values())


def write_zones(zones: Iterable[Zone]) -> str:
    """The same as lines."""
    return "\n".join(
        f"{one.name.lower()} {one.x},{one.y}"
        + (f" to {one.x + one.wide - 1},{one.y + one.high - 1}" if one.wide > 1 or one.high > 1 else "")
        for one in zones
    )
