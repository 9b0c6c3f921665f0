"""A battlefield from a seed: patches of Closed and Impassable ground and hills, fair for both sides.

Pure: the same seed and wishes give the same field, on every machine. Luck here is of no scene: the GM tries seeds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as by_default
from hashlib import sha256
from typing import TypeVar

from app.rulesets.chronicle.mass.fairness import alike, cover, steps
from app.rulesets.chronicle.mass.field import Field, Kind
from app.rulesets.chronicle.mass.field_text import LEAST, MOST_HEXES
from app.rulesets.chronicle.mass.hexes import MOST_ROWS, Hex
from app.rulesets.chronicle.mass.placing import room_fault

T = TypeVar("T")
TRIES = 24  # fields for one seed; the fairest of them counts
PATCHES = 120  # at most, of each kind
MOST_CLOSED, MOST_IMPASSABLE, MOST_HILLS = 40, 20, 12


@dataclass(frozen=True, slots=True)
class Wishes:
    rows: int = 23
    columns: int = 20
    closed: int = 20  # percent of the hexes
    impassable: int = 5
    hills: int = 2  # on each half
    mirrored: bool = True  # by half a turn, exactly; else both halves are about as good

    def faults(self) -> dict[str, str]:
        """What cannot be, by field, and what to do."""
        found = {}
        for name, least, most in (
            ("rows", LEAST, MOST_ROWS), ("columns", LEAST, MOST_HEXES), ("closed", 0, MOST_CLOSED),
            ("impassable", 0, MOST_IMPASSABLE), ("hills", 0, MOST_HILLS),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                found[name] = f"Enter a number from {least} to {most}."
        if found:
            return found
        if (count := self.rows * self.columns - self.rows // 2) > MOST_HEXES:
            return {"columns": f"That is {count:,} hexes. Enter fewer columns, for at most {MOST_HEXES:,}."}
        if self.mirrored and self.rows % 2 == 0:
            return {"rows": "A half turn needs an odd number of rows. Enter one, or do without the mirror."}
        return {"columns": wrong} if (wrong := room_fault(Field(self.rows, self.columns))) else {}


class Draws:
    """Numbers that follow from a seed."""

    def __init__(self, seed: str) -> None:
        self._numbers = self._endless(seed)

    @staticmethod
    def _endless(seed: str) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(f"{seed}/{block}".encode()).digest()
            yield from (int.from_bytes(digest[at : at + 4]) for at in range(0, len(digest), 4))
            block += 1

    def below(self, count: int) -> int:
        return next(self._numbers) % count

    def pick(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]


@dataclass
class Sketch:
    """A field in the making."""

    wishes: Wishes
    draws: Draws
    kinds: dict[Hex, Kind] = by_default(default_factory=dict)
    levels: dict[Hex, int] = by_default(default_factory=dict)

    def __post_init__(self) -> None:
        self.bare = Field(self.wishes.rows, self.wishes.columns)
        self.hexes = list(self.bare)

    @property
    def field(self) -> Field:
        return Field(self.bare.rows, self.bare.columns, dict(self.kinds), dict(self.levels))

    def across(self, hex: Hex) -> Hex:
        """The hex half a turn away; on an even number of rows, the nearest to that."""
        row = self.bare.rows - 1 - hex[0]
        return row, min(self.bare.columns - 1 - hex[1] - hex[0] % 2, self.bare.width(row) - 1)

    def patch(self, start: Hex, size: int, taken: Mapping[Hex, object]) -> list[Hex]:
        """Hexes that hang together, from a start on, none of them taken."""
        found = [start] if start not in taken else []
        for _ in range(3 * size):
            if not found or len(found) >= size:
                break
            other = self.draws.pick(self.bare.neighbours(self.draws.pick(found)))
            if other not in taken and other not in found:
                found.append(other)
        return found

    def twins(self, size: int, taken: Mapping[Hex, object]) -> list[Hex]:
        """A patch and its twin in the other half: the same one turned, or another one about there."""
        start = self.draws.pick(self.hexes)
        if self.wishes.mirrored:
            one = self.patch(start, max(1, size // 2), taken)
            return list(dict.fromkeys([*one, *map(self.across, one)]))
        one = self.patch(start, max(1, size // 2), taken)
        return [*one, *self.patch(self.across(start), len(one), {**taken, **dict.fromkeys(one)})] if one else []

    def fill(self, kind: Kind, percent: int, largest: int) -> None:
        """Covers a share of the hexes with patches; Impassable ones cut nothing off and leave room for both armies."""
        goal, count, states = len(self.hexes) * percent // 100, 0, [dict(self.kinds)]
        for _ in range(PATCHES):
            if count >= goal:
                break
            size = min(goal - count, 2 + self.draws.below(2 * largest))
            self.kinds |= dict.fromkeys(self.twins(size, self.kinds), kind)
            if kind == "impassable" and not self._whole():
                self.kinds = dict(states[-1])
            else:
                states.append(dict(self.kinds))
                count = list(self.kinds.values()).count(kind)
        while kind == "impassable" and len(states) > 1 and room_fault(self.field):
            states.pop()
            self.kinds = dict(states[-1])

    def _whole(self) -> bool:
        """Whether all passable hexes hang together."""
        free = [hex for hex in self.hexes if self.kinds.get(hex) != "impassable"]
        found = steps(
            free[:1], lambda hex: (one for one in self.bare.neighbours(hex) if self.kinds.get(one) != "impassable")
        )
        return len(found) == len(free)

    def raise_hills(self) -> None:
        """Hills with a second level in their middle."""
        for _ in range(self.wishes.hills):
            low = self.twins(8 + self.draws.below(16), self.levels)
            self.levels |= dict.fromkeys(low, 1)
        high = [hex for hex in self.levels if all(other in self.levels for other in self.bare.neighbours(hex))]
        self.levels |= dict.fromkeys(high, 2)


def random_field(seed: str, wishes: Wishes) -> Field:
    """The field of a seed; the wishes must have no faults."""
    best, least = None, 0.0
    for number in range(TRIES):
        sketch = Sketch(wishes, Draws(f"{seed}/{number}"))
        sketch.fill("impassable", wishes.impassable, 4)
        sketch.fill("closed", wishes.closed, 9)
        sketch.raise_hills()
        north, south = cover(sketch.field)
        if alike(north, south):
            return sketch.field
        if best is None or abs(north - south) < least:
            best, least = sketch.field, abs(north - south)
    assert best is not None
    return best
