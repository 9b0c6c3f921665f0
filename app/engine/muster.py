"""Combatants besides the characters: foes in groups, and the usual side of each character."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from app.engine.ruleset import GM, Brief
from app.engine.unused_names import newcomers_name

S = TypeVar("S", bound=str)


MOST_IN_NAME = 50  # letters; a number may follow
MOST_GROUPS = 100  # in a form


@dataclass(frozen=True, slots=True)
class Group:
    """A group of foes in an opening form, with a suffix for each of its foes: "" for the only one, else " 1", " 2", …

    `keys` counts through all groups of that kind, `names` has the full names, counted through all groups of that name;
    a kind without a name of its own leaves them empty.
    """

    kind: str
    row: Mapping[str, str]
    keys: tuple[str, ...]
    names: tuple[str, ...]


def groups(given: object) -> list[dict[str, str]]:
    """Returns the typed groups of an opening form, each with its "kind".

    A form sends {"muster": [{"kind": "troll", "count": "2"}]}; {"muster": {"troll": {"count": "2"}}} means the same.
    """
    typed = given.get("muster") if isinstance(given, dict) else None
    if isinstance(typed, dict):
        typed = [{"kind": kind, **(row if isinstance(row, dict) else {})} for kind, row in typed.items()]
    rows = [row for row in typed if isinstance(row, dict)] if isinstance(typed, list) else []
    return [{name: text for name, text in row.items() if isinstance(text, str)} for row in rows]


def with_muster(
    given: Any, name_of: Callable[[str], str], several: Callable[[Group], list[dict[str, Any]]], most: int
) -> Any:
    """Turns the groups of an opening form into foes behind the others, `most` in a group; `several` makes a group's.

    `name_of` returns the name of a kind, and raises ValueError, in words, for a kind that does not exist. A wrong count
    or too long a name raises ValueError, too.
    """
    if not isinstance(given, dict) or not isinstance(given.get("muster"), (dict, list)):
        return given
    rows = groups(given)
    kinds = [row.get("kind", "") for row in rows]
    names = [_name(row) or name_of(kind) for row, kind in zip(rows, kinds, strict=True)]
    for name in names:
        _not_too_long(name)
    counts = [_count(row, name or "Your own foes", most) for row, name in zip(rows, names, strict=True)]
    foes = list(given.get("foes", ()))
    parts = zip(rows, kinds, names, _suffixes(kinds, rows, counts), _suffixes(names, rows, counts), strict=True)
    for row, kind, name, by_kind, by_name in parts:
        foes += several(Group(kind, row, by_kind, tuple(name and name + behind for behind in by_name)))
    return {**{k: v for k, v in given.items() if k != "muster"}, "foes": foes}


@dataclass(frozen=True, slots=True)
class Newcomers:
    """A group of foes that comes in mid-scene; `name` is "" without a name of its own."""

    kind: str
    name: str
    count: int
    row: Mapping[str, str]

    @property
    def hidden(self) -> bool:
        return bool(self.row.get("hidden"))

    def names(self, usual: str, taken: Collection[str]) -> list[str]:
        """The name of each: the next numbers, or letters for hidden foes."""
        used, made = set(taken), list[str]()
        for _ in range(self.count):
            new = newcomers_name(self.name or usual, used, hidden=self.hidden)
            used.add(new)
            made.append(new)
        return made


def newcomers(rows: Iterable[Mapping[str, str]], kinds: Mapping[str, Any], most: int) -> list[Newcomers]:
    """Reads the groups of a picker in mid-scene; raises ValueError, in words, for what it does not offer."""
    found = []
    for row in rows:
        kind, name = row.get("kind", ""), _name(row)
        if kind not in kinds:
            raise ValueError("There is no foe of that kind.")
        _not_too_long(name)
        found.append(Newcomers(kind, name, _count(row, name or kinds[kind].name, most), row))
    if not sum(one.count for one in found):
        raise ValueError("Choose who comes in.")
    return found


def called(rows: list[dict[str, str]], kinds: Mapping[str, Any]) -> list[str]:
    """Returns what the foes of each group will be called: "Troll", "Troll 1–3"; "" if the count is not a number.

    `kinds` has what is called `name` by kind.
    """
    counts = [int(row["count"]) if re.fullmatch("[0-9]{1,4}", row.get("count", "")) else 0 for row in rows]
    own = [_name(row) or getattr(kinds.get(row.get("kind", "")), "name", "") for row in rows]
    said = []
    for name, there in zip(own, _suffixes(own, rows, counts), strict=True):
        last = f"–{there[-1].strip()}" if len(there) > 1 else ""
        said.append(name + there[0] + last if there else "")
    return said


def regrouped(rows: list[dict[str, str]], press: str) -> list[dict[str, str]]:
    """Returns the groups after a press of "add KIND", "copy NUMBER" or "remove NUMBER".

    A kind that is there already gets one more foe, in its last group. Anything else changes nothing; groups beyond
    `MOST_GROUPS` are left out.
    """
    return _regrouped(rows[:MOST_GROUPS], press)[:MOST_GROUPS]


def _regrouped(rows: list[dict[str, str]], press: str) -> list[dict[str, str]]:
    what, _, which = press.partition(" ")
    if what == "add" and which:
        there = [n for n, row in enumerate(rows) if row.get("kind") == which and row.get("count", "").isdecimal()]
        if not there:
            return [*rows, {"kind": which, "count": "1"}]
        last = rows[there[-1]]
        more = {**last, "count": str(int(last["count"][:4]) + 1)}
        return [more if n == there[-1] else row for n, row in enumerate(rows)]
    number = int(which) if which.isdecimal() and len(which) < 4 else len(rows)
    if what == "copy":
        return [*rows[: number + 1], *rows[number:]] if number < len(rows) else rows
    return [row for n, row in enumerate(rows) if n != number or what != "remove"]


def _name(row: Mapping[str, str]) -> str:
    return " ".join(row.get("name", "").split())


def _not_too_long(name: str) -> None:
    if len(name) > MOST_IN_NAME:
        raise ValueError(f"“{name[:20]}…” is too long: a name has at most {MOST_IN_NAME} characters.")


def _count(row: Mapping[str, str], name: str, most: int) -> int:
    count = row.get("count", "").strip() or "0"
    if not count.isdecimal() or len(count) > 9 or int(count) > most:
        raise ValueError(f"{name}: enter how many, from 0 to {most}.")
    return int(count)


def _suffixes(labels: list[str], rows: list[dict[str, str]], counts: list[int]) -> list[tuple[str, ...]]:
    """The suffixes of each group's foes, counted through all groups with the same label.

    Hidden foes come last and do not count for the others, so that no number of a known foe tells of them.
    """
    totals: Counter[tuple[str, bool]] = Counter()
    hidden = [bool(row.get("hidden")) for row in rows]
    for label, unseen, count in zip(labels, hidden, counts, strict=True):
        totals[label, unseen] += count
    so_far = Counter({(label, True): totals[label, False] for label in labels})
    made = []
    for label, unseen, count in zip(labels, hidden, counts, strict=True):
        first = so_far[label, unseen] + 1
        so_far[label, unseen] += count
        many = totals[label, False] + (totals[label, True] if unseen else 0) > 1
        made.append(tuple(f" {n}" if many else "" for n in range(first, first + count)))
    return made


def keys_once(keys: Iterable[str], people: str) -> None:
    """Raises ValueError if a key occurs twice; `people` is the plural of what has keys: "foes", "areas"."""
    twice = sorted(key for key, times in Counter(keys).items() if times > 1)
    if twice:
        raise ValueError(f"Two {people} are called {twice[0]!r}. Give each a different name.")


def usual_sides(brief: Brief, ours: S, theirs: S, *, foes: bool) -> dict[str, S]:
    """Sides by character: players against the GM's if there are no foes; without a GM's character, first seat against
    rest.
    """
    seats = [(seat, key) for seat, keys in brief.seats.items() for key in keys]
    alone = not foes and all(seat != GM for seat, _ in seats)
    return {
        key: theirs if (alone and seat != seats[0][0]) or (not foes and seat == GM) else ours for seat, key in seats
    }
