"""Foes by grade: a row of data becomes a sheet (ARC-173)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.rulesets.arcana.amounts import Amount
from app.rulesets.arcana.book import (
    ATTRIBUTES,
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

Grade = Literal["minor", "standard", "greater"]
GRADES: tuple[Grade, ...] = get_args(Grade)
EXPERTISE: Mapping[Grade, int] = {"minor": 2, "standard": 3, "greater": 4}

Score = Annotated[int, Field(ge=0, le=60)]
Triple = tuple[Score, Score, Score]
Graded = Score | Triple
"""One number for all grades, or three: minor, standard, greater."""


def of_grade(given: int | tuple[int, int, int], grade: Grade) -> int:
    return given if isinstance(given, int) else given[GRADES.index(grade)]


class Attack(BaseModel):
    """A natural weapon; its dice may differ by grade."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: Amount = "1"
    d: Graded
    flat: Graded = 0
    times: Annotated[int, Field(ge=1, le=4)] = 1
    type: DamageKey
    reach: Metres = 0
    range: Metres = 0
    status: StatusKey | None = None

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
        )


class Foe(BaseModel):
    """A foe of the list, or a GM's own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Key
    name: Annotated[str, Field(min_length=1, max_length=60)]
    attributes: dict[Attribute, Graded]
    hp: Annotated[int, Field(ge=1, le=999)] | tuple[int, int, int]
    hide: Graded = 0
    size: Annotated[float, Field(gt=0, le=100)]
    speed: Annotated[float, Field(ge=0, le=20)]
    level: Annotated[int, Field(ge=1, le=20)] = 1
    attacks: dict[Key, Attack] = {}
    weapons: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    schools: dict[str, Level] = {}
    proficient: tuple[str, ...] = ()
    undead: bool = False
    resists: dict[DamageKey, Percent] = {}
    suffers: dict[DamageKey, Percent] = {}
    spell_resistance: Percent = 0
    immune_below: Level | None = None
    sneak_times: Annotated[int, Field(ge=0, le=8)] = 0
    note: Words = ""

    @model_validator(mode="after")
    def _known(self) -> "Foe":
        missing = [key for key in ATTRIBUTES if key not in self.attributes]
        if missing:
            raise ValueError(f"attributes: {', '.join(missing)} is missing")
        for field, names, known in (("spells", self.spells, SPELLS), ("weapons", self.weapons, WEAPONS)):
            for name in names:
                if name not in known:
                    raise ValueError(f"{field}: there is nothing called {name!r}")
        return self

    def arms(self, grade: Grade) -> dict[str, Weapon]:
        """What it strikes with, its own and from the list."""
        return {key: one.weapon(key, grade) for key, one in self.attacks.items()} | {
            key: WEAPONS[key] for key in self.weapons
        }


FOES: Mapping[str, Foe] = rows(
    tomllib.loads(files("app.rulesets.arcana").joinpath("data/foes.toml").read_text(encoding="utf-8")), Foe, "foes.toml"
)
