"""The forms of a mass battle: one for each kind of ask. Fields of units and sides are "of.<id>.…"."""

from typing import Annotated, Any, Literal

from pydantic import Field

from app.engine.desks import DeskForm
from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.chronicle.mass.field_text import MOST_TEXT
from app.rulesets.chronicle.mass.opening import Number
from app.rulesets.chronicle.mass.placing import Arrange
from app.rulesets.chronicle.mass.state import Intent, Shape, Side

Key = Annotated[str, Field(max_length=80)]
Short = Annotated[str, Field(max_length=20)]
Words = Annotated[str, Field(max_length=400)]
Several: Any = Field(default_factory=dict, max_length=40)


class Armies(FormModel):
    """The men of each type of troops, by side (CHR-ARM-12)."""

    ask: Literal["armies"] = "armies"
    of: dict[Side, dict[Short, Number]] = Several


class Battlefield(FormModel):
    """A ready-made field or one of the campaign's, or "own" with its map (CHR-PLC-02, -07)."""

    ask: Literal["field"] = "field"
    field: Key = "open"
    map: Annotated[str, Field(max_length=MOST_TEXT)] = ""


class Spot(FormModel):
    to: Key = ""  # "": the next hex of the arrangement
    seat: Key = ""  # who moves the unit, where command is shared; "": dealt in order


class Place(FormModel):
    """The hexes of a whole army (CHR-PLC-12)."""

    ask: Literal["place"] = "place"
    arrange: Arrange = ""
    shape: Annotated[Shape, blank_as("march")] = "march"  # of an ambushed army (CHR-PLC-07)
    of: dict[Key, Spot] = Several


class Row(FormModel):
    """The straight row behind which the attackers are placed (CHR-PLC-04)."""

    ask: Literal["line"] = "line"
    line: Key = ""


class Plan(FormModel):
    intent: Annotated[Intent, blank_as("fight")] = "fight"


class Intents(FormModel):
    """Fight on, retreat or offer surrender, by side (step F1)."""

    ask: Literal["intent"] = "intent"
    of: dict[Side, Plan] = Several


class Leaver(FormModel):
    leave: Ticked = False


class Leave(FormModel):
    """The units that leave the map, and their order (CHR-END-04)."""

    ask: Literal["leave"] = "leave"
    order: Words = ""
    of: dict[Key, Leaver] = Several


class Quick(FormModel):
    quick: Ticked = False


class Quickest(FormModel):
    """The quick units (CHR-MOV-03)."""

    ask: Literal["quick"] = "quick"
    of: dict[Key, Quick] = Several


class Going(FormModel):
    to: Key = ""  # a hex; "": stay
    by: Words = ""  # or steps: "E NE NE"


class Moves(FormModel):
    """The moves of a seat's units in one phase, in order (CHR-MOV-04)."""

    ask: Literal["move"] = "move"
    order: Words = ""
    of: dict[Key, Going] = Several


class Partner(FormModel):
    against: Key = ""  # an enemy next to it


class Clusters(FormModel):
    """An enemy next to each engaged unit; whoever hangs together so is a cluster (CHR-CLU-04)."""

    ask: Literal["clusters"] = "clusters"
    of: dict[Key, Partner] = Several


class Aim(FormModel):
    at: Key = ""  # "": does not shoot


class Targets(FormModel):
    """The target of each unit of bowmen (step F7)."""

    ask: Literal["targets"] = "targets"
    of: dict[Key, Aim] = Several


class Order(FormModel):
    """The numbers of the clusters in the order in which they fight (CHR-MEL-15)."""

    ask: Literal["order"] = "order"
    order: Words = ""


class Whom(FormModel):
    """The unit of the many from which the lone loser falls back (CHR-MEL-14)."""

    ask: Literal["whom"] = "whom"
    winner: Key = ""


class Back(FormModel):
    to: Key = ""  # "": the lowest legal hex


class Fall(FormModel):
    """The hexes to which losers fall back; the commander's `order` counts (CHR-MEL-06, -11)."""

    ask: Literal["fall"] = "fall"
    order: Words = ""
    of: dict[Key, Back] = Several


class Step(FormModel):
    step: Key = ""  # a hex; "": stay


class LightSteps(FormModel):
    """The free step of light infantry after melee (CHR-MEL-16)."""

    ask: Literal["step"] = "step"
    of: dict[Key, Step] = Several


class Quiet(FormModel):
    """The GM ends a battle in which nothing happens, or lets it go on (CHR-END-13)."""

    ask: Literal["quiet"] = "quiet"
    go_on: Literal["end", "go-on"] = "end"


class Terms(FormModel):
    """The terms for a side that surrenders (CHR-END-08)."""

    ask: Literal["terms"] = "terms"
    terms: Annotated[str, Field(max_length=2000)] = ""


class Agree(FormModel):
    ask: Literal["agree"] = "agree"
    agree: Literal["accept", "table"] = "table"


class Desk(DeskForm):
    """The GM's optional act."""

    what: Literal["correct", "move", "out", "field", "end"] = "correct"
    losses: Annotated[Annotated[int, Field(ge=0, le=1_000_000)] | None, blank_as(None)] = None
    to: Key = ""
