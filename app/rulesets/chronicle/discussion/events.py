"""The events of a discussion. All are public (CHR-FLO-09: no rule hides a scene)."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.events import event, everyone
from app.engine.ruleset import Log
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.discussion.state import Departure, Phase, Reply, State
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled
from app.rulesets.chronicle.host import ActDone, ActJudged, ActShown
from app.rulesets.chronicle.people_events import (
    CameBack,
    Grew,
    Guided,
    InnerOver,
    Joined,
    Objected,
    PlayedOut,
    Stirred,
    Swayed,
    Ungrew,
)

HowOver = Literal["spoken", "unheard", "broken-off", "role-play"]


@event("judged", seen=everyone)
class Judged:
    """Whether the situation has changed since the same people last spoke of this topic (CHR-DIS-08)."""

    changed: bool
    words: str
    how: str
    votes: tuple[str, ...] = ()


@event("said", seen=everyone)
class Speech:
    """Words in character."""

    who: str
    words: str


@event("stopped", seen=everyone)
class Stopped:
    """A seat has nothing more to say for now (step D2)."""

    seat: str
    how: str


@event("turned", seen=everyone)
class Turned:
    """A seat acted between appeals without an appeal: its step opens again."""

    seat: str


@event("appealed", seen=everyone)
class Appealed:
    """An appeal as its talker proposes it (CHR-DIS-09)."""

    appeal: str
    who: str
    listeners: tuple[str, ...]  # in cast order
    context: str
    topic: str
    action: str
    skill: str
    motivation: str


@event("framed", seen=everyone)
class Framed:
    """The skill and motivation of an appeal; or that it was none, but role-play that goes on (CHR-DIS-10)."""

    appeal: str
    counts: bool
    skill: str
    motivation: str
    how: str
    votes: tuple[str, ...] = ()


@event("weighed", seen=everyone)
class Weighed:
    """The difficulty of an appeal for one listener (CHR-DIS-11, CHR-DIS-12)."""

    appeal: str
    who: str
    difficulty: int
    drive: str  # the Driving Motivation on the same context and topic; "": none


@event("replied", seen=everyone)
class Replied:
    """What a listener does about an appeal before it is rolled (CHR-DIS-05, CHR-DIS-06)."""

    appeal: str
    who: str
    reply: Reply
    how: str


@event("removal", seen=everyone)
class Removal:
    """Whether the talker is removed, as some listeners want (CHR-DIS-05)."""

    appeal: str
    who: str
    by: tuple[str, ...]
    removed: bool
    how: str
    votes: tuple[str, ...] = ()


@event("spoke", seen=everyone)
class Spoke:
    """The talker's one check, and the listeners whose difficulty it beats (CHR-DIS-13, CHR-DIS-17)."""

    appeal: str
    who: str
    skill: str
    checked: Checked  # against the lowest difficulty
    beaten: tuple[str, ...]


@event("appeal-over", seen=everyone)
class AppealOver:
    """An appeal is over; whoever heard it has heard one more (CHR-DIS-07)."""

    appeal: str
    how: HowOver
    heard: tuple[str, ...]


@event("went", seen=everyone)
class Went:
    """Somebody is no longer here."""

    who: str
    how: Departure
    reason: str = ""


@event("returned", seen=everyone)
class Returned:
    """Somebody who had gone is here again."""

    who: str


@event("violence", seen=everyone)
class Violence:
    """Listeners turn to violence; the discussion waits for the fight (CHR-DIS-05, CHR-FLO-04)."""

    by: tuple[str, ...]
    against: str


@event("calmed", seen=everyone)
class Calmed:
    """It does not come to a fight after all."""

    how: str
    words: str


@event("came", seen=everyone)
class Came:
    """A person or a crowd of the story comes in. Their ratings are rolled at the next appeal."""

    key: str
    name: str
    seat: str
    crowd: bool


@event("rolled", seen=everyone)
class Rolled:
    """The ratings of somebody who had none; a crowd gets one set of motivations for all (CHR-DIS-18)."""

    who: str
    skills: SkillsRolled | None
    motivations: MotivationsRolled | None


@event("situation", seen=everyone)
class Situation:
    """What is different now. `anew`: a new discussion begins, in which nobody has heard an appeal (CHR-DIS-06, -08)."""

    words: str
    anew: bool


@event("desk", seen=everyone)
class Desk:
    """The GM's desk was used: it opens again under another key."""


@event("stage", seen=everyone)
class Stage:
    """What comes next."""

    phase: Phase


@event("over", seen=everyone)
class Over:
    """The discussion is over (step D9)."""

    why: Literal["agreed", "refused", "nobody", "gm"]
    words: str
    how: str


Event = Annotated[
    Judged | Speech | Stopped | Turned | Appealed | Framed | Weighed | Replied | Removal | Spoke | Stirred | Swayed
    | AppealOver | Went | Returned | Violence | Calmed | Came | Rolled | Situation | PlayedOut | Objected | Grew
    | Ungrew | Guided | Joined | InnerOver | CameBack | Desk | Stage | ActShown | ActJudged | ActDone | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
DiscussionLog = Log[State, Event]
