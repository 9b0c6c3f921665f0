"""Generates a wizard by dice, grows one by a level, and advises on new wizards (ARC-121, ARC-122)."""

from collections.abc import Mapping, Sequence

from app.engine.chance import Chance
from app.engine.ruleset import Dice
from app.rulesets.arcana.rules.book import SPECIES, Attribute
from app.rulesets.arcana.sheet.sheets import CHOSEN, FREE_SCHOOL, Places, Sheet, grow, raised, roll

FIRST: tuple[Attribute, ...] = ("SPR", "ATH", "FIN", "POW", "INT", "PER", "CHR")
"""The order in which attributes get the best numbers by default: many spells, a sound body, a sure aim."""

ADVICE: Mapping[str, int] = {"proficient": 5, "spells": 5, "skills": 1}
"""How many of each a new wizard usually takes; the rules do not say and allow more. The species' free skills are added,
and each level adds a spell, every fourth one also a proficiency and a skill."""


def advised(level: int, species: str) -> dict[str, int]:
    """Returns the usual number of proficiencies, spells and skills at a level."""
    fourth, own = level // 4, SPECIES[species].skills if species in SPECIES else 0
    return {
        "proficient": ADVICE["proficient"] + fourth,
        "spells": ADVICE["spells"] + level - 1,
        "skills": ADVICE["skills"] + own + fourth,
    }


def best_first(totals: Sequence[int]) -> Places:
    """Returns the places of the highest totals in the order of `FIRST`; of equals the earlier roll comes first."""
    order = sorted(range(len(totals)), key=lambda place: -totals[place])
    return Places.model_validate(dict(zip(FIRST, order, strict=False)))


def rolled(name: str, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """Returns a sheet with ten rolls, the best seven allotted for now (ARC-121), and every die."""
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
            + (f", initially for {went[number]}." if number in went else ", initially not used."),
        )
        for number, pair in enumerate(found.rolls)
    )
    return sheet, dice


def grown(sheet: Sheet, chance: Chance) -> tuple[Sheet, tuple[Dice, ...]]:
    """Returns the sheet at the next level, with its two dice (ARC-122). Raises ValueError at level 20."""
    level = sheet.level + 1
    after, (hp, fp) = grow(chance, f"ARC-122/level-{level}", sheet)
    new = [f"maximum {after.hp_max} HP and {after.fp_max} FP"]
    if after.expertise != sheet.expertise:
        new.append(f"Expertise {after.expertise}")
    if level in FREE_SCHOOL:
        new.append(f"{FREE_SCHOOL[level]} in every school")
    text = f"+{hp.face} HP and +{fp.face} FP. Now {', '.join(new)}."
    return after, (Dice(about=f"Level {level}", rolls=(hp, fp), text=text),)


def unused(sheet: Sheet) -> tuple[int, ...]:
    """Returns the rolled totals that no attribute uses."""
    taken = set(sheet.places.chosen().values())
    return tuple(total for place, total in enumerate(sheet.totals) if place not in taken)


def left_to_give(sheet: Sheet) -> int:
    """Returns how many of the species' free points are still unspent (ARC-121)."""
    if sheet.how == "written" or sheet.species not in SPECIES:
        return 0
    return SPECIES[sheet.species].points - sum(sheet.points.given()[key] for key in (*CHOSEN, "EVL"))


def rewritten(before: Sheet, after: Sheet) -> Sheet:
    """Returns an edited sheet; HP and FP that the edit did not change follow maxima that rose (ARC-141)."""
    follows = raised(before, after)
    change = {name: getattr(follows, name) for name in ("hp", "fp") if getattr(before, name) == getattr(after, name)}
    return Sheet.model_validate(after.model_copy(update=change).model_dump())
