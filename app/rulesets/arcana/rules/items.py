"""Carried items: the book's draughts, and things of any other name that no rule mentions (ARC-171)."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from app.rulesets.arcana.rules.book import ARMOUR, WEAPONS

DRAUGHTS: Mapping[str, str] = {
    "healing_draught": "Healing draught",
    "spirit_draught": "Spirit draught",
    "antidote": "Antidote",
}
"""The items that can be drunk (ARC-171)."""

OTHERS = "other_things"
"""In a trade, accepts everything that is neither draught nor weapon (ARC-28)."""

LONGEST, MOST, KINDS = 60, 99, 60
BOOKED = re.compile(r"[a-z][a-z0-9_]*")
"""An id of the book. Other things go by their written name with an initial capital, so the two never collide."""


def is_named(key: str) -> bool:
    """Whether it is an item the book does not have, carried under its written name."""
    return bool(key) and BOOKED.fullmatch(key) is None


def named(text: str) -> str:
    """Returns the key of an item: a draught's id, else its name on one line with an initial capital."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    for key, name in DRAUGHTS.items():
        if plain.casefold() in (key, name.casefold()):
            return key
    return plain[:1].upper() + plain[1:]


def counted(given: object) -> object:
    """Reads a form's table of counts. An empty count is none of a draught and one of anything else; 0 is none."""
    if not isinstance(given, Mapping):
        return given
    made = {key: _one_at_least(str(key), count) for key, count in given.items()}
    return {key: count for key, count in made.items() if count not in ("", None, 0, "0")}


def _one_at_least(key: str, count: object) -> object:
    return 1 if count in ("", None) and named(key) not in DRAUGHTS else count


Count = Annotated[int, Field(ge=0, le=MOST)]
Carried = Annotated[dict[str, Count], BeforeValidator(counted), Field(json_schema_extra={"x-adds": True})]


def misnamed(given: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yields each item that cannot be carried: the name as written, and the reason."""
    sums: dict[str, int] = {}
    for text, count in given.items():
        key = _same(sums, text)
        sums[key] = sums.get(key, 0) + count
        if words := _wrong_with(text, key):
            yield text, words
        elif sums[key] > MOST:
            yield text, f"At most {MOST} of one thing; these are {sums[key]}."
    if len(sums) > KINDS:
        yield [*given][-1], f"At most {KINDS} different things; these are {len(sums)}."


def _wrong_with(text: str, key: str) -> str:
    if bad := next((one for one in text if unicodedata.category(one) in ("Cc", "Cs")), ""):
        return f"It contains a character that is not allowed here (U+{ord(bad):04X}). Remove it."
    if not any(unicodedata.category(one)[0] in "LNPS" for one in key):
        return "It needs at least one visible letter."
    if len(key) > LONGEST:
        return f"A name can have at most {LONGEST} characters; this has {len(key)}."
    found = _of_the_book(key, WEAPONS), _of_the_book(key, ARMOUR)
    if any(found):
        return f"{found[0] or found[1]} is in the book: tick it among {'weapons' if found[0] else 'what is worn'}."
    return ""


def _of_the_book(key: str, rows: Mapping[str, object]) -> str:
    names = {key: str(getattr(row, "name", key)) for key, row in rows.items()}
    return next((name for row, name in names.items() if key.casefold() in (row, name.casefold())), "")


def _same(known: Iterable[str], text: str) -> str:
    """Returns the known name that differs only in case, else `named(text)`."""
    key = named(text)
    return next((one for one in known if one.casefold() == key.casefold()), key)


def merged(given: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts with the same item's entries added up."""
    found: dict[str, int] = {}
    for text, count in given.items():
        key = _same(found, text)
        found[key] = found.get(key, 0) + count
    return found
