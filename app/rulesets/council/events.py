"""The events of a decision. All are public; a secret ballot has no event with names."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone
from app.engine.turn_order import Ordered, Threw


@event("voted", seen=everyone)
class Voted:
    """One vote of an open ballot; 0: abstained."""

    seat: str
    choice: int
    how: str


@event("ballots", seen=everyone)
class Ballots:
    """The ballots of a secret vote, each the voter's nonce and the number of an answer, in the order of the nonces."""

    ballots: tuple[tuple[str, int], ...]


@event("counted", seen=everyone)
class Counted:
    """Votes by answer, in the order of the answers, and the number of seats that abstained or were absent."""

    votes: tuple[int, ...]
    none: int


@event("decided", seen=everyone)
class Decided:
    """The number of the winning answer; 0: nothing is decided."""

    choice: int
    why: Literal["won", "tie", "short", "nobody"]
    votes: int  # for the answer with the most votes
    cast: int


@event("marked", seen=everyone)
class Marked:
    """A seat's mark for a character's next scene."""

    seat: str
    who: str
    when: str
    days: int
    title: str
    place: str
    game: str  # the kind of scene
    others: tuple[str, ...]
    how: str


@event("entered", seen=everyone)
class Entered:
    """One entry for the calendar."""

    day: int
    days: int
    title: str
    game: str
    place: str
    people: tuple[str, ...]


@event("unplanned", seen=everyone)
class Unplanned:
    """No seat marked a next scene."""


@event("picked", seen=everyone)
class Picked:
    """A thing of the list, by number from 1; `why` "last": it was the only one left."""

    seat: str
    thing: int
    how: str
    why: Literal["chosen", "silent", "last"]


@event("drafted", seen=everyone)
class Drafted:
    """The draft is over; `left` counts the things not taken."""

    left: int


@event("rolled", seen=everyone)
class Rolled:
    """The dice in the order of the throw, their values, and the seats that had a hand in the luck."""

    rolls: tuple[Roll, ...]
    worth: tuple[int, ...]
    bonus: int
    total: int
    hands: tuple[str, ...]


Event = Annotated[
    Voted | Ballots | Counted | Decided | Marked | Entered | Unplanned | Threw | Ordered | Picked | Drafted | Rolled,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
