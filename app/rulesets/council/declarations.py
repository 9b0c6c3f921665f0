"""Declarations in a decision of a campaign. Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app.engine.form_fields import EMPTY_AS_ZERO, FormModel

MOST_DAYS = 100_000


Key = Annotated[str, Field(max_length=60)]
Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Number = Annotated[Annotated[int, Field(ge=0, le=100)], EMPTY_AS_ZERO]


class Vote(FormModel):
    """The number of an answer, from 1; 0 abstains (COU-04); -1: none chosen yet. `nonce`: 32 hexadecimal digits by
    which the voter finds a secret ballot in the list; "": the browser made none."""

    ask: Literal["vote"] = "vote"
    choice: Annotated[int, Field(ge=-1, le=100)] = -1
    nonce: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{32})?$")] = ""


class Mark(FormModel):
    """The likely next scene of one character (COU-10); `days` counts from the day of the question."""

    when: Literal["follow", "on", "none"] = "follow"
    days: Annotated[Annotated[int, Field(ge=0, le=MOST_DAYS)], EMPTY_AS_ZERO] = 1
    title: Short = ""
    kind: Short = ""
    place: Short = ""
    others: Annotated[tuple[Key, ...], Field(max_length=60)] = ()


class Marks(FormModel):
    """A mark for each of the seat's characters."""

    ask: Literal["mark"] = "mark"
    of: dict[Key, Mark] = Field(default_factory=dict)


class Ready(FormModel):
    """A hand in the luck (COU-25): its salt is mixed in."""

    ask: Literal["ready"] = "ready"


class Pick(FormModel):
    """The number of a thing on the list, from 1 (COU-17)."""

    ask: Literal["pick"] = "pick"
    thing: Number = 0
