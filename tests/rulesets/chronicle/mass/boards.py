"""Small random battlefields for the tests of mass battles; the same seed gives the same one."""

from random import Random

from app.rulesets.chronicle.mass.field import Barrier, Field, Kind
from app.rulesets.chronicle.mass.hexes import Hex


def random_field(rng: Random, rows: int = 7, columns: int = 7, barriers: int = 25) -> Field:
    """A field with all kinds of ground, levels and barriers."""
    bare = Field(rows, columns)
    kinds: dict[Hex, Kind] = {
        hex: rng.choice(("closed", "closed", "impassable")) for hex in bare if rng.random() < 0.35
    }
    levels = {hex: rng.randint(1, 9) for hex in bare if rng.random() < 0.3}
    sides = [(one, other) for one in bare for other in bare.neighbours(one) if one < other]
    found = []
    for side in rng.sample(sides, barriers):
        one, other = rng.sample(side, 2)
        found.append(Barrier(rng.choice(("soft", "hard")), one, other, rng.random() < 0.5))
    return Field(rows, columns, kinds, levels, tuple(found))
