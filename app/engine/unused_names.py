"""Unique names and keys for newcomers."""

from collections.abc import Callable, Collection
from itertools import count

MOST = 60  # letters of a name


def unused_name(name: str, taken: Collection[str], gap: str = " ") -> str:
    """The name itself, or shortened so that `gap` and the first free number from 2 fit into 60 letters."""
    return unused(name, taken, lambda number: f"{name[: MOST - len(gap) - len(str(number))]}{gap}{number}")


def unused(name: str, taken: Collection[str], numbered: Callable[[int], str]) -> str:
    """The name itself, or the first of `numbered(2)`, `numbered(3)`, … that is not taken."""
    return name if name not in taken else next(new for new in map(numbered, count(2)) if new not in taken)
