"""The battlefield: hexes of three kinds, levels, and barriers between hexes (CHR-TER)."""

from collections.abc import Callable, Collection, Iterator, Mapping
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


class ByHex(dict[Hex, tuple[Hex, ...]]):
    """The neighbours of each hex that pass a test of the map, worked out when they are first asked for: most moves and
    fights ask for the same ones."""

    def __init__(self, field: "Field", passes: Callable[[Hex, Hex], bool]) -> None:
        self.field, self.passes = field, passes

    def __missing__(self, hex: Hex) -> tuple[Hex, ...]:
        found = self[hex] = tuple(one for one in self.field.neighbours(hex) if self.passes(hex, one))
        return found


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
        return tuple(one for one in neighbours(hex) if one in self)

    @cached_property
    def touching(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The hexes on the map that are adjacent to a hex, in the order of ties: its neighbours, except over a hard
        barrier (CHR-TER-11)."""
        return ByHex(self, self._meets)

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

    def _meets(self, one: Hex, other: Hex) -> bool:
        found = self.barrier(one, other)
        return not found or found.kind == "soft"

    def adjacent(self, one: Hex, other: Hex) -> bool:
        """Whether units on two hexes are adjacent (CHR-TER-11)."""
        return other in self.touching[one]

    def may_step(self, start: Hex, end: Hex) -> bool:
        """Whether the ground lets a unit step from hex to hex (CHR-TER-04, -11); units do not matter.

        A one-way hard barrier lets it cross to the outer hex only.
        """
        if distance(start, end) != 1 or not self.passable(end):
            return False
        found = self.barrier(start, end)
        return not found or found.kind == "soft" or (found.one_way and found.other == end)

    @cached_property
    def exits(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The hexes to which the ground lets a unit step from a hex, in the order of ties; units do not matter."""
        return ByHex(self, self.may_step)

    def steps(self, start: Hex, taken: Collection[Hex]) -> list[Hex]:
        """The hexes one step away that no unit has taken, in the order of neighbours."""
        return [hex for hex in self.exits[start] if hex not in taken]

    def away(self, start: Hex, winner: Hex, taken: Collection[Hex]) -> list[Hex]:
        """The hexes to which a loser can fall back (CHR-MEL-06), lowest row first, then lowest column."""
        return sorted(hex for hex in self.steps(start, taken) if distance(hex, winner) == 2)

    def clear(self, one: Hex, other: Hex) -> bool:
        """Whether all hexes between two are Open on at least one of the two lines (CHR-RNG-06)."""
        return any(all(self.shows(hex) for hex in line(one, other, sign)) for sign in (1, -1))

    def shows(self, hex: Hex) -> bool:
        """Whether the hex is on the map and Open, so that bowmen can shoot from it, over it and at it."""
        return hex in self and self.kind(hex) == "open"


FIELD = TypeAdapter(Field)
