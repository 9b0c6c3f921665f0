"""The events of a journey. What a side does is seen by its own seats until the scene is over (CHR-TRV-10)."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from app.engine.events import event, everyone
from app.engine.ruleset import Log, Viewer
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.host import ActDone, ActJudged, ActShown
from app.rulesets.chronicle.journey.state import Alone, Ending, Pace, Side, Stance, State, Way
from app.rulesets.chronicle.people_events import CameBack, InnerOver

Summands = tuple[tuple[str, int], ...]
"""Where a rating comes from: ("Ella", 4), ("scouts", 1)."""


def by_seats(event: Any, viewer: Viewer) -> bool:
    """For the seats that the event names."""
    return any(seat in viewer.seats for seat in event.seats)


@event("ordered", seen=by_seats)
class Ordered:
    """A side's order for a leg (CHR-TRV-10, -11)."""

    seats: tuple[str, ...]
    side: Side
    route: int
    at: int  # where the leg begins; a holder's station
    way: Way
    pace: Pace
    hidden: bool
    alone: Alone
    how: str


@event("strained", seen=by_seats)
class Strained:
    """The check of Endurance after a forced pace (CHR-TRV-12)."""

    seats: tuple[str, ...]
    side: Side
    who: str
    checked: Checked


@event("moved", seen=by_seats)
class Moved:
    """How far a side comes in a leg."""

    seats: tuple[str, ...]
    side: Side
    route: int
    start: int
    to: int


@event("looked", seen=by_seats)
class Looked:
    """Whether a side sees the other when they meet. Who does not see learns nothing (CHR-TRV-15)."""

    seats: tuple[str, ...]
    side: Side
    notice: Summands
    hide: Summands
    checked: Checked


@event("tracked", seen=by_seats)
class Tracked:
    """Whether a catcher finds out the other's route (CHR-TRV-23)."""

    seats: tuple[str, ...]
    side: Side
    survive: Summands
    hide: Summands
    checked: Checked


@event("sighted", seen=by_seats)
class Sighted:
    """A side knows where the other is."""

    seats: tuple[str, ...]
    side: Side
    route: int
    at: int


@event("crossed", seen=by_seats)
class Crossed:
    """The sides meet. Who sees the other is still to be rolled, so nobody knows yet (CHR-TRV-14)."""

    seats: tuple[str, ...]
    route: int
    at: int


@event("alone", seen=by_seats)
class Decided:
    """What the only side that sees does (CHR-TRV-17)."""

    seats: tuple[str, ...]
    side: Side
    what: Literal["ambush", "show", "pass"]
    how: str
    gap: int = 3  # squares to the ambushed, if it comes to hand-to-hand combat (CHR-TRV-21)


@event("met", seen=everyone)
class Met:
    """Both sides see each other (step T6b)."""

    route: int
    at: int


@event("stances", seen=everyone)
class Stances:
    """What both sides do when they see each other (CHR-TRV-18)."""

    of: tuple[tuple[Side, Stance, str], ...]  # side, stance, how


@event("tactics", seen=everyone)
class Tactics:
    """Who says who attacks, if both close in (CHR-TRV-18)."""

    side: Side  # rolls
    mine: Summands
    theirs: Summands
    checked: Checked
    attacker: Side


@event("broke", seen=everyone)
class Broke:
    """Whether a side gets away; without dice if the other does not close in (CHR-TRV-18)."""

    side: Side
    away: bool
    mine: Summands = ()
    theirs: Summands = ()
    checked: Checked | None = None


@event("nothing", seen=everyone)
class Nothing:
    """Both sides stand, and nothing comes of it (CHR-TRV-18)."""


@event("leg", seen=everyone)
class NextLeg:
    """The next leg begins (step T9)."""

    leg: int


@event("situation", seen=everyone)
class Situation:
    """What is different now."""

    words: str


@event("out", seen=everyone)
class Out:
    """Somebody is no longer with their side; what is open is asked again, perhaps of another seat (CHR-TRV-05)."""

    who: str
    reason: str


@event("desk", seen=everyone)
class Desk:
    """The GM's desk was used: it opens again under another key."""


@event("waits", seen=by_seats)
class Waits:
    """Only this side sees the other, and it decides what to do (step T6a)."""

    seats: tuple[str, ...]
    side: Side


@event("over", seen=everyone)
class Over:
    """The journey is over (steps T8, T9)."""

    why: Ending
    attacker: Side | Literal[""] = ""
    words: str = ""


Event = Annotated[
    Ordered | Strained | Moved | Looked | Tracked | Sighted | Crossed | Decided | Met | Stances | Tactics | Broke
    | Nothing | NextLeg | Situation | Out | InnerOver | CameBack | Desk | Waits | ActShown | ActJudged | ActDone | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
JourneyLog = Log[State, Event]
