"""Generating a wizard by the dice, the next level, and advice for a new wizard (ARC-121, ARC-122)."""

from collections.abc import Mapping, Sequence

from app.engine.chance import Chance
from app.engine.ruleset import Dice
from app.rulesets.arcana.rules.book import SPECIES, Attribute
from app.rulesets.arcana.sheet.sheets import CHOSEN, FREE_SCHOOL, Places, Sheet, grow, raised, roll

FIRST: tuple[Attribute, ...] = ("SPR", "ATH", "FIN", "POW", "INT", "PER", "CHR")
"""Where the best numbers go if nobody says otherwise: many spells, a sound body, a sure aim."""

ADVICE: Mapping[str, int] = {"proficient": 5, "spells": 5, "skills": 1}
"""How much of each a new wizard takes at our tables: the rules do not say, and nothing refuses more. Skills that the
species gives come on top; each further level adds one spell, and every fourth one proficiency and one skill."""


def advised(level: int, species: str) -> dict[str, int]:
    """How many proficiencies, spells and skills somebody of that level usually has."""
    fourth, own = level // 4, SPECIES[species].skills if species in SPECIES else 0
    return {
        "proficient": ADVICE["proficient"] + fourth,
        "spells": ADVICE["spells"] + level - 1,
        "skills": ADVICE["skills"] + own + fourth,
    }


def best_first(totals: Sequence[int]) -> Places:
    """The highest totals to the attributes a wizard needs most; of equals the earlier roll first."""
    order = sorted(range(len(totals)), key=lambda place: -totals[place])
    return Places.model_validate(dict(zip(FIRST, order, strict=False)))


def rolled(name: str, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """A sheet with ten rolls, the best seven allotted for the time being (ARC-121), and every die."""
    found = roll(chance, "ARC-121/roll")
    totals = found.totals
    places = best_first(totals)
    went = {place: key for key, place in places.chosen().items()}
    sheet = Sheet(name=name, how="rolled", totals=totals, places=places)
    dice = tuple(
        Dice(
            about=f"Roll {number + 1}",
            rolls=pair,
            text=f"{pair[0].face} + {pair[1].face} + 2 = {totals[number]}"
            + (f", for {went[number]} at first." if number in went else ", not used at first."),
        )
        for number, pair in enumerate(found.rolls)
    )
    return sheet, dice


def grown(sheet: Sheet, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """The next level with its two dice (ARC-122); ValueError at the twentieth."""
    level = sheet.level + 1
    after, (hp, fp) = grow(chance, f"ARC-122/level-{level}", sheet)
    new = [f"{after.hp_max} HP and {after.fp_max} FP at most"]
    if after.expertise != sheet.expertise:
        new.append(f"Expertise {after.expertise}")
    if level in FREE_SCHOOL:
        new.append(f"{FREE_SCHOOL[level]} in every school")
    text = f"{hp.face} HP and {fp.face} FP more. Now {', '.join(new)}."
    return after, (Dice(about=f"Level {level}", rolls=(hp, fp), text=text),)


def unused(sheet: Sheet) -> tuple[int, ...]:
    """The totals that went nowhere, for who looks at a rolled sheet."""
    taken = set(sheet.places.chosen().values())
    return tuple(total for place, total in enumerate(sheet.totals) if place not in taken)


def left_to_give(sheet: Sheet) -> int:
    """Free points of the species that nobody has added to an attribute yet (ARC-121)."""
    if sheet.how == "written" or sheet.species not in SPECIES:
        return 0
    return SPECIES[sheet.species].points - sum(sheet.points.given()[key] for key in (*CHOSEN, "EVL"))


def rewritten(before: Sheet, after: Sheet) -> Sheet:
    """What a hand wrote anew: HP and FP that nobody touched follow maxima that rose (ARC-141)."""
    follows = raised(before, after)
    change = {name: getattr(follows, name) for name in ("hp", "fp") if getattr(before, name) == getattr(after, name)}
    return Sheet.model_validate(after.model_copy(update=change).model_dump())
