"""Lingering effects of spells: harm on a combatant or in a place, smoke, darkness; wards (ARC-22, ARC-160)."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import PlainSerializer

from app.rulesets.arcana.rules.grid import Cell, inside, way

Keys = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]
"""Unordered ids; serialised in alphabetical order."""


@dataclass(slots=True)
class Remain:
    """A lingering effect: recurring harm on `who` or on those in the place; or smoke and darkness.

    `effects` are the indices of the spell's recurring effects; `metres` is in cm; `left` cycles, 0: unlimited.
    """

    spell: str
    by: str
    left: int
    since: int
    key: str  # unique, for the labels of its dice
    who: str = ""
    effects: tuple[int, ...] = ()
    pp: int = 0
    level: int = 1
    halved: bool = False
    at: Cell | None = None
    form: str = ""
    metres: int = 0
    facing: Cell = (1, 0)
    obscures: Literal["", "severe", "total"] = ""

    def covers(self, cell: Cell) -> bool:
        if self.at is None:
            return False
        return inside(self.form, self.metres, self.at, self.facing, cell) or cell == self.at

    def between(self, one: Cell, other: Cell) -> bool:
        """Whether the straight path between two places goes through it."""
        return any(self.covers(cell) for cell in way(one, other))


@dataclass(slots=True)
class Ward:
    """A ward on a place, until the fight ends (ARC-160). `metres` is in cm; `struck`: those it struck in this cycle;
    `times`: how often it has struck; `known`: the sides that have seen it strike."""

    key: str
    spell: str
    by: str
    side: str
    at: Cell
    form: str
    metres: int
    facing: Cell = (1, 0)
    pp: int = 0
    choice: str = ""
    struck: Keys = frozenset()
    times: int = 0
    known: Keys = frozenset()

    def covers(self, cell: Cell) -> bool:
        return inside(self.form, self.metres, self.at, self.facing, cell) or cell == self.at

    def met(self, start: Cell, end: Cell) -> bool:
        """Whether the straight path from outside leads into it or through it."""
        return not self.covers(start) and any(self.covers(cell) for cell in way(start, end))
