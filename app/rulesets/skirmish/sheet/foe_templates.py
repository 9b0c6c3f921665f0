"""Kinds of foes: the book's (ledger table 3.8) and what a campaign's own look like (SKI-48, SKI-64, SKI-86)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.engine.form_fields import Ticked
from app.engine.sentences import the_foe
from app.rulesets.skirmish.sheet.gear import Id, read
from app.rulesets.skirmish.sheet.packing import faults
from app.rulesets.skirmish.sheet.refusals import refused
from app.rulesets.skirmish.sheet.sheets import REACTION_WORDS, Carried, Critical, Foe, Name, Reaction, SpellId

Score = Annotated[int, Field(ge=1, le=18)]
LEARNED: dict[str, Any] = {one: words for one, words in REACTION_WORDS.items() if one != "defend"}
OfNpc = Annotated[Literal["fight", "block", "dodge", "parry"], Field(json_schema_extra={"x-labels": LEARNED})]


class FoeKind(BaseModel):
    """A kind of foe, unhurt; everybody may Defend, `reactions` are the others it knows."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[Id, Field(json_schema_extra={"x-made": True})]
    name: Name
    mgt: Annotated[Score, Field(title="MGT (might)")] = 10
    agi: Annotated[Score, Field(title="AGI (agility)")] = 10
    wil: Annotated[Score, Field(title="WIL (will)")] = 10
    hp: Annotated[Score, Field(title="HP at full", description="Untrained 3, trained 7 to 12, champion 13 to 18.")] = 4
    gear: Annotated[tuple[Carried, ...], Field(max_length=20)] = ()
    spells: Annotated[tuple[SpellId, ...], Field(max_length=20)] = ()
    reactions: Annotated[
        tuple[OfNpc, ...], Field(title="Reactions besides Defend", description="Only players’ characters know all.")
    ] = ()
    detachment: Annotated[
        Ticked,
        Field(title="A detachment", description="A large group or a mighty foe: its blows hit everyone in the zone."),
    ] = False
    leader: Annotated[Ticked, Field(title="Leads its group", description="Its WIL saves for everybody.")] = False
    critical: Annotated[
        Critical,
        Field(
            title="When a critical save fails",
            json_schema_extra={"x-labels": {"": "as the house rules say", "injury": "is injured", "out": "is out"}},
        ),
    ] = ""
    habit: Annotated[
        Literal["attack", "shoot", "hold"],
        Field(
            title="Behaviour",
            json_schema_extra={
                "x-labels": {"attack": "attacks an enemy", "shoot": "shoots or casts", "hold": "waits and defends"}
            },
        ),
    ] = "attack"
    note: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="after")
    def _lawful(self) -> "FoeKind":
        return refused(self, faults([(one.gear, one.held) for one in self.gear], self.spells))

    def foe(self, key: str, name: str = "", **more: Any) -> Foe:
        """One of this kind in a fight; `more` are fields of `Foe`. Its group is its kind."""
        plain = self.model_dump(exclude={"id", "name"})
        usual = {"kind": self.id, "group": self.name}
        return Foe.model_validate({**plain, **usual, **more, "key": key, "name": name or self.name})


def _kinds() -> dict[str, FoeKind]:
    return {key: FoeKind.model_validate(table) for key, table in read("foes").items()}


TEMPLATES: Mapping[str, FoeKind] = _kinds()
NAMES = frozenset(kind.name for kind in TEMPLATES.values())


def the(name: str, *, pc: bool) -> str:
    """A combatant's name within a sentence: "the goblin mob", "Maren"."""
    return the_foe(name, () if pc else NAMES)


def reaction_words(reactions: tuple[Reaction, ...]) -> str:
    """The reactions besides Defend: "Block, Parry"."""
    return ", ".join(REACTION_WORDS[one] for one in reactions if one in LEARNED)
