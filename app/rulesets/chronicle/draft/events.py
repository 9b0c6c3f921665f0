"""The events of a draft. All are public: sets and picks (CHR-CHA-05). Goals are written elsewhere (CHR-CHA-08)."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from app.engine.events import event, everyone
from app.engine.turn_order import Ordered, Threw
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled


@event("sized", seen=everyone)
class Sized:
    """The number of main characters a seat plays."""

    seat: str
    number: int
    how: str


@event("set", seen=everyone)
class SetRolled:
    """One set, with all the dice that made it."""

    number: int
    skills: SkillsRolled
    motivations: MotivationsRolled


@event("taken", seen=everyone)
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


@event("full", seen=everyone)
class Full:
    """A seat has all its characters while others still pick."""

    seat: str
    number: int


@event("drafted", seen=everyone)
class Drafted:
    """The draft is over, with `number` characters."""

    number: int


Event = Annotated[Sized | SetRolled | Threw | Ordered | Taken | Full | Drafted, Field(discriminator="kind")]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
