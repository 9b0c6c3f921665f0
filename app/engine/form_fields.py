"""Fields of posted forms that all rulesets share: a browser sends text, and "" for an empty field."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


class FormModel(BaseModel):
    """A posted form or a part of one: ignores unknown fields and is immutable."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class OpeningForm(BaseModel):
    """The opening form of a scene: an empty field takes its default."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: object) -> object:
        return {k: v for k, v in given.items() if v != ""} if isinstance(given, dict) else given


def blank_as(value: object) -> BeforeValidator:
    """Reads an empty field as `value`."""
    return BeforeValidator(lambda given: value if given == "" else given)


EMPTY_AS_ZERO = BeforeValidator(lambda given: 0 if given in ("", None) else given)
"""Reads an empty or missing number as 0."""

Ticked = Annotated[bool, BeforeValidator(lambda given: given not in ("", "no", "off", "false", False, None))]
"""A checkbox: true if the form has it."""

Seconds = Annotated[Annotated[int, Field(ge=5, le=30 * 24 * 3600)] | None, blank_as(None)]
"""The length of a clock in seconds; empty: no clock."""


def labels(**words: str) -> Any:
    """The words of a Literal's values on a form: `Annotated[Literal["fight", "peace"], labels(fight="They fight")]`."""
    return Field(json_schema_extra={"x-labels": dict(words)})


def is_flat(form: type[BaseModel]) -> bool:
    """Whether a form has only fields of one value or of a list of texts, so that pages can draw it from its model."""
    kinds = {"string", "integer", "boolean", "null"}
    return all(
        (part.get("type") in kinds) or (part.get("type") == "array" and part.get("items", {}).get("type") == "string")
        for field in form.model_json_schema()["properties"].values()
        for part in field.get("anyOf", [field])
    )
