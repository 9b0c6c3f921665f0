"""What can happen in a draft. Everybody sees all of it: sets and picks are open (CHR-CHA-05)."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.order import Ordered, Threw
from app.engine.record import record
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled


@record()
class Sized:
    """How many main characters a seat plays."""

    seat: str
    number: int
    how: str
    kind: Literal["sized"] = "sized"


@record()
class SetRolled:
    """One set with all the dice that made it."""

    number: int
    skills: SkillsRolled
    motivations: MotivationsRolled
    kind: Literal["set"] = "set"


@record()
class Taken:
    """A set becomes somebody."""

    seat: str
    number: int
    how: str
    name: str
    home: str
    standing: str
    context: str
    relations: str
    past: str
    terrain: str
    kind: Literal["taken"] = "taken"


@record()
class Full:
    """A seat has all its characters while others still pick."""

    seat: str
    number: int
    kind: Literal["full"] = "full"


@record()
class Drafted:
    """So many sets are so many people; the draft is over."""

    number: int
    kind: Literal["drafted"] = "drafted"


Event = Annotated[Sized | SetRolled | Threw | Ordered | Taken | Full | Drafted, Field(discriminator="kind")]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
