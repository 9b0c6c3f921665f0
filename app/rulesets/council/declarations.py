"""What a seat can say when a campaign decides something. Field names are those of the forms."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter

MOST_DAYS = 100_000


def _number(given: object) -> object:
    return 0 if given in ("", None) else given


Key = Annotated[str, Field(max_length=60)]
Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Number = Annotated[Annotated[int, Field(ge=0, le=100)], BeforeValidator(_number)]


class _Says(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Vote(_Says):
    """The number of an answer, from 1; 0 abstains (COU-04); -1: nothing was chosen yet."""

    ask: Literal["vote"] = "vote"
    choice: Annotated[int, Field(ge=-1, le=100)] = -1


class Mark(_Says):
    """The likely next scene of one character (COU-10); `days` from the day of the question."""

    when: Literal["follow", "on", "none"] = "follow"
    days: Annotated[Annotated[int, Field(ge=0, le=MOST_DAYS)], BeforeValidator(_number)] = 1
    title: Short = ""
    kind: Short = ""
    place: Short = ""
    others: Annotated[tuple[Key, ...], Field(max_length=60)] = ()


class Marks(_Says):
    """A mark for each character one answers for."""

    ask: Literal["mark"] = "mark"
    of: dict[Key, Mark] = Field(default_factory=dict)


class Ready(_Says):
    """A hand in the luck (COU-25)."""

    ask: Literal["ready"] = "ready"


class Pick(_Says):
    """The number of a thing of the list, from 1 (COU-17)."""

    ask: Literal["pick"] = "pick"
    thing: Number = 0


Declaration = Annotated[Vote | Marks | Ready | Pick, Field(discriminator="ask")]
DECLARATION: TypeAdapter[Declaration] = TypeAdapter(Declaration)
