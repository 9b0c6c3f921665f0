"""The form of one homebrew thing, made from the JSON schema of its kind.

Has more than the form of a sheet: rows of several kinds (a union by a tag), tables with fixed names ("propertyNames"),
numbers that may differ by grade ("x-graded"), lists that include the campaign's own things ("x-own"), and fields that
are not typed ("x-made"). Names on the form begin with "own."; a row with a ticked "gone" box is dropped.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from app.campaign import names
from app.engine import form_text
from app.engine.faults import faults_of
from app.engine.ruleset import Faults, Homebrew, HomebrewKind
from app.web.forms.reading import TypedPairs
from app.web.forms.schema import MOST_ROWS, Field, Plan, Schema, SheetForm, emptied, offered
from app.web.forms.sheet_values import blank, numbered, tidied

ROOT = "own"
GONE = "gone"


class OwnForm(SheetForm):
    """The form of one kind; `things` are the campaign's own things of all kinds, which extend its lists."""

    spare = 1

    def __init__(self, own: HomebrewKind, things: Homebrew) -> None:
        self.own = own
        self.things = things
        super().__init__(own.adapter, root=ROOT)

    def taken(self, typed: TypedPairs, key: str = "own_new") -> tuple[Any, Any, Faults]:
        """(the data to store, or None; the typed values in their shape; faults by field). `key` is the thing's id."""
        shape, faults = self.typed(typed)
        if faults:
            return None, shape, faults
        try:
            thing = self.adapter.validate_python({**_plain(shape), "id": key})
        except ValidationError as wrong:
            return None, shape, faults_of(wrong, lambda place: self._place(place, shape))
        faults |= {f"{ROOT}.{at}": said for at, said in self.own.fits(thing, self.things).items()}
        return (None if faults else self.adapter.dump_python(thing, mode="json")), shape, faults

    def typed(self, typed: TypedPairs) -> tuple[Any, Faults]:
        """The typed values in their shape, and the faults that single fields show."""
        pairs = [(name, text) for name, text in typed.pairs if name.startswith(f"{ROOT}.")]
        try:
            raw = form_text.unflatten(pairs).get(ROOT, {})
        except ValueError:
            return {}, {ROOT: "Part of the form got lost. Send it again from this page."}
        faults: Faults = {}
        shape = self._gather(self._root, raw, ROOT, faults, 0)
        name = str(shape.get("name") or "")
        try:
            names.visible(name)
        except ValueError as wrong:
            faults.setdefault(f"{ROOT}.name", str(wrong))
        return shape, faults

    # ---------------------------------------------------------------- schema

    def _resolve(self, schema: Schema) -> Schema:
        schema = super()._resolve(schema)
        more = self.things.get(schema.get("x-own", ""), {})
        if not more:
            return schema
        labels = {**schema.get("x-labels", {}), **{key: one.name for key, one in more.items()}}
        return {**schema, "enum": [*schema["enum"], *more], "x-labels": labels}

    def _plan(self, schema: Schema, depth: int) -> Plan:
        schema = self._resolve(schema)
        if "discriminator" in schema:
            return Plan("union", schema)
        if "x-graded" in schema:
            return Plan("graded", schema)
        if "patternProperties" in schema:
            return Plan("pairs", schema, item=next(iter(schema["patternProperties"].values())))
        if "enum" in schema.get("propertyNames", {}):
            return Plan("table", schema, item=schema["additionalProperties"])
        if "anyOf" in schema:
            schema = self._one_list(schema)
        plan = super()._plan(schema, depth)
        if plan.kind == "group":
            shown = {key: one for key, one in plan.schema["properties"].items() if "x-made" not in one}
            needed = [key for key in plan.schema.get("required", ()) if key in shown]
            return Plan("group", {**plan.schema, "properties": shown, "required": needed}, plan.nullable)
        return plan

    def _one_list(self, schema: Schema) -> Schema:
        """Turns "one of these, or a constant" into one list of choices; returns any other schema unchanged."""
        kinds = [self._resolve(one) for one in schema["anyOf"]]
        lists, words = [one for one in kinds if "enum" in one], [one["const"] for one in kinds if "const" in one]
        if len(lists) != 1 or not words or len(words) + 1 != len(kinds):
            return schema
        outer = {key: part for key, part in schema.items() if key != "anyOf"}
        return {**lists[0], **outer, "enum": [*words, *lists[0]["enum"]]}

    def _variant(self, plan: Plan, value: Any) -> Schema:
        """A union as a group: its tag, and the fields of the tag's variant."""
        tag = plan.schema["discriminator"]["propertyName"]
        kinds = {key: self._resolve({"$ref": ref}) for key, ref in plan.schema["discriminator"]["mapping"].items()}
        labels = {str(one["properties"][tag]["const"]): str(one.get("title", "")) for one in kinds.values()}
        choice = {"enum": list(labels), "x-labels": labels, "title": "What it does"}
        now = value.get(tag) if isinstance(value, Mapping) else None
        found = kinds.get(now, {}) if isinstance(now, str) else {}
        parts = {key: one for key, one in found.get("properties", {}).items() if key != tag}
        needed = [tag, *(key for key in found.get("required", ()) if key != tag)]
        return {"type": "object", "properties": {tag: choice, **parts}, "required": needed, "x-tag": tag}

    def _place(self, loc: Sequence[int | str], shape: Any) -> str:
        """The form's field name for a fault's location: tags of unions are left out, rows are named by number."""
        schema, name, value = self._root, self.root, shape
        for part in loc:
            plan = self._plan(schema, 0)
            if plan.kind == "union":
                schema = self._variant(plan, value)
                continue
            if plan.kind == "pairs" and isinstance(value, NamedRows) and part in value.ids:
                number = value.ids.index(str(part))
                schema, name, value = plan.item, f"{name}.{number}.value", value[number][1]
            elif plan.kind in ("rows", "table", "group"):
                schema = plan.schema["properties"].get(part, {}) if plan.kind == "group" else plan.item
                value = value[part] if _has(value, part) else None
                name = f"{name}.{part}"
            else:
                break
        return name

    # ---------------------------------------------------------------- showing

    def _field(self, schema: Schema, name: str, key: str, value: Any, faults: Faults, **more: Any) -> Field:
        plan = self._plan(schema, more["depth"])
        if plan.kind == "union":
            schema = self._variant(plan, value)
        elif plan.kind == "choice" and value == "" and "" not in plan.schema["enum"]:
            value = None  # not chosen yet: the first choice must not count as chosen
        found = super()._field(schema, name, key, value, faults, **more)
        found.may_go = value is not None and (plan.kind == "union" or (plan.kind == "group" and plan.nullable))
        if plan.kind == "union":
            found.kind = "union"
            was = str(found.of(schema["x-tag"]).value or "")
            found.parts.append(Field(f"{name}.was", "", "fixed", was))
        return found

    def _fill(self, found: Field, plan: Plan, faults: Faults, depth: int, spare: int) -> None:
        if plan.kind == "table":
            given = found.value if isinstance(found.value, Mapping) else {}
            found.parts = [
                self._field({**plan.item, "title": label}, f"{found.name}.{key}", key, given.get(key), faults,
                            required="x-all" in plan.schema, depth=depth + 1, spare=0)
                for key, label in offered(plan.schema["propertyNames"])
            ]  # fmt: skip
        elif plan.kind == "graded":
            given = found.value if isinstance(found.value, (list, tuple)) else [found.value]
            labels = plan.schema["x-graded"]
            found.parts = [
                Field(f"{found.name}.{n}", label, "number", given[n] if n < len(given) else None)
                for n, label in enumerate(labels)
            ]
        else:
            super()._fill(found, plan, faults, depth, spare)

    def _pairs(self, plan: Plan, found: Field, faults: Faults, depth: int, spare: int) -> list[Field]:
        given = found.value.items() if isinstance(found.value, Mapping) else found.value or ()
        stored = isinstance(found.value, Mapping)
        rows = []
        for n, (key, one) in enumerate([*given, ("", None)]):
            place, said = f"{found.name}.{n}", _words_of(key) if stored else key
            title = Field(f"{place}.key", "Called", "text", said, fault=faults.pop(f"{place}.key", ""), most=60)
            beside = self._field(plan.item, f"{place}.value", "", one, faults, required=True, depth=depth + 1, spare=0)
            row = Field(place, said, "group", parts=[title, *beside.parts], may_go=True)
            rows.append(row if n < len(given) else _spare(row))
        return rows

    # ---------------------------------------------------------------- reading

    def _gather(self, schema: Schema, raw: Any, name: str, faults: Faults, depth: int) -> Any:
        plan = self._plan(schema, depth)
        match plan.kind:
            case "union":
                return self._gather_union(plan, raw if isinstance(raw, dict) else {}, name, faults, depth)
            case "rows":
                rows = [one for one in numbered(raw) if not blank(one) and not _gone(one)][: MOST_ROWS + 1]
                return [self._gather(plan.item, one, f"{name}.{n}", faults, depth + 1) for n, one in enumerate(rows)]
            case "group" if plan.nullable and _gone(raw):
                return None
            case "table":
                return self._gather_table(plan, raw if isinstance(raw, dict) else {}, name, faults, depth)
            case "graded":
                return _grades(plan.schema, raw, name, faults)
        found = super()._gather(schema, raw, name, faults, depth)
        if plan.kind == "text" and found == "" and plan.schema.get("minLength") and "default" in plan.schema:
            return plan.schema["default"]
        return found

    def _gather_union(self, plan: Plan, raw: dict[str, Any], name: str, faults: Faults, depth: int) -> Any:
        """The fields of the tag's variant. If the page showed another variant, its boxes start at their defaults: a box
        that the page did not show was not left empty on purpose."""
        tag = plan.schema["discriminator"]["propertyName"]
        kinds = plan.schema["discriminator"]["mapping"]
        now, was = (one if isinstance(one, str) and one in kinds else "" for one in (raw.get(tag), raw.get("was")))
        if not now:  # the typed text belongs to the fields of the variant shown
            faults.setdefault(f"{name}.{tag}", "Choose one of the options.")
            now, raw = was, {**raw, tag: was}
        group = self._variant(plan, raw)
        if now != was:
            ticked = {key: "yes" for key, one in group["properties"].items() if one.get("default") is True}
            raw = {**ticked, **raw}
        return super()._gather(group, raw, name, faults, depth)

    def _gather_table(self, plan: Plan, raw: dict[str, Any], name: str, faults: Faults, depth: int) -> Any:
        data: dict[str, Any] = {}
        for key in plan.schema["propertyNames"]["enum"]:
            value = self._gather(plan.item, raw.get(key), f"{name}.{key}", faults, depth + 1)
            if value not in ("", None):
                data[key] = value
            elif "x-all" in plan.schema:
                faults.setdefault(f"{name}.{key}", "Fill this in.")
        return data

    def _gather_pairs(self, plan: Plan, raw: Any, name: str, faults: Faults, depth: int) -> Any:
        rows = NamedRows()
        kept = [one for one in numbered(raw) if isinstance(one, dict) and not _untouched(one) and not _gone(one)]
        for one in kept[:MOST_ROWS]:
            at = f"{name}.{len(rows)}"
            typed = tidied(one.get("key"), names.line, 60, f"{at}.key", faults)
            if not typed:
                faults.setdefault(f"{at}.key", "Each of these needs a name.")
            elif not re.fullmatch("[a-z][a-z0-9_]*", _id_of(typed)):
                faults.setdefault(f"{at}.key", "Start the name with a letter from a to z.")
            elif _id_of(typed) in rows.ids:
                faults.setdefault(f"{at}.key", f"“{typed}” is on the list twice.")
            rows.append((typed, self._gather(plan.item, one.get("value"), f"{at}.value", faults, depth + 1)))
        return rows


class NamedRows(list[tuple[str, Any]]):
    """Rows with names, as typed."""

    @property
    def ids(self) -> list[str]:
        return [_id_of(name) for name, _ in self]


def _spare(row: Field) -> Field:
    """An empty row, with its boxes at their defaults."""
    bare = replace(emptied(row), may_go=False)
    bare.parts = [was if was.kind == "check" else now for was, now in zip(row.parts, bare.parts, strict=True)]
    return bare


def _untouched(raw: dict[str, Any]) -> bool:
    """Whether a row has no typed text; ticked boxes do not count."""
    value = raw.get("value")
    typed = {key: one for key, one in value.items() if one != "yes"} if isinstance(value, dict) else value
    return blank(raw.get("key")) and blank(typed)


def _plain(shape: Any) -> Any:
    """The shape as the adapter reads it: named rows by their ids."""
    if isinstance(shape, NamedRows):
        return {_id_of(name): _plain(one) for name, one in shape}
    if isinstance(shape, dict):
        return {key: _plain(one) for key, one in shape.items()}
    return [_plain(one) for one in shape] if isinstance(shape, list) else shape


def _id_of(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "_", plain.replace("'", "")).strip("_")


def _words_of(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _grades(schema: Schema, raw: Any, name: str, faults: Faults) -> Any:
    """One number if one was typed, a list if all were; the texts as typed, and a fault, if they are wrong."""
    count = len(schema["x-graded"])
    given = [raw.get(str(n), "") if isinstance(raw, dict) else "" for n in range(count)]
    texts = [one.strip() if isinstance(one, str) else "" for one in given]
    filled = [one for one in texts if one]
    if not filled:
        return None
    said = next((words for one in filled if (words := _number_fault(schema, one))), "")
    if not said and len(filled) not in (1, count):
        said = "Give one number for all, or one for each."
    if said:
        faults.setdefault(name, said)
        return texts
    return int(filled[0]) if len(filled) == 1 else [int(one) for one in filled]


def _number_fault(schema: Schema, text: str) -> str:
    if not re.fullmatch("-?[0-9]{1,9}", text):
        return "Enter a whole number."
    if int(text) < schema["minimum"]:
        return f"Enter at least {schema['minimum']}."
    return f"Enter at most {schema['maximum']}." if int(text) > schema["maximum"] else ""


def _has(value: Any, part: int | str) -> bool:
    if isinstance(value, Mapping):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _gone(raw: Any) -> bool:
    return isinstance(raw, dict) and raw.get(GONE) == "yes"
