"""Ratings and motivations by dice: for main characters, other people, and people made to a guide rating.

Pure. Every draw has a label below the given one, so a set can be rolled in any scene; all rolls are returned in the
order of the book (CHR-SKL-13, CHR-MOT-06).
"""

from collections.abc import Sequence
from typing import Literal

from app.engine.chance import Chance, Roll
from app.engine.frozen import frozen
from app.engine.ruleset import Dice
from app.rulesets.chronicle import motivations, skills
from app.rulesets.chronicle.motivations import PAIRS, POOL
from app.rulesets.chronicle.sheets import Motivations, Sheet, Skills
from app.rulesets.chronicle.skills import GROUPS, TERRAINS, Group

How = Literal["main", "other", "guide"]

MILLION = 1_000_000
BANDS = (62_500, 312_500, 687_500, 937_500, 989_500, 998_200, 999_700, 999_950, 999_992, 999_999, MILLION)
"""The highest number of a d1,000,000 that gives the rating 0, 1, 2 … 10 (CHR-SKL-15)."""

GUIDE_GAPS = (1, 2, 3)  # CHR-SKL-17


@frozen(kw_only=True)
class GroupRolled:
    """One group's rating `r` and the distribution of its bank (CHR-SKL-05 to -12)."""

    group: str
    rating: int
    rolls: tuple[Roll, ...]  # for the rating
    least: int  # the start of every skill
    points: tuple[Roll, ...]  # one die for each point, another if the point fell on a full skill
    skills: dict[str, int]


@frozen(kw_only=True)
class SkillsRolled:
    """A whole set of skills."""

    how: How
    groups: tuple[GroupRolled, ...]
    guide: tuple[Roll, ...] = ()  # how far each group is below the guide rating
    terrain: str = ""
    terrain_roll: Roll | None = None

    @property
    def skills(self) -> dict[str, int]:
        return {key: rating for group in self.groups for key, rating in group.skills.items()}


@frozen(kw_only=True)
class MotivationsRolled:
    """The motivations: which pair got which entry of the pool, and which way round (CHR-MOT-03 to -06)."""

    pairs: tuple[int, ...]  # for each entry of the pool, the number of its pair, 1 to 9
    draws: tuple[Roll, ...]  # eight: the last pair needs no die
    orders: tuple[Roll, ...]
    motivations: dict[str, int]


def expected(number: int, least: int) -> float:
    """The expected number of people, out of `number`, with a group rating of `least` or more (CHR-SKL-18)."""
    return number * at_least(least) / MILLION


def at_least(least: int) -> int:
    """The number of people, out of a million, with that group rating or more."""
    return MILLION - (BANDS[least - 1] if least > 0 else 0)


def main_rating(chance: Chance, label: str) -> tuple[int, tuple[Roll, ...]]:
    """4d4, the three lowest minus 3: 0 to 9 (CHR-SKL-05, CHR-SKL-06)."""
    rolls = tuple(chance.die(4, f"{label}/4d4-{n}") for n in range(1, 5))
    return sum(sorted(roll.face for roll in rolls)[:3]) - 3, rolls


def other_rating(chance: Chance, label: str) -> tuple[int, tuple[Roll, ...]]:
    """The rating of a random person out of a million (CHR-SKL-15)."""
    roll = chance.die(MILLION, f"{label}/of-a-million")
    return next(rating for rating, top in enumerate(BANDS) if roll.face <= top), (roll,)


def hand_out(chance: Chance, label: str, group: Group, rating: int, rolls: tuple[Roll, ...]) -> GroupRolled:
    """Bank, start values, then one point at a time; a point for a full skill is drawn again (CHR-SKL-07 to -11)."""
    keys = [skill.key for skill in group.skills]
    least = max(0, rating - 2)
    found = dict.fromkeys(keys, least)
    bank = (rating - least) * len(keys)
    points: list[Roll] = []
    while bank:
        roll = chance.die(len(keys), f"{label}/point-{len(points) + 1}")
        points.append(roll)
        key = keys[roll.face - 1]
        if found[key] < skills.HIGHEST:
            found[key] += 1
            bank -= 1
    return GroupRolled(group=group.key, rating=rating, rolls=rolls, least=least, points=tuple(points), skills=found)


def roll_skills(
    chance: Chance,
    label: str,
    how: How,
    *,
    guide: int = skills.USUAL,
    best: str = "",
    terrain: str = "",
    terrains: Sequence[str] = TERRAINS,
) -> SkillsRolled:
    """Rolls a set: `how` "main" rolls 4d4 a group, "other" draws from the million, "guide" gives the group `best` the
    rating `guide` and the other three 1, 2 and 3 less (CHR-SKL-14, -17). A given terrain needs no die (CHR-SKL-04).
    """
    given, order = _guided(chance, label, guide, best) if how == "guide" else ({}, ())
    groups = []
    for group in GROUPS:
        at = f"{label}/{group.key}"
        rating, rolls = given.get(group.key, 0), ()
        if how == "main":
            rating, rolls = main_rating(chance, at)
        elif how == "other":
            rating, rolls = other_rating(chance, at)
        groups.append(hand_out(chance, at, group, rating, rolls))
    land: Roll | None = None
    if not terrain:
        terrain, land = chance.pick(tuple(terrains), f"{label}/terrain")
    return SkillsRolled(how=how, groups=tuple(groups), guide=order, terrain=terrain, terrain_roll=land)


def _guided(chance: Chance, label: str, guide: int, best: str) -> tuple[dict[str, int], tuple[Roll, ...]]:
    """The other three groups in random order, 1, 2 and 3 below, never below 0; the last of them needs no die."""
    left = [group.key for group in GROUPS if group.key != best]
    found = {best: guide}
    rolls: list[Roll] = []
    for gap in GUIDE_GAPS:
        if len(left) > 1:
            key, roll = chance.pick(tuple(left), f"{label}/guide-{gap}")
            rolls.append(roll)
        else:
            key = left[0]
        left.remove(key)
        found[key] = max(skills.LOWEST, guide - gap)
    return found, tuple(rolls)


def roll_motivations(chance: Chance, label: str) -> MotivationsRolled:
    """Gives each entry of the pool to a free pair, then rolls a d8 for each: even switches it (CHR-MOT-04 to -06).

    The die for 6/6 is rolled like the others and has no effect.
    """
    free = list(range(1, len(PAIRS) + 1))
    pairs: list[int] = []
    draws: list[Roll] = []
    for entry in range(1, len(POOL) + 1):
        if len(free) > 1:
            number, roll = chance.pick(tuple(free), f"{label}/pair-{entry}")
            draws.append(roll)
        else:
            number = free[0]
        free.remove(number)
        pairs.append(number)
    orders: list[Roll] = []
    found: dict[str, int] = {}
    for entry, (number, (low, high)) in enumerate(zip(pairs, POOL, strict=True), 1):
        roll = chance.die(8, f"{label}/order-{entry}")
        orders.append(roll)
        pair = PAIRS[number - 1]
        left, right = (low, high) if roll.face % 2 else (high, low)
        found[pair.left.key], found[pair.right.key] = left, right
    in_order = {key: found[key] for key in motivations.MOTIVATIONS}
    return MotivationsRolled(pairs=tuple(pairs), draws=tuple(draws), orders=tuple(orders), motivations=in_order)


def person(name: str, rolled: SkillsRolled, moved: MotivationsRolled) -> Sheet:
    """A new person with these numbers."""
    return Sheet(
        name=name,
        is_main=rolled.how == "main",
        skills=Skills.model_validate(rolled.skills),
        survive_terrain=rolled.terrain,
        motivations=Motivations.model_validate(moved.motivations),
    )


def rolled(name: str, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """Rolls a main character in the order of the book (CHR-SKL-13, then CHR-MOT-06); returns every die."""
    found, moved = roll_skills(chance, "skills", "main"), roll_motivations(chance, "motivations")
    return person(name, found, moved), (*_skills_said(found), *_motivations_said(moved))


def promoted(sheet: Sheet, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """Makes a minor character a main one: ratings stay, missing ones are rolled (CHR-CHA-10)."""
    changes: dict[str, object] = {"is_main": True}
    dice: list[Dice] = []
    if sheet.skills == Skills():
        found = roll_skills(chance, "skills", "main", terrain=sheet.survive_terrain)
        changes |= {"skills": Skills.model_validate(found.skills), "survive_terrain": found.terrain}
        dice += _skills_said(found)
    if sheet.motivations == Motivations():
        moved = roll_motivations(chance, "motivations")
        changes["motivations"] = Motivations.model_validate(moved.motivations)
        dice += _motivations_said(moved)
    return sheet.model_copy(update=changes), tuple(dice)


def _skills_said(found: SkillsRolled) -> list[Dice]:
    said: list[Dice] = []
    for group, one in zip(GROUPS, found.groups, strict=True):
        bank = f"Rating {one.rating}: a bank of {one.rating * len(group.skills)}, every skill starts at {one.least}."
        said.append(Dice(about=group.name, rolls=one.rolls, text=bank))
        if one.points:
            more = ", ".join(f"{skill.name} {one.skills[skill.key]}" for skill in group.skills)
            said.append(Dice(about=f"{group.name}, points", rolls=one.points, text=f"{more}."))
    if found.terrain_roll is not None:
        said.append(Dice(about="Land", rolls=(found.terrain_roll,), text=f"Survives best in: {found.terrain}."))
    return said


def _motivations_said(moved: MotivationsRolled) -> list[Dice]:
    order = [PAIRS[number - 1] for number in moved.pairs]
    drawn = "; ".join(
        f"{low} and {high} for {pair.left.name} or {pair.right.name}"
        for (low, high), pair in zip(POOL, order, strict=True)
    )
    turned = "; ".join(
        f"{pair.left.name} {moved.motivations[pair.left.key]} and {pair.right.name} {moved.motivations[pair.right.key]}"
        for pair in order
    )
    return [
        Dice(about="Which pair gets which strengths", rolls=moved.draws, text=f"{drawn}."),
        Dice(about="Which half is the stronger", rolls=moved.orders, text=f"{turned}."),
    ]
