"""Weapons, spells, armour and other gear, and the book's own (SKI-45, SKI-58, SKI-82)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Speed = Literal["fast", "balanced", "slow"]
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]{0,59}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Trait = Annotated[int, Field(ge=0, le=12)]


class Thing(BaseModel):
    """Anything that fills slots; `kind` says which of its subclasses it is (SKI-71)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Id
    name: Name
    slots: Annotated[int, Field(ge=0, le=5)] = 1
    price: Annotated[int, Field(ge=0, le=9999)] = 0  # gold

    @property
    def repair(self) -> int:
        """Gold to mend it once it is destroyed: 75 % of its price, rounded up (SKI-62)."""
        return -(-self.price * 3 // 4)


class Other(Thing):
    """Rope, torches, rations: things without a rule of their own."""

    kind: Literal["other"] = "other"


class Weapon(Thing):
    """A weapon, a beast's claws, or a spell, which is neither fast, balanced nor slow (SKI-45, SKI-82, SKI-85).

    `reach` says how far it goes: "close" only to whom one stands beside, "near" through the zone, "far" two zones on.
    The numbers are the X of weapon traits; 0: it lacks that trait.
    """

    kind: Literal["weapon"] = "weapon"
    die: Literal[4, 6, 8, 10, 12] = 6
    speed: Speed | Literal[""] = "balanced"  # "": a spell
    type: Literal["piercing", "bludgeoning", "slashing", ""] = ""
    reach: Literal["close", "near", "far"] = "close"
    thrown: bool = False  # may be thrown at a Near target (SKI-84)
    two_handed: bool = False
    breaks: bool = False  # after one attack
    ready: Literal["", "reload", "draw"] = ""  # a quick turn after, or before, each shot (SKI-83)
    natural: bool = False  # part of the body: takes no slot and no hand, cannot fall or be sacrificed
    blast: bool = False  # SKI-51
    special: bool = False  # magic or an element: only heavy armour or a shield may be sacrificed (SKI-60)
    spell: Literal["", "fast", "ordinary"] = ""  # SKI-82
    long: bool = False  # "reach", for the order by length only (SKI-47)
    heavy: Trait = 0
    sweep: Trait = 0
    push: Trait = 0
    counter: Trait = 0
    brutal: Trait = 0
    shock: Trait = 0
    bleed: Trait = 0
    quick: Trait = 0
    magic: Trait = 0

    @property
    def melee(self) -> bool:
        return self.reach == "close" and not self.spell

    @property
    def length(self) -> int:
        """Its place when closing in: reach, slow, balanced, fast (SKI-47)."""
        return 0 if self.long else {"slow": 1, "balanced": 2, "fast": 3, "": 4}[self.speed]


class Armour(Thing):
    """What is worn, or a shield; Armor never exceeds 3 in all (SKI-58)."""

    kind: Literal["armour"] = "armour"
    type: Literal["light", "medium", "heavy", "shield"] = "light"
    armor: Annotated[int, Field(ge=0, le=3)] = 1
    natural: bool = False  # hide or scales


Gear = Annotated[Weapon | Armour | Other, Field(discriminator="kind")]

UNARMED = Weapon(id="unarmed", name="bare hands", slots=0, die=4, speed="fast", type="bludgeoning", natural=True)


def read(name: str) -> dict[str, dict[str, Any]]:
    """The tables of a data file of this folder, each with its key as `id`."""
    raw = tomllib.loads(files(__package__).joinpath("data", f"{name}.toml").read_text(encoding="utf-8"))
    return {key: {"id": key, **table} for key, table in raw.items()}


WEAPONS: Mapping[str, Weapon] = {key: Weapon.model_validate(table) for key, table in read("weapons").items()}
SPELLS: Mapping[str, Weapon] = {key: Weapon.model_validate(table) for key, table in read("spells").items()}
ARMOUR: Mapping[str, Armour] = {key: Armour.model_validate(table) for key, table in read("armour").items()}
OTHER: Mapping[str, Other] = {key: Other.model_validate(table) for key, table in read("other").items()}
BOOK: Mapping[str, Weapon | Armour | Other] = {**WEAPONS, **SPELLS, **ARMOUR, **OTHER}
