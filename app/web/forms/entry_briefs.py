"""An entry's brief as the form for a new scene: the fields that are filled in, and what the form keeps unseen.

The form does not show everything that a brief may say (foes that the rules made, for example). That goes back and forth
in one hidden field, so that a form sent unchanged means the same scene.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from app.almanac.entries import BriefTyped, Slug
from app.engine.ruleset import Ruleset, SceneKind
from app.rulesets import games

AnyKind = SceneKind[Any, Any, Any, Any, Any, Any]


class Unshown(BaseModel):
    """What the form keeps of a brief without showing it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    given: dict[str, JsonValue] = {}
    settings: dict[str, JsonValue] = {}
    seats: Annotated[dict[Slug, tuple[Slug, ...]], Field(max_length=60)] = {}  # all seats of the brief

    @classmethod
    def read(cls, text: str) -> "Unshown":
        """Reads the hidden field; "" is nothing. Raises ValueError, in words, for anything that no page has sent."""
        try:
            return cls.model_validate_json(text) if text else cls()
        except ValidationError:
            raise ValueError("Part of this form was lost. Open it again from the calendar.") from None

    @property
    def text(self) -> str:
        """The hidden field."""
        return self.model_dump_json() if self != Unshown() else ""

    @property
    def foes(self) -> list[str]:
        """The names of the foes that the rules have made."""
        rows = self.given.get("foes")
        found = rows if isinstance(rows, list) else []
        return [str(row.get("name") or row.get("key")) for row in found if isinstance(row, dict)]

    def of(self, part: str, *, foes: bool = True) -> Mapping[str, JsonValue]:
        """Returns the unseen part of "given" or "settings"; without `foes`, those are left out."""
        found = self.given if part == "given" else self.settings
        return found if foes or not self.foes else {name: value for name, value in found.items() if name != "foes"}


@dataclass(frozen=True, slots=True)
class ShownFields:
    """The names of a drawn form's fields, and of those that are ticked for yes; in others, no is said in words."""

    names: frozenset[str]
    ticks: frozenset[str]


def fields_of(html: str) -> ShownFields:
    names = re.findall(r'name="((?:given|settings)\.[^"]+)"', html)
    ticks = re.findall(r'type="checkbox"\s+name="((?:given|settings)\.[^"]+)"', html)
    return ShownFields(frozenset(name.removesuffix("[]") for name in names), frozenset(ticks))


def rules_of(brief: Mapping[str, Any] | None) -> tuple[Ruleset[Any, Any], AnyKind] | None:
    """Returns the rules of an entry's brief; None where it has none that the form opens."""
    for ruleset in games() if brief is not None else ():
        for kind in ruleset.kinds:
            opens = not kind.seats_are_people and kind.pages.opening
            if brief is not None and opens and (ruleset.key, kind.key) == (brief.get("ruleset"), brief.get("kind")):
                return ruleset, kind
    return None


NO_FIELDS = ShownFields(frozenset(), frozenset())


def in_full(brief: BriefTyped, ruleset: Ruleset[Any, Any], kind: AnyKind) -> BriefTyped:
    """Returns a brief that says in its opening and settings what it leaves to the rules; a part that they cannot read
    stays as it is."""
    given = _read(kind.given, brief.given)
    settings = _read(ruleset.settings, ruleset.of_new_scene(brief.settings))
    return brief.model_copy(update={"given": given if isinstance(given, dict) else {}, "settings": settings})


def _read(adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.dump_python(adapter.validate_python(value), mode="json")
    except ValidationError:
        return value


def filled(brief: BriefTyped, shown: ShownFields = NO_FIELDS) -> dict[str, Any]:
    """Returns the values of the form's fields "given.…" and "settings.…", nested, as a browser would send them. Fields
    of the opening that the brief does not know are empty: it says the same in another way."""
    given = brief.given if isinstance(brief.given, dict) else {}
    alone = [name.removeprefix("given.") for name in shown.names if name.startswith("given.")]
    empty = dict.fromkeys((name for name in alone if "." not in name and name not in given), "")
    settings = _typed(brief.settings, "settings", shown.ticks)
    return {"given": {**empty, **_typed(given, "given", shown.ticks)}, "settings": settings}


def unshown(brief: BriefTyped, shown: ShownFields) -> Unshown:
    """Returns what a form with these fields does not show of a brief."""
    given, names = brief.given if isinstance(brief.given, dict) else {}, shown.names
    rest = (_rest(given, "given", names), _rest(brief.settings, "settings", names))
    return Unshown(given=rest[0], settings=rest[1], seats=dict(brief.seats))


def merged(rest: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what was typed together with what the form did not show."""
    found: dict[str, Any] = {**rest, **typed}
    for name in rest.keys() & typed.keys():
        both = rest[name], typed[name]
        if isinstance(both[0], Mapping) and isinstance(both[1], Mapping):
            found[name] = merged(both[0], both[1])
    return found


def _typed(value: Any, at: str, ticks: Collection[str]) -> Any:
    if _is_rows(value):
        value = {str(number): row for number, row in enumerate(value)}
    if isinstance(value, dict):
        parts = {name: _typed(part, f"{at}.{name}", ticks) for name, part in value.items()}
        return {name: part for name, part in parts.items() if part is not None}
    if isinstance(value, list):
        return [str(one) for one in value]
    if isinstance(value, bool):
        return "yes" if value else None if at in ticks else "no"
    return "" if value is None else str(value)


def _rest(value: dict[str, Any], at: str, names: Collection[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, part in value.items():
        here = f"{at}.{name}"
        if here in names:
            continue
        inner = {str(number): row for number, row in enumerate(part)} if _is_rows(part) else part
        if isinstance(inner, dict) and any(one.startswith(f"{here}.") for one in names):
            if rest := _rest(inner, here, names):
                found[name] = rest
        else:
            found[name] = part
    return found


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
