"""Unique names and keys for newcomers."""

from collections.abc import Callable, Collection
from itertools import count


def unused(name: str, taken: Collection[str], numbered: Callable[[int], str]) -> str:
    """The name itself, or the first of `numbered(2)`, `numbered(3)`, … that is not taken."""
    return name if name not in taken else next(new for new in map(numbered, count(2)) if new not in taken)
