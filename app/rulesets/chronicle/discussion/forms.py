"""The forms of a discussion, one for each kind of ask. Fields about a listener are "of.<key>.…"."""

from typing import Annotated, Any, Literal

from pydantic import Field

from app.engine.desks import DeskForm
from app.engine.form_fields import FormModel, Ticked, blank_as
from app.rulesets.chronicle.discussion.state import Reply
from app.rulesets.chronicle.motivations import TALK

Key = Annotated[str, Field(max_length=80)]
Line = Annotated[str, Field(max_length=200)]
Speech = Annotated[str, Field(max_length=8000)]
Many: Any = Field(default_factory=dict, max_length=80)
Number = Annotated[Annotated[int, Field(ge=1, le=9)] | None, blank_as(None)]


class Open(FormModel):
    """Whether the situation has changed since these people last spoke of the topic (CHR-DIS-08)."""

    ask: Literal["open"] = "open"
    changed: Annotated[
        Literal["no", "yes"], Field(title="Has anything changed since these people last spoke of this?")
    ] = "no"
    words: Annotated[Line, Field(title="What is different now", description="everyone reads it")] = ""


class Talking(FormModel):
    """What one of a seat's people says, and an appeal if it is one (CHR-DIS-09)."""

    what: Literal["say", "appeal", "stop", "leave", "grow", "guide"] = "say"
    who: Key = ""  # "": the first of the seat's people
    words: Speech = ""
    listeners: Annotated[tuple[Key, ...], Field(max_length=80)] = ()
    context: Line = ""
    topic: Line = ""
    action: Annotated[str, Field(max_length=500)] = ""
    skill: Key = TALK
    motivation: Key = ""
    drive: Key = ""
    pair: Number = None


class Talk(Talking):
    """Of a seat that the talk waits for."""

    ask: Literal["talk"] = "talk"


class Again(Talking):
    """Of a seat that had nothing more to say."""

    ask: Literal["again"] = "again"


class Weight(FormModel):
    difficulty: Annotated[int, blank_as(3), Field(ge=2, le=3)] = 3


class Frame(FormModel):
    """The table's ruling on an appeal: its skill, its motivation, and how hard each listener is to move."""

    ask: Literal["frame"] = "frame"
    counts: Literal["yes", "no"] = "yes"
    skill: Key = ""  # "": as proposed
    motivation: Key = ""
    of: dict[Key, Weight] = Many


class Answer(FormModel):
    what: Literal[Reply, ""] = ""  # "": as an absent player's
    words: Speech = ""


class Hear(FormModel):
    """What each listener of a seat does about an appeal (CHR-DIS-05, CHR-DIS-06)."""

    ask: Literal["hear"] = "hear"
    of: dict[Key, Answer] = Many


class Remove(FormModel):
    """Whether the talker is removed (CHR-DIS-05)."""

    ask: Literal["remove"] = "remove"
    removed: Annotated[Literal["no", "yes"], Field(title="Is the talker removed?")] = "no"


class Fight(FormModel):
    """It does not come to a fight. If it does, the fight is a scene of its own."""

    ask: Literal["fight"] = "fight"
    words: Line = ""


class End(FormModel):
    """Nobody has more to say (step D9)."""

    ask: Literal["end"] = "end"
    end: Annotated[Literal["end", "go-on"], Field(title="Nobody has more to say")] = "end"
    words: Annotated[Line, Field(title="How it ends", description="everyone reads it; may stay empty")] = ""


class Desk(DeskForm):
    """The GM's optional act."""

    what: Literal["situation", "anew", "bring", "out", "back", "played", "object", "ungrow", "end"] = "situation"
    words: Annotated[str, Field(max_length=2000)] = ""
    crowd: Ticked = False
    drive: Key = ""
