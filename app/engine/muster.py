"""Who comes to a fight besides the characters: foes by the dozen, and the side on which each character stands."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from app.engine.ruleset import GM, Brief

S = TypeVar("S", bound=str)


def with_muster(given: Any, several: Callable[[str, Mapping[str, Any]], list[dict[str, Any]]]) -> Any:
    """A form's {"muster": {"troll": {"count": "2"}}} as foes behind the others; `several` makes those of one row."""
    if not isinstance(given, dict) or not isinstance(given.get("muster"), dict):
        return given
    foes = list(given.get("foes", ()))
    for kind, row in given["muster"].items():
        foes += several(kind, row if isinstance(row, dict) else {})
    return {**{k: v for k, v in given.items() if k != "muster"}, "foes": foes}


def numbers(row: Mapping[str, Any], name: str, most: int) -> list[str]:
    """What each foe of a row has behind its name: nothing if it is the only one, else " 1", " 2", …

    ValueError says where the row's count is none.
    """
    count = str(row.get("count", "")).strip() or "0"
    if not count.isdecimal() or len(count) > 9 or int(count) > most:
        raise ValueError(f"{name}: say how many, between 0 and {most}.")
    return [f" {number}" if int(count) > 1 else "" for number in range(1, int(count) + 1)]


def keys_once(keys: Iterable[str], people: str) -> None:
    """Raises ValueError if a key is there twice; `people` says what has keys: "foes", "areas"."""
    twice = sorted(key for key, times in Counter(keys).items() if times > 1)
    if twice:
        raise ValueError(f"Two {people} are called {twice[0]!r}. Give each a name of its own.")


def usual_sides(brief: Brief, ours: S, theirs: S, *, foes: bool) -> dict[str, S]:
    """By character: players on one side and, without foes, the GM's on the other; alone, first seat against rest."""
    seats = [(seat, key) for seat, keys in brief.seats.items() for key in keys]
    alone = not foes and all(seat != GM for seat, _ in seats)
    return {
        key: theirs if (alone and seat != seats[0][0]) or (not foes and seat == GM) else ours for seat, key in seats
    }
