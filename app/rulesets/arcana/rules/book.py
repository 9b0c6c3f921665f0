"""The rows of the data files and of a GM's own spells and foes: one schema for both.

The function `rows` reads them; its errors name file, row and field. Durations are cycles of 3 seconds (ARC-02).
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from app.rulesets.arcana.rules.amounts import Amount
from app.rulesets.arcana.rules.labels import ACCURACY, KINDS, REQUIRES, RESISTED_BY, among, said
from app.rulesets.arcana.rules.schema import (
    ATTRIBUTES,
    DAMAGE,
    LEVELS,
    PRICE,
    SCHOOL_DIE,
    SCHOOLS,
    STATUSES,
    Attribute,
    DamageKey,
    DamageType,
    Die,
    Face,
    Forbids,
    Key,
    Level,
    Metres,
    Named,
    Percent,
    Rider,
    Row,
    Status,
    StatusKey,
    Words,
    read,
    refused,
    rows,
    spoken,
)
from app.rulesets.arcana.rules.spell_effects import (
    DISCIPLINES,
    Absorb,
    Bonus,
    Choose,
    Cure,
    Damage,
    Described,
    Drop,
    Effect,
    EndSpell,
    ExtraMajor,
    Gives,
    Heal,
    Missiles,
    Obscure,
    Push,
    Reflect,
    Repeat,
    Replace,
    Resist,
    Resistance,
    Restore,
    Reveal,
    Shape,
    Stance,
    Stop,
    Throw,
)

__all__ = [
    "ARMOUR",
    "ATTRIBUTES",
    "DAMAGE",
    "DISCIPLINES",
    "LEVELS",
    "MADE",
    "MATERIALS",
    "PRICE",
    "SCHOOLS",
    "SCHOOL_DIE",
    "SKILLS",
    "SPECIES",
    "SPELLS",
    "STATUSES",
    "WEAPONS",
    "Absorb",
    "Armour",
    "Attribute",
    "Bonus",
    "Choose",
    "Cure",
    "Damage",
    "DamageKey",
    "DamageType",
    "Described",
    "Dice",
    "Die",
    "Drop",
    "Effect",
    "EndSpell",
    "ExtraMajor",
    "Face",
    "Forbids",
    "Gives",
    "Heal",
    "Key",
    "Level",
    "Material",
    "Metres",
    "Missiles",
    "Obscure",
    "Percent",
    "Push",
    "Reflect",
    "Repeat",
    "Replace",
    "Resist",
    "Resistance",
    "Restore",
    "Reveal",
    "Rider",
    "Shape",
    "Skill",
    "Species",
    "Spell",
    "Stance",
    "Status",
    "StatusKey",
    "Stop",
    "Throw",
    "Weapon",
    "Words",
    "made_of",
    "rows",
    "spoken",
]


class Dice(Row):
    """n dice of d faces plus a fixed part, all multiplied by `times`. Without dice, n is 0."""

    n: Amount = "0"
    d: Die = 1
    flat: Amount = "0"
    times: Annotated[int, Field(ge=1, le=4)] = 1
    type: DamageKey


Material = Literal["wood", "bone", "iron", "steel", "meteoric", "adamant", "silver"]
MATERIALS: Mapping[str, int] = {
    "wood": -3, "bone": -1, "iron": 0, "steel": 1, "meteoric": 2, "adamant": 3, "silver": 1,
}  # fmt: skip
"""The damage a weapon gains or loses by its material (ARC-168)."""


class Aim(Row):
    cycles: Annotated[int, Field(ge=1, le=10)]
    range: Metres
    prone: bool = False  # only when prone


class Weapon(Named):
    """`reach` is for striking, `range` for throwing and shooting, both in metres; 0: none (ARC-165, ARC-166)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    group: Annotated[str, Field(alias="class", max_length=40)]
    attr: Literal["ATH", "FIN", "versatile"] = "ATH"
    aimed: Literal["", "ATH", "FIN"] = ""  # always aimed with this, whatever `attr` is; "": with `attr`
    damage: Dice | None = None
    reach: Metres = 0
    range: Metres = 0
    twice: bool = False  # reaches twice its range, with disadvantage beyond it
    scatters: bool = False  # one die fewer for each whole metre beyond its range
    aims: tuple[Aim, ...] = ()  # longer ranges after some cycles of aiming (ARC-166)
    hands: Literal[1, 2] = 1
    status: StatusKey | None = None  # the status that a hit gives
    cycles: Annotated[int, Field(ge=0, le=1200)] = 0  # its duration; 0: the status's own
    material: Material = "iron"
    block: bool = True  # can be blocked (ARC-83)
    dodge: bool = True
    note: Words = ""


MADE = {
    "wood": "Wooden",
    "bone": "Bone",
    "steel": "Steel",
    "meteoric": "Meteoric",
    "adamant": "Adamant",
    "silver": "Silver",
}
"""The first word of a weapon's name by its material; iron adds none."""


def made_of(weapon: Weapon, material: Material) -> Weapon:
    """Returns the weapon made of another material: "Silver dagger" (ARC-168)."""
    if material == weapon.material:
        return weapon
    name = f"{MADE[material]} {weapon.name.lower()}" if material in MADE else weapon.name
    return weapon.model_copy(update={"material": material, "name": name})


class Armour(Named):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    group: Annotated[Literal["clothing", "light", "medium", "heavy", "shield"], Field(alias="class")]
    block: Annotated[int, Field(ge=-20, le=20)] = 0
    dodge: Annotated[int, Field(ge=-20, le=20)] = 0
    casting: Annotated[int, Field(ge=-20, le=20)] = 0
    attribute_checks: dict[Attribute, int] = {}
    resists: dict[str, Percent] = {}
    conspicuous: bool = False


class Species(Named):
    attributes: dict[Attribute, Annotated[int, Field(ge=-10, le=10)]] = {}
    speed: Annotated[float, Field(ge=0, le=20)]
    points: Annotated[int, Field(ge=0, le=20)]
    skills: Annotated[int, Field(ge=0, le=5)] = 0  # free ones
    size: Annotated[float, Field(gt=0, le=100)]
    wandless: bool = False
    undead: bool = False
    silver: bool = False  # takes double damage from silver (ARC-168)
    suffers: dict[DamageKey, Percent] = {}
    uses: dict[str, int] = {}  # added to checks that name these proficiencies, even without the proficiency
    note: Words = ""


class Skill(Named):
    """A skill that matters in fights (ARC-174). `ranks`: how often it may be taken; `rank`: the effect of each rank
    after the first."""

    text: Words
    ranks: Annotated[int, Field(ge=1, le=5)] = 1
    rank: Words = ""


class Spell(Named):
    """A spell as data. `block` and `dodge`: the instincts that work against it; `accuracy`: how it is aimed.

    `school` follows from the discipline, so it may be left out.
    """

    school: Annotated[str, Field(json_schema_extra={"x-made": True})] = ""
    discipline: Annotated[str, among({name: f"{of.capitalize()}: {name}" for name, of in DISCIPLINES.items()})]
    level: Level
    kind: Annotated[
        Literal["instant", "focus", "ward", "ritual"],
        said("How long", KINDS),
    ] = "instant"
    cycles: Annotated[
        Annotated[int, Field(ge=1, le=100)], said("Cycles in a row to perform it", hint="Of a ritual (ARC-159).")
    ] = 1
    shape: Annotated[Shape, said("Where it works", hint="Its size, and where it is centred.")]
    hostile: Annotated[bool, said("It is an attack")] = False
    block: Annotated[bool, said("It can be blocked")] = False
    dodge: Annotated[bool, said("It can be dodged")] = False
    block_halves: Annotated[bool, said("Blocking it halves the damage")] = False
    accuracy: Annotated[
        Literal["none", "instinct", "stationary", "each"],
        said("It hits", ACCURACY),
    ] = "none"
    resist: Annotated[Resist | None, said("A Resist against it", hint="Leave it empty if there is none.")] = None
    resisted_by: Annotated[Literal["target", "holder"], said("Who resists", RESISTED_BY)] = "target"
    requires: Annotated[Literal["", "moved"], said("It needs", REQUIRES)] = ""
    chain: Annotated[
        Amount | None, said("Continues to this many", hint="Along its line, each only if the previous one was hit.")
    ] = None
    upkeep: Annotated[
        Annotated[int, Field(ge=0, le=20)] | None, said("FP to keep it up", hint="Leave empty for the casting cost.")
    ] = None
    effect: Annotated[tuple[Effect, ...], Field(min_length=1, max_length=8, title="What it does")]
    note: Words = ""

    @model_validator(mode="before")
    @classmethod
    def _school_of_its_discipline(cls, given: Any) -> Any:
        if isinstance(given, Mapping) and not given.get("school"):
            return {**given, "school": DISCIPLINES.get(str(given.get("discipline", "")), "")}
        return given

    @model_validator(mode="after")
    def _of_its_school(self) -> "Spell":
        faults = {}
        if self.discipline not in DISCIPLINES:
            faults["discipline"] = f"There is {', '.join(DISCIPLINES)}."
        elif DISCIPLINES[self.discipline] != self.school:
            faults["discipline"] = f"{self.discipline.capitalize()} is of {DISCIPLINES[self.discipline]}."
        if self.accuracy == "each" and not any(isinstance(one, Missiles) for one in self.effect):
            faults["accuracy"] = "A spell with separately aimed missiles needs several missiles among its effects."
        return refused(self, faults)

    @cached_property
    def attr(self) -> Attribute:
        """The attribute it is cast with (ARC-148)."""
        return SCHOOLS[self.school][self.discipline]

    @property
    def dv(self) -> int:
        return PRICE[self.level]

    @cached_property
    def heals(self) -> bool:
        return any(isinstance(one, Heal) for one in self.effect)

    @cached_property
    def gives(self) -> bool:
        """Whether it gives statuses."""
        return any(isinstance(one, Gives) for one in self.effect)

    @cached_property
    def throws(self) -> bool:
        return any(isinstance(one, Throw) for one in self.effect)

    @cached_property
    def shields(self) -> bool:
        """Whether it protects its target from attacks (ledger 1.6)."""
        return any(isinstance(one, Absorb | Stance | Stop) for one in self.effect)


WEAPONS: Mapping[str, Weapon] = read("weapons", Weapon)
ARMOUR: Mapping[str, Armour] = read("armour", Armour)
SPECIES: Mapping[str, Species] = read("species", Species)
SKILLS: Mapping[str, Skill] = read("skills", Skill)
SPELLS: Mapping[str, Spell] = read("spells", Spell)
