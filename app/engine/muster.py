"""Combatants besides the characters: foes in groups, and the usual side of each character."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from app.engine.ruleset import GM, Brief

S = TypeVar("S", bound=str)


def with_muster(given: Any, several: Callable[[str, Mapping[str, Any]], list[dict[str, Any]]]) -> Any:
    """Turns a form's {"muster": {"troll": {"count": "2"}}} into foes behind the others; `several` makes each row's."""
    if not isinstance(given, dict) or not isinstance(given.get("muster"), dict):
        return given
    foes = list(given.get("foes", ()))
    for kind, row in given["muster"].items():
        foes += several(kind, row if isinstance(row, dict) else {})
    return {**{k: v for k, v in given.items() if k != "muster"}, "foes": foes}


def numbers(row: Mapping[str, Any], name: str, most: int) -> list[str]:
    """The suffixes to a row's foe names: "" for a single foe, else " 1", " 2", …

    Raises ValueError, in words, if the row's count is not a number from 0 to `most`.
    """
    count = str(row.get("count", "")).strip() or "0"
    if not count.isdecimal() or len(count) > 9 or int(count) > most:
        raise ValueError(f"{name}: enter how many, from 0 to {most}.")
    return [f" {number}" if int(count) > 1 else "" for number in range(1, int(count) + 1)]


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
