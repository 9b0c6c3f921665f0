"""What can happen in a free scene. Everybody sees all of it (CHR-FLO-09: nothing in the rules hides a scene)."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.chance import Roll
from app.engine.frozen import frozen
from app.rulesets.chronicle.checks import Checked
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled


@frozen()
class Situation:
    """How things stand now; what failed before may be tried again (CHR-CHK-13)."""

    words: str
    terrain: str
    kind: Literal["situation"] = "situation"


@frozen()
class Proposed:
    """Somebody wants to try something."""

    check: str
    who: str
    skill: str
    aim: str
    against: str  # "": a difficulty opposes it
    other_skill: str
    roller: str  # who rolls if it comes to that (CHR-CHK-05)
    by: str  # the seat that said so
    kind: Literal["proposed"] = "proposed"


@frozen()
class Framed:
    """What the check is about: roll against what, and what failure brings; or no roll at all."""

    check: str
    verdict: str  # roll, free, refuse
    difficulty: int  # the opponent's rating where there is one
    consequence: str
    how: str
    votes: tuple[str, ...] = ()  # who was for it, at a table without a GM
    kind: Literal["framed"] = "framed"


@frozen()
class Declined:
    """The player does not roll, and perhaps goes about it differently (CHR-CHK-08)."""

    check: str
    words: str  # "": lets it be
    how: str
    kind: Literal["declined"] = "declined"


@frozen()
class Rolled:
    """The check itself. `success` is that of whoever tries, whoever rolled."""

    check: str
    who: str  # rolls
    success: bool
    checked: Checked
    kind: Literal["rolled"] = "rolled"


@frozen()
class Stirred:
    """A d12 against a motivation (CHR-MOT-07)."""

    who: str
    motivation: str
    rating: int
    roll: Roll
    success: bool
    kind: Literal["stirred"] = "stirred"


@frozen()
class Driven:
    """A Driving Motivation is written, perhaps in the place of another one; told by Chronicle 1, with its strength."""

    who: str
    drive: str
    motivation: str
    rating: int
    context: str
    topic: str
    action: str
    replaces: str = ""
    kind: Literal["driven"] = "driven"


@frozen()
class Swayed:
    """The same with the talker's rating (CHR-MOT-10)."""

    who: str
    drive: str
    motivation: str
    rating: int
    context: str
    topic: str
    action: str
    replaces: str
    talker: str  # "": nobody who was here
    skill: str
    kind: Literal["swayed"] = "swayed"


@frozen()
class PlayedOut:
    who: str
    drive: str
    motivation: str
    topic: str
    kind: Literal["played-out"] = "played-out"


@frozen()
class Objected:
    """The table finds that somebody acted against a Driving Motivation (CHR-MOT-08)."""

    who: str
    drive: str
    motivation: str
    topic: str
    words: str
    kind: Literal["objected"] = "objected"


@frozen()
class Grew:
    """A motivation weaker by one, by its player's choice (CHR-MOT-13)."""

    who: str
    drive: str
    motivation: str
    before: int
    after: int
    kind: Literal["grew"] = "grew"


@frozen()
class Guided:
    """Which half of a pair is the stronger one; "" where both are equal (CHR-MOT-16)."""

    who: str
    pair: int
    higher: str
    kind: Literal["guided"] = "guided"


@frozen()
class Met:
    """Somebody comes into the scene who is no character of the campaign, with all dice that made them."""

    key: str
    name: str
    seat: str
    skills: SkillsRolled
    motivations: MotivationsRolled
    kind: Literal["met"] = "met"


@frozen()
class Promoted:
    """Somebody becomes a main character; what was missing is rolled (CHR-CHA-10)."""

    who: str
    skills: SkillsRolled | None
    motivations: MotivationsRolled | None
    kind: Literal["promoted"] = "promoted"


@frozen()
class Joined:
    """A latecomer with a character."""

    key: str
    seat: str
    sheet: str  # JSON
    kind: Literal["joined"] = "joined"


@frozen()
class Acted:
    """A seat's desk was used: it opens anew under another key."""

    seat: str
    kind: Literal["acted"] = "acted"


@frozen()
class Over:
    words: str
    kind: Literal["over"] = "over"


Event = Annotated[
    Situation | Proposed | Framed | Declined | Rolled | Stirred | Driven | Swayed | PlayedOut | Objected | Grew | Guided
    | Met | Promoted | Joined | Acted | Over,
    Field(discriminator="kind"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
