"""The forms of a journey, one for each kind of ask. Fields about a side are "of.<side>.…"."""

from typing import Annotated, Any, Literal

from pydantic import Field

from app.engine.desks import DeskForm
from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.chronicle.journey.state import Alone, Pace, Side, Stance, Way

Many: Any = Field(default_factory=dict, max_length=2)
Number = Annotated[Annotated[int, Field(ge=0, le=20)] | None, blank_as(None)]


class Order(FormModel):
    """One side's order for a leg; "" and None are as before, or as the rules have it for an absent player."""

    route: Annotated[str, Field(max_length=2)] = ""  # its number from 0
    pace: Pace = ""
    way: Literal[Way, ""] = ""
    station: Number = None  # of a holder, once
    hidden: Ticked = False  # of a holder
    alone: Alone = "ask"


class Orders(FormModel):
    """Route and pace of a leg (CHR-TRV-10)."""

    ask: Literal["orders"] = "orders"
    of: dict[Side, Order] = Many


class Act(FormModel):
    what: Literal["", "ambush", "show", "pass"] = ""  # "": by the side's aim
    gap: Annotated[int, blank_as(3), Field(ge=1, le=4)] = 3  # first distance of an ambush hand to hand (CHR-TRV-21)


class See(FormModel):
    """What the only side that sees does (CHR-TRV-17)."""

    ask: Literal["see"] = "see"
    of: dict[Side, Act] = Many


class Meeting(FormModel):
    stance: Literal[Stance, ""] = ""  # "": by the side's aim
    first: Literal["attack", "wait"] = "attack"  # if both close in, and this side wins the check (CHR-TRV-18)


class Stances(FormModel):
    """What each side does when both see each other (CHR-TRV-18)."""

    ask: Literal["stance"] = "stance"
    of: dict[Side, Meeting] = Many


class Desk(DeskForm):
    """The GM's optional act."""

    what: Literal["situation", "out", "end"] = "situation"
    words: Annotated[str, Field(max_length=2000)] = ""
