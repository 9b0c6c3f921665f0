"""The strength of a unit against an enemy, as a sum that a log can spell out (CHR-MEL-03)."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Literal

from app.engine.frozen import frozen
from app.rulesets.chronicle.mass.field import Field
from app.rulesets.chronicle.mass.hexes import Hex
from app.rulesets.chronicle.mass.troops import CAVALRY, TROOPS

Cause = Literal["troop", "closed", "open", "cavalry", "height", "barrier"]

RULES: dict[Cause, str] = {
    "troop": "CHR-ARM-02",
    "closed": "CHR-ARM-03",
    "open": "CHR-ARM-07",
    "cavalry": "CHR-ARM-06",
    "height": "CHR-TER-13",
    "barrier": "CHR-TER-07",
}
WORDS: dict[Cause, str] = {
    "closed": "closed ground",
    "open": "open ground",
    "cavalry": "against cavalry",
    "height": "height",
    "barrier": "attacking across a barrier",
}


@frozen()
class Stand:
    """What counts of a unit in a fight: its type of troops, its hex and the stamp of its last move (CHR-TER-09)."""

    troop: str
    hex: Hex
    stamp: int


@frozen()
class Addend:
    """One part of a strength."""

    cause: Cause
    amount: int


def flanked(field: Field, enemies: Collection[Hex]) -> bool:
    """Whether any two of these enemies are not adjacent to one another (CHR-ARM-08, -09).

    The enemies are those of the unit's cluster, or with `cavalry.flank_scope = board` all that are adjacent to it.
    """
    return not all(field.adjacent(one, other) for one, other in combinations(enemies, 2))


def addends(
    field: Field,
    unit: Stand,
    enemy: Stand,
    *,
    flanked: bool,
    melee: bool = True,
    high_ground: Literal["relative", "tagged"] = "relative",
) -> list[Addend]:
    """The parts of the unit's strength against this enemy that are not 0, table strength first (ledger 3.5)."""
    troop, kinds = TROOPS[unit.troop], (field.kind(unit.hex), field.kind(enemy.hex))
    below = field.level(enemy.hex) if high_ground == "relative" else 0
    parts: dict[Cause, int] = {
        "troop": troop.strength,
        "closed": troop.in_closed if "closed" in kinds else 0,
        "open": troop.in_open if kinds == ("open", "open") and not flanked else 0,
        "cavalry": troop.against_cavalry if enemy.troop in CAVALRY else 0,
        "height": int(field.level(unit.hex) > below),
        "barrier": -int(melee and _attacks_across(field, unit, enemy)),
    }
    return [Addend(cause, amount) for cause, amount in parts.items() if amount]


def _attacks_across(field: Field, unit: Stand, enemy: Stand) -> bool:
    """Whether a soft barrier hinders the unit: it moved last, or stands on the outer hex (CHR-TER-07 to -10)."""
    barrier = field.soft(unit.hex, enemy.hex)
    if not barrier:
        return False
    return barrier.other == unit.hex if barrier.one_way else unit.stamp > enemy.stamp


def total(parts: Iterable[Addend]) -> int:
    """The strength that the parts add up to."""
    return sum(part.amount for part in parts)


def in_words(parts: Sequence[Addend], troop: str) -> str:
    """ "light infantry 2, closed ground +2, height +1"."""
    signed = (f"{part.amount:+d}".replace("-", "−") for part in parts)
    return ", ".join(
        f"{TROOPS[troop].name} {part.amount}" if part.cause == "troop" else f"{WORDS[part.cause]} {amount}"
        for part, amount in zip(parts, signed, strict=True)
    )
