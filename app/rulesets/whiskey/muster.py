"""Foes in groups: turns a form's templates and counts into fighters with unique names."""

from collections.abc import Mapping
from typing import Any

from app.engine.muster import numbers, with_muster
from app.rulesets.whiskey.declarations import slug
from app.rulesets.whiskey.templates import TEMPLATES

MOST = 60


def muster(given: Any) -> Any:
    """Turns {"muster": {"axe-goblin": {"count": "2", "habit": "nearest"}}} into foes; areas get keys from names."""
    if not isinstance(given, dict):
        return given
    made = dict(given)
    if isinstance(given.get("muster"), dict) and given["muster"]:
        made = with_muster(given, _foes)
        made["foes"] = _guarding(made["foes"])
    if isinstance(given.get("areas"), list):
        named = [row for row in given["areas"] if isinstance(row, dict) and str(row.get("name", "")).strip()]
        made["areas"] = [{**row, "key": row.get("key") or slug(str(row["name"]))} for row in named]
    return made


def _foes(key: str, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    if key not in TEMPLATES:
        raise ValueError("There is no foe of that kind.")
    more = {name: row[name] for name in ("habit", "hidden", "shown", "guards") if row.get(name)}
    names = [TEMPLATES[key].name + behind for behind in numbers(row, TEMPLATES[key].name, MOST)]
    return [{**TEMPLATES[key].model_dump(mode="json"), **more, "key": slug(name), "name": name} for name in names]


def _guarding(foes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A foe who guards a kind of foe guards the first of that kind."""
    for foe in foes:
        kind = foe.get("guards", "")
        if kind in TEMPLATES:
            first = [f["key"] for f in foes if f["name"].startswith(TEMPLATES[kind].name) and f is not foe]
            foe["guards"] = first[0] if first else ""
            foe["habit"] = "guard" if first else foe.get("habit", "nearest")
    return foes
