"""The effects of skills on casting, accuracy and instincts, as numbers and conditions (ARC-174)."""

from collections.abc import Mapping
from typing import Literal

from app.rulesets.arcana.fight.declarations import Turn
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.book import ARMOUR, Spell
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body

MERCY = "merciful"

FURTHER = 200  # cm a rank
BLOWS = frozenset({"bludgeoning", "slashing", "piercing"})
Right = Literal["", "foreseen", "fast_caster", "surge"]

SILENT: Mapping[int, int] = {1: -4, 2: -2, 3: 0}
"""The penalty on casting without words, by rank."""


def rank(body: Body, skill: str) -> int:
    """Returns how often a skill was taken; 0: not at all."""
    return body.skills.get(skill, 0)


def silence(body: Body) -> int | None:
    """Returns the addition to a casting check without words; None: it is impossible."""
    return SILENT[min(3, taken)] if (taken := rank(body, "silent_magic")) else None


def least(body: Body, *names: str) -> int:
    """Returns the minimum of an accuracy total: the value of Finesse, plus E if proficient; 0: none."""
    return body.attributes["FIN"] + body.bonus(*names) if rank(body, "increased_accuracy") else 0


def power(body: Body) -> int:
    """Returns how much accuracy may be given up for double damage."""
    most = max(0, body.mod("ATH") + body.bonus("Strength"))
    return most if rank(body, "power_attack") else 0


def further(body: Body) -> int:
    """Returns the extra range of shots and throws, in cm (ARC-174)."""
    return FURTHER * min(3, rank(body, "extended_range"))


def spared(body: Body, kind: str) -> int:
    """Returns the reduction of a blow of this type by rank 2 of Ironclad, in armour worn with proficiency (ARC-174)."""
    if rank(body, "ironclad") < 2 or kind not in BLOWS:
        return 0
    return body.expertise if ARMOUR[body.armour].group != "clothing" and body.at_home_in_armour else 0


def overcome(body: Body, resists: int, settings: Settings) -> int:
    """Returns a target's resistance in percent against this attacker: with the skill half, or none if dice are rolled
    twice. Immunity stays (ARC-174)."""
    if not rank(body, "overcome_resistance") or resists >= 100:
        return resists
    return resists // 2 if settings.resistance_mode == "percent" else 0


def quickloose(one: Fighter) -> tuple[str, ...]:
    """Returns weapons that can shoot as a minor action beside a considered movement (ARC-174)."""
    if not rank(one.body, "quickloose"):
        return ()
    return tuple(key for key, arm in one.body.weapons.items() if arm.damage and arm.range and not arm.reach)


def leaps(one: Fighter) -> bool:
    """Whether a combatant leaps out of an area that misses it; not while prone or held (ARC-174)."""
    ready = rank(one.body, "area_dodge") > 0 and one.turn.react.on_area == "leap" and one.able
    return ready and not (one.still or one.forbidden("movement") or one.has("prone"))


def rights(one: Fighter) -> tuple[Right, ...]:
    """Returns the sources of one more major action in this cycle, in the order of use (ARC-23, ARC-174)."""
    there: tuple[tuple[Right, bool], ...] = (
        ("foreseen", any(loan.stat == "extra_major" for loan in one.loans)),
        ("fast_caster", rank(one.body, "fast_caster") > 0),
        ("surge", rank(one.body, "surge") > 0 and not one.surged),
    )
    return tuple(by for by, has in there if has)


def right(one: Fighter, turn: Turn, first: Spell | None) -> Right:
    """Returns the source of a declaration's extra major; "": none. `first` is the spell of its major, if any."""
    sure = turn.when is None or turn.when.guards != "all"
    casts = turn.major is not None and turn.major.do == "cast" and not turn.major.book and sure
    again = turn.extra is not None and turn.extra.do == "cast" and not turn.extra.book
    fast = casts and again and first is not None and first.kind != "ritual"
    return next((by for by in rights(one) if by != "fast_caster" or fast), "")
