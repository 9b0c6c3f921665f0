"""Reads the parts of a sheet's form: text, JSON, the rows of a list."""

import json
from typing import Any, NoReturn

from app.engine.ruleset import Faults

MOST_PROSE = 20_000


def tidied(raw: Any, tidy: Any, most: int, name: str, faults: Faults) -> str:
    """The text as it will be stored; if it cannot be stored, the text as typed, and a fault."""
    if not isinstance(raw, str):
        return ""
    try:
        text: str = tidy(raw)
    except ValueError as wrong:
        faults.setdefault(name, str(wrong))
        return raw
    if len(text) > most:
        faults.setdefault(name, f"At most {most:,} characters; this has {len(text):,}.")
    return text


def parsed(raw: Any, name: str, faults: Faults) -> Any:
    """The typed JSON as a value; if it is invalid, the text as typed, and a fault."""
    if not isinstance(raw, str) or not raw.strip():
        return None
    try:
        return json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        faults.setdefault(name, "This is not JSON. Compare it with the previous text.")
        return raw


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def added(*typed: str) -> str:
    """The sum of the amounts typed for a repeated entry, 1 for an empty one; a text that is no number is returned."""
    wrong = (one for one in typed if one and not (one.isdecimal() and len(one) < 10))
    return next(wrong, "") or str(sum(int(one or 1) for one in typed))


def numbered(raw: Any) -> list[Any]:
    """The items of a list ordered by the numbers in their names, without gaps."""
    if not isinstance(raw, dict):
        return []
    numbered = [(int(key), one) for key, one in raw.items() if key.isascii() and key.isdecimal() and len(key) < 7]
    return [one for _, one in sorted(numbered, key=lambda pair: pair[0])]


def blank(raw: Any) -> bool:
    """Whether a row has no typed text."""
    if isinstance(raw, dict):
        return all(blank(one) for one in raw.values())
    return not raw or (isinstance(raw, str) and not raw.strip())
