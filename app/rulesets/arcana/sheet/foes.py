"""Foes by grade, as rows of data (ARC-173)."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from app.engine.ruleset import OWN
from app.rulesets.arcana.rules.book import (
    ATTRIBUTES,
    SCHOOLS,
    SPELLS,
    WEAPONS,
    Attribute,
    DamageKey,
    Dice,
    Key,
    Level,
    Metres,
    Percent,
    StatusKey,
    Weapon,
    Words,
    rows,
)  # fmt: skip
from app.rulesets.arcana.rules.items import merged, misnamed
from app.rulesets.arcana.rules.labels import LONG_NAMES, among, said
from app.rulesets.arcana.rules.schema import refused
from app.rulesets.arcana.rules.spell_effects import DiceNumber
from app.rulesets.arcana.sheet.sheets import PROFICIENCIES, Proficiency, SpellKey, WeaponKey

Grade = Literal["minor", "standard", "greater"]
GRADES: tuple[Grade, ...] = get_args(Grade)
EXPERTISE: Mapping[Grade, int] = {"minor": 2, "standard": 3, "greater": 4}


def graded(low: int, high: int) -> WithJsonSchema:
    """Returns the schema of a number that is the same for all grades, or one each: minor, standard, greater."""
    names = [grade.capitalize() for grade in GRADES]
    return WithJsonSchema({"type": "integer", "minimum": low, "maximum": high, "x-graded": names})


Score = Annotated[int, Field(ge=0, le=60)]
Side = Annotated[int, Field(ge=1, le=100)]
Life = Annotated[int, Field(ge=1, le=999)]
Graded = Annotated[Score | tuple[Score, Score, Score], graded(0, 60)]
Sides = Annotated[Side | tuple[Side, Side, Side], graded(1, 100)]
Hp = Annotated[Life | tuple[Life, Life, Life], graded(1, 999)]


def of_grade(given: int | tuple[int, int, int], grade: Grade) -> int:
    return given if isinstance(given, int) else given[GRADES.index(grade)]


class Attack(BaseModel):
    """A natural weapon; its dice may differ by grade."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: DiceNumber = "1"
    d: Annotated[Sides, said("Sides of a die")]
    flat: Annotated[Graded, said("plus a fixed number")] = 0
    times: Annotated[int, Field(ge=1, le=4, title="Times")] = 1
    type: Annotated[DamageKey, said("Type of damage")]
    reach: Annotated[Metres, said("Reach in metres", hint="For striking. 0: none.")] = 0
    range: Annotated[Metres, said("Range in metres", hint="For throwing and shooting. 0: none.")] = 0
    status: Annotated[StatusKey | None, said("A hit causes the status")] = None
    cycles: Annotated[int, Field(ge=0, le=1200), said("for this many cycles", hint="0: its usual duration.")] = 0
    block: Annotated[bool, said("It can be blocked")] = True
    dodge: Annotated[bool, said("It can be dodged")] = True

    def weapon(self, key: str, grade: Grade) -> Weapon:
        d, flat = of_grade(self.d, grade), of_grade(self.flat, grade)
        return Weapon(
            id=key,
            name=key.replace("_", " ").capitalize(),
            group="natural",
            damage=Dice(n=self.n, d=d, flat=str(flat), times=self.times, type=self.type),
            reach=self.reach,
            range=self.range,
            status=self.status,
            cycles=self.cycles,
            block=self.block,
            dodge=self.dodge,
        )


class Foe(BaseModel):
    """A foe of the book, or a GM's own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[Key, Field(json_schema_extra={"x-made": True})]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    attributes: Annotated[
        dict[Annotated[Attribute, among(LONG_NAMES)], Graded], Field(json_schema_extra={"x-all": True})
    ]
    hp: Annotated[Hp, said("HP")]
    hide: Annotated[Graded, said("Hide", hint="A quarter of it is added to Block.")] = 0
    size: Annotated[float, Field(gt=0, le=100, title="Size in metres")]
    speed: Annotated[float, Field(ge=0, le=20, title="Speed", description="Metres per cycle, before Athleticism.")]
    level: Annotated[int, Field(ge=1, le=20, description="For a caster: sets the free schools and Expertise.")] = 1
    attacks: Annotated[
        dict[Key, Attack], Field(max_length=8, title="Natural attacks", description="Bite, claws, breath.")
    ] = {}
    weapons: Annotated[tuple[WeaponKey, ...], Field(title="Weapons in hand")] = ()
    items: Annotated[
        tuple[str, ...],
        Field(
            title="Carries",
            description="One thing per line, a draught or anything else; list it twice for two of it.",
            max_length=100,
            exclude_if=lambda there: not there,  # foes from before this field keep their bytes
        ),
    ] = ()
    spells: Annotated[tuple[SpellKey, ...], Field(title="Spells")] = ()
    schools: Annotated[
        dict[Annotated[str, among({key: key.capitalize() for key in SCHOOLS})], Level],
        Field(title="Levels in schools", description="Where they are above the free level."),
    ] = {}
    proficient: Annotated[tuple[Proficiency, ...], Field(title="Proficient with")] = ()
    undead: bool = False
    humanoid: Annotated[bool, Field(title="A humanoid")] = True
    resists: Annotated[
        dict[DamageKey, Percent], Field(title="Resists", description="Percent less damage; 100: no damage.")
    ] = {}
    suffers: Annotated[dict[DamageKey, Percent], Field(title="Suffers", description="Percent more damage.")] = {}
    spell_resistance: Annotated[Percent, Field(description="Percent less damage from all spells.")] = 0
    immune_below: Annotated[Level | None, Field(title="Immune to spells below")] = None
    sneak_times: Annotated[
        int, Field(ge=0, le=8, title="Sneak attacks times", description="Instead of the critical die. 0: as usual.")
    ] = 0
    note: Words = ""

    @model_validator(mode="after")
    def _known(self) -> "Foe":
        faults = {}
        if missing := [key for key in ATTRIBUTES if key not in self.attributes]:
            faults["attributes"] = f"{', '.join(missing)} is missing."
        for name in self.spells:
            if name not in SPELLS and not name.startswith(OWN):
                faults.setdefault("spells", f"There is nothing called “{name[:40]}”.")
        for name in self.weapons:
            if name not in WEAPONS:
                faults.setdefault("weapons", f"There is nothing called “{name[:40]}”.")
        for name in self.proficient:
            if name not in PROFICIENCIES:
                faults.setdefault("proficient", f"There is nothing called “{name[:40]}”.")
        for name, words in misnamed(Counter(self.items)):
            faults.setdefault("items", f"{name[:40]}: {words}")
        return refused(self, faults)

    @property
    def carried(self) -> dict[str, int]:
        """How many it has of each item (ARC-34)."""
        return merged(Counter(self.items))

    def arms(self, grade: Grade) -> dict[str, Weapon]:
        """Returns its weapons at a grade: natural ones and those of the book."""
        return {key: one.weapon(key, grade) for key, one in self.attacks.items()} | {
            key: WEAPONS[key] for key in self.weapons
        }


FOES: Mapping[str, Foe] = rows(
    tomllib.loads(files("app.rulesets.arcana").joinpath("data/foes.toml").read_text(encoding="utf-8")), Foe, "foes.toml"
)
