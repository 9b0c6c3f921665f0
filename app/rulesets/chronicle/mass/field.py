"""The battlefield: hexes of three kinds, levels, and barriers between hexes (CHR-TER)."""

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as by_default
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from app.rulesets.chronicle.mass.hexes import Axis, Hex, distance, line, neighbours, read, spell, value

Kind = Literal["open", "closed", "impassable"]
HexKey = Annotated[  # "L6" in JSON
    Hex,
    BeforeValidator(lambda given: read(given) if isinstance(given, str) else given),
    PlainSerializer(spell, return_type=str, when_used="json"),
]


@dataclass(frozen=True, slots=True)
class Barrier:
    """A barrier between two neighbouring hexes (CHR-TER-06); of a one-way barrier, `other` is the outer hex."""

    kind: Literal["soft", "hard"]
    one: HexKey
    other: HexKey
    one_way: bool = False


@dataclass(frozen=True)
class Field:
    """A map of rows that alternate `columns` and `columns - 1` hexes (CHR-TER-01).

    What `kinds` does not name is Open, what `levels` does not name is on level 0. A level above 0 is what the setting
    `terrain.high_ground = tagged` calls high ground.
    """

    rows: int = 23
    columns: int = 20
    kinds: dict[HexKey, Kind] = by_default(default_factory=dict)
    levels: dict[HexKey, int] = by_default(default_factory=dict)
    barriers: tuple[Barrier, ...] = ()

    def __contains__(self, hex: Hex) -> bool:
        return 0 <= hex[0] < self.rows and 0 <= hex[1] < self.width(hex[0])

    def __iter__(self) -> Iterator[Hex]:
        """All hexes, row by row."""
        return ((row, column) for row in range(self.rows) for column in range(self.width(row)))

    def width(self, row: int) -> int:
        """The number of hexes in a row."""
        return self.columns - row % 2

    def kind(self, hex: Hex) -> Kind:
        return self.kinds.get(hex, "open")

    def level(self, hex: Hex) -> int:
        return self.levels.get(hex, 0)

    def passable(self, hex: Hex) -> bool:
        """Whether the hex is on the map and not Impassable (CHR-TER-04)."""
        return hex in self and self.kind(hex) != "impassable"

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes around on the map, in the order of ties; barriers do not matter."""
        found = self._around.get(hex)
        if found is None:
            found = self._around[hex] = tuple(one for one in neighbours(hex) if one in self)
        return found

    @cached_property
    def _around(self) -> dict[Hex, tuple[Hex, ...]]:
        """What `neighbours` has found so far: most moves and fights ask it of the same hexes."""
        return {}

    def touching(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes on the map that are adjacent to a hex, in the order of ties (CHR-TER-11)."""
        around = self.neighbours(hex)
        return tuple(one for one in around if self.adjacent(hex, one)) if self.barriers else around

    def straight_row(self, axis: Axis, number: int) -> list[Hex]:
        """The hexes of a straight row on the map (CHR-PLC-05)."""
        return [hex for hex in self if value(hex, axis) == number]

    @cached_property
    def edge(self) -> frozenset[Hex]:
        """The hexes with fewer than six neighbours on the map."""
        return frozenset(hex for hex in self if len(self.neighbours(hex)) < 6)

    @cached_property
    def _sides(self) -> dict[tuple[Hex, Hex], Barrier]:
        """Each barrier by its two hexes, in both orders."""
        either = {(barrier.other, barrier.one): barrier for barrier in self.barriers}
        return either | {(barrier.one, barrier.other): barrier for barrier in self.barriers}

    def barrier(self, one: Hex, other: Hex) -> Barrier | None:
        """The barrier between two hexes, if there is one."""
        return self._sides.get((one, other))

    def soft(self, one: Hex, other: Hex) -> Barrier | None:
        """The soft barrier between two hexes, if there is one (CHR-TER-07)."""
        found = self.barrier(one, other)
        return found if found and found.kind == "soft" else None

    def adjacent(self, one: Hex, other: Hex) -> bool:
        """Whether units on two hexes are adjacent: neighbours without a hard barrier between (CHR-TER-11)."""
        if distance(one, other) != 1:
            return False
        if not self.barriers:
            return True
        found = self.barrier(one, other)
        return not found or found.kind == "soft"

    def may_step(self, start: Hex, end: Hex) -> bool:
        """Whether the ground lets a unit step from hex to hex (CHR-TER-04, -11); units do not matter.

        A one-way hard barrier lets it cross to the outer hex only.
        """
        if distance(start, end) != 1 or not self.passable(end):
            return False
        found = self.barrier(start, end)
        return not found or found.kind == "soft" or (found.one_way and found.other == end)

    def exits(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes to which the ground lets a unit step from a hex, in the order of ties; units do not matter."""
        found = self._exits.get(hex)
        if found is None:
            found = self._exits[hex] = tuple(one for one in self.neighbours(hex) if self.may_step(hex, one))
        return found

    @cached_property
    def _exits(self) -> dict[Hex, tuple[Hex, ...]]:
        """What `exits` has found so far."""
        return {}

    def clear(self, one: Hex, other: Hex) -> bool:
        """Whether all hexes between two are Open on at least one of the two lines (CHR-RNG-06)."""
        return any(all(self.shows(hex) for hex in line(one, other, sign)) for sign in (1, -1))

    def shows(self, hex: Hex) -> bool:
        """Whether the hex is on the map and Open, so that bowmen can shoot from it, over it and at it."""
        return hex in self and self.kind(hex) == "open"


FIELD = TypeAdapter(Field)
