"""Fields of posted forms, as every ruleset reads them: a browser sends text, and "" for a field left empty."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


class FormModel(BaseModel):
    """A posted form or a part of one: fields it does not have are dropped, and nothing changes it afterwards."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class OpeningForm(BaseModel):
    """What a scene starts from, as its form sends it: a field left empty takes its default."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: object) -> object:
        return {k: v for k, v in given.items() if v != ""} if isinstance(given, dict) else given


def blank_as(value: object) -> BeforeValidator:
    """Reads a field left empty as `value`."""
    return BeforeValidator(lambda given: value if given == "" else given)


EMPTY_AS_ZERO = BeforeValidator(lambda given: 0 if given in ("", None) else given)
"""Reads a number left empty, or missing, as 0."""

Ticked = Annotated[bool, BeforeValidator(lambda given: given not in ("", "no", "off", "false", False, None))]
"""A checkbox: there or not."""

Seconds = Annotated[Annotated[int, Field(ge=5, le=30 * 24 * 3600)] | None, blank_as(None)]
"""The length of a clock; empty: there is none."""
