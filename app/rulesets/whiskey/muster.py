"""Foes in groups: turns a form's templates and counts into fighters with unique names."""

from typing import Any

from app.engine.muster import Group, with_muster
from app.rulesets.whiskey.declarations import slug
from app.rulesets.whiskey.templates import TEMPLATES

MOST = 60


def muster(given: Any) -> Any:
    """Turns {"muster": [{"kind": "axe-goblin", "count": "2"}]} into foes; areas get keys from names."""
    if not isinstance(given, dict):
        return given
    made = with_muster(given, _name, _foes, MOST)
    if made is not given:
        made["foes"] = _guarding(made["foes"])
    made = dict(made)
    if isinstance(given.get("areas"), list):
        named = [row for row in given["areas"] if isinstance(row, dict) and str(row.get("name", "")).strip()]
        made["areas"] = [{**row, "key": row.get("key") or slug(str(row["name"]))} for row in named]
    return made


def _name(kind: str) -> str:
    if kind not in TEMPLATES:
        raise ValueError("There is no foe of that kind.")
    return TEMPLATES[kind].name


def _foes(group: Group) -> list[dict[str, Any]]:
    sheet = TEMPLATES[group.kind]
    more = {name: group.row[name] for name in ("habit", "hidden", "shown", "guards") if group.row.get(name)}
    return [
        {**sheet.model_dump(mode="json"), **more, "key": slug(sheet.name + behind), "name": name}
        for behind, name in zip(group.keys, group.names, strict=True)
    ]


def _guarding(foes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A foe who guards a kind of foe guards the first of that kind."""
    for foe in foes:
        kind = foe.get("guards", "")
        if kind in TEMPLATES:
            keys = (slug(TEMPLATES[kind].name), slug(f"{TEMPLATES[kind].name} 1"))
            first = [f["key"] for f in foes if f["key"] in keys and f is not foe]
            foe["guards"] = first[0] if first else ""
            foe["habit"] = "guard" if first else foe.get("habit", "nearest")
    return foes
