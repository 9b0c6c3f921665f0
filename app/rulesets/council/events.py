"""What can happen when a campaign decides something. All of it is seen by everybody; a secret ballot tells no names."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.engine.turn_order import Ordered, Threw


@frozen()
class Voted:
    """Whom an open ballot shows voting for what; 0: abstained."""

    seat: str
    choice: int
    how: str
    kind: Literal["voted"] = "voted"


@frozen()
class Counted:
    """Votes by answer, in the order of the answers, and how many abstained or stayed away."""

    votes: tuple[int, ...]
    none: int
    kind: Literal["counted"] = "counted"


@frozen()
class Decided:
    """The number of the answer that stands; 0: nothing is decided."""

    choice: int
    why: Literal["won", "tie", "short", "nobody"]
    votes: int  # for the answer with most of them
    cast: int
    kind: Literal["decided"] = "decided"


@frozen()
class Marked:
    """What somebody expects of a character's next scene."""

    seat: str
    who: str
    when: str
    days: int
    title: str
    place: str
    game: str  # what kind of scene
    others: tuple[str, ...]
    how: str
    kind: Literal["marked"] = "marked"


@frozen()
class Entered:
    """One entry for the calendar."""

    day: int
    days: int
    title: str
    game: str
    place: str
    people: tuple[str, ...]
    kind: Literal["entered"] = "entered"


@frozen()
class Unplanned:
    """Nobody marked anything."""

    kind: Literal["unplanned"] = "unplanned"


@frozen()
class Picked:
    """A thing of the list, by number from 1; `why` "last": it was the only one left."""

    seat: str
    thing: int
    how: str
    why: Literal["chosen", "silent", "last"]
    kind: Literal["picked"] = "picked"


@frozen()
class Drafted:
    """The draft is over; so many things stay behind."""

    left: int
    kind: Literal["drafted"] = "drafted"


@frozen()
class Rolled:
    """The dice in the order of the throw, what they count, and who had a hand in the luck."""

    rolls: tuple[Roll, ...]
    worth: tuple[int, ...]
    bonus: int
    total: int
    hands: tuple[str, ...]
    kind: Literal["rolled"] = "rolled"


Event = Annotated[
    Voted | Counted | Decided | Marked | Entered | Unplanned | Threw | Ordered | Picked | Drafted | Rolled,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
