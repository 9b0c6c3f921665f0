"""The opening forms of decisions; checked before any seat is asked."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from app.engine.dice import Throw, read
from app.engine.form_fields import EMPTY_AS_ZERO, FormModel
from app.engine.refusal import refusal
from app.engine.ruleset import GM, Brief, Seat

MOST_OPTIONS, MOST_THINGS = 12, 60


def _lines(given: object) -> object:
    """A text as a list of its lines, without empty ones."""
    if not isinstance(given, str):
        return given
    return [" ".join(row.split()) for row in given.splitlines() if row.strip()]


Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
Purpose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Lines = Annotated[tuple[Annotated[str, Field(max_length=120)], ...], BeforeValidator(_lines)]
Count = Annotated[Annotated[int, Field(ge=0, le=MOST_THINGS)], EMPTY_AS_ZERO]


class _Given(FormModel):
    purpose: Purpose  # the question itself, or the purpose of the draft or the roll
    gm: bool = False  # whether the GM's seat takes part (COU-02)


class Question(_Given):
    """COU-03. `otherwise` numbers the answer that wins on a tie or without votes, from 1; 0: nothing is decided."""

    options: Lines
    otherwise: Annotated[Annotated[int, Field(ge=0, le=MOST_OPTIONS)], EMPTY_AS_ZERO] = 0

    @model_validator(mode="after")
    def _fits(self) -> "Question":
        _different(self.options)
        if not 2 <= len(self.options) <= MOST_OPTIONS:
            raise ValueError(f"A vote needs 2 to {MOST_OPTIONS} answers, one per line; here are {len(self.options)}.")
        if self.otherwise > len(self.options):
            raise ValueError(f"There is no answer number {self.otherwise} to win a tie.")
        return self


class Person(FormModel):
    """A character of the scene that is over, and the seat that marks for the character."""

    key: Annotated[str, Field(max_length=60)]
    name: Annotated[str, Field(max_length=200)]
    seat: Annotated[str, Field(max_length=60)] = ""  # "": not in that scene, but available for the next


class Upcoming(_Given):
    """COU-09. `today` is the campaign's day number at the question; `kind` that of the last scene."""

    today: Annotated[int, Field(ge=-(10**12), le=10**12)] = 0
    kind: Short = ""
    place: Short = ""
    people: tuple[Person, ...] = ()


class Draft(_Given):
    """COU-17. Without things, it is only an order (COU-21). `most` by seat, `each` for all others; 0: no limit."""

    things: Lines = ()
    each: Count = 0
    most: Mapping[str, Count] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> "Draft":
        _different(self.things)
        if len(self.things) > MOST_THINGS:
            raise ValueError(f"At most {MOST_THINGS} things, one per line; here are {len(self.things)}.")
        return self


class Dice(_Given):
    """COU-22: "2d6+1", "d100", "2d8+d10(0-9)"."""

    dice: Annotated[str, Field(max_length=100)]

    @property
    def throw(self) -> Throw:
        return read(self.dice)

    @model_validator(mode="after")
    def _fits(self) -> "Dice":
        read(self.dice)
        return self


def _different(lines: Iterable[str]) -> None:
    known: set[str] = set()
    for line in lines:
        if line.casefold() in known:
            raise ValueError(f"“{line}” is listed twice.")
        known.add(line.casefold())


def chairs(brief: Brief, gm: bool, least: int) -> tuple[Seat, ...]:
    """The seats that take part, in the order of the brief. Raises ValidationError if they are too few (COU-02)."""
    here = tuple(seat for seat in brief.seats if seat != GM or gm)
    if len(here) < least:
        raise refusal(f"Too few people take part: at least {'two' if least == 2 else 'one'} must.")
    return here


def raw(brief: Brief) -> Any:
    return brief.given or {}
