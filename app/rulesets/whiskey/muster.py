"""Foes by the dozen: a form names templates and counts, a battle wants fighters with names of their own."""

from typing import Any

from app.rulesets.whiskey.declarations import slug
from app.rulesets.whiskey.templates import TEMPLATES

MOST = 60


def muster(given: Any) -> Any:
    """{"muster": {"axe-goblin": {"count": "2", "habit": "nearest"}}} as foes; areas get keys from their names."""
    if not isinstance(given, dict):
        return given
    given = dict(given)
    rows = given.pop("muster", {})
    if isinstance(rows, dict) and rows:
        foes = list(given.get("foes", ()))
        for key, row in rows.items():
            foes += _foes(key, row if isinstance(row, dict) else {})
        given["foes"] = _guarding(foes)
    if isinstance(given.get("areas"), list):
        named = [row for row in given["areas"] if isinstance(row, dict) and str(row.get("name", "")).strip()]
        given["areas"] = [{**row, "key": row.get("key") or slug(str(row["name"]))} for row in named]
    return given


def _foes(key: str, row: dict[str, Any]) -> list[dict[str, Any]]:
    count = str(row.get("count", "")).strip() or "0"
    if key not in TEMPLATES:
        raise ValueError("There is no foe of that kind.")
    if not count.isdecimal() or int(count[:9]) > MOST:
        raise ValueError(f"{TEMPLATES[key].name}: say how many, between 0 and {MOST}.")
    made = []
    for number in range(1, int(count) + 1):
        name = TEMPLATES[key].name + (f" {number}" if int(count) > 1 else "")
        more = {name: row[name] for name in ("habit", "hidden", "shown", "guards") if row.get(name)}
        made.append({**TEMPLATES[key].model_dump(mode="json"), **more, "key": slug(name), "name": name})
    return made


def _guarding(foes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Whoever guards a kind of foe guards the first of that kind."""
    for foe in foes:
        kind = foe.get("guards", "")
        if kind in TEMPLATES:
            first = [f["key"] for f in foes if f["name"].startswith(TEMPLATES[kind].name) and f is not foe]
            foe["guards"] = first[0] if first else ""
            foe["habit"] = "guard" if first else foe.get("habit", "nearest")
    return foes
