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
    gain: str = ""  # what the schema says of more at this place, with `{within}` and `{now}`

    @property
    def in_words(self) -> str:
        """The change for the end of a scene: "wounded: torso", "has Dagger, in the pack", "HP now 5, was 6"."""
        if self.gained and self.gain:
            more = self.gain.format(within="", now=", ".join(self.gained))
            return f"{more}; no longer {', '.join(self.lost)}" if self.lost else more
        if self.gained or self.lost:
            words = ("gained", self.gained), ("lost", self.lost)
            return f"{self.label}: " + "; ".join(f"{verb} {', '.join(some)}" for verb, some in words if some)
        if self.rewritten:
            return f"{self.label} rewritten"
        return self._of_one_value()

    def _of_one_value(self) -> str:
        if self.gain and _is_more(self.was, self.now):
            within = self.label.split(", ")[-2] if ", " in self.label else ""
            return self.gain.format(within=within, now=self.now)
        if {self.was, self.now} == {"yes", "no"}:
            return self.label if self.now == "yes" else f"no longer {self.label[:1].lower()}{self.label[1:]}"
        now = "none" if self.now == NOTHING else self.now
        after = "" if self.was == NOTHING else f", was {self.was}"
        return f"{self.label}{'' if self.label.endswith(' now') else ':'} {now}{after}"


def _is_more(was: str, now: str) -> bool:
    if was.isdecimal() and now.isdecimal():
        return int(now) > int(was)
    return was in ("no", NOTHING) and now not in ("no", NOTHING)


def change_lines(form: SheetForm, changes: Changes) -> list[Change]:
    """The lines for a set of changes, in the order of the changes."""
    found: list[Change] = []
    for path, (old, new) in changes.items():
        if not form.is_quiet(path.split(".")):
            found += _lines(form, path.split("."), old, new)
    return [one for one in found if one.rewritten or one.gained or one.lost or one.was != one.now]


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
    return [Change(label, minus(was) or NOTHING, minus(now) or NOTHING, gain=form.gain_of(path))]


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
        came, went = _minus(new, old), _minus(old, new)
        for now in [one for one in came if isinstance(one, Mapping)]:
            was = next((one for one in went if isinstance(one, Mapping) and _same_thing(one, now)), None)
            if was is not None:
                came.remove(now)
                went.remove(was)
                lines += _moved(form, path, was, now)
        gained, lost = (tuple(form.words_of([*path, "0"], one) for one in some) for some in (came, went))
    if gained or lost:
        lines.append(Change(label, gained=gained, lost=lost, gain=form.gain_of(path)))
    return lines or ([Change(label, rewritten=True)] if old and new else [])  # only the order has changed


def _same_thing(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two items are one thing that changed: their first fields, which say what they are, are equal."""
    return next(iter(one.items()), None) == next(iter(other.items()), None)


def _moved(form: SheetForm, path: list[str], was: Mapping[str, Any], now: Mapping[str, Any]) -> list[Change]:
    """The fields of one thing that changed: "Gear, Greataxe", from "main hand" to "in the pack"."""
    first = next(iter(now))
    inner = [*path, "0"]
    thing = form.words_of([*inner, first], now[first])
    label = f"{form.label_of(path)}, {thing}"
    parts = [form.words_of(inner, {key: value for key, value in one.items() if key != first}) for one in (was, now)]
    if max(map(len, parts)) > LONG:
        return [Change(label, rewritten=True)]
    return [Change(label, parts[0] or NOTHING, parts[1] or NOTHING)]


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
