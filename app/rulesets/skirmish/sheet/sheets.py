"""Sheets, foes, zones, and the opening form of a skirmish (SKI-14, SKI-48, SKI-71, SKI-86)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from app.engine.form_fields import OpeningForm, Seconds, Ticked, blank_as
from app.engine.muster import keys_once
from app.rulesets.skirmish.sheet.fields import FIELDS
from app.rulesets.skirmish.sheet.gear import ARMOUR, OTHER, SPELLS, WEAPONS, BaseGear
from app.rulesets.skirmish.sheet.packing import faults
from app.rulesets.skirmish.sheet.refusals import refused
from app.rulesets.skirmish.sheet.wording import listed_line

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,59}$")]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Attribute = Annotated[int, Field(ge=0, le=18)]
HitPoints = Annotated[int, Field(ge=0, le=18)]


def _one_of(things: Mapping[str, BaseGear], kind: str = "gear") -> WithJsonSchema:
    """The schema of an id: the book's things, and on a form of the campaign's own things those of `kind` too."""
    labels = {key: listed_line(thing) for key, thing in things.items()}
    return WithJsonSchema({"type": "string", "enum": list(things), "x-labels": labels, "x-own": kind})


GearId = Annotated[str, Field(max_length=60), _one_of({**WEAPONS, **ARMOUR, **OTHER})]
"""The id of a thing of the book or of the campaign ("own_…"); one that is neither stays readable."""

SpellId = Annotated[str, Field(max_length=60), _one_of(SPELLS)]
WeaponId = Annotated[str, Field(max_length=60), _one_of(WEAPONS)]

MOST_FATIGUE = 20
KILLS = 5  # with one weapon make proficient (SKI-85)

Side = Literal["company", "foes"]
Placement = Literal["main", "off", "worn", "pack"]
Reaction = Literal["defend", "fight", "block", "dodge", "parry"]
REACTIONS: tuple[Reaction, ...] = ("defend", "fight", "block", "dodge", "parry")
REACTION_WORDS: Mapping[Reaction, str] = {
    "defend": "Defend",
    "fight": "Fight Back",
    "block": "Block",
    "dodge": "Dodge",
    "parry": "Parry",
}
Critical = Literal["", "injury", "out"]
Swap = Literal["", "open", "mgt-agi", "mgt-wil", "agi-wil"]
HELD: Mapping[Placement, str] = {"main": "main hand", "off": "off hand", "worn": "worn", "pack": "in the pack"}


def _without_default(schema: dict[str, Any]) -> None:
    """A field that a form shows empty: what it says then follows from another field."""
    schema.pop("default", None)


def _now(title: str) -> Any:
    return Field(title=title, description="Leave empty if unhurt.", json_schema_extra=_without_default)


class Carried(BaseModel):
    """One thing a character has: the id of a thing of the book, or of the campaign, and where it is."""

    model_config = ConfigDict(extra="ignore")

    gear: GearId
    held: Annotated[Placement, Field(title="Where", json_schema_extra={"x-labels": dict(HELD)})] = "pack"
    spent: Annotated[Ticked, Field(title="Not loaded or drawn")] = False


class Wound(BaseModel):
    """A severe wound: it fills a slot, and an arm's impairs one's own attacks until it is treated (SKI-42, SKI-43)."""

    model_config = ConfigDict(extra="ignore")

    place: Literal["torso", "left leg", "right leg", "left arm", "right arm", "head"]
    treated: Ticked = False


class Sheet(BaseModel):
    """A combatant of the campaign. MGT, AGI and WIL as they are now, with their full values beside them."""

    model_config = ConfigDict(extra="ignore")

    name: Name
    mgt: Annotated[Attribute, _now("MGT now")] = 10
    mgt_max: Annotated[Attribute, Field(title="MGT")] = 10
    agi: Annotated[Attribute, _now("AGI now")] = 10
    agi_max: Annotated[Attribute, Field(title="AGI")] = 10
    wil: Annotated[Attribute, _now("WIL now")] = 10
    wil_max: Annotated[Attribute, Field(title="WIL")] = 10
    hp: Annotated[HitPoints, _now("HP now")] = 4
    hp_max: Annotated[HitPoints, Field(title="Max HP", ge=1)] = 4
    gear: Annotated[tuple[Carried, ...], Field(max_length=40, json_schema_extra={"x-gain": "has {now}"})] = ()
    spells: Annotated[tuple[SpellId, ...], Field(max_length=20)] = ()
    fatigue: Annotated[int, Field(ge=0, le=MOST_FATIGUE, description="Each fills a slot until you sleep or eat.")] = 0
    wounds: Annotated[tuple[Wound, ...], Field(max_length=20, json_schema_extra={"x-gain": "wounded: {now}"})] = ()
    proficient: Annotated[tuple[WeaponId, ...], Field(max_length=40, title="Proficient with")] = ()  # SKI-85
    kills: Annotated[dict[WeaponId, Annotated[int, Field(ge=0, le=9999)]], Field(max_length=60)] = Field(
        default_factory=dict
    )  # by weapon
    dead: Annotated[Ticked, Field(json_schema_extra={"x-gain": "died"})] = False
    swap: Annotated[Swap, Field(json_schema_extra={"x-quiet": True})] = ""  # "open": two rolled ones may be swapped
    note: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, given: object) -> object:
        """Fills in a full value from the present one, or the other way round, where only one is given."""
        if not isinstance(given, dict):
            return given
        whole = dict(given)
        for name in ("mgt", "agi", "wil", "hp"):
            full = f"{name}_max"
            if name in given and full not in given:
                whole[full] = max(int(given[name]), 1) if name == "hp" and str(given[name]).isdecimal() else given[name]
            elif full in given and name not in given:
                whole[name] = given[full]
        return whole

    @model_validator(mode="after")
    def _lawful(self) -> "Sheet":
        found = faults([(one.gear, one.held) for one in self.gear], self.spells, self.proficient)
        for name in ("mgt", "agi", "wil", "hp"):
            if getattr(self, name) > getattr(self, f"{name}_max"):
                label = "Max HP" if name == "hp" else name.upper()
                found[name] = f"At most the {label} of {getattr(self, f'{name}_max')}."
        refused(self, found)
        if self.swap not in ("", "open"):  # once (SKI-86)
            one, other = self.swap.split("-")
            for end in ("", "_max"):
                first, second = getattr(self, one + end), getattr(self, other + end)
                setattr(self, one + end, second)
                setattr(self, other + end, first)
            self.swap = ""
        return self


class Foe(Sheet):
    """A combatant of the GM in one fight: its group and flags (SKI-48, SKI-64, SKI-72, SKI-74)."""

    key: Key
    kind: Annotated[str, Field(max_length=60)] = ""  # of the book, or of the campaign ("own_…"): see `muster.whole`
    side: Side = "foes"
    zone: Annotated[str, Field(max_length=60)] = ""  # "": the first zone of its side
    group: Annotated[str, Field(max_length=60)] = ""  # "": all of its kind
    leader: Ticked = False  # of a structured group
    detachment: Ticked = False
    reactions: tuple[Reaction, ...] = ()
    critical: Critical = ""  # "": as the settings say
    hidden: Ticked = False
    shown: Ticked = False  # everybody may know its numbers
    habit: Literal["attack", "shoot", "hold"] = "attack"


class Hazard(BaseModel):
    """What a zone does to everybody in it at the end of a turn (SKI-19)."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, Field(max_length=60)] = ""
    die: Literal[1, 4, 6, 8, 10, 12] = 4  # 1: always one
    to: Literal["hp", "mgt", "agi", "wil"] = "hp"
    save: Ticked = True  # damage to MGT calls for a critical save


Way = Literal["open", "hindered", "closed", "oneway"]


class Link(BaseModel):
    """A boundary between two zones; a one-way one leads from the zone that has it only."""

    model_config = ConfigDict(extra="ignore")

    to: Annotated[str, Field(max_length=60)]
    way: Way = "open"


class Zone(BaseModel):
    """A part of the field (SKI-14, SKI-15, SKI-19, SKI-20)."""

    model_config = ConfigDict(extra="ignore")

    key: Key
    name: Name
    most: Annotated[Annotated[int, Field(ge=1, le=99)] | None, blank_as(None)] = None  # occupants; None: no limit
    cover: Ticked = False
    smoke: Ticked = False
    slow: Ticked = False
    trapped: Ticked = False  # no safe way to retreat from here (SKI-79)
    hazard: Hazard | None = None
    links: Annotated[tuple[Link, ...], Field(max_length=20)] = ()


def _ready_made() -> WithJsonSchema:
    """The schema of a ready-made field: names and sketches, for the form."""
    names, sketches = ({key: getattr(one, part) for key, one in FIELDS.items()} for part in ("name", "sketch"))
    return WithJsonSchema({"type": "string", "enum": list(FIELDS), "x-labels": names, "x-sketches": sketches})


class SkirmishOpening(OpeningForm):
    """The opening form of a skirmish; the characters come from the seats. Without zones the field is one zone.

    A form has a `sketch` instead of zones, or the key of a ready-made one as `field`: `muster.muster` reads them.
    """

    description: Annotated[str, Field(max_length=4000)] = ""
    field: Annotated[str, Field(max_length=20), _ready_made()] = ""
    foes: Annotated[tuple[Foe, ...], Field(max_length=200)] = ()
    zones: Annotated[tuple[Zone, ...], Field(max_length=30)] = ()
    start: Annotated[str, Field(max_length=60)] = ""  # the company's zone; "": the first
    foes_start: Annotated[str, Field(max_length=60)] = ""  # the foes' zone; "": the last
    seconds: Seconds = None  # for each turn's declarations
    at_once: Ticked = False  # no surprise, no reaction roll: the first turn begins with the declarations

    @model_validator(mode="after")
    def _keys_once(self) -> "SkirmishOpening":
        keys_once((foe.key for foe in self.foes), "foes")
        keys_once((zone.key for zone in self.zones), "zones")
        return self
