"""Whether a battlefield is fair: what the north and the south have of it, and how far Closed ground is from each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from app.engine.sentences import and_list
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex

MUCH = 10  # percent by which two counts or distances differ before pages say so


@dataclass(frozen=True, slots=True)
class Share:
    """How many hexes, or barriers, each half has of one thing."""

    what: str
    north: int
    south: int

    @property
    def even(self) -> bool:
        return alike(self.north, self.south)


@dataclass(frozen=True, slots=True)
class Fairness:
    shares: tuple[Share, ...]
    passable: int
    largest: int  # the passable hexes that hang together

    @property
    def sentence(self) -> str:
        """ "The north has more Closed hexes (43 to 20); the south has more barriers (15 to 0)."."""
        more = {
            side: [f"{one.what} ({max(one.north, one.south)} to {min(one.north, one.south)})" for one in shares]
            for side, shares in (
                ("north", [one for one in self.shares if not one.even and one.north > one.south]),
                ("south", [one for one in self.shares if not one.even and one.south > one.north]),
            )
        }
        told = [f"the {side} has more {and_list(things)}" for side, things in more.items() if things]
        words = "; ".join(told) or "the north and the south have about the same"
        return f"{words[:1].upper()}{words[1:]}."

    @property
    def apart(self) -> str:
        """What to do where the passable hexes do not hang together; "" where they do."""
        gap = self.passable - self.largest
        hexes = "1 passable hex is" if gap == 1 else f"{gap} passable hexes are"
        return f"{hexes} cut off from the rest. Open a way there." if gap else ""


def fairness(field: Field) -> Fairness:
    """Counts each half; the middle row of an odd number belongs to neither."""
    halves = {
        "Closed hexes": _counted(field, lambda hex: field.kind(hex) == "closed"),
        "high hexes": _counted(field, lambda hex: field.level(hex) > 0),
        "Impassable hexes": _counted(field, lambda hex: field.kind(hex) == "impassable"),
    }
    sums = [one.one[0] + one.other[0] - field.rows + 1 for one in field.barriers]
    halves["barriers"] = sum(part < 0 for part in sums), sum(part > 0 for part in sums)
    parts = connected(field)
    shares = tuple(Share(what, north, south) for what, (north, south) in halves.items())
    return Fairness(shares, sum(map(len, parts)), max(map(len, parts), default=0))


def _counted(field: Field, counts: Callable[[Hex], bool]) -> tuple[int, int]:
    found = [2 * hex[0] - field.rows + 1 for hex in field if counts(hex)]
    return sum(part < 0 for part in found), sum(part > 0 for part in found)


def alike(one: float, other: float) -> bool:
    """Whether two numbers differ by at most `MUCH` percent of the larger one."""
    return 100 * abs(one - other) <= MUCH * max(one, other)


def connected(field: Field) -> list[set[Hex]]:
    """The passable hexes, by what hangs together."""
    rest, parts = {hex for hex in field if field.passable(hex)}, list[set[Hex]]()
    while rest:
        found = set(steps([next(iter(rest))], lambda hex: _joined(field, hex)))
        parts.append(found)
        rest -= found
    return parts


def _joined(field: Field, hex: Hex) -> Iterator[Hex]:
    """The hexes between which and this one a unit can step, in one direction at least."""
    for other in field.neighbours(hex):
        if field.passable(other) and (field.may_step(hex, other) or field.may_step(other, hex)):
            yield other


def steps(start: Iterable[Hex], around: Callable[[Hex], Iterable[Hex]]) -> dict[Hex, int]:
    """The number of steps from the nearest of some hexes to each that can be reached."""
    found = dict.fromkeys(start, 0)
    line = list(found)
    for hex in line:  # which grows meanwhile
        for other in around(hex):
            if other not in found:
                found[other] = found[hex] + 1
                line.append(other)
    return found


def cover(field: Field) -> tuple[float, float]:
    """The mean distance to Closed ground from the passable hexes of the north, and from those of the south; 0, 0 on a
    field without any."""
    far = steps([hex for hex in field if field.kind(hex) == "closed"], field.neighbours)
    if not far:
        return 0, 0
    middle = field.rows - 1
    north, south = (
        [far[hex] for hex in field if field.passable(hex) and sign * (2 * hex[0] - middle) > 0] for sign in (-1, 1)
    )
    return sum(north) / max(1, len(north)), sum(south) / max(1, len(south))
