"""Numbers derived from a sheet, each with its explanation, for display.

Fights use their own (body.py, accuracy.py, fight/casting.py); these are the numbers at the start of a fight.
"""

from collections.abc import Mapping

from app.engine.frozen import frozen
from app.engine.sentences import capital
from app.rulesets.arcana.rules import wording
from app.rulesets.arcana.rules.book import (
    ARMOUR,
    LEVELS,
    SCHOOL_DIE,
    SCHOOLS,
    SKILLS,
    SPECIES,
    SPELLS,
    STATUSES,
    Spell,
)  # fmt: skip
from app.rulesets.arcana.rules.items import DRAUGHTS
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.accuracy import Guard, accuracy, instinct
from app.rulesets.arcana.sheet.body import Body, considered, of_sheet, transport
from app.rulesets.arcana.sheet.generation import advised, left_to_give, unused
from app.rulesets.arcana.sheet.sheets import FREE_SCHOOL, Sheet

USUAL = Settings()


@frozen(kw_only=True)
class Figure:
    """One number: its name, value, explanation and rule."""

    name: str
    value: str
    how: str
    rule: str


@frozen(kw_only=True)
class Known:
    """A known spell: its casting check and price for this caster, and its effects."""

    key: str
    name: str
    level: str
    discipline: str
    check: str
    odds: float
    price: int
    where: str
    text: str


@frozen(kw_only=True)
class Held:
    """A thing carried or worn."""

    name: str
    value: str
    text: str


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _sum(first: str, *more: tuple[str, int]) -> str:
    """ "8, ATH +1, Expertise +2", leaving out zeros."""
    return ", ".join([first, *(f"{name} {signed(number)}" for name, number in more if number)])


def figures(sheet: Sheet) -> tuple[Figure, ...]:
    """Returns the numbers at the top of a sheet (ARC-64 to -67, -74, -75, -97, -118, -122, -123)."""
    body = of_sheet("", sheet)
    guard = Guard(body=body, encumbered=not body.at_home_in_armour)
    block, dodge = (instinct(guard, which, USUAL) for which in ("block", "dodge"))
    far = transport(body, encumbered=guard.encumbered)
    near = considered(body, USUAL, encumbered=guard.encumbered)
    worn = sum(one.block for one in body.worn), sum(one.dodge for one in body.worn)
    halved = ", halved in armour you are not proficient with" if guard.encumbered else ""
    e_block = block - 8 - body.mod("ATH") - worn[0]
    e_dodge = 0 if guard.encumbered else dodge - 8 - body.mod("FIN") - worn[1]
    step = "metre" if body.heavy else "half metre"
    slow = ", a quarter of it in armour you are not proficient with" if guard.encumbered else ""
    return (
        Figure(name="Expertise", value=signed(sheet.expertise), rule="ARC-118",
               how="stated" if sheet.expertise_bonus is not None else "2, plus 1 for every four levels"),
        Figure(name="Block", value=str(block), rule="ARC-74",
               how=_sum("8", ("ATH", body.mod("ATH")), ("Expertise", e_block), ("worn", worn[0]))),
        Figure(name="Dodge", value=str(dodge), rule="ARC-74",
               how=_sum("8", ("FIN", body.mod("FIN")), ("Expertise", e_dodge), ("worn", worn[1])) + halved),
        Figure(name="Movement", value=f"{far / 100:g} m", rule="ARC-64",
               how=f"{body.speed / 100:g} m and half of "
               f"{_sum('', ('ATH', body.mod('ATH')), ('Speed', body.bonus('Speed'))).lstrip(', ') or 'nothing'}, "
               f"down to the {step}{slow}"),
        Figure(name="Considered", value=f"{near / 100:g} m", rule="ARC-67", how="half of it, as a minor action"),
        Figure(name="Passive Perception", value=str(body.passive_perception), rule="ARC-97",
               how=_sum("10", ("PER", body.mod("PER")), ("Expertise", body.bonus("Observation")))),
        Figure(name="Resist value", value=str(body.resist_dv), rule="ARC-123",
               how=_sum("6", ("Expertise", body.expertise), ("POW", body.mod("POW"))) + "; others have to reach it"),
    )  # fmt: skip


def pools(sheet: Sheet) -> tuple[Figure, Figure]:
    """Returns HP and FP with their maxima (ARC-122)."""
    return (
        Figure(name="HP", value=f"{sheet.hp_now} / {sheet.hp_max}".replace("-", "−"), rule="ARC-122",
               how=_pool(sheet, "Athleticism", sheet.attributes.ATH, "Health", sheet.grown_hp, sheet.hp_stated)),
        Figure(name="FP", value=f"{sheet.fp_now} / {sheet.fp_max}".replace("-", "−"), rule="ARC-122",
               how=_pool(sheet, "Spirit", sheet.attributes.SPR, "Willpower", sheet.grown_fp, sheet.fp_stated)),
    )  # fmt: skip


def _pool(sheet: Sheet, name: str, value: int, skill: str, dice: tuple[int, ...], stated: int | None) -> str:
    if stated is not None:
        return "stated"
    more = 3 * sheet.expertise if sheet.is_proficient(skill) else 0
    return _sum(f"{name} {value}", (skill, more), ("levels", sum(dice)))


def casting(sheet: Sheet, body: Body, school: str, discipline: str) -> tuple[int, str]:
    """Returns the bonus on a casting check, and its explanation (ARC-148, ARC-156)."""
    attr = SCHOOLS[school][discipline]
    parts = (
        (attr, body.mod(attr)),
        ("Expertise", body.bonus(discipline)),
        ("worn", sum(one.casting + one.attribute_checks.get(attr, 0) for one in body.worn)),
        ("wood", int(sheet.wood == school)),
    )
    return sum(number for _, number in parts), _sum("", *parts).lstrip(", ") or "nothing"


def odds(size: int, bonus: int, against: int) -> float:
    """Returns the probability that a die plus a bonus reaches a value."""
    return min(1.0, max(0.0, (size - max(1, against - bonus) + 1) / size))


def known(sheet: Sheet, spell: Spell) -> Known:
    body = of_sheet("", sheet)
    bonus, _ = casting(sheet, body, spell.school, spell.discipline)
    size = SCHOOL_DIE[sheet.school(spell.school)]
    return Known(
        key=spell.id,
        name=spell.name,
        level=spell.level,
        discipline=spell.discipline,
        check=f"d{size}{signed(bonus) if bonus else ''} against {spell.dv}",
        odds=odds(size, bonus, spell.dv),
        price=max(1, spell.dv - int(sheet.core == spell.school)),
        where=wording.aimed(spell, sheet.level),
        text=wording.spell(spell, sheet.level),
    )


def spellbook(sheet: Sheet, spells: Mapping[str, Spell] = SPELLS) -> tuple[tuple[str, str, tuple[Known, ...]], ...]:
    """Returns known spells by school: its name, the level reached in it, its spells by level and name."""
    mine = [spells[key] for key in sheet.spells if key in spells]
    order = sorted(mine, key=lambda one: (LEVELS.index(one.level), one.name))
    return tuple(
        (school.capitalize(), sheet.school(school), found)
        for school in SCHOOLS
        if (found := tuple(known(sheet, one) for one in order if one.school == school))
    )


def disciplines(sheet: Sheet, spells: Mapping[str, Spell] = SPELLS) -> tuple[Figure, ...]:
    """Returns the casting check of each discipline with a known spell or a proficiency (ARC-148)."""
    body = of_sheet("", sheet)
    used = {spells[key].discipline for key in sheet.spells if key in spells} | set(sheet.proficient)
    return tuple(
        Figure(
            name=name.capitalize(),
            value=f"d{SCHOOL_DIE[sheet.school(school)]} {signed(bonus)}",
            how=how,
            rule="ARC-148",
        )
        for school, names in SCHOOLS.items()
        for name in names
        if name in used
        for bonus, how in [casting(sheet, body, school, name)]
    )


def arms(sheet: Sheet) -> tuple[Held, ...]:
    """Returns weapons with their accuracy bonus (ARC-71, ARC-73) and their damage."""
    body = of_sheet("", sheet)
    return tuple(
        Held(name=one.name, value=signed(accuracy(body, one.group, USUAL)),
             text=_wand(sheet) if one.id == "wand" else wording.weapon(one))
        for one in sheet.arms.values()
    )  # fmt: skip


def _wand(sheet: Sheet) -> str:
    wood = f"wood: {sheet.wood}, +1 on casting" if sheet.wood else ""
    core = f"core: {sheet.core}, 1 FP less" if sheet.core else ""
    return "; ".join(one for one in (wood, core) if one) or "accuracy of spells"


def gear(sheet: Sheet) -> tuple[Held, ...]:
    """Returns worn and carried things."""
    worn = [ARMOUR[key] for key in (sheet.armour, sheet.shield) if key]
    items = [Held(name=DRAUGHTS.get(key, key), value=str(count), text="") for key, count in sheet.items.items()]
    return (*(Held(name=one.name, value="", text=wording.armour(one)) for one in worn), *items)


def skilled(sheet: Sheet) -> tuple[Held, ...]:
    """Returns skills with their ranks (ARC-174)."""
    return tuple(
        Held(name=one.name, value="I" * sheet.rank(key) if one.ranks > 1 else "", text=one.text)
        for key, one in SKILLS.items()
        if sheet.rank(key)
    )


def ills(sheet: Sheet) -> tuple[Held, ...]:
    """Returns lasting ills with their duration and effects (ARC-142)."""
    return tuple(
        Held(name=capital(wording.status(key)), value=wording.lasts(left) if left else "until healed",
             text=STATUSES[key].words)
        for key, left in sheet.ills.items() if key in STATUSES
    )  # fmt: skip


def missing(sheet: Sheet) -> tuple[str, ...]:
    """Returns advice on what a new wizard still lacks; none of it is required."""
    found, kin, advice = list[str](), SPECIES[sheet.species], advised(sheet.level, sheet.species)
    if points := left_to_give(sheet):
        found.append(f"You can still add {points} free point{'s' * (points > 1)} of the {kin.name}.")
    if not sheet.spells:
        found.append(f"No spells yet: about {advice['spells']} are usual at this level.")
    if not sheet.proficient:
        found.append(f"No proficiencies yet: about {advice['proficient']} are usual at this level.")
    if sheet.spells and not kin.wandless and "wand" not in sheet.weapons:
        found.append("No wand: spells need one.")
    return tuple(found)


def standing(sheet: Sheet) -> str:
    """Returns species, level and schools: "Goblin, level 3, adept in illusion, beginner in every other school"."""
    free = FREE_SCHOOL[max(one for one in FREE_SCHOOL if one <= sheet.level)]
    better = [f"{sheet.school(key)} in {key}" for key in SCHOOLS if sheet.school(key) != free]
    return ", ".join(
        [
            SPECIES[sheet.species].name,
            f"level {sheet.level}",
            *better,
            f"{free} in every other school" if better else f"{free} in every school",
        ]
    )


def leftover(sheet: Sheet) -> str:
    """Returns the unused rolls, with commas; "" for a sheet that was not rolled."""
    spare = unused(sheet) if sheet.how == "rolled" else ()
    return ", ".join(map(str, sorted(spare, reverse=True)))
