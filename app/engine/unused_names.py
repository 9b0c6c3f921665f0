"""Unique names and keys for newcomers."""

from collections.abc import Callable, Collection
from itertools import count, product
from string import ascii_uppercase

MOST = 60  # letters of a name


def unused_name(name: str, taken: Collection[str], gap: str = " ") -> str:
    """The name itself, or shortened so that `gap` and the first free number from 2 fit into 60 letters."""
    return unused(name, taken, lambda number: f"{name[: MOST - len(gap) - len(str(number))]}{gap}{number}")


def free_key(taken: Collection[str], key: str) -> str:
    """The key itself, or with a dash and the first free number, as `unused_name` makes it."""
    return unused_name(key, taken, "-")


def unused(name: str, taken: Collection[str], numbered: Callable[[int], str]) -> str:
    """The name itself, or the first of `numbered(2)`, `numbered(3)`, … that is not taken."""
    return name if name not in taken else next(new for new in map(numbered, count(2)) if new not in taken)


def next_name(name: str, taken: Collection[str]) -> str:
    """The name itself, or with the number after the highest one taken: "Wolf 3" after "Wolf 1" and "Wolf 2", or after
    "Wolf" and "Wolf 2"."""
    numbers = [int(rest) for one in taken if (rest := one.removeprefix(f"{name} ")) != one and rest.isdecimal()]
    if not numbers and name not in taken:
        return name
    number = str(max([1, *numbers]) + 1)
    return unused_name(f"{name[: MOST - 1 - len(number)]} {number}", taken)


def lettered_name(name: str, taken: Collection[str]) -> str:
    """The name with the first letter that is not taken: "Wolf A". For newcomers whom nobody sees: the number of a later
    one that is seen does not tell of them."""
    letters = ("".join(some) for many in count(1) for some in product(ascii_uppercase, repeat=many))
    return next(new for some in letters if (new := f"{name[: MOST - 1 - len(some)]} {some}") not in taken)


def newcomers_name(name: str, taken: Collection[str], *, hidden: bool) -> str:
    """The next number for one who is seen, a letter for one who is hidden."""
    return (lettered_name if hidden else next_name)(name, taken)


def unnumbered(name: str, gap: str = " ") -> str:
    """The name without a number, or a single letter, behind its last `gap`: what others of its kind are called."""
    stem, _, last = name.rpartition(gap)
    return stem if stem and (last.isdecimal() or (len(last) == 1 and last.isalpha())) else name
