"""The state of a discussion: who is here, who has heard how many appeals, and the appeal that is being made.

All of it is public. Phases are the steps D0 to D9 of the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import TypeAdapter

from app.rulesets.chronicle.host import PendingAct
from app.rulesets.chronicle.people import Person
from app.rulesets.chronicle.settings import Settings

Phase = Literal["open", "talk", "frame", "hear", "remove", "check", "fight", "over"]
Reply = Literal["listen", "ignore", "escape", "fight", "remove"]
Departure = Literal["walked", "escaped", "removed", "dead", "out"]

MOST_HEARD = 3  # appeals after which a listener may ignore further ones (CHR-DIS-06)


@dataclass(slots=True)
class Appeal:
    """The appeal that is being made."""

    key: str  # "a1"
    told: int  # the number of the event that made it
    who: str
    listeners: tuple[str, ...]  # in cast order
    context: str
    topic: str
    action: str
    skill: str
    motivation: str
    difficulties: dict[str, int] = field(default_factory=dict)  # listener -> difficulty, once it is framed
    replies: dict[str, Reply] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    settings: Settings
    words: str  # the current situation
    terrain: str
    topic: str
    seats: tuple[str, ...]  # the GM last
    people: dict[str, Person]  # in cast order
    drives: int = 0  # how many there have been, for their ids
    phase: Phase = "talk"
    number: int = 1  # of the appeal that is being made or comes next
    appeal: Appeal | None = None
    heard: dict[str, int] = field(default_factory=dict)  # who -> appeals heard in this discussion (CHR-DIS-07)
    gone: dict[str, Departure] = field(default_factory=dict)
    crowds: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)  # seats with nothing more to say, since the last appeal
    turns: dict[str, int] = field(default_factory=dict)  # seat -> how often it has talked since the last appeal
    tries: int = 1  # how often the steps of this appeal have been asked, for their keys
    rests: int = 0  # how often everybody had nothing more to say
    resting: bool = False
    fighting: dict[str, str] = field(default_factory=dict)  # who turned to violence (side a), against whom (side b)
    spoken: int = 0  # appeals that were rolled
    groups: list[list[str]] = field(default_factory=list)  # who has spoken of the topic since the situation changed
    changed_at: int | None = None  # appeals rolled when it last changed in this scene; None: it has not
    desk: int = 1
    pending: PendingAct | None = None
    end: str = ""

    def here(self, seat: str = "") -> tuple[str, ...]:
        """The people who are here; of one seat, if it is given."""
        return tuple(key for key, one in self.people.items() if key not in self.gone and seat in ("", one.seat))

    def talking(self) -> tuple[str, ...]:
        """The seats that have somebody here, in order."""
        return tuple(seat for seat in self.seats if self.here(seat))

    @property
    def has_changed(self) -> bool:
        """Whether the situation has changed in this scene."""
        return self.changed_at is not None

    @property
    def has_appealed(self) -> bool:
        """Whether an appeal has been rolled since the situation last changed (CHR-DIS-08)."""
        return self.spoken > (self.changed_at or 0)

    def rating(self, who: str, skill: str) -> int:
        """A rating as it counts in a check here."""
        return self.people[who].sheet.rating(skill, self.terrain)

    def seats_of(self, people: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
        """The seats of these people, in order, each with its people."""
        found = {seat: tuple(key for key in people if self.people[key].seat == seat) for seat in self.seats}
        return {seat: keys for seat, keys in found.items() if keys}


STATE: TypeAdapter[State] = TypeAdapter(State)
