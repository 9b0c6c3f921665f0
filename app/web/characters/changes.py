"""Changes of a sheet in words, by the labels of the sheet's own schema: "HP now 15 → 8", "Ability cards: gains Fly"."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.campaign.sheets import Changes, differences
from app.web.forms.schema import SheetForm
from app.web.http.templating import minus

LONG = 60
NOTHING = "–"
OWN = {"owner": "Played by", "name": "Name"}
"""Labels of the character's own fields, which are not in the sheet."""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed field. Lists have `gained` and `lost`; long text is only marked as `rewritten`."""

    label: str
    was: str = ""
    now: str = ""
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    rewritten: bool = False


def change_lines(form: SheetForm, changes: Changes) -> list[Change]:
    """The lines for a set of changes, in the order of the changes."""
    found: list[Change] = []
    for path, (old, new) in changes.items():
        if not form.is_quiet(path.split(".")):
            found += _lines(form, path.split("."), old, new)
    return found


def _lines(form: SheetForm, path: list[str], old: Any, new: Any) -> list[Change]:
    if path[0] in OWN and len(path) == 1 and path[0] == "owner":
        return [Change(OWN["owner"], str(old or "the GM"), str(new or "the GM"))]
    label = form.label_of(path)
    if isinstance(old, list) or isinstance(new, list):
        return _list_lines(form, path, label, old or [], new or [])
    if {type(old), type(new)} == {str, dict}:
        inside = differences(_spread(old), _spread(new))
        return [line for key, (was, now) in inside.items() for line in _lines(form, [*path, key], was, now)]
    was, now = form.words_of(path, old), form.words_of(path, new)
    if len(was) > LONG or len(now) > LONG or "\n" in was + now:
        return [Change(label, rewritten=True)]
    return [Change(label, minus(was) or NOTHING, minus(now) or NOTHING)]


def _list_lines(form: SheetForm, path: list[str], label: str, old: list[Any], new: list[Any]) -> list[Change]:
    """The items gained and lost; for items with names, also the changes within those that stayed."""
    lines: list[Change] = []
    rows = any(isinstance(one, Mapping) for one in [*old, *new])
    before, after = (
        _named([{"name": one} if rows and isinstance(one, str) else one for one in was]) for was in (old, new)
    )
    if before is not None and after is not None and (before or after):
        for name in [name for name in before if name in after]:
            for inner, (was, now) in differences(before[name], after[name]).items():
                own = form.label_of([*path, "0", *inner.split(".")])
                for line in _lines(form, [*path, "0", *inner.split(".")], was, now):
                    said = line.label.removeprefix(own) if own != line.label else ""
                    lines.append(
                        Change(
                            f"{label}, {name}: {own.rsplit(', ', 1)[-1]}{said}",
                            line.was,
                            line.now,
                            line.gained,
                            line.lost,
                            line.rewritten,
                        )
                    )
        gained = tuple(name for name in after if name not in before)
        lost = tuple(name for name in before if name not in after)
    else:
        gained = tuple(form.words_of([*path, "0"], one) for one in _minus(new, old))
        lost = tuple(form.words_of([*path, "0"], one) for one in _minus(old, new))
    if gained or lost:
        lines.append(Change(label, gained=gained, lost=lost))
    return lines or [Change(label, rewritten=True)]  # only the order has changed


def _spread(one: Any) -> Any:
    """A thing as a mapping; a bare name, stored if the thing has no other field, becomes its name field."""
    return {"name": one} if isinstance(one, str) else one


def _named(items: list[Any]) -> dict[str, Mapping[str, Any]] | None:
    """Items by their names, if all have names and no two the same; else None."""
    if not all(isinstance(one, Mapping) and isinstance(one.get("name"), str) and one["name"] for one in items):
        return None
    named = {str(one["name"]): one for one in items}
    return named if len(named) == len(items) else None


def _minus(some: list[Any], others: list[Any]) -> list[Any]:
    """The items of `some` left after removing one equal item for each of `others`."""
    left = list(some)
    for one in others:
        if one in left:
            left.remove(one)
    return left
