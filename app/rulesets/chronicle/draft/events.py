"""The events of a draft. All are public: sets and picks are open (CHR-CHA-05)."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.frozen import frozen
from app.engine.turn_order import Ordered, Threw
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled


@frozen()
class Sized:
    """The number of main characters a seat plays."""

    seat: str
    number: int
    how: str
    kind: Literal["sized"] = "sized"


@frozen()
class SetRolled:
    """One set, with all the dice that made it."""

    number: int
    skills: SkillsRolled
    motivations: MotivationsRolled
    kind: Literal["set"] = "set"


@frozen()
class Taken:
    """A set becomes a character."""

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


@frozen()
class Full:
    """A seat has all its characters while others still pick."""

    seat: str
    number: int
    kind: Literal["full"] = "full"


@frozen()
class Drafted:
    """The draft is over, with `number` characters."""

    number: int
    kind: Literal["drafted"] = "drafted"


Event = Annotated[Sized | SetRolled | Threw | Ordered | Taken | Full | Drafted, Field(discriminator="kind")]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
