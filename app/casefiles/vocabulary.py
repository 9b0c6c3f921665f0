"""The vocabulary of a ruleset for case files: settings, sheets, asks with their fields, events, labels of luck."""

import json
from collections.abc import Iterator, Mapping
from textwrap import TextWrapper
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from app.engine.ruleset import Ruleset, SceneKind

Schema = Mapping[str, Any]
LINES = TextWrapper(
    118, initial_indent="    ", subsequent_indent="        ", break_long_words=False, break_on_hyphens=False
)
PLAIN = {"string": "text", "integer": "number", "number": "number", "boolean": "true or false", "null": '"(none)"'}


def vocabulary(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yields the lines that `signet cases --vocabulary` prints."""
    yield f"{ruleset.key}: {ruleset.title}"
    yield from ("", "[settings]")
    yield from _fields(ruleset.settings, "validation", ruleset.begins_with)
    yield from ("", "[[character]], besides id and seat")
    yield from _fields(ruleset.character, "validation")
    for kind in ruleset.kinds:
        yield from _kind(kind)
    if ruleset.days is not None:
        yield from ("", "[day.care]")
        yield from _fields(ruleset.days.care, "validation")
        if ruleset.days.settings is not None:
            yield from ("", "[settings] of a case about days")
            yield from _fields(ruleset.days.settings, "validation")
    yield from ("", "[step.luck]: labels, and what is drawn")
    for label, text in ruleset.luck.items():
        yield from _line(f'"{label}"', text)


def _kind(kind: SceneKind[Any, Any, Any, Any, Any, Any]) -> Iterator[str]:
    yield from ("", f'kind = "{kind.key}": {kind.title}', "", "  [given]")
    yield from _fields(kind.given, "validation")
    if kind.so_far is not None:
        yield from ("", "  [given.so_far], to begin in the middle of the scene")
        yield from _fields(kind.so_far.says, "validation")
    yield from ("", "  [step.answers.<seat>], by what is asked")
    yield from _members(kind.declaration, "validation", "ask")
    yield from ("", "  [[step.expect]], by kind; besides the fields: rule, seen_by, unseen_by, follows")
    yield from _members(kind.event, "serialization", "kind")


def _members(union: TypeAdapter[Any], mode: Any, tag: str) -> Iterator[str]:
    """Yields a line for each member of a union, with its fields."""
    schema = union.json_schema(mode=mode)
    known = schema.get("$defs", {})
    for one in schema.get("oneOf", [schema]):
        found = _followed(one, known)
        fields = found.get("properties", {})
        said = [f"{name}: {_words(of, known)}" for name, of in fields.items() if name != tag]
        yield from _line(fields[tag]["const"], "; ".join(said))
        if said and found.get("description") and tag == "ask":
            yield from _line("", f"({' '.join(found['description'].split())})")


def _fields(
    adapter: TypeAdapter[Any], mode: Any, begins_with: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[str]:
    """Yields a line for each field."""
    schema = adapter.json_schema(mode=mode)
    known = schema.get("$defs", {})
    for name, of in _followed(schema, known).get("properties", {}).items():
        default = begins_with.get(name, of.get("default"))
        plain = isinstance(default, (str, int, list)) and default not in ("", [])
        usual = f"; left out: {json.dumps(default, ensure_ascii=False)}" if plain else ""
        yield from _line(name, f"{_words(of, known)}{usual}")


def _followed(schema: Schema, known: Schema) -> Schema:
    return known[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _words(schema: Schema, known: Schema, within: tuple[str, ...] = ()) -> str:
    """Returns a type in words; a type within itself is only named."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name if name in within else _words(known[name], known, (*within, name))
    if "const" in schema:
        return f'"{schema["const"]}"' if isinstance(schema["const"], str) else str(schema["const"])
    if "enum" in schema:
        return " | ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in schema["enum"])
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return " | ".join(dict.fromkeys(_words(one, known, within) for one in several))
    if "properties" in schema:
        inside, bare = schema["properties"].items(), "text | " if "x-bare" in schema else ""
        return bare + "{ " + ", ".join(f"{name}: {_words(of, known, within)}" for name, of in inside) + " }"
    if "prefixItems" in schema:
        return "[" + ", ".join(_words(of, known, within) for of in schema["prefixItems"]) + "]"
    if schema.get("type") == "array":
        return f"list of {_words(schema.get('items', {}), known, within)}"
    if schema.get("type") == "object":
        of = schema.get("additionalProperties")
        return f"table of {_words(of, known, within)}" if isinstance(of, dict) else "table"
    return PLAIN.get(str(schema.get("type")), "anything")


def _line(name: str, text: str) -> Iterator[str]:
    """Yields a name and its text; long lines are wrapped and indented."""
    yield from LINES.wrap(f"{name}  {text}")
