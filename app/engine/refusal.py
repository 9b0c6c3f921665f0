"""Refusals to begin a scene, in words for the person who opens it."""

from pydantic import ValidationError
from pydantic_core import InitErrorDetails


def refusal(words: str) -> ValidationError:
    """The error that a kind's `needs` and `start` raise."""
    fault = InitErrorDetails(type="value_error", loc=(), input=None, ctx={"error": ValueError(words)})
    return ValidationError.from_exception_data("Scene", [fault])
