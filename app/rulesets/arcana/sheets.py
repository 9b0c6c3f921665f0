"""Characters between fights: attributes, proficiencies, spells, and the numbers that follow (ARC-116 to ARC-123)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app.engine.chance import Chance, Roll
from app.engine.record import record
from app.rulesets.arcana.book import (
    ARMOUR,
    ATTRIBUTES,
    LEVELS,
    PRICE,
    SCHOOLS,
    SPECIES,
    SPELLS,
    WEAPONS,
    Attribute,
    Level,
)  # fmt: skip

SKILLED: Mapping[str, tuple[str, ...]] = {
    "ATH": ("Acrobatics", "Speed", "Strength", "Health"),
    "FIN": ("Dexterity", "Stealth", "Precision"),
    "SPR": ("Endurance", "Willpower"),
    "CHR": ("Deception", "Performance", "Persuasion"),
    "INT": ("Research", "Arcane Knowledge", "History", "Flora & Fauna"),
    "PER": ("Compassion", "Observation"),
    "POW": (),
    "EVL": ("Chaos", "Intimidation"),
}
WEAPON_CLASSES = (
    "simple", "bladed", "brutish", "reach", "exotic", "simple ranged", "ranged", "firearms", "unarmed", "wand",
)  # fmt: skip
ARMOUR_CLASSES = ("clothing", "light", "medium", "heavy")
DISCIPLINES = tuple(name for school in SCHOOLS.values() for name in school)
PROFICIENCIES = (*(one for ones in SKILLED.values() for one in ones), *WEAPON_CLASSES, *ARMOUR_CLASSES, *DISCIPLINES)
ARRAY = (13, 12, 11, 10, 9, 9, 8)
"""What is assigned instead of rolled: about the best seven of ten times 2d6 + 2."""

CHOSEN: tuple[Attribute, ...] = ATTRIBUTES[:7]  # EVL begins at 0 (ARC-121)
FREE_SCHOOL: Mapping[int, Level] = {1: "beginner", 5: "novice", 10: "adept", 15: "expert"}  # ARC-149


def modifier(value: int) -> int:
    """ARC-117: 10 and 11 give nothing, every two points one more or less."""
    return (value - 10) // 2


def expertise(level: int) -> int:
    """ARC-118."""
    return level // 4 + 2


def reached(level: int, own: Level) -> Level:
    """The level in a school: the free one of somebody's own level, or a better one chosen (ARC-149)."""
    return max(FREE_SCHOOL[max(one for one in FREE_SCHOOL if one <= level)], own, key=LEVELS.index)


class Attributes(BaseModel):
    model_config = ConfigDict(extra="ignore")

    ATH: Annotated[int, Field(ge=0, le=60, title="Athleticism")] = 10
    FIN: Annotated[int, Field(ge=0, le=60, title="Finesse")] = 10
    SPR: Annotated[int, Field(ge=0, le=60, title="Spirit")] = 10
    CHR: Annotated[int, Field(ge=0, le=60, title="Charisma")] = 10
    INT: Annotated[int, Field(ge=0, le=60, title="Intelligence")] = 10
    PER: Annotated[int, Field(ge=0, le=60, title="Perception")] = 10
    POW: Annotated[int, Field(ge=0, le=60, title="Power")] = 10
    EVL: Annotated[int, Field(ge=0, le=60, title="Evil")] = 0

    def of(self, key: Attribute) -> int:
        return int(getattr(self, key))


def _blank(given: object) -> object:
    return None if given == "" else given


Number = Annotated[Annotated[int, Field(ge=-99, le=999)] | None, BeforeValidator(_blank)]


class Sheet(BaseModel):
    """A wizard. Attributes are final ones: species and free points are in them already."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(min_length=1, max_length=60)]
    species: str = "midblood"
    level: Annotated[int, Field(ge=1, le=20)] = 1
    attributes: Attributes = Attributes()
    proficient: Annotated[tuple[str, ...], Field(title="Proficiencies")] = ()
    schools: Annotated[
        dict[str, Level], Field(description="Level in each school, where it is above the free one.")
    ] = {}
    spells: Annotated[tuple[str, ...], Field(title="Spells known by heart")] = ()
    weapons: tuple[str, ...] = ("wand",)
    armour: str = "casual"
    shield: str = ""
    expertise_bonus: Annotated[Number, Field(title="Expertise", description="Empty: by level.")] = None
    grown_hp: Annotated[tuple[int, ...], Field(description="One d6 for each level after the first.")] = ()
    grown_fp: Annotated[tuple[int, ...], Field(description="One d6 for each level after the first.")] = ()
    hp_stated: Annotated[Number, Field(title="Maximum HP", description="Empty: from the attributes.")] = None
    fp_stated: Annotated[Number, Field(title="Maximum FP", description="Empty: from the attributes.")] = None
    hp: Annotated[Number, Field(title="HP now", description="Empty: unhurt.")] = None
    fp: Annotated[Number, Field(title="FP now", description="Empty: rested.")] = None
    note: Annotated[str, Field(max_length=4000)] = ""

    @model_validator(mode="after")
    def _lawful(self) -> "Sheet":
        if self.species not in SPECIES:
            raise ValueError(f"species: there is {', '.join(SPECIES)}")
        known = (
            ("proficient", self.proficient, PROFICIENCIES),
            ("schools", tuple(self.schools), tuple(SCHOOLS)),
            ("spells", self.spells, tuple(SPELLS)),
            ("weapons", self.weapons, tuple(WEAPONS)),
            ("armour", (self.armour,), tuple(key for key, one in ARMOUR.items() if one.group != "shield")),
            ("shield", (self.shield,), ("", *(key for key, one in ARMOUR.items() if one.group == "shield"))),
        )
        for field, names, there in known:
            if unknown := next((name for name in names if name not in there), None):
                raise ValueError(f"{field}: there is nothing called {unknown!r}")
        for key in self.spells:
            spell = SPELLS[key]
            if LEVELS.index(spell.level) > LEVELS.index(self.school(spell.school)):
                raise ValueError(f"spells: {spell.name} is {spell.level}, and {self.name} has not come so far")
        for field, dice in (("grown_hp", self.grown_hp), ("grown_fp", self.grown_fp)):
            if len(dice) > self.level - 1 or any(not 1 <= face <= 6 for face in dice):
                raise ValueError(f"{field}: at level {self.level} there are {self.level - 1} dice from 1 to 6 at most")
        return self

    def school(self, key: str) -> Level:
        """How far somebody has come in a school (ARC-149)."""
        return reached(self.level, self.schools.get(key, "beginner"))

    def is_proficient(self, name: str) -> bool:
        return name in self.proficient

    @property
    def expertise(self) -> int:
        """E (ARC-118)."""
        return expertise(self.level) if self.expertise_bonus is None else self.expertise_bonus

    def mod(self, key: Attribute) -> int:
        return modifier(self.attributes.of(key))

    @property
    def hp_max(self) -> int:
        """ARC-122."""
        more = 3 * self.expertise if self.is_proficient("Health") else 0
        return self.hp_stated if self.hp_stated is not None else self.attributes.ATH + more + sum(self.grown_hp)

    @property
    def fp_max(self) -> int:
        """ARC-122."""
        more = 3 * self.expertise if self.is_proficient("Willpower") else 0
        return self.fp_stated if self.fp_stated is not None else self.attributes.SPR + more + sum(self.grown_fp)

    @property
    def resist_dv(self) -> int:
        """What a target has to reach against a spell of this caster; power points do not raise it (ARC-123)."""
        return 6 + self.expertise + self.mod("POW")

    @property
    def passive_perception(self) -> int:
        """ARC-97."""
        return 10 + self.mod("PER") + (self.expertise if self.is_proficient("Observation") else 0)


@record(kw_only=True)
class Rolled:
    """Ten times 2d6 + 2, of which seven are allotted (ARC-121)."""

    rolls: tuple[tuple[Roll, Roll], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(first.face + second.face + 2 for first, second in self.rolls)


def roll(chance: Chance, label: str) -> Rolled:
    """Draws `label`/1/a, `label`/1/b … `label`/10/b."""
    return Rolled(rolls=tuple((chance.die(6, f"{label}/{n}/a"), chance.die(6, f"{label}/{n}/b")) for n in range(1, 11)))


def allot(
    totals: Sequence[int], chosen: Mapping[Attribute, int], species: str, points: Mapping[Attribute, int]
) -> Attributes:
    """Attributes from ten totals (or ARRAY): `chosen` says which one goes where, by place from 0; then the species'
    changes and its free points. ValueError says what does not fit; none falls below 0.
    """
    if species not in SPECIES:
        raise ValueError(f"species: there is {', '.join(SPECIES)}")
    kin = SPECIES[species]
    if missing := [key for key in CHOSEN if key not in chosen]:
        raise ValueError(f"{missing[0]}: choose a roll for it")
    if "EVL" in chosen:
        raise ValueError("EVL: it begins at 0")
    for key, place in chosen.items():
        if not 0 <= place < len(totals):
            raise ValueError(f"{key}: there are {len(totals)} rolls")
    if len(set(chosen.values())) != len(chosen):
        raise ValueError("A roll is used twice: each goes to one attribute.")
    if any(number < 0 for number in points.values()) or sum(points.values()) > kin.points:
        raise ValueError(f"A {kin.name} has {kin.points} free points to add.")
    made = {key: totals[place] for key, place in chosen.items()}
    return Attributes.model_validate({
        key: max(0, made.get(key, 0) + kin.attributes.get(key, 0) + points.get(key, 0)) for key in get_args(Attribute)
    })  # fmt: skip


def grow(chance: Chance, label: str, sheet: Sheet) -> tuple[Sheet, tuple[Roll, Roll]]:
    """The next level: 1d6 HP, 1d6 FP (ARC-122), as `label`/hp and `label`/fp; ValueError at level 20."""
    if sheet.level >= 20:
        raise ValueError("level: there is none after the twentieth")
    rolls = chance.die(6, f"{label}/hp"), chance.die(6, f"{label}/fp")
    grown = sheet.model_copy(update={
        "level": sheet.level + 1,
        "grown_hp": (*sheet.grown_hp, rolls[0].face),
        "grown_fp": (*sheet.grown_fp, rolls[1].face),
    })  # fmt: skip
    return Sheet.model_validate(grown.model_dump()), rolls


def book_price(level: Level) -> int:
    """Casting from a book: half as much again, rounded half up (ARC-155)."""
    return (PRICE[level] * 3 + 1) // 2
