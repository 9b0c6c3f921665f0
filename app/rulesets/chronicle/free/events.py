"""The events of a free scene. All are public (CHR-FLO-09: no rule hides a scene)."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.events import event, everyone
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import words


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


@event("stirred", seen=everyone)
class Stirred:
    """A d12 against a motivation (CHR-MOT-07)."""

    who: str
    motivation: str
    rating: int
    roll: Roll
    success: bool


@event("driven", seen=everyone)
class Driven:
    """A Driving Motivation is written, perhaps replacing another; from Chronicle 1, with the motivation's strength."""

    who: str
    drive: str
    motivation: str
    rating: int
    context: str
    topic: str
    action: str
    replaces: str = ""


@event("swayed", seen=everyone)
class Swayed:
    """Like `Driven`, with the talker's rating (CHR-MOT-10)."""

    who: str
    drive: str
    motivation: str
    rating: int
    context: str
    topic: str
    action: str
    replaces: str
    talker: str  # "": no one in the scene
    skill: str


@event("played-out", seen=everyone)
class PlayedOut:
    who: str
    drive: str
    motivation: str
    topic: str


@event("objected", seen=everyone)
class Objected:
    """The table finds that a character acted against a Driving Motivation (CHR-MOT-08)."""

    who: str
    drive: str
    motivation: str
    topic: str
    words: str


@event("grew", seen=everyone)
class Grew:
    """A motivation weaker by one, by its player's choice (CHR-MOT-13)."""

    who: str
    drive: str
    motivation: str
    before: int
    after: int


@event("guided", seen=everyone)
class Guided:
    """The stronger half of a pair; "": both are equal (CHR-MOT-16)."""

    who: str
    pair: int
    higher: str


@event("met", seen=everyone)
class Met:
    """A person who is not a character of the campaign comes into the scene, with all dice that made them."""

    key: str
    name: str
    seat: str
    skills: SkillsRolled
    motivations: MotivationsRolled


@event("promoted", seen=everyone)
class Promoted:
    """A person becomes a main character; missing ratings are rolled (CHR-CHA-10)."""

    who: str
    skills: SkillsRolled | None
    motivations: MotivationsRolled | None


@event("joined", seen=everyone)
class Joined:
    """A latecomer with a character."""

    key: str
    seat: str
    sheet: str  # JSON


@event("inner-over", seen=everyone)
class InnerOver:
    """A scene that was played inside this one has come back (CHR-FLO-04)."""

    title: str
    over: bool  # else nothing came of it


@event("came-back", seen=everyone)
class CameBack:
    """A character comes back from a scene inside this one, as that scene left them (CHR-FLO-05)."""

    who: str
    sheet: str  # JSON

    @property
    def condition(self) -> tuple[str, ...]:
        """The wounds in words; empty: none."""
        return words(Sheet.model_validate_json(self.sheet).wounds)


@event("acted", seen=everyone)
class Acted:
    """A seat's optional step was used: it opens again under another key."""

    seat: str


@event("over", seen=everyone)
class Over:
    words: str


Event = Annotated[
    Situation | Proposed | Framed | Declined | Rolled | Stirred | Driven | Swayed | PlayedOut | Objected | Grew | Guided
    | Met | Promoted | Joined | InnerOver | CameBack | Acted | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
