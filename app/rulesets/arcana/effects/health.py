"""Damage and health: critical strikes, rounding, healing and harm of one instant, Major Injury (ARC-110 to ARC-138)."""

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
    """By how much critical dice multiply: even 2, odd 1, two are added; none at all: 1 (ARC-110 to ARC-112)."""
    return sum(2 if roll.face % 2 == 0 else 1 for roll in dice) or 1


def damage(
    rolled: int, *, critical: int = 1, halved: bool = False, resists: int = 0, suffers: int = 0, part: int = 1
) -> int:
    """Dice and fixed part, times the critical, halved, resistances in percent; rounded down once (ARC-129, ARC-132).

    `part`: what Cleave divides it by.
    """
    exact = rolled * critical * max(0, 100 - resists) * (100 + suffers)
    return max(0, exact // (part * (20_000 if halved else 10_000)))


@frozen(kw_only=True)
class Loss:
    """What damage takes from somebody: HP and FP."""

    hp: int
    fp: int


def split(amount: int, kind: str, *, fp: int, undead: bool) -> Loss:
    """HP and FP by the type of damage (ARC-130); cold takes the FP there are first."""
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
    ceiling: Literal["1/2", "3/4", "none"] = "1/2"  # for somebody who had a Major Injury before


@frozen(kw_only=True)
class Health:
    """How somebody is after all that landed in one instant."""

    hp: int
    injured: bool  # has a Major Injury now
    gained: bool = False  # and got it just now
    state: Literal["up", "critical", "dead"] = "up"


def settle(
    hp: int, hp_max: int, settings: Settings, *, harm: int = 0, healing: Iterable[Healing] = (), injured: bool = False
) -> Health:
    """Healing and harm of one batch, as one change or one after the other (ARC-15, ARC-133, ARC-134, ARC-136, ARC-137).

    The ceiling of a Major Injury holds only for who had it before; each of several healings has its own.
    """
    given = tuple(healing)
    if settings.equal_distance != "net" and given and harm:
        first = settings.equal_distance == "heal_first"
        one = settle(hp, hp_max, settings, harm=0 if first else harm, healing=given if first else (), injured=injured)
        two = settle(one.hp, hp_max, settings, harm=harm if first else 0, healing=() if first else given,
                     injured=one.injured)  # fmt: skip
        return Health(hp=two.hp, injured=two.injured, gained=one.gained or two.gained, state=two.state)
    after, left = hp, harm  # harm eats first what has the lowest ceiling
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
