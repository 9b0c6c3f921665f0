"""Actions, traits, special abilities and skill trees, read from the files of data/ (ledger section 3)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

Kind = Literal["offence", "defence", "universal"]


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Numbers of traits it lacks are 0; `pack` "house" marks actions whose traits are ours."""

    key: str
    name: str
    kind: Kind
    cost: int = 0
    damage: int = 0
    block: int = 0
    heal: int = 0
    recover: int = 0
    tiring: int = 0
    momentum: int = 0
    fall_back: int = 0
    halting: int = 0
    reversal: int = 0
    opportunity: int = 0
    discombobulate: int = 0
    opener: bool = False
    combo: bool = False
    finisher: bool = False
    guard_break: bool = False
    parry: bool = False
    dodge: bool = False
    ability: bool = False
    ditto: bool = False
    basic: bool = False
    special: bool = False
    tree: str = ""
    pack: Literal["book", "house"] = "book"
    words: str = ""

    @property
    def traits(self) -> tuple[tuple[str, int], ...]:
        """Trait keys in the order of the book's list, each with its number, 0 for those without one."""
        found = [(name, getattr(self, name)) for name in TRAITS if name in NUMBERS or name in FLAGS]
        return tuple((name, value if name in NUMBERS else 0) for name, value in found if value)


@dataclass(frozen=True, slots=True)
class Trait:
    key: str
    name: str
    rule: str
    words: str
    x: bool = False  # has a number
    status: str = "attested"


@dataclass(frozen=True, slots=True)
class Ability:
    key: str
    name: str
    rule: str
    words: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A skill tree: entries in the book's order, and how many unlocks bring stamina and health."""

    key: str
    name: str
    entries: tuple[str, ...]
    stamina_every: int  # unlocks for one step of the stamina ladder (DUE-71)
    health_every: int  # unlocks for two HP (DUE-72, house)
    house: frozenset[str] = field(default_factory=frozenset)


NUMBERS = (
    "cost", "damage", "block", "heal", "recover", "tiring", "momentum", "fall_back", "halting", "reversal",
    "opportunity", "discombobulate",
)  # fmt: skip
FLAGS = ("opener", "combo", "finisher", "guard_break", "parry", "dodge", "ability", "ditto", "basic")
LADDER = (6, 8, 10, 12, 16, 20)
"""Maximum of the stamina dice, step by step: 1d6, 1d8, 1d10, 1d12, 2d8, 2d10 (DUE-70)."""

LADDER_DICE = ((1, 6), (1, 8), (1, 10), (1, 12), (2, 8), (2, 10))


def _read(name: str) -> Any:
    return tomllib.loads(files("app.rulesets.duel").joinpath(f"data/{name}.toml").read_text(encoding="utf-8"))


def _actions() -> dict[str, Action]:
    return {
        key: Action(key=key, **{name: value for name, value in row.items() if name != "traits"}, **row["traits"])
        for key, row in _read("actions").items()
    }


def _trees() -> dict[str, Tree]:
    return {
        key: Tree(
            key=key,
            name=row["name"],
            entries=tuple(row["entries"]),
            stamina_every=row["stamina"]["every"],
            health_every=row["health"]["every"],
            house=frozenset(row["house"]),
        )
        for key, row in _read("trees")["tree"].items()
    }


TRAITS: Mapping[str, Trait] = {key: Trait(key=key, **row) for key, row in _read("traits").items()}
ACTIONS: Mapping[str, Action] = _actions()
ABILITIES: Mapping[str, Ability] = {
    key: Ability(key, row["name"], row["rule"], row["text"]) for key, row in _read("abilities").items()
}
TREES: Mapping[str, Tree] = _trees()
BASIC = tuple(action.key for action in ACTIONS.values() if action.basic)
REST, BLOCK = "rest", "block"


def name_of(entry: str) -> str:
    """The name of an action or ability."""
    found = ACTIONS.get(entry) or ABILITIES.get(entry)
    return found.name if found else entry
