"""Weapons, spells, armour and other gear, and the book's own (SKI-45, SKI-58, SKI-82)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Speed = Literal["fast", "balanced", "slow"]
Id = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]{0,59}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Trait = Annotated[int, Field(ge=0, le=12)]


def _labelled(labels: Mapping[str, str], title: str | None = None) -> Any:
    """The words of a choice on the form of a campaign's own thing."""
    return Field(title=title, json_schema_extra={"x-labels": dict(labels)})


DieSize = Annotated[
    Literal[4, 6, 8, 10, 12],
    BeforeValidator(lambda given: int(given) if isinstance(given, str) and given.isdecimal() else given),
]


class BaseGear(BaseModel):
    """Anything that fills slots; `kind` says which of its subclasses it is (SKI-71)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[Id, Field(json_schema_extra={"x-made": True})]
    name: Name
    slots: Annotated[int, Field(ge=0, le=5, description="Usually 1; bulky things fill 2.")] = 1
    price: Annotated[int, Field(ge=0, le=9999, title="Price in gold")] = 0

    @property
    def repair(self) -> int:
        """Gold to mend it once it is destroyed: 75 % of its price, rounded up (SKI-62)."""
        return -(-self.price * 3 // 4)


class PlainGear(BaseGear):
    """Rope, torches, rations: things without a rule of their own."""

    kind: Literal["other"] = "other"


class Weapon(BaseGear):
    """A weapon, a beast's claws, or a spell, which is neither fast, balanced nor slow (SKI-45, SKI-82, SKI-85).

    `reach` says how far it goes: "close" only to whom one stands beside, "near" through the zone, "far" two zones on.
    The numbers are the X of weapon traits; 0: it lacks that trait.
    """

    kind: Literal["weapon"] = "weapon"
    die: Annotated[DieSize, _labelled({str(n): f"d{n}" for n in (4, 6, 8, 10, 12)}, "Damage")] = 6
    speed: Annotated[Speed | Literal[""], _labelled({"": "none: a spell or a breath"})] = ""
    type: Annotated[Literal["piercing", "bludgeoning", "slashing", ""], _labelled({"": "none of these"})] = ""
    reach: Annotated[
        Literal["close", "near", "far"],
        _labelled({"close": "Close: hand to hand", "near": "Near: in the same zone", "far": "Far: up to two zones on"}),
    ] = "close"
    thrown: Annotated[bool, Field(title="Can be thrown at a Near target")] = False  # SKI-84
    two_handed: Annotated[bool, Field(title="Needs both hands")] = False
    breaks: Annotated[bool, Field(title="Breaks after one attack")] = False
    ready: Annotated[
        Literal["", "reload", "draw"],
        _labelled(
            {"": "nothing", "reload": "a quick turn to reload", "draw": "a quick turn to draw first"}, "Each shot takes"
        ),
    ] = ""  # a quick turn after, or before, each shot (SKI-83)
    natural: Annotated[bool, Field(title="Part of the body: needs no hand and no slot, can’t be lost")] = (
        False  # cannot fall or be sacrificed
    )
    blast: Annotated[bool, Field(title="Blast: attacks every enemy in the zone")] = False  # SKI-51
    special: Annotated[bool, Field(title="Magic or an element: only heavy armour or a shield stops it")] = (
        False  # only heavy armour or a shield may be sacrificed (SKI-60)
    )
    spell: Annotated[
        Literal["", "fast", "ordinary"],
        _labelled(
            {"": "not a spell", "fast": "a fast spell (quick turn)", "ordinary": "an ordinary spell (full turn)"}
        ),
    ] = ""  # SKI-82
    long: Annotated[bool, Field(title="Long, for the order by length")] = False  # "reach" (SKI-47)
    heavy: Trait = 0
    sweep: Trait = 0
    push: Trait = 0
    counter: Trait = 0
    brutal: Trait = 0
    shock: Trait = 0
    bleed: Trait = 0
    quick: Trait = 0
    magic: Trait = 0

    @model_validator(mode="before")
    @classmethod
    def _spells_have_no_speed(cls, given: object) -> object:
        return {**given, "speed": ""} if isinstance(given, dict) and given.get("spell") else given

    @property
    def melee(self) -> bool:
        return self.reach == "close" and not self.spell

    @property
    def slow(self) -> bool:
        """Whether it takes a full turn (SKI-82)."""
        return self.spell == "ordinary"

    @property
    def length(self) -> int:
        """Its place when closing in: reach, slow, balanced, fast (SKI-47)."""
        return 0 if self.long else {"slow": 1, "balanced": 2, "fast": 3, "": 4}[self.speed]


class Armour(BaseGear):
    """What is worn, or a shield; Armor never exceeds 3 in all (SKI-58)."""

    kind: Literal["armour"] = "armour"
    type: Literal["light", "medium", "heavy", "shield"] = "light"
    armor: Annotated[int, Field(ge=0, le=3, title="Armor", description="How much it takes off each blow.")] = 1
    natural: Annotated[bool, Field(title="Part of the body: fills no slot, can’t be lost")] = False  # hide or scales


Gear = Annotated[Weapon | Armour | PlainGear, Field(discriminator="kind")]

UNARMED = Weapon(id="unarmed", name="bare hands", slots=0, die=4, speed="fast", type="bludgeoning", natural=True)


def read(name: str) -> dict[str, dict[str, Any]]:
    """The tables of a data file of this folder, each with its key as `id`."""
    raw = tomllib.loads(files("app.rulesets.skirmish").joinpath("data", f"{name}.toml").read_text(encoding="utf-8"))
    return {key: {"id": key, **table} for key, table in raw.items()}


WEAPONS: Mapping[str, Weapon] = {key: Weapon.model_validate(table) for key, table in read("weapons").items()}
SPELLS: Mapping[str, Weapon] = {key: Weapon.model_validate(table) for key, table in read("spells").items()}
ARMOUR: Mapping[str, Armour] = {key: Armour.model_validate(table) for key, table in read("armour").items()}
OTHER: Mapping[str, PlainGear] = {key: PlainGear.model_validate(table) for key, table in read("other").items()}
BOOK: Mapping[str, Weapon | Armour | PlainGear] = {**WEAPONS, **SPELLS, **ARMOUR, **OTHER}
