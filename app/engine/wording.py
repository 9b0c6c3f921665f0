"""Titles of steps and calls of asks as people read them today.

What a step stores is hashed and signed. Older kinds of scenes store titles and calls with it, so these stay as they
were first written, and `SceneKind.words` has better ones. A kind with `titles` and `calls` stores none: they are drawn
from the step's key and the ask's kind, and no name that a person typed is in them.
"""

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.engine.steps import first_word, round_of

if TYPE_CHECKING:
    from app.engine.ruleset import SceneKind

_NUMBER = re.compile("[0-9]+")
_PART = re.compile(r"<[a-z]+>")


def title_of(kind: "SceneKind[Any, Any, Any, Any, Any, Any]", key: str, stored: str) -> str:
    """Returns the title of a step. `<n>` in one of the kind's titles is the number of the step's round."""
    if stored:
        return in_words(kind.words, stored)
    number = "".join(_NUMBER.findall(round_of(key))[-1:])
    return kind.titles.get(first_word(key), "").replace("<n>", number)


def call_of(kind: "SceneKind[Any, Any, Any, Any, Any, Any]", ask: str, stored: str, seat: str) -> str:
    """Returns the call of an ask of that kind. `<seat>` in one of the kind's calls is the name of the seat."""
    return in_words(kind.words, stored) if stored else kind.calls.get(ask, "Decide").replace("<seat>", the_seat(seat))


def the_seat(name: str) -> str:
    """Returns the name of a seat as it stands in a sentence: "the GM"."""
    return "the GM" if name == "GM" else name


def in_words(words: Mapping[str, str], stored: str) -> str:
    """Returns what people read for a stored text: what `words` has for it, else the text itself.

    A `<name>` in a key stands for any text, which the same `<name>` in the value repeats.
    """
    if not words:
        return stored
    return _read(tuple(words.items()), stored)


@functools.lru_cache(maxsize=2000)
def _read(words: tuple[tuple[str, str], ...], stored: str) -> str:
    for key, shown in words:
        if found := _pattern(key).fullmatch(stored):
            return _PART.sub(lambda part: found[part[0][1:-1]], shown)
    return stored


@functools.lru_cache(maxsize=200)
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(_PART.sub(lambda part: f"(?P{part[0]}.+)", re.escape(key)), re.DOTALL)
