"""What is carried: draughts of the book, and things of any other name, of which no rule says anything (ARC-171)."""

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
"""What is carried to be drunk (ARC-171)."""

OTHERS = "other_things"
"""What somebody accepts in a trade who accepts all that is neither draught nor weapon (ARC-28)."""

LONGEST, MOST, KINDS = 60, 99, 60
BOOKED = re.compile(r"[a-z][a-z0-9_]*")
"""An id of the book. Other things are called as they are written, beginning with a capital, so they are never one."""


def is_named(key: str) -> bool:
    """Whether it is something that the book does not have, carried under its own name."""
    return bool(key) and BOOKED.fullmatch(key) is None


def named(text: str) -> str:
    """What something is carried as: a draught by its id, else its name in one line with a capital; once for each."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    for key, name in DRAUGHTS.items():
        if plain.casefold() in (key, name.casefold()):
            return key
    return plain[:1].upper() + plain[1:]


def counted(given: object) -> object:
    """A table of a form: of the book's things none where nothing stands, of others one; 0 is none of either."""
    if not isinstance(given, Mapping):
        return given
    made = {key: _one_at_least(str(key), count) for key, count in given.items()}
    return {key: count for key, count in made.items() if count not in ("", None, 0, "0")}


def _one_at_least(key: str, count: object) -> object:
    return 1 if count in ("", None) and named(key) not in DRAUGHTS else count


Count = Annotated[int, Field(ge=0, le=MOST)]
Carried = Annotated[dict[str, Count], BeforeValidator(counted), Field(json_schema_extra={"x-adds": True})]


def misnamed(given: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """What cannot be carried like this: the name as it was written, and why."""
    sums: dict[str, int] = {}
    for text, count in given.items():
        key = _same(sums, text)
        sums[key] = sums.get(key, 0) + count
        if words := _wrong_with(text, key):
            yield text, words
        elif sums[key] > MOST:
            yield text, f"{MOST} of one thing at most; these are {sums[key]}."
    if len(sums) > KINDS:
        yield [*given][-1], f"{KINDS} different things at most; these are {len(sums)}."


def _wrong_with(text: str, key: str) -> str:
    if bad := next((one for one in text if unicodedata.category(one) in ("Cc", "Cs")), ""):
        return f"It holds a sign that cannot be written here (U+{ord(bad):04X}). Take it out."
    if not any(unicodedata.category(one)[0] in "LNPS" for one in key):
        return "It needs at least one letter that can be seen."
    if len(key) > LONGEST:
        return f"A name has {LONGEST} characters at most; this has {len(key)}."
    found = _of_the_book(key, WEAPONS), _of_the_book(key, ARMOUR)
    if any(found):
        return f"{found[0] or found[1]} is in the book: tick it among {'weapons' if found[0] else 'what is worn'}."
    return ""


def _of_the_book(key: str, rows: Mapping[str, object]) -> str:
    names = {key: str(getattr(row, "name", key)) for key, row in rows.items()}
    return next((name for row, name in names.items() if key.casefold() in (row, name.casefold())), "")


def _same(known: Iterable[str], text: str) -> str:
    """As it is called already, whatever letters are large."""
    key = named(text)
    return next((one for one in known if one.casefold() == key.casefold()), key)


def merged(given: Mapping[str, int]) -> dict[str, int]:
    """The same thing written twice is counted together."""
    found: dict[str, int] = {}
    for text, count in given.items():
        key = _same(found, text)
        found[key] = found.get(key, 0) + count
    return found
