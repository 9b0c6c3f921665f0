"""What the figures of a sheet come to against three ready-made foes, for the sheet's form."""

from dataclasses import dataclass
from math import ceil

from app.engine.ruleset import Homebrew
from app.rulesets.whiskey.decks import VALUES, odds
from app.rulesets.whiskey.sheets import Sheet
from app.rulesets.whiskey.templates import TEMPLATES

MEASURES = ("wolf", "sword-goblin", "ogre")  # weak, usual, strong


@dataclass(frozen=True, slots=True)
class Measured:
    """One foe: the chance to win a clash against it, and the hits until either falls; 0 for never."""

    name: str
    wins: float
    hits_to_fell: int
    hits_to_fall: int


@dataclass(frozen=True, slots=True)
class SheetFigures:
    """The least and the most damage of a hit, and the foes."""

    least: int
    most: int
    foes: tuple[Measured, ...]


def sheet_figures(sheet: Sheet | None, own: Homebrew) -> SheetFigures:
    """Returns the figures of a sheet, or of a new one without changes (WHI-36, WHI-38, WHI-45)."""
    one = sheet or Sheet(name="New")
    foes = (TEMPLATES[key] for key in MEASURES)
    measured = tuple(
        Measured(foe.name, odds(one.combat, foe.combat, list(VALUES)), _hits(one, foe.hp), _hits(foe, one.hp))
        for foe in foes
    )
    return SheetFigures(one.base + one.die, one.base + 6 * one.die, measured)


def _hits(attacker: Sheet, hp: int) -> int:
    """How many average hits take that many HP."""
    mean = attacker.base + 3.5 * attacker.die
    return ceil(hp / mean) if mean and hp > 0 else 0
