"""A form for any ruleset's character sheet, made from the sheet's own JSON schema.

A ruleset that wants a more beautiful one names it (`Ruleset.sheet_pages`), with the same field names:
"sheet." and the path in the sheet, list items by number ("sheet.skills.0.name"). A text whose schema says
"x-from": "characters" is chosen from those that the page offers. A group that
says "x-bare" may be stored as a bare text, its part of that name; the adapter's Python dump has all parts.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from app.campaign import names
from app.engine import form_text
from app.engine.faults import faults_of
from app.engine.ruleset import Faults
from app.web.forms.reading import TypedPairs
from app.web.forms.sheet_values import MOST_PROSE, added, blank, numbered, parsed, tidied

Kind = Literal[
    "text", "prose", "number", "check", "choice", "ticks", "lines", "rows", "pairs", "group", "fixed", "raw",
    "union", "table", "graded",
]  # fmt: skip
"""The last three are read and shown by app/web/homebrew/form.py only."""

Schema = Mapping[str, Any]

ROOT = "sheet"
DEEPEST = 6
MOST_ROWS = 200
MOST_TEXT, MOST_DIGITS = 2_000, 40
SPARE_ROWS = 2
NEAR = 30  # bounds further apart than this only guard against slips of the finger


@dataclass(slots=True)
class Field:
    """One place on the form. `parts` are a group's fields, `rows` a list's items."""

    name: str
    label: str
    kind: Kind
    value: Any = None
    hint: str = ""
    fault: str = ""
    required: bool = False
    low: float | None = None
    high: float | None = None
    near: bool = False  # whether the bounds are worth saying beforehand
    whole: bool = True
    most: int | None = None
    choices: tuple[tuple[str, str], ...] = ()
    may_go: bool = False  # whether a box beside it takes it away
    parts: list["Field"] = field(default_factory=list)
    rows: list["Field"] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.name.replace(".", "-")

    def of(self, key: str) -> "Field":
        """A group's part by its key in the sheet; KeyError where there is none."""
        found = {part.name.rpartition(".")[2]: part for part in self.parts}
        return found[key]

    @property
    def said(self) -> str:
        """The value in words, for reading."""
        if self.kind == "check":
            return "yes" if self.value else "no"
        if self.kind == "choice":
            return next((label for key, label in self.choices if key == str(self.value)), str(self.value or ""))
        if self.kind == "ticks":
            return "\n".join(label for key, label in self.choices if key in self.value)
        return "" if self.value is None else str(self.value)


@dataclass(frozen=True, slots=True)
class Plan:
    """What the schema says about one place, with references followed and "or nothing" taken apart."""

    kind: Kind
    schema: Schema
    nullable: bool = False
    item: Schema = field(default_factory=dict)


@cache
def _schema(adapter: TypeAdapter[Any]) -> Schema:
    """What an adapter reads; the adapters of rulesets live as long as the app, and nobody writes into their schemas."""
    return adapter.json_schema(mode="validation")


class SheetForm:
    """The form of one kind of sheet, or of anything else that a ruleset's schema describes, under its own `root`."""

    spare = SPARE_ROWS

    def __init__(
        self, adapter: TypeAdapter[Any], *, root: str = ROOT, characters: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.adapter = adapter
        self.root = root
        self.characters = tuple(characters)  # slug and name
        self._root: Schema = _schema(adapter)
        self._defs: Schema = {  # without the docstrings of classes, which are not for people
            name: {key: part for key, part in schema.items() if key != "description"}
            for name, schema in self._root.get("$defs", {}).items()
        }
        self._bare = any("x-bare" in one for one in self._defs.values())
        plan = self._plan(self._root, 0)
        self.has_name = plan.kind == "group" and "name" in plan.schema.get("properties", {})

    def fields(self, value: Any, faults: Faults | None = None, spare: int | None = None) -> Field:
        """The form filled with a sheet, or with what was typed and what is wrong with that; `spare` rows are empty."""
        left = dict(faults or {})
        value = value if faults else self._whole(value)
        root = self._field(self._root, self.root, "", value, left, required=True, depth=0, spare=spare or self.spare)
        more = [f"{name.removeprefix(self.root).strip('.')}: {said}".strip(": ") for name, said in left.items()]
        root.fault = " ".join([root.fault, *more]).strip()
        return root

    def sight(self, sheet: Any) -> Field:
        """The same for reading: no spare rows."""
        return self._field(self._root, self.root, "", self._whole(sheet), {}, required=True, depth=0, spare=0)

    def _whole(self, value: Any) -> Any:
        """With all parts of what is stored as a bare text; as it is where the rules do not read it."""
        if not self._bare:
            return value
        try:
            return self.adapter.dump_python(self.adapter.validate_python(value))
        except ValidationError:
            return value

    def label_of(self, path: Sequence[str]) -> str:
        """What a place in the sheet is called, from outside in: "Wounds, left arm, minor wounds"."""
        labels, schema = list[str](), self._root
        for depth, key in enumerate(path):
            schema, name = self._inside(schema, key, depth)
            if name:
                labels.append(name[:1].lower() + name[1:] if labels and name[1:2] == name[1:2].lower() else name)
        return ", ".join(labels)

    def words_of(self, path: Sequence[str], value: Any) -> str:
        """A value as people say it: a choice by its label, yes or no, a list item in one line, ticks only if set;
        "" for nothing, unless the schema has a word for that ("x-none")."""
        schema = self._root
        for depth, key in enumerate(path):
            schema = self._inside(schema, key, depth)[0]
        if value is None:
            return str(schema.get("x-none", ""))
        if isinstance(value, bool):
            return "yes" if value else "no"
        schema = self._plan(schema, len(path)).schema
        if isinstance(value, Mapping):
            there = [(key, one) for key, one in value.items() if one not in (None, False, "", [], {})]
            said = [
                self._inside(schema, key, len(path))[1].lower() if one is True else self.words_of([*path, key], one)
                for key, one in there
            ]
            return ", ".join(said)
        if isinstance(value, list):
            return ", ".join(self.words_of([*path, "0"], one) for one in value)
        if "enum" in schema:
            return dict(offered(schema, value)).get(str(value), _spoken(str(value))).split(". ")[0]
        if value == 0 and "x-zero" in schema:
            return str(schema["x-zero"])
        return str(value)

    def is_quiet(self, path: Sequence[str]) -> bool:
        """Whether the schema says "x-quiet" of a place: what follows from it is told, it is not."""
        schema = self._root
        for depth, key in enumerate(path):
            schema = self._inside(schema, key, depth)[0]
            if schema.get("x-quiet"):
                return True
        return False

    def gain_of(self, path: Sequence[str]) -> str:
        """What the schema says ("x-gain") of more at a place, with `{within}` and `{now}`: "wounded: {now}"; or ""."""
        schema = self._root
        for depth, key in enumerate(path):
            schema = self._inside(schema, key, depth)[0]
        return str(schema.get("x-gain", ""))

    def _inside(self, schema: Schema, key: str, depth: int) -> tuple[Schema, str]:
        """The schema one step further in, and what that step is called; nothing where the schema does not know it."""
        plan = self._plan(schema, depth)
        if plan.kind == "group":
            part = plan.schema["properties"].get(key, {})
            return part, _label(part, key)
        if plan.kind == "pairs":
            return plan.item, _spoken(key)
        if plan.kind in ("rows", "lines", "ticks"):
            return plan.schema.get("items", {}), ""
        return {}, _spoken(key)

    def read(self, typed: TypedPairs) -> tuple[Any, Any, Faults]:
        """(the sheet as it is stored, or None; what was typed, in the sheet's shape; what is wrong by field name)."""
        pairs = [(name, text) for name, text in typed.pairs if name.startswith(f"{self.root}.")]
        try:
            raw = form_text.unflatten(pairs).get(self.root, {})
        except ValueError:
            return None, {}, {self.root: "Part of the form got lost. Send it again from this page."}
        faults: Faults = {}
        data = self._gather(self._root, raw, self.root, faults, 0)
        if faults:
            return None, data, faults
        try:
            return self.adapter.dump_python(self.adapter.validate_python(data), mode="json"), data, {}
        except ValidationError as wrong:
            return None, data, faults_of(wrong, lambda place: ".".join((self.root, *map(str, place))))

    def _resolve(self, schema: Schema) -> Schema:
        for _ in range(DEEPEST):
            if "$ref" not in schema:
                break
            schema = {
                **self._defs[schema["$ref"].rsplit("/", 1)[1]],
                **{k: v for k, v in schema.items() if k != "$ref"},
            }
        return schema

    def _plan(self, schema: Schema, depth: int) -> Plan:
        schema = self._resolve(schema)
        if "anyOf" in schema:
            kinds = [self._resolve(one) for one in schema["anyOf"]]
            real = [one for one in kinds if one.get("type") != "null"]
            if len(real) != 1:
                return Plan("raw", schema)
            outer = {key: part for key, part in schema.items() if key != "anyOf"}
            return replace(self._plan({**real[0], **outer}, depth), nullable=len(real) < len(kinds))
        if schema.get("x-from") == "characters":
            offered = {"enum": [slug for slug, _ in self.characters], "x-labels": dict(self.characters)}
            return Plan("choice", {**schema, **offered})
        kind = self._kind(schema, depth)
        item = schema.get("items", {}) if kind == "rows" else schema.get("additionalProperties", {})
        return Plan(kind, schema, item=item if isinstance(item, dict) else {})

    def _kind(self, schema: Schema, depth: int) -> Kind:
        if "const" in schema:
            return "fixed"
        if "enum" in schema:
            return "choice"
        match schema.get("type"):
            case "string":
                return "prose" if schema.get("maxLength", 0) > 300 else "text"
            case "integer" | "number":
                return "number"
            case "boolean":
                return "check"
            case "array" if depth < DEEPEST and isinstance(schema.get("items"), dict):
                return self._list_kind(self._resolve(schema["items"]))
            case "object" if depth < DEEPEST and "properties" in schema:
                return "group"
            case "object" if depth < DEEPEST and isinstance(schema.get("additionalProperties"), dict):
                return "pairs"
        return "raw"

    def _list_kind(self, item: Schema) -> Kind:
        if "enum" in item:
            return "ticks"
        return "lines" if item.get("type") in ("string", "integer", "number") else "rows"

    # ---------------------------------------------------------------- showing

    def _field(
        self,
        schema: Schema,
        name: str,
        key: str,
        value: Any,
        faults: Faults,
        *,
        required: bool,
        depth: int,
        spare: int,
    ) -> Field:
        plan = self._plan(schema, depth)
        found = Field(
            name=name,
            label=_label(schema, key),
            kind=plan.kind,
            value=value if value is not None else plan.schema.get("default"),
            hint=str(plan.schema.get("description", "")) if key else "",
            fault=faults.pop(name, ""),
            required=(required or _chosen_by_default(plan)) and not plan.nullable,
            low=plan.schema.get("minimum", plan.schema.get("exclusiveMinimum")),
            high=plan.schema.get("maximum", plan.schema.get("exclusiveMaximum")),
            whole=plan.schema.get("type") == "integer",
            most=plan.schema.get("maxLength"),
        )
        found.near = found.low is not None and found.high is not None and found.high - found.low <= NEAR
        self._fill(found, plan, faults, depth, spare)
        return emptied(found) if plan.kind == "group" and plan.nullable and value is None else found

    def _fill(self, found: Field, plan: Plan, faults: Faults, depth: int, spare: int) -> None:
        match plan.kind:
            case "group":
                found.parts = self._parts(plan.schema, found, faults, depth, spare)
            case "rows":
                found.rows = self._rows(plan, found, faults, depth, spare)
            case "pairs":
                found.rows = self._pairs(plan, found, faults, depth, spare)
            case "choice":
                found.choices = offered(plan.schema, found.value)
            case "ticks":
                found.choices = offered(self._resolve(plan.schema["items"]))
                found.value = [str(one) for one in found.value or ()]
            case "lines":
                found.value = "\n".join(str(one) for one in found.value or ())
                found.fault = found.fault or _first_below(found.name, faults)
            case "fixed":
                found.value = plan.schema["const"]
            case "raw":
                if found.value is not None and not isinstance(found.value, str):
                    found.value = json.dumps(found.value, ensure_ascii=False, indent=1)
                found.fault = found.fault or _first_below(found.name, faults)

    def _parts(self, schema: Schema, found: Field, faults: Faults, depth: int, spare: int) -> list[Field]:
        bare = {schema["x-bare"]: found.value} if "x-bare" in schema and isinstance(found.value, str) else {}
        given = found.value if isinstance(found.value, dict) else bare
        needed = set(schema.get("required", ()))
        return [
            self._field(
                part,
                f"{found.name}.{key}",
                key,
                given.get(key),
                faults,
                required=key in needed,
                depth=depth + 1,
                spare=spare,
            )
            for key, part in schema["properties"].items()
        ]

    def _rows(self, plan: Plan, found: Field, faults: Faults, depth: int, spare: int) -> list[Field]:
        items: list[Any] = list(found.value) if isinstance(found.value, (list, tuple)) else []
        room = min(plan.schema.get("maxItems", MOST_ROWS), MOST_ROWS)
        blanks = max(0, min(spare, room - len(items)))
        rows = [
            self._field(plan.item, f"{found.name}.{n}", "", one, faults, required=True, depth=depth + 1, spare=0)
            for n, one in enumerate(items)
        ]
        needed = self._resolve(plan.item).get("required", ())
        rows = [_clearable(row, needed) for row in rows]
        for n in range(len(items), len(items) + blanks):
            row = self._field(plan.item, f"{found.name}.{n}", "", None, {}, required=False, depth=depth + 1, spare=0)
            rows.append(emptied(row))
        return rows

    def _pairs(self, plan: Plan, found: Field, faults: Faults, depth: int, spare: int) -> list[Field]:
        given = list(found.value.items()) if isinstance(found.value, dict) else []
        rows = []
        for n, (key, one) in enumerate([*given, *[("", None)] * spare]):
            place = f"{found.name}.{n}"
            fault = faults.pop(f"{found.name}.{key}", "") if key else ""
            value = self._field(plan.item, f"{place}.value", "value", one, {}, required=False, depth=depth + 1, spare=0)
            value.fault = value.fault or fault
            title = Field(f"{place}.key", "Name", "text", key, most=100)
            row = Field(place, "", "group", parts=[title, value])
            rows.append(row if key else emptied(row))
        return rows

    # ---------------------------------------------------------------- reading

    def _gather(self, schema: Schema, raw: Any, name: str, faults: Faults, depth: int) -> Any:
        plan = self._plan(schema, depth)
        match plan.kind:
            case "group":
                if plan.nullable and blank(raw):
                    return None
                if isinstance(raw, str) and "x-bare" in plan.schema:
                    return tidied(raw, names.line, MOST_TEXT, name, faults)
                return self._gather_group(plan, raw if isinstance(raw, dict) else {}, name, faults, depth)
            case "rows":
                bare = isinstance(raw, str) and "x-bare" in self._resolve(plan.item)
                given = raw.splitlines() if bare else numbered(raw)
                rows = [one for one in given if not blank(one)][: MOST_ROWS + 1]
                return [self._gather(plan.item, one, f"{name}.{n}", faults, depth + 1) for n, one in enumerate(rows)]
            case "pairs":
                return self._gather_pairs(plan, raw, name, faults, depth)
            case "check":
                return raw in ("yes", "on", "true")
            case "ticks":
                return raw if isinstance(raw, list) else []
            case "fixed":
                return plan.schema["const"]
            case "lines":
                return [line for line in tidied(raw, names.prose, MOST_PROSE, name, faults).split("\n") if line.strip()]
            case "prose":
                return tidied(raw, names.prose, plan.schema.get("maxLength", MOST_PROSE), name, faults)
            case "raw":
                return parsed(raw, name, faults)
            case "choice" if "x-from" in plan.schema and raw and raw not in plan.schema["enum"]:
                faults.setdefault(name, "Choose one of the options.")
                return raw if isinstance(raw, str) else ""
            case _:
                most = MOST_DIGITS if plan.kind == "number" else plan.schema.get("maxLength", MOST_TEXT)
                return tidied(raw, names.line, max(most, 1), name, faults) or (None if plan.nullable else "")

    def _gather_group(self, plan: Plan, raw: Mapping[str, Any], name: str, faults: Faults, depth: int) -> Any:
        data: dict[str, Any] = {}
        needed = set(plan.schema.get("required", ()))
        for key, part in plan.schema["properties"].items():
            value = self._gather(part, raw.get(key), f"{name}.{key}", faults, depth + 1)
            kind = self._plan(part, depth + 1)
            bare = kind.kind in ("number", "choice", "raw", "group", "graded")
            empty = value in ("", None) and (bare or key not in raw)
            if empty and kind.nullable:
                data[key] = None
            elif empty and key in needed:
                faults.setdefault(f"{name}.{key}", "Fill this in.")
                data[key] = value
            elif not empty:
                data[key] = value
        return data

    def _gather_pairs(self, plan: Plan, raw: Any, name: str, faults: Faults, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for one in numbered(raw)[:MOST_ROWS]:
            if not isinstance(one, dict) or blank(one):
                continue
            key = tidied(one.get("key"), names.line, 100, name, faults)
            value = self._gather(plan.item, one.get("value"), f"{name}.{key}", faults, depth + 1)
            if key in data and plan.schema.get("x-adds"):
                value = added(data[key], value)
            elif not key or key in data:
                faults.setdefault(name, f"“{key}” is on the list twice." if key else "Each of these needs a name.")
            data[key] = value
        return data


def _chosen_by_default(plan: Plan) -> bool:
    """Whether a choice has something chosen from the start, so that nobody needs an empty line in it."""
    return plan.kind == "choice" and plan.schema.get("default") in plan.schema["enum"]


def emptied(row: Field) -> Field:
    """A row nobody has filled: no default in it, or it would count as filled."""
    return replace(
        row,
        required=False,
        value=[] if row.kind == "ticks" else None,
        parts=[part if part.kind == "fixed" else emptied(part) for part in row.parts],
        rows=[emptied(one) for one in row.rows],
    )


def _clearable(row: Field, needed: Collection[str]) -> Field:
    """A row that can be emptied, which drops it: what it needs is asked for when the rest is there."""
    parts = [replace(part, required=False) if part.name.rpartition(".")[2] in needed else part for part in row.parts]
    return replace(row, parts=parts)


def _first_below(name: str, faults: Faults) -> str:
    """The fault of any item of a field that is one text on the form."""
    below = [key for key in faults if key.startswith(f"{name}.")]
    said = [faults.pop(key) for key in below]
    return said[0] if said else ""


def _label(schema: Schema, key: str) -> str:
    title = str(schema.get("title", ""))
    own = key.replace("_", " ").strip().capitalize()
    # Pydantic makes "Hit Points" of hit_points by itself; only a title the author gave says more than the name.
    return title if title.replace(" ", "").lower() not in ("", key.replace("_", "").lower()) else own


def offered(schema: Schema, value: Any = None) -> tuple[tuple[str, str], ...]:
    """What may be chosen and what it is called: by the schema's own "x-labels", else by its key.

    What has a label and is no choice is offered only where it is the `value` already.
    """
    labels: Mapping[str, str] = schema.get("x-labels", {})
    old = [value] if isinstance(value, str) and value in labels and value not in schema["enum"] else []
    return tuple((str(one), labels.get(str(one), _spoken(str(one)))) for one in [*old, *schema["enum"]])


def _spoken(text: str) -> str:
    return text.replace("_", " ").replace("-", " ").strip().capitalize() if text else "None"
