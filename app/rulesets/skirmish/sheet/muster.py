"""The opening form: groups of foes, the sketch of the field, and who begins where."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from app.engine.muster import Group, with_muster
from app.engine.refusal import refusal
from app.engine.ruleset import OWN, Homebrew
from app.rulesets.skirmish.sheet.fields import FIELDS
from app.rulesets.skirmish.sheet.foe_templates import TEMPLATES, FoeKind
from app.rulesets.skirmish.sheet.refusals import refusal_at
from app.rulesets.skirmish.sheet.sheets import Foe
from app.rulesets.skirmish.sheet.sketch import key_of, parse

MOST = 60
CHOSEN = ("zone", "group", "hidden", "shown", "habit")


def muster(given: Any) -> Any:
    """Reads a form: groups of foes, `sketch` or `field` as zones, and names of zones as their keys.

    Raises ValidationError at "sketch", "start", "foes_start" or "foes", in words.
    """
    if not isinstance(given, dict):
        return given
    made = dict(with_muster(given, _name, _foes, MOST))
    sketch = _sketch(made)
    if sketch:
        try:
            made["zones"] = [zone.model_dump(mode="json") for zone in parse(sketch)]
        except ValueError as wrong:
            raise refusal_at({"sketch": str(wrong)}) from None
    elif isinstance(made.get("zones"), list):
        made["zones"] = _keyed(made["zones"])
    if isinstance(made.get("zones"), list):
        _placed(made)
    return made


def _sketch(made: dict[str, Any]) -> str:
    """Takes the sketch out of a form, or the one of its ready-made field, with the starts that form does not name."""
    sketch, ready = made.pop("sketch", ""), FIELDS.get(str(made.get("field", "")))
    if ready is None or made.get("zones"):
        return sketch if isinstance(sketch, str) else ""
    for end in ("start", "foes_start"):
        made[end] = made.get(end) or getattr(ready, end)
    return ready.sketch


def _keyed(rows: Sequence[Any]) -> list[Any]:
    """Rows of zones with keys from their names, and links to names as links to keys."""
    named = [row for row in rows if not isinstance(row, dict) or str(row.get("name", "")).strip()]
    keyed: list[Any] = []
    for row in named:
        taken = [one["key"] for one in keyed if isinstance(one, dict)]
        keyed.append(
            {**row, "key": row.get("key") or key_of(str(row["name"]), taken)} if isinstance(row, dict) else row
        )
    keys = zone_keys(keyed)
    for row in keyed:
        if isinstance(row, dict) and isinstance(row.get("links"), (list, tuple)):
            row["links"] = [
                {**link, "to": keys.get(str(link.get("to", "")).casefold(), link.get("to"))}
                if isinstance(link, dict) else link
                for link in row["links"]
            ]  # fmt: skip
    return keyed


def _placed(made: dict[str, Any]) -> None:
    """Turns the names of zones where somebody begins into their keys."""
    keys, names = zone_keys(made["zones"]), [str(one["name"]) for one in made["zones"] if isinstance(one, dict)]
    known = f"There is: {', '.join(names)}." if names else "The field has no zones; leave this empty."
    faults: dict[str, str] = {}

    def key(text: object, at: str, who: str = "") -> str:
        wanted = " ".join(str(text or "").split())
        if wanted and wanted.casefold() not in keys:
            faults[at] = f"{who}There is no zone called “{wanted[:40]}”. {known}"
        return keys.get(wanted.casefold(), "")

    for end in ("start", "foes_start"):
        made[end] = key(made.get(end), end)
    if isinstance(made.get("foes"), (list, tuple)):
        made["foes"] = [
            {**foe, "zone": key(foe["zone"], "foes", f"{foe.get('name', 'A foe')}: ")}
            if isinstance(foe, dict) and foe.get("zone") else foe
            for foe in made["foes"]
        ]  # fmt: skip
    if faults:
        raise refusal_at(faults)


def zone_keys(zones: Sequence[Any]) -> dict[str, str]:
    """Keys of zones by their names, and by themselves, in small letters."""
    rows = [row for row in zones if isinstance(row, dict) and row.get("key")]
    by_name = {" ".join(str(row.get("name", "")).split()).casefold(): str(row["key"]) for row in rows}
    return by_name | {str(row["key"]).casefold(): str(row["key"]) for row in rows}


def _name(kind: str) -> str:
    if kind not in TEMPLATES and not kind.startswith(OWN):
        raise ValueError("There is no foe of that kind.")
    return TEMPLATES[kind].name if kind in TEMPLATES else ""


def _foes(group: Group) -> list[dict[str, Any]]:
    """The foes of one group. Of the campaign's own kinds only the kind is known here; `whole` adds the rest."""
    more: dict[str, Any] = {name: group.row[name] for name in CHOSEN if group.row.get(name)}
    kind = TEMPLATES.get(group.kind)
    made: list[dict[str, Any]] = []
    for number, (behind, typed) in enumerate(zip(group.keys, group.names, strict=True)):
        name = typed or spoken(group.kind) + behind
        key = slug(spoken(group.kind) + behind)
        leads = bool(group.row.get("leader")) and number == 0
        if kind is None:
            own = {"kind": group.kind, "group": spoken(group.kind), "key": key, "name": name}
            made.append({**own, **more, **({"leader": True} if leads else {})})
            continue
        foe = kind.foe(key, name, leader=leads or (kind.leader and number == 0), **more)
        made.append(foe.model_dump(mode="json"))
    return made


def whole(foe: Foe, own: Homebrew) -> Foe:
    """The foe with the numbers of its kind if that is one of the campaign's own.

    Raises ValidationError, in words, where the campaign has no such kind any more.
    """
    if not foe.kind.startswith(OWN):
        return foe
    kind = own.get("foes", {}).get(foe.kind)
    if not isinstance(kind, FoeKind):
        raise refusal(f"There is no foe “{spoken(foe.kind)}” among your own. Remove it, or make it again.")
    guessed = spoken(foe.kind)
    name = kind.name + foe.name.removeprefix(guessed) if foe.name.startswith(guessed) else foe.name
    said = foe.model_dump(include={"side", "zone", "hidden", "shown", "habit"}, exclude_defaults=True)
    group = foe.group if foe.group not in ("", guessed) else kind.name
    try:
        return kind.foe(foe.key, name[:60], **said, group=group, leader=foe.leader or kind.leader)
    except ValidationError:
        raise refusal(f"Your own foe “{kind.name}” no longer fits the rules. Open it and save it again.") from None


def spoken(kind: str) -> str:
    """The id of a kind as a name: "own_marsh_troll" is "Marsh troll"."""
    return kind.removeprefix(OWN).replace("_", " ").capitalize()


def slug(name: str) -> str:
    """A key from a name: "Goblin mob 2" is "goblin-mob-2"."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60] or "foe"
