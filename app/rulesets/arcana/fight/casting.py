"""Casting: what a spell costs, what its casting check adds, who knows it, how far it goes (ARC-147 to ARC-163)."""

from app.rulesets.arcana.fight.hands import WAND, holding
from app.rulesets.arcana.fight.roll_parts import Parts, ills, only, skill, words
from app.rulesets.arcana.fight.skills import silence
from app.rulesets.arcana.fight.state import Fighter
from app.rulesets.arcana.rules.amounts import worth
from app.rulesets.arcana.rules.book import (
    DAMAGE,
    LEVELS,
    STATUSES,
    Choose,
    Level,
    Missiles,
    Resistance,
    Spell,
)


def price(one: Fighter, spell: Spell, pp: int, *, book: bool = False) -> int:
    """ARC-152, ARC-154; a wand's core makes it cheaper (ARC-156), a heavy mind dearer; who is exhausted pays twice as
    much. From a book half as much again, half up (ARC-155)."""
    heavy = one.statuses.get("heavy_mind")
    core = int(one.body.core == spell.school and bool(spell.school) and WAND in holding(one))
    dv = (3 * spell.dv + 1) // 2 if book else spell.dv
    return max(1, dv + pp - core + (heavy.value if heavy else 0)) * (2 if one.tired else 1)


def upkeep(one: Fighter, spell: Spell, pp: int) -> int:
    """What it costs to keep up a Focus for another cycle (ARC-157)."""
    return price(one, spell, pp) if spell.upkeep is None else spell.upkeep


def metres_of(one: Fighter, spell: Spell, pp: int) -> int:
    """How far a spell goes, or how wide it is, in cm (ARC-161)."""
    return 100 * worth(spell.shape.metres, pp=pp, level=one.body.level)


def choices(spell: Spell) -> dict[str, str]:
    """What its caster may choose between, with words; {}: nothing (ARC-132, ARC-161)."""
    if any(isinstance(one, Choose) for one in spell.effect):
        return {"misses": "the next attack on the target misses", "hits": "the target’s next attack hits"}
    if any(isinstance(one, Resistance) and not one.type for one in spell.effect):
        return {key: key for key in DAMAGE}
    return {}


def missiles(spell: Spell, pp: int, level: int) -> int:
    """How many missiles a casting has that may go to several targets; 0: none (ARC-163)."""
    return next(
        (
            max(0, worth(one.count, pp=pp, level=level))
            for one in spell.effect
            if isinstance(one, Missiles) and one.split
        ),
        0,
    )


def casting(one: Fighter, spell: Spell) -> Parts:
    """What is added to the die of a casting check (ARC-148)."""
    wood = int(one.body.wood == spell.school and bool(spell.school) and WAND in holding(one))
    silent = silence(one.body) if one.forbidden("words") else 0
    more = only(("wood of the wand", wood), ("without words", silent or 0)) if wood or silent else ()
    return (*skill(one.body, spell.attr, spell.discipline), *more, *_helps(one), *ills(one))


def _helps(one: Fighter) -> Parts:
    """What is worn, and statuses that help or hinder casting (ARC-148)."""
    worn = tuple([(words(armour.id), armour.casting) for armour in one.body.worn if armour.casting])
    if not one.statuses:
        return worn
    return (*worn, *only(*((words(key), STATUSES[key].casting) for key in sorted(one.statuses))))


def known(one: Fighter, spell: Spell, *, book: bool = False) -> bool:
    """By heart or in a book that is carried, and as far advanced in its school (ARC-147, ARC-155)."""
    there = one.body.books if book else one.body.spells
    return spell.id in there and LEVELS.index(spell.level) <= LEVELS.index(school(one, spell))


def school(one: Fighter, spell: Spell) -> Level:
    """How far one has come in its school; by Wandless Magic alone one level lower (ARC-147, ARC-174)."""
    level = one.body.school(spell.school)
    bare = not one.body.wandless and "wandless_magic" in one.body.skills and WAND not in holding(one)
    return LEVELS[max(0, LEVELS.index(level) - 1)] if bare else level
