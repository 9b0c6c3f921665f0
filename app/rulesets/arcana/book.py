"""What the data files hold, and what a GM's own spells and foes must look like: one schema for both.

Rows are read by `rows`, whose errors name file, row and field. Lengths of time are cycles of 3 seconds (ARC-02).
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.rulesets.arcana.amounts import Amount

Attribute = Literal["ATH", "FIN", "SPR", "CHR", "INT", "PER", "POW", "EVL"]
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
Level = Literal["beginner", "novice", "adept", "expert", "master"]
LEVELS: tuple[Level, ...] = get_args(Level)
PRICE: Mapping[str, int] = {"beginner": 4, "novice": 5, "adept": 6, "expert": 7, "master": 11}
"""DV and price of a spell by its level (ARC-151, ARC-152)."""

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
"""Schools, their disciplines and the attribute each is cast with (ARC-150)."""

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Words = Annotated[str, Field(max_length=400)]
Percent = Annotated[int, Field(ge=0, le=100)]
Metres = Annotated[float, Field(ge=0, le=1000)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Named(_Row):
    id: Key
    name: Annotated[str, Field(min_length=1, max_length=60)]


class Face(_Row):
    """Faces of a rider's die and the status they give."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    first: Annotated[int, Field(alias="from", ge=1, le=20)]
    last: Annotated[int, Field(alias="to", ge=1, le=20)]
    status: str
    cycles: Annotated[int, Field(ge=0)] = 0


class Rider(_Row):
    """Rolled once for each hit that does damage (ARC-130)."""

    die: Annotated[int, Field(ge=2, le=20)]
    faces: tuple[Face, ...]


class DamageType(_Row):
    """`hp` and `fp` say how much is lost of each, in halves of the damage; `armour` how much of its Block helps."""

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


class Loses(_Row):
    hp: Annotated[int, Field(ge=0, le=100)] = 0
    fp: Annotated[int, Field(ge=0, le=100)] = 0


Forbids = Literal["everything", "major", "movement", "speech", "words", "focus"]


class Status(_Row):
    """`cycles` is how long it lasts if nothing else is said; 0: until something ends it."""

    id: Key
    words: Words
    cycles: Annotated[int, Field(ge=0)] = 0
    forbids: tuple[Forbids, ...] = ()
    checks: Annotated[int, Field(ge=-20, le=20)] = 0
    casting: Annotated[int, Field(ge=-20, le=20)] = 0
    against: Annotated[int, Field(ge=-20, le=20)] = 0
    dice: Literal["", "advantage", "disadvantage"] = ""
    attackers: Literal["", "advantage"] = ""
    still: bool = False
    unaware: bool = False
    ends_by_harm: bool = False
    no_regain: bool = False
    minor: bool = False
    loses: Loses = Loses()
    suffers: dict[str, Percent] = {}
    family: str = ""
    grade: Annotated[int, Field(ge=0, le=3)] = 0


T = TypeVar("T", bound=BaseModel)


def rows(raw: Mapping[str, Any], model: type[T], where: str) -> dict[str, T]:
    """Rows by id; ValueError "where: row.field: what is wrong" for the first fault."""
    found: dict[str, T] = {}
    for key, row in raw.items():
        try:
            found[key] = model.model_validate({"id": key, **row})
        except ValidationError as error:
            fault = error.errors()[0]
            field = ".".join(str(part) for part in (key, *fault["loc"]))
            raise ValueError(f"{where}: {field}: {fault['msg']}") from None
    return found


def _read(name: str, model: type[T]) -> dict[str, T]:
    text = files("app.rulesets.arcana").joinpath(f"data/{name}.toml").read_text(encoding="utf-8")
    return rows(tomllib.loads(text), model, f"{name}.toml")


DAMAGE: Mapping[str, DamageType] = _read("damage", DamageType)
STATUSES: Mapping[str, Status] = _read("statuses", Status)


def _damage_type(key: str) -> str:
    if key not in DAMAGE:
        raise ValueError(f"there is no damage type {key!r}; there is {', '.join(DAMAGE)}")
    return key


def _status(key: str) -> str:
    if key not in STATUSES:
        raise ValueError(f"there is no status {key!r}")
    return key


DamageKey = Annotated[str, AfterValidator(_damage_type)]
StatusKey = Annotated[str, AfterValidator(_status)]
Die = Annotated[int, Field(ge=1, le=100)]


class Dice(_Row):
    """n dice of d faces and a fixed part, times something; no dice: n is 0."""

    n: Amount = "0"
    d: Die = 1
    flat: Amount = "0"
    times: Annotated[int, Field(ge=1, le=4)] = 1
    type: DamageKey


class Weapon(_Named):
    """`reach` for striking, `range` for throwing and shooting, both in metres, 0 for neither (ARC-165, ARC-166)."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    group: Annotated[str, Field(alias="class", max_length=40)]
    attr: Literal["ATH", "FIN", "versatile"] = "ATH"
    damage: Dice | None = None
    reach: Metres = 0
    range: Metres = 0
    twice: bool = False  # to twice the range, with disadvantage
    hands: Literal[1, 2] = 1
    status: StatusKey | None = None  # what a hit brings
    note: Words = ""


class Armour(_Named):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    group: Annotated[Literal["clothing", "light", "medium", "heavy", "shield"], Field(alias="class")]
    block: Annotated[int, Field(ge=-20, le=20)] = 0
    dodge: Annotated[int, Field(ge=-20, le=20)] = 0
    casting: Annotated[int, Field(ge=-20, le=20)] = 0
    attribute_checks: dict[Attribute, int] = {}
    resists: dict[str, Percent] = {}
    conspicuous: bool = False


class Species(_Named):
    attributes: dict[Attribute, Annotated[int, Field(ge=-10, le=10)]] = {}
    speed: Annotated[float, Field(ge=0, le=20)]
    points: Annotated[int, Field(ge=0, le=20)]
    size: Annotated[float, Field(gt=0, le=100)]
    wandless: bool = False
    undead: bool = False
    suffers: dict[DamageKey, Percent] = {}
    note: Words = ""


class Damage(_Row):
    op: Literal["damage"]
    n: Amount = "0"
    d: Die = 1
    flat: Amount = "0"
    type: DamageKey
    each: bool = False
    no_rider: bool = False
    per_cycle: bool = False
    cycles: Amount = "0"
    gain: bool = False  # the caster gains as many FP


class Heal(_Row):
    """`ceiling_if_injured`: how far it heals somebody with a Major Injury (ARC-134)."""

    op: Literal["heal"]
    n: Amount = "0"
    d: Die = 1
    flat: Amount = "0"
    ceiling_if_injured: Literal["1/2", "3/4", "none"] = "1/2"
    per_cycle: bool = False


class Gives(_Row):
    """A status, for so many cycles or until something."""

    op: Literal["status"]
    id: StatusKey
    cycles: Amount = "0"
    until: Literal["", "healed", "stood", "held"] = ""
    arms_free: bool = True
    extra_fp: Amount = "0"
    shake_off: Literal["", "major", "end"] = ""


class Push(_Row):
    op: Literal["push"]
    metres: Amount = "0"
    to_edge: bool = False


class Repeat(_Row):
    op: Literal["repeat_at_end"]
    cycles: Amount


class Missiles(_Row):
    op: Literal["missiles"]
    count: Amount
    split: bool = False


class Cure(_Row):
    op: Literal["cure"]
    ids: tuple[StatusKey, ...] = ()
    group: Literal["", "minor", "ills"] = ""
    instead_of_heal: bool = False
    physical_only: bool = False


class Replace(_Row):
    op: Literal["replace_status"]
    old: StatusKey
    new: StatusKey


class Bonus(_Row):
    op: Literal["bonus"]
    stat: Literal["block", "dodge", "max_hp", "speed_proficiency"] | Attribute
    amount: Amount
    dice: Literal["", "1d4"] = ""
    vs: Literal["all", "magic"] = "all"
    cycles: Amount = "0"


class Absorb(_Row):
    op: Literal["absorb"]
    points: Amount
    vs: Literal["all", "magic"] = "all"
    cycles: Amount = "0"
    overflow: Literal["through", "half", "lost"] = "through"


class Stance(_Row):
    op: Literal["stance"]
    id: Literal["brace", "evade"]


class Restore(_Row):
    op: Literal["restore_shield"]
    points: Amount
    per_cycle: bool = False


class Resistance(_Row):
    op: Literal["resistance"]
    percent: Amount
    cycles: Amount = "0"


class Described(_Row):
    """What the rules leave to the GM: told in words, no numbers."""

    op: Literal["described"]
    words: Words


Effect = Annotated[
    Damage | Heal | Gives | Push | Repeat | Missiles | Cure | Replace | Bonus | Absorb | Stance | Restore | Resistance
    | Described,
    Field(discriminator="op"),
]  # fmt: skip


class Shape(_Row):
    """Where a spell works. A bolt, a being and an area at a point or a target are within `metres` or 100 m."""

    form: Literal["bolt", "being", "self", "front", "sphere", "circle", "cone", "line", "cube", "cylinder", "disc"]
    metres: Amount = "0"
    height: Amount = "0"
    at: Literal["caster", "target", "point", "front"] = "caster"

    @property
    def area(self) -> bool:
        return self.form not in ("bolt", "being", "self", "front")


class Resist(_Row):
    attr: Attribute
    prof: Annotated[str, Field(max_length=40)] = ""
    on_success: Literal["half", "negate", "no_status", "root_1", "fatigue_2"]


class Spell(_Named):
    """A spell as data. `block` and `dodge` say what works against it, `accuracy` how it is aimed."""

    school: str
    discipline: str
    level: Level
    kind: Literal["instant", "focus", "ward"] = "instant"
    shape: Shape
    hostile: bool = False
    block: bool = False
    dodge: bool = False
    block_halves: bool = False
    accuracy: Literal["none", "instinct", "stationary", "each"] = "none"
    resist: Resist | None = None
    upkeep: Annotated[int, Field(ge=0, le=20)] | None = None
    effect: Annotated[tuple[Effect, ...], Field(min_length=1, max_length=8)]
    note: Words = ""

    @model_validator(mode="after")
    def _of_its_school(self) -> "Spell":
        if self.school not in SCHOOLS:
            raise ValueError(f"school: there is {', '.join(SCHOOLS)}")
        if self.discipline not in SCHOOLS[self.school]:
            raise ValueError(f"discipline: {self.school} has {', '.join(SCHOOLS[self.school])}")
        if self.accuracy == "each" and not any(isinstance(one, Missiles) for one in self.effect):
            raise ValueError("effect: what is aimed each by itself needs an effect of missiles")
        return self

    @property
    def attr(self) -> Attribute:
        """The attribute it is cast with (ARC-148)."""
        return SCHOOLS[self.school][self.discipline]

    @property
    def dv(self) -> int:
        return PRICE[self.level]

    @property
    def heals(self) -> bool:
        return any(isinstance(one, Heal) for one in self.effect)


WEAPONS: Mapping[str, Weapon] = _read("weapons", Weapon)
ARMOUR: Mapping[str, Armour] = _read("armour", Armour)
SPECIES: Mapping[str, Species] = _read("species", Species)
SPELLS: Mapping[str, Spell] = _read("spells", Spell)
