"""Stored sentences as people read them today.

The titles of steps and the calls of asks are hashed and signed, so they stay as they were first written.
"""

import functools
import re
from collections.abc import Mapping

_PART = re.compile(r"<[a-z]+>")


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
