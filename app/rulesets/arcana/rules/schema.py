"""Reads the rows of the data files; holds the two tables the others refer to: damage types and statuses."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from app.rulesets.arcana.rules.labels import among

Attribute = Literal["ATH", "FIN", "SPR", "CHR", "INT", "PER", "POW", "EVL"]
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
Level = Literal["beginner", "novice", "adept", "expert", "master"]
LEVELS: tuple[Level, ...] = get_args(Level)

PRICE: Mapping[str, int] = {"beginner": 4, "novice": 5, "adept": 6, "expert": 7, "master": 11}
"""A spell's DV and price by its level (ARC-151, ARC-152)."""

SCHOOL_DIE: Mapping[str, int] = {"beginner": 6, "novice": 8, "adept": 10, "expert": 12, "master": 20}  # ARC-148
SCHOOLS: Mapping[str, Mapping[str, Attribute]] = {
    "sorcery": {"elemental": "INT", "kinesis": "FIN"},
    "divination": {"telepathy": "PER", "temporal": "INT"},
    "illusion": {"bewitchment": "CHR", "psionics": "SPR"},
    "malediction": {"hexes": "SPR", "curses": "POW"},
    "restoration": {"healing": "PER", "warding": "INT"},
    "transmutation": {"alteration": "FIN", "conjuration": "POW"},
    "forbidden": {"necromancy": "EVL", "occultism": "POW"},
}
"""The schools, their disciplines and each discipline's casting attribute (ARC-150)."""

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
"""Proficiencies by their attribute; a check may name one of another attribute (ARC-119)."""

LONGEST_ID = 60  # characters

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=LONGEST_ID)]
Words = Annotated[str, Field(max_length=400)]
Percent = Annotated[int, Field(ge=0, le=100)]
Metres = Annotated[float, Field(ge=0, le=1000)]


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Named(Row):
    id: Annotated[Key, Field(json_schema_extra={"x-made": True})]
    name: Annotated[str, Field(min_length=1, max_length=60)]


class Face(Row):
    """The faces of a rider's die that give a status."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    first: Annotated[int, Field(alias="from", ge=1, le=20)]
    last: Annotated[int, Field(alias="to", ge=1, le=20)]
    status: str
    cycles: Annotated[int, Field(ge=0)] = 0


class Rider(Row):
    """The die rolled once for each hit that does damage (ARC-130)."""

    die: Annotated[int, Field(ge=2, le=20)]
    faces: tuple[Face, ...]


class DamageType(Row):
    """`hp` and `fp`: the loss of each, in halves of the damage; `armour`: the percentage of its Block that helps."""

    id: Key
    words: Words
    hp: Annotated[int, Field(ge=0, le=2)] = 2
    fp: Annotated[int, Field(ge=0, le=2)] = 0
    fp_first: bool = False
    armour: Percent = 100
    shields: bool = True
    erodes: bool = False
    undead_only: bool = False
    rider: Rider | None = None


class Loses(Row):
    hp: Annotated[int, Field(ge=0, le=100)] = 0
    fp: Annotated[int, Field(ge=0, le=100)] = 0


Forbids = Literal["everything", "major", "movement", "speech", "words", "focus"]


class Status(Row):
    """`cycles`: the default duration; 0: until something ends it."""

    id: Key
    words: Words
    cycles: Annotated[int, Field(ge=0)] = 0
    forbids: tuple[Forbids, ...] = ()
    checks: Annotated[int, Field(ge=-20, le=20)] = 0
    casting: Annotated[int, Field(ge=-20, le=20)] = 0
    against: Annotated[int, Field(ge=-20, le=20)] = 0
    dice: Literal["", "advantage", "disadvantage"] = ""  # on each of its bearer's checks
    aims: Literal["", "disadvantage"] = ""  # on its bearer's accuracy only
    attackers: Literal["", "advantage"] = ""
    still: bool = False
    unaware: bool = False
    ends_by_harm: bool = False
    no_regain: bool = False
    dies_after: Annotated[int, Field(ge=0)] = 0  # death after this many cycles; 0: never
    tires: bool = False  # the end of a cycle may double prices and stop regeneration
    shies: bool = False  # its bearer does not go nearer to its source
    reels: bool = False  # a die decides what happens to its bearer's declaration
    minor: bool = False
    loses: Loses = Loses()
    suffers: dict[str, Percent] = {}
    family: str = ""
    grade: Annotated[int, Field(ge=0, le=3)] = 0


T = TypeVar("T", bound=BaseModel)


def refused(row: T, faults: Mapping[str, str]) -> T:
    """Returns the row. Raises ValidationError with these faults at their fields, if there are any."""
    if faults:
        found = [_fault(at, words) for at, words in faults.items()]
        raise ValidationError.from_exception_data(type(row).__name__, found)
    return row


def refusal(title: str, at: str, words: str) -> ValidationError:
    """Returns a ValidationError with one fault, to raise."""
    return ValidationError.from_exception_data(title, [_fault(at, words)])


def _fault(at: str, words: str) -> InitErrorDetails:
    # The message would treat braces as fields.
    safe = words.replace("{", "(").replace("}", ")")
    return InitErrorDetails(type=PydanticCustomError("value_error", safe), loc=(at,), input=None)  # type: ignore[arg-type]


def rows(raw: Mapping[str, Any], model: type[T], where: str) -> dict[str, T]:
    """Returns rows by id. Raises ValueError "where: row.field: what is wrong" for the first fault."""
    found: dict[str, T] = {}
    for key, row in raw.items():
        try:
            found[key] = model.model_validate({"id": key, **row})
        except ValidationError as error:
            fault = error.errors()[0]
            field = ".".join(str(part) for part in (key, *fault["loc"]))
            raise ValueError(f"{where}: {field}: {fault['msg']}") from None
    return found


def read(name: str, model: type[T]) -> dict[str, T]:
    text = files("app.rulesets.arcana").joinpath(f"data/{name}.toml").read_text(encoding="utf-8")
    return rows(tomllib.loads(text), model, f"{name}.toml")


DAMAGE: Mapping[str, DamageType] = read("damage", DamageType)
STATUSES: Mapping[str, Status] = read("statuses", Status)


def _damage_type(key: str) -> str:
    if key not in DAMAGE:
        raise ValueError(f"there is no damage type {key!r}; there is {', '.join(DAMAGE)}")
    return key


def _status(key: str) -> str:
    if key not in STATUSES:
        raise ValueError(f"there is no status {key!r}")
    return key


def spoken(key: str) -> str:
    """Returns an id as a name: "burned_mild" becomes "Burned, mild"."""
    family = STATUSES[key].family if key in STATUSES else ""
    words = key.replace("_", " ").capitalize()
    return words.replace(" ", ", ", 1) if family and key.startswith(f"{family}_") else words


DamageKey = Annotated[str, AfterValidator(_damage_type), among({key: spoken(key) for key in DAMAGE})]
StatusKey = Annotated[str, AfterValidator(_status), among({key: spoken(key) for key in STATUSES})]
Die = Annotated[int, Field(ge=1, le=100)]
