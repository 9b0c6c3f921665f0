"""What a type adapter reads: the members of a tagged union, the class of everything else."""

from typing import Any

from pydantic import TypeAdapter


def members(union: TypeAdapter[Any]) -> dict[str, type]:
    """The members of a tagged union by tag: events by `kind`, declarations by `ask`."""
    choices = _within(union.core_schema, "choices")
    return {tag: _within(member, "cls") for tag, member in choices.items()}


def class_of(adapter: TypeAdapter[Any]) -> type:
    """The class of what the adapter reads."""
    cls: type = _within(adapter.core_schema, "cls")
    return cls


def _within(schema: Any, key: str) -> Any:
    while key not in schema:
        schema = schema["schema"]
    return schema[key]
