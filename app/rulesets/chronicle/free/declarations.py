"""Declarations in a free scene. Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.chronicle.host import Back

Key = Annotated[str, Field(max_length=60)]
Words = Annotated[str, Field(max_length=500)]
Line = Annotated[str, Field(max_length=200)]


Number = Annotated[Annotated[int, Field(ge=-20, le=40)] | None, blank_as(None)]


class _Try(FormModel):
    """An attempt that a check decides."""

    who: Key = ""
    skill: Key = ""
    aim: Words = ""  # the goal
    against: Key = ""  # the opponent; "": a difficulty
    other_skill: Key = ""  # the opponent's skill
    alike: Ticked = False  # both do the same at once (CHR-CHK-05)
    roller: Literal["", "me", "other"] = ""  # only if the table allows the choice


class Own(_Try):
    """A player's act between checks: try something, grow, or compare a pair of motivations."""

    ask: Literal["own"] = "own"
    what: Literal["check", "grow", "guide"] = "check"
    drive: Key = ""
    pair: Number = None


class Frame(FormModel):
    """The frame of a check, before any roll: its difficulty and the meaning of failure (CHR-CHK-06 to -09)."""

    ask: Literal["frame"] = "frame"
    verdict: Literal["roll", "free", "refuse"] = "roll"
    difficulty: Number = None
    counted: Literal["rating", "total"] = "rating"  # a target of 17 is a difficulty of 3 (CHR-CHK-12)
    consequence: Words = ""


class Go(FormModel):
    """Roll, give up, or change the situation first (CHR-CHK-08)."""

    ask: Literal["go"] = "go"
    go: Literal["roll", "leave", "change"] = "roll"
    words: Words = ""


class Desk(_Try):
    """The GM's optional act."""

    ask: Literal["desk"] = "desk"
    what: Literal["situation", "call", "stir", "played", "object", "ungrow", "bring", "promote", "end"] = "situation"
    words: Annotated[str, Field(max_length=2000)] = ""
    terrain: Line = ""
    difficulty: Number = None
    counted: Literal["rating", "total"] = "rating"
    consequence: Words = ""
    motivation: Key = ""
    talker: Key = ""  # who stirred it with words; "": no one in the scene
    with_skill: Key = ""  # the talker's; "": Convince
    rating: Number = None  # of a talker outside the scene
    context: Line = ""
    topic: Line = ""
    drive: Key = ""
    name: Key = ""
    main: Ticked = False  # the newcomer gets the dice of a main character
    guide: Number = None
    best: Key = ""


Declaration = Annotated[Own | Frame | Go | Desk | Back, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)
