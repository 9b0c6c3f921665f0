"""What a fighter has of each skill tree, and what the sheet comes to, for its pages."""

from dataclasses import dataclass

from app.engine.ruleset import Homebrew
from app.rulesets.duel.data import ABILITIES, ACTIONS, BASIC, LADDER_DICE, TREES, name_of
from app.rulesets.duel.settings import Settings
from app.rulesets.duel.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Skill:
    """An action or a special ability."""

    key: str
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class SkillTree:
    """A tree's entries in the order of the list."""

    key: str
    name: str
    skills: tuple[Skill, ...]


@dataclass(frozen=True, slots=True)
class SheetTrees:
    """All trees, the Basic actions and the abilities; and the figures of the sheet under the usual house rules."""

    trees: tuple[SkillTree, ...]
    basic: tuple[Skill, ...]
    abilities: tuple[Skill, ...]
    active: tuple[str, ...]  # names
    hp_max: int
    stamina: str  # its dice
    stamina_max: int


def sheet_trees(sheet: Sheet | None, own: Homebrew) -> SheetTrees:
    """Returns what the pages of a sheet show, or of a new one without changes (DUE-55, DUE-67 to -72)."""
    one = sheet or Sheet(name="New")
    number, faces = LADDER_DICE[one.step]
    return SheetTrees(
        trees=tuple(SkillTree(tree.key, tree.name, tuple(map(_skill, tree.entries))) for tree in TREES.values()),
        basic=tuple(map(_skill, BASIC)),
        abilities=tuple(map(_skill, ABILITIES)),
        active=tuple(map(name_of, one.abilities())),
        hp_max=one.hp_max(Settings()),
        stamina=f"{number}d{faces}",
        stamina_max=one.stamina_max,
    )


def _skill(key: str) -> Skill:
    found = ACTIONS.get(key) or ABILITIES[key]
    return Skill(key, found.name, found.words)
