"""Events about people that several kinds of scene tell: motivations, growth, newcomers. All are public (CHR-FLO-09)."""

from app.engine.chance import Roll
from app.engine.events import event, everyone
from app.rulesets.chronicle.generation import MotivationsRolled, SkillsRolled
from app.rulesets.chronicle.sheets import Sheet
from app.rulesets.chronicle.wounds import words


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


@event("ungrew", seen=everyone)
class Ungrew:
    """The table objects to growth: the motivation is as strong as before (CHR-MOT-13)."""

    who: str
    drive: str
    motivation: str
    before: int
    after: int
    words: str


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
