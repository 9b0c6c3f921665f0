"""Damage and health: critical strikes, rounding, healing and harm of one batch, Major Injury (ARC-110 to ARC-138)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.rules.book import DAMAGE
from app.rulesets.arcana.rules.settings import Settings

DEAD = -10
CEILINGS: Mapping[str, Fraction] = {"1/2": Fraction(1, 2), "3/4": Fraction(3, 4), "none": Fraction(1)}


def times(dice: Iterable[Roll]) -> int:
    """Returns the multiplier of critical dice: even 2, odd 1, added up; 1 without dice (ARC-110 to ARC-112)."""
    return sum(2 if roll.face % 2 == 0 else 1 for roll in dice) or 1


def damage(
    rolled: int, *, critical: int = 1, halved: bool = False, resists: int = 0, suffers: int = 0, part: int = 1
) -> int:
    """Returns damage: dice and fixed part, times the critical, halved, with resistances in percent, rounded down once
    (ARC-129, ARC-132).

    `part`: the divisor of Cleave.
    """
    exact = rolled * critical * max(0, 100 - resists) * (100 + suffers)
    return max(0, exact // (part * (20_000 if halved else 10_000)))


@frozen(kw_only=True)
class Loss:
    """The HP and FP that damage takes."""

    hp: int
    fp: int


def split(amount: int, kind: str, *, fp: int, undead: bool) -> Loss:
    """Splits damage into HP and FP by its type (ARC-130); cold takes FP first."""
    type_ = DAMAGE[kind]
    if type_.undead_only and not undead:
        return Loss(hp=0, fp=0)
    if type_.fp_first:
        chilled = min(amount, max(0, fp))
        return Loss(hp=amount - chilled, fp=chilled)
    return Loss(hp=amount * type_.hp // 2, fp=amount * type_.fp // 2)


@frozen(kw_only=True)
class Healing:
    amount: int
    ceiling: Literal["1/2", "3/4", "none"] = "1/2"  # for a target that had a Major Injury before


@frozen(kw_only=True)
class Health:
    """A combatant's health after a batch."""

    hp: int
    injured: bool  # has a Major Injury
    gained: bool = False  # got it in this batch
    state: Literal["up", "critical", "dead"] = "up"


def settle(
    hp: int, hp_max: int, settings: Settings, *, harm: int = 0, healing: Iterable[Healing] = (), injured: bool = False
) -> Health:
    """Returns health after the healing and harm of a batch, as one change or one after the other (ARC-15, ARC-133,
    ARC-134, ARC-136, ARC-137).

    The ceiling of a Major Injury applies only to a target that had it before; each healing has its own.
    """
    given = tuple(healing)
    if settings.equal_distance != "net" and given and harm:
        first = settings.equal_distance == "heal_first"
        one = settle(hp, hp_max, settings, harm=0 if first else harm, healing=given if first else (), injured=injured)
        two = settle(one.hp, hp_max, settings, harm=harm if first else 0, healing=() if first else given,
                     injured=one.injured)  # fmt: skip
        return Health(hp=two.hp, injured=two.injured, gained=one.gained or two.gained, state=two.state)
    after, left = hp, harm  # harm first consumes the healing with the lowest ceiling
    for one in sorted(given, key=lambda one: CEILINGS[one.ceiling]) if given else ():
        share = CEILINGS[one.ceiling] if injured else Fraction(1)
        after = max(after, min(after + max(0, one.amount - left), int(hp_max * share)))
        left = max(0, left - one.amount)
    after -= left
    if settings.overkill_clamp == "on" and hp > 0:
        after = max(0, after)
    gained = settings.major_injury == "crossing_half" and not injured and 2 * hp >= hp_max > 2 * after
    state: Literal["up", "critical", "dead"] = "dead" if after <= DEAD else "critical" if after <= 0 else "up"
    return Health(hp=after, injured=injured or gained, gained=gained, state=state)
