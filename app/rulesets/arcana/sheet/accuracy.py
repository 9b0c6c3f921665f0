"""Accuracy against instincts: Block, Dodge, stances, attacks that cannot be blocked or dodged (ARC-71 to ARC-95)."""

from typing import Literal

from app.engine.chance import Chance, Roll
from app.engine.frozen import frozen
from app.rulesets.arcana.rules.book import ARMOUR
from app.rulesets.arcana.rules.grid import penalty
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body

Instinct = Literal["block", "dodge"]
STANCE = {"dodge": "evade", "block": "brace"}
COVER = {"none": 0, "half": -2, "three_quarter": -5}  # ARC-70
OFF_HAND = -2  # ARC-95


@frozen(kw_only=True)
class Guard:
    """The defences of a target at the moment one attack lands."""

    body: Body
    stances: frozenset[str] = frozenset()  # brace, evade
    still: bool = False  # cannot move: stationary (ARC-79)
    held: bool = False  # cannot move because it is trapped, bound or hoisted, not for a worse reason
    bound: bool = False
    block: int = 0  # added by spells and items
    dodge: int = 0
    worn_less: int = 0  # taken off the armour's Block bonus by acid and blows
    fixed_block: bool = False
    encumbered: bool = False
    parries: bool = False  # Parry: E on Block against attacks that are not spells
    slips: bool = False  # Shadow Walker: E on Dodge in a cycle with a considered movement


@frozen(kw_only=True)
class Defence:
    """The value to reach, its source, and whether the attacker rolls with disadvantage."""

    value: int
    by: Literal["block", "dodge", "stationary"]
    disadvantage: bool = False


def instinct(guard: Guard, which: Instinct, settings: Settings, *, armour: int = 100, doubled: bool = False) -> int:
    """Returns Block or Dodge (ARC-74 to ARC-78). `armour`: the percentage of its Block bonus that helps (ARC-170)."""
    body = guard.body
    twice = doubled or "improved_instincts" in body.skills
    expert = _expertise(body, which, settings)
    if not expert and guard.parries and which == "block":
        expert = body.expertise
    if not expert and guard.slips and which == "dodge":
        expert = body.expertise
    expert *= 2 if twice else 1
    if which == "dodge":
        value = 8 + body.mod("FIN") + expert + sum([one.dodge for one in body.worn]) + guard.dodge
        return value // 2 if guard.encumbered else value
    if guard.fixed_block:
        return 8 + body.mod("ATH") + expert
    worn = max(0, sum([one.block for one in body.worn]) - guard.worn_less)
    return 8 + body.mod("ATH") + expert + worn * armour // 100 + body.hide + guard.block


def _expertise(body: Body, which: Instinct, settings: Settings) -> int:
    """E on an instinct, by Strength or Speed, or by a proficiency for the class of armour worn (ARC-75)."""
    own: tuple[str, ...] = ("Strength",) if which == "block" else ("Speed",)
    if which == "dodge" and "elegant_avoidance" in body.skills:
        own = ("Speed", "Precision")
    worn = ARMOUR[body.armour].group
    match settings.instinct_expertise:
        case "armour_only":
            return body.bonus(worn)
        case "bracket_gated":
            return body.bonus(*own) if body.at_home_in_armour else 0
        case _:
            return body.bonus(*own, worn) if body.at_home_in_armour else 0


def defence(
    guard: Guard, settings: Settings, *, blockable: bool, dodgeable: bool, distance2: int, armour: int = 100
) -> Defence:
    """Returns the value that an attack from this distance has to reach (ARC-76, ARC-79, ARC-82 to ARC-88)."""
    more = penalty(distance2, guard.body.size)
    floor = 5 + more
    blocks = guard.still and guard.held and settings.trapped_defence == "block"
    if blocks and blockable:
        value = instinct(guard, "block", settings, armour=armour) // (2 if guard.bound else 1)
        return Defence(value=value + (more if settings.range_penalty == "all" else 0), by="block")
    if guard.still or not (blockable or dodgeable):
        return Defence(value=floor, by="stationary")
    works: list[Instinct] = [*(["dodge"] if dodgeable else []), *(["block"] if blockable else [])]  # type: ignore[list-item]
    taken = [one for one in works if STANCE[one] in guard.stances] if guard.stances else []
    values = {one: instinct(guard, one, settings, armour=armour, doubled=one in taken) for one in works}
    best = max(taken or works, key=values.__getitem__)  # Dodge comes first, so it wins a tie (ARC-76)
    value = values[best] + (more if settings.range_penalty == "all" else 0)
    if not dodgeable and value < floor:
        return Defence(value=floor, by="stationary", disadvantage=bool(taken))
    return Defence(value=value, by=best, disadvantage=bool(taken))


def accuracy(body: Body, weapon_class: str, settings: Settings) -> int:
    """Returns the bonus on accuracy of any attack, without statuses and cover (ARC-71, ARC-73)."""
    return body.mod("FIN") + body.bonus(*aiming(weapon_class, settings))


def aiming(weapon_class: str, settings: Settings) -> tuple[str, ...]:
    """Returns the proficiencies that give Expertise on accuracy (ARC-73)."""
    return (weapon_class, *(["Precision"] if settings.accuracy_expertise == "weapon_or_precision" else ()))


@frozen(kw_only=True)
class Thrown:
    """One d20, or several of which one counts: `kept`."""

    rolls: tuple[Roll, ...]
    kept: int


def extra_dice(settings: Settings, good: int, bad: int) -> int:
    """Returns how many dice more are rolled, negative where the worst one counts (ARC-92, ARC-93)."""
    if settings.stacking == "compound":
        return min(2, abs(good - bad)) * (1 if good > bad else -1)
    return int(good > 0) - int(bad > 0)


def throw(chance: Chance, label: str, settings: Settings, *, good: int = 0, bad: int = 0, size: int = 20) -> Thrown:
    """Rolls a check's die with `good` advantages, `bad` disadvantages, as `label`/1, `label`/2 … (ARC-92, ARC-93)."""
    more = extra_dice(settings, good, bad)
    if more == 0:
        roll = chance.die(size, f"{label}/1")
        return Thrown(rolls=(roll,), kept=roll.face)
    rolls = tuple(chance.die(size, f"{label}/{n + 1}") for n in range(1 + abs(more)))
    faces = [roll.face for roll in rolls]
    return Thrown(rolls=rolls, kept=max(faces) if more > 0 else min(faces))


def hits(kept: int, bonus: int, value: int, settings: Settings) -> bool:
    """Whether a check hits: a tie hits, a natural 1 misses, a natural 20 does not hit by itself (ARC-72, ARC-91)."""
    if kept == 1 and settings.natural_1 == "miss":
        return False
    if kept == 20 and settings.natural_20 == "hit_and_critical":
        return True
    return kept + bonus >= value
