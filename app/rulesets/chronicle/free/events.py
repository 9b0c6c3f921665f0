"""The events of a free scene. All are public (CHR-FLO-09: no rule hides a scene)."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from app.engine.events import event, everyone
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled
from app.rulesets.chronicle.host import ActDone, ActJudged, ActShown
from app.rulesets.chronicle.people_events import (
    CameBack,
    Driven,
    Grew,
    Guided,
    InnerOver,
    Joined,
    Met,
    Objected,
    PlayedOut,
    Stirred,
    Swayed,
    Ungrew,
)


@event("situation", seen=everyone)
class Situation:
    """The situation now; failed attempts may be tried again (CHR-CHK-13)."""

    words: str
    terrain: str


@event("proposed", seen=everyone)
class Proposed:
    """A character wants to try something."""

    check: str
    who: str
    skill: str
    aim: str
    against: str  # "": a difficulty opposes it
    other_skill: str
    roller: str  # who rolls if there is a roll (CHR-CHK-05)
    by: str  # the seat that proposed it


@event("framed", seen=everyone)
class Framed:
    """The frame of a check: roll against what, and the result of failure; or no roll at all."""

    check: str
    verdict: str  # roll, free, refuse
    difficulty: int  # the opponent's rating if there is one
    consequence: str
    how: str
    votes: tuple[str, ...] = ()  # the seats in favour, at a table without a GM


@event("declined", seen=everyone)
class Declined:
    """The player does not roll, and may try it differently (CHR-CHK-08)."""

    check: str
    words: str  # "": gives up
    how: str


@event("rolled", seen=everyone)
class Rolled:
    """The check itself. `success` is that of the attempt, no matter who rolled."""

    check: str
    who: str  # rolls
    success: bool
    checked: Checked


@event("promoted", seen=everyone)
class Promoted:
    """A person becomes a main character; missing ratings are rolled (CHR-CHA-10)."""

    who: str
    skills: SkillsRolled | None
    motivations: MotivationsRolled | None


@event("acted", seen=everyone)
class Acted:
    """A seat's optional step was used: it opens again under another key."""

    seat: str


@event("over", seen=everyone)
class Over:
    words: str


Event = Annotated[
    Situation | Proposed | Framed | Declined | Rolled | Stirred | Driven | Swayed | PlayedOut | Objected | Grew
    | Ungrew | Guided | Met | Promoted | Joined | InnerOver | CameBack | Acted | ActShown | ActJudged | ActDone | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
