"""Casting: the price of a spell, its casting check, who knows it, how far it reaches (ARC-147 to ARC-163)."""

from app.rulesets.arcana.fight.hands import WAND, holding
from app.rulesets.arcana.fight.roll_parts import Parts, extra_dice_of, ills, only, skill, sways, total, words
from app.rulesets.arcana.fight.skills import silence
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import (
    DAMAGE,
    LEVELS,
    SCHOOL_DIE,
    STATUSES,
    Choose,
    Level,
    Missiles,
    Resistance,
    Spell,
)
from app.rulesets.arcana.rules.settings import Settings


def price(one: Fighter, spell: Spell, pp: int, *, book: bool = False) -> int:
    """Returns the price in FP (ARC-152, ARC-154). A wand's core lowers it (ARC-156), a heavy mind raises it, exhaustion
    doubles it. From a book it is half as much again, rounded half up (ARC-155)."""
    heavy = one.statuses.get("heavy_mind")
    core = int(one.body.core == spell.school and bool(spell.school) and WAND in holding(one))
    dv = (3 * spell.dv + 1) // 2 if book else spell.dv
    return max(1, dv + pp - core + (heavy.value if heavy else 0)) * (2 if one.tired else 1)


def upkeep(one: Fighter, spell: Spell, pp: int) -> int:
    """Returns the price of keeping up a Focus for another cycle (ARC-157)."""
    return price(one, spell, pp) if spell.upkeep is None else spell.upkeep


def metres_of(one: Fighter, spell: Spell, pp: int) -> int:
    """Returns the range or size of a spell, in cm (ARC-161)."""
    return 100 * worth(spell.shape.metres, pp=pp, level=one.body.level)


def choices(spell: Spell) -> dict[str, str]:
    """Returns the choices of a spell's caster, with their labels; {}: none (ARC-132, ARC-161)."""
    if any(isinstance(one, Choose) for one in spell.effect):
        return {"misses": "the next attack on the target misses", "hits": "the target’s next attack hits"}
    if any(isinstance(one, Resistance) and not one.type for one in spell.effect):
        return {key: key for key in DAMAGE}
    return {}


def missiles(spell: Spell, pp: int, level: int) -> int:
    """Returns how many missiles a casting may divide among several targets; 0: it may not (ARC-163)."""
    return next(
        (
            max(0, worth(one.count, pp=pp, level=level))
            for one in spell.effect
            if isinstance(one, Missiles) and one.split
        ),
        0,
    )


def casting(one: Fighter, spell: Spell) -> Parts:
    """Returns the parts of the bonus on a casting check (ARC-148)."""
    wood = int(one.body.wood == spell.school and bool(spell.school) and WAND in holding(one))
    silent = silence(one.body) if one.forbidden("words") else 0
    more = only(("wood of the wand", wood), ("without words", silent or 0)) if wood or silent else ()
    return (*skill(one.body, spell.attr, spell.discipline), *more, *_helps(one), *ills(one))


def chance(one: Fighter, spell: Spell, pp: int, settings: Settings) -> float:
    """Returns the chance that a casting check succeeds now, from 0 to 1 (ARC-92, ARC-148)."""
    size = SCHOOL_DIE[school(one, spell)]
    least = spell.dv + pp - total(casting(one, spell))
    once = min(size, max(0, size + 1 - least)) / size
    more = extra_dice_of(sways(one), settings)
    return once ** (1 - more) if more < 0 else 1 - (1 - once) ** (1 + more)


def _helps(one: Fighter) -> Parts:
    """The effect of armour and statuses on casting (ARC-148)."""
    worn = tuple([(words(armour.id), armour.casting) for armour in one.body.worn if armour.casting])
    if not one.statuses:
        return worn
    return (*worn, *only(*((words(key), STATUSES[key].casting) for key in sorted(one.statuses))))


def known(one: Fighter, spell: Spell, *, book: bool = False) -> bool:
    """Whether a spell is known by heart or from a carried book, and its school advanced enough (ARC-147, ARC-155)."""
    there = one.body.books if book else one.body.spells
    return spell.id in there and LEVELS.index(spell.level) <= LEVELS.index(school(one, spell))


def school(one: Fighter, spell: Spell) -> Level:
    """Returns the level in a spell's school; with Wandless Magic and no wand one level lower (ARC-147, ARC-174)."""
    level = one.body.school(spell.school)
    bare = not one.body.wandless and "wandless_magic" in one.body.skills and WAND not in holding(one)
    return LEVELS[max(0, LEVELS.index(level) - 1)] if bare else level
