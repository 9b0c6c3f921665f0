"""A scene's setup and steps as text: what the table encrypts is what the receipts hash and open."""

import json
from typing import Any

from pydantic import JsonValue, TypeAdapter

from app.engine.ruleset import Brief, Ruleset, Setup, Step

STEP: TypeAdapter[Step] = TypeAdapter(Step)
BRIEF: TypeAdapter[Brief] = TypeAdapter(Brief)


def read_setup(ruleset: Ruleset[Any, Any], text: str | bytes) -> Setup[Any, Any]:
    raw: dict[str, JsonValue] = json.loads(text)
    brief = BRIEF.validate_python(raw["brief"])
    assert isinstance(raw["sheets"], dict) and isinstance(raw["kept"], dict)
    return Setup(
        brief=brief,
        settings=ruleset.settings.validate_python(raw["settings"]),
        sheets={name: ruleset.character.validate_python(sheet) for name, sheet in raw["sheets"].items()},
        kept=raw["kept"],
    )


def write_setup(ruleset: Ruleset[Any, Any], setup: Setup[Any, Any]) -> bytes:
    return json.dumps(
        {
            "brief": BRIEF.dump_python(setup.brief, mode="json"),
            "settings": ruleset.settings.dump_python(setup.settings, mode="json"),
            "sheets": {name: ruleset.character.dump_python(s, mode="json") for name, s in setup.sheets.items()},
            "kept": setup.kept,
        },
    ).encode()
