"""A scene's setup and steps as text: the table encrypts the text that the receipts hash and open."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue, TypeAdapter

from app.engine.ruleset import Brief, InnerScene, NewCharacter, Outcome, PlannedEntry, Ruleset, Setup, Step

STEP: TypeAdapter[Step] = TypeAdapter(Step)
BRIEF: TypeAdapter[Brief] = TypeAdapter(Brief)
PLANNED: TypeAdapter[tuple[PlannedEntry, ...]] = TypeAdapter(tuple[PlannedEntry, ...])
MADE: TypeAdapter[tuple[NewCharacter, ...]] = TypeAdapter(tuple[NewCharacter, ...])


def read_setup(ruleset: Ruleset[Any, Any], text: str | bytes) -> Setup[Any, Any]:
    raw: dict[str, JsonValue] = json.loads(text)
    brief = BRIEF.validate_python(raw["brief"])
    assert isinstance(raw["sheets"], dict) and isinstance(raw["kept"], dict)
    return Setup(
        brief=brief,
        settings=ruleset.settings.validate_python(raw["settings"]),
        sheets={name: ruleset.character.validate_python(sheet) for name, sheet in raw["sheets"].items()},
        kept=raw["kept"],
        own=_own(ruleset, raw.get("own", {})),
    )


def read_brief(text: str | bytes) -> Brief:
    """Returns the brief of a setup, whatever has become of its ruleset's sheets since."""
    return BRIEF.validate_python(json.loads(text)["brief"])


def _own(ruleset: Ruleset[Any, Any], said: Any) -> dict[str, dict[str, Any]]:
    return {
        kind: {key: ruleset.homebrew[kind].adapter.validate_python(one) for key, one in things.items()}
        for kind, things in said.items()
    }


def planned(outcome: Outcome) -> JsonValue:
    """Returns what a scene leaves on the calendar, as in its last record."""
    found: JsonValue = PLANNED.dump_python(outcome.entries, mode="json")
    return found


def characters_made(outcome: Outcome) -> JsonValue:
    """Returns the characters that a scene makes, as in its last record."""
    found: JsonValue = MADE.dump_python(outcome.made, mode="json")
    return found


def write_setup(ruleset: Ruleset[Any, Any], setup: Setup[Any, Any], names: Mapping[str, str] | None = None) -> bytes:
    """Returns a setup as JSON. `names`: the seats' names, so that a seat's deeds cannot be shown as another's later."""
    said: dict[str, Any] = {
        "brief": BRIEF.dump_python(setup.brief, mode="json"),
        "settings": ruleset.settings.dump_python(setup.settings, mode="json"),
        "sheets": {name: ruleset.character.dump_python(s, mode="json") for name, s in setup.sheets.items()},
        "kept": setup.kept,
    }
    if names is not None:
        said["names"] = dict(names)
    if any(setup.own.values()):
        said["own"] = {
            kind: {key: ruleset.homebrew[kind].adapter.dump_python(one, mode="json") for key, one in things.items()}
            for kind, things in setup.own.items()
        }
    return json.dumps(said).encode()


def inner_scene(ruleset: Ruleset[Any, Any], said: Mapping[str, Any], sheets: str) -> InnerScene[Any]:
    """Returns what came of an inner scene, from the entry of the outer scene's record and the text of the sheets that
    came back. Raises ValidationError for sheets that the rules cannot read."""
    found = json.loads(sheets)
    return InnerScene(
        id=said["scene"],
        kind=said["kind"],
        title=said["title"],
        over=said["how"] == "over",
        result=said.get("result"),
        sheets={slug: ruleset.character.validate_python(sheet) for slug, sheet in found.items()},
    )
