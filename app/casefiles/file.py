"""The contents of a case file (docs/cases.md), before the rules check them."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.casefiles.days import Day
from app.casefiles.words import Expected

SPECTATOR_SEAT = "spectator"  # how cases name a viewer without a seat


class Character(BaseModel):
    """A character in the scene; further keys are its sheet, which the ruleset checks."""

    model_config = ConfigDict(extra="allow")

    id: str
    seat: str


class Play(BaseModel):
    """One `[[step]]`: its answers, the luck of its closing, and the expected events."""

    model_config = ConfigDict(extra="forbid")

    key: str
    asks: dict[str, dict[str, Any]] | None = None
    ranked: bool | None = None
    view: dict[str, dict[str, Any]] = Field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    refused: dict[str, dict[str, str]] = Field(default_factory=dict)
    luck: dict[str, int | str] = Field(default_factory=dict)
    expect: list[Expected] = Field(default_factory=list)
    never: list[Expected] = Field(default_factory=list)
    only: bool | list[str] = False


class End(BaseModel):
    """The expected end; further keys are the fields of the state, or the sheets after days."""

    model_config = ConfigDict(extra="allow")

    open: Any = None
    outcome: dict[str, Any] | None = None
    view: dict[str, dict[str, Any]] = Field(default_factory=dict)


class Case(BaseModel):
    """A case file as a whole."""

    model_config = ConfigDict(extra="forbid")

    ruleset: str
    kind: str = ""  # only a case about days has none
    title: str = Field(min_length=1)
    rules: list[str] = Field(min_length=1)
    why: str = Field(min_length=1)
    settings: dict[str, Any] = Field(default_factory=dict)
    given: dict[str, Any] = Field(default_factory=dict)
    seats: list[str] = Field(default_factory=list)
    character: list[Character] = Field(default_factory=list)
    area: list[dict[str, Any]] = Field(default_factory=list)
    kept: dict[str, Any] = Field(default_factory=dict)
    own: dict[str, dict[str, dict[str, Any]]] = Field(default_factory=dict)
    refused: str | None = None
    step: list[Play] = Field(default_factory=list)
    day: list[Day] = Field(default_factory=list)
    end: End = Field(default_factory=End)
