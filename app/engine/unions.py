"""The classes that a type adapter reads: the members of a tagged union, or a single class."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter


def members(union: TypeAdapter[Any]) -> dict[str, type]:
    """The members of a tagged union by tag: events by `kind`, declarations by `ask`; a single class by its own tag."""
    choices = _within(union.core_schema, "choices")
    if choices is not None:
        return {tag: _within(member, "cls") for tag, member in choices.items()}
    properties = union.json_schema()["properties"]
    return {properties[tag]["const"]: class_of(union) for tag in ("ask", "kind") if "const" in properties.get(tag, ())}


def class_of(adapter: TypeAdapter[Any]) -> type:
    """The class that the adapter reads."""
    cls: type = _within(adapter.core_schema, "cls")
    return cls


def field_name(union: TypeAdapter[Any], place: Sequence[str | int]) -> str:
    """The form field at the location of a validation error; the tag of a union is not a field."""
    tagged = _within(union.core_schema, "choices") is not None
    return ".".join(map(str, place[1:] if tagged else place))


def _within(schema: Any, key: str) -> Any:
    """The value of that key in the outermost schema that has it; None if there is none."""
    while isinstance(schema, Mapping) and key not in schema:
        schema = schema.get("schema")
    return None if schema is None else schema[key]
