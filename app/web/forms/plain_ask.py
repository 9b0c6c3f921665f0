"""The form of an ask without a template of its own, drawn from its model and its options."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel

from app.engine.options import Choice, Options
from app.engine.ruleset import Ask, Ruleset, Seat
from app.engine.unions import members
from app.table.scene_sight import AskSight


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainField:
    """One field of the form, as templates/scene/fields.html draws it."""

    name: str
    label: str
    kind: Literal["choice", "ticks", "number", "words", "tick"]
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    usual: Any = ""  # its value where nothing was typed
    low: int | None = None
    high: int | None = None
    most: int = 500  # letters


def plain_fields(ruleset: Ruleset[Any, Any], kind: str, view: Any, ask: AskSight) -> list[PlainField]:
    """The fields of an ask's form in the order of its model; `view` is the reader's."""
    form: type[BaseModel] = members(ruleset.kind(kind).declaration)[ask.kind]
    return list(fields_of(form, options_of(ruleset, kind, view, ask)))


def options_of(ruleset: Ruleset[Any, Any], kind: str, view: Any, ask: AskSight) -> Options:
    """What may be chosen in the fields of an ask's form; `view` is the reader's."""
    asked = Ask(seat=Seat(ask.seat), kind=ask.kind, call=ask.call, about=ask.about)
    return ruleset.kind(kind).options(view, asked)


def fields_of(form: type[BaseModel], options: Options) -> Iterator[PlainField]:
    """The fields of a flat form, in its order."""
    usual = form()
    for name, schema in _schema(form).items():
        title, own = str(schema.get("title", "")), name.replace("_", " ").capitalize()
        named = {
            "name": name,
            "label": title if title.replace(" ", "").lower() != name.replace("_", "") else own,
            "hint": str(schema.get("description", "")),
        }
        value = getattr(usual, name)
        yield PlainField(**named, **(_chosen(options[name], value) if name in options else _typed(schema, value)))


def _chosen(choices: tuple[Choice, ...], usual: Any) -> dict[str, Any]:
    """A field with options; nothing is chosen beforehand but the model's own value."""
    return {"kind": "ticks" if isinstance(usual, tuple) else "choice", "choices": choices, "usual": usual}


def _typed(schema: Mapping[str, Any], usual: Any) -> dict[str, Any]:
    part = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if "enum" in part:
        words: Mapping[str, str] = schema.get("x-labels", {})
        choices = tuple(Choice(key, words.get(key, key.replace("_", " ").capitalize())) for key in part["enum"])
        return {"kind": "choice", "choices": choices, "usual": usual}
    match part.get("type"):
        case "boolean":
            return {"kind": "tick", "usual": usual}
        case "integer":
            bounds = {"low": part.get("minimum"), "high": part.get("maximum")}
            return {"kind": "number", "usual": "" if usual is None else usual, **bounds}
        case "array":  # of texts, and nothing says which
            return {"kind": "ticks", "usual": usual}
        case _:
            return {"kind": "words", "usual": usual, "most": part.get("maxLength", 500)}


@cache
def _schema(form: type[BaseModel]) -> Mapping[str, Mapping[str, Any]]:
    """The JSON schema of each field but the tag; forms of rulesets live as long as the app."""
    return {name: part for name, part in form.model_json_schema()["properties"].items() if name != "ask"}
