"""Faults at the fields of a value, in words."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import InitErrorDetails

T = TypeVar("T", bound=BaseModel)


def refused(value: T, faults: Mapping[str, str]) -> T:
    """Returns the value. Raises ValidationError with these faults at their fields, if there are any."""
    if faults:
        raise refusal_at(faults, type(value).__name__)
    return value


def refusal_at(faults: Mapping[str, str], title: str = "Form") -> ValidationError:
    """A ValidationError with faults at fields, to raise."""
    found = [
        InitErrorDetails(type="value_error", loc=(at,), input=None, ctx={"error": ValueError(words)})
        for at, words in faults.items()
    ]
    return ValidationError.from_exception_data(title, found)
