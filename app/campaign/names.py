"""Names and texts as people type them, and the slugs made from names for URLs."""

import re
import secrets
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, StringConstraints

SLUG_LENGTH = 40
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_TURNERS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # reverse what follows


def line(text: str) -> str:
    """Returns one line as it is stored: NFC, stripped, single spaces. Raises ValueError for forbidden characters."""
    return " ".join(_writable(text, keep="\t\n\r").split())


def prose(text: str) -> str:
    """Returns several lines as they are stored: NFC, line ends as \\n, no trailing blanks. Raises like `line`."""
    rows = _writable(text, keep="\t\n\r").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(row.rstrip() for row in rows).strip("\n")


def slug(name: str, otherwise: str) -> str:
    """Returns a name for URLs and forms: at most 40 lower-case ASCII letters, digits and single dashes.

    A name without any such letter or digit becomes `otherwise` and four random hex digits.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")[:SLUG_LENGTH].strip("-")
    return words or f"{otherwise}-{secrets.token_hex(2)}"


def free(wanted: str, taken: set[str]) -> str:
    """Returns `wanted`, or `wanted` with the first number that makes it unique: alice, alice-2, alice-3."""
    number, result = 1, wanted
    while result in taken:
        number += 1
        end = f"-{number}"
        result = wanted[: SLUG_LENGTH - len(end)].rstrip("-") + end
    return result


def free_name(wanted: str, taken: set[str], most: int = 60) -> str:
    """Returns `wanted`, or `wanted` with the first number that makes it unique: Alice, Alice 2, Alice 3.

    `taken` holds names in lower case.
    """
    number, result = 1, wanted
    while result.lower() in taken:
        number += 1
        end = f" {number}"
        result = wanted[: most - len(end)].rstrip() + end
    return result


def is_slug(text: str) -> bool:
    """Whether this has the form of a slug."""
    return len(text) <= SLUG_LENGTH and _SLUG.fullmatch(text) is not None


def _writable(text: str, keep: str) -> str:
    for letter in text:
        kind = unicodedata.category(letter)
        if (kind == "Cc" and letter not in keep) or kind == "Cs" or letter in _TURNERS:
            raise ValueError(f"It contains a character that is not allowed here (U+{ord(letter):04X}). Take it out.")
    return unicodedata.normalize("NFC", text)


def visible(text: str) -> str:
    """Returns the text itself; raises ValueError where none of its characters is visible."""
    if text and not any(unicodedata.category(letter)[0] in "LNPS" for letter in text):
        raise ValueError("It needs at least one visible character.")
    return text


def _line_of(given: object) -> object:
    return line(given) if isinstance(given, str) else given


def _prose_of(given: object) -> object:
    return prose(given) if isinstance(given, str) else given


Name = Annotated[
    str, StringConstraints(min_length=1, max_length=60), BeforeValidator(_line_of), AfterValidator(visible)
]
"""A person's or character's name: 1 to 60 characters, one line."""

Title = Annotated[
    str, StringConstraints(min_length=1, max_length=100), BeforeValidator(_line_of), AfterValidator(visible)
]
"""A campaign's title: 1 to 100 characters, one line."""

OptionalName = Annotated[str, StringConstraints(max_length=60), BeforeValidator(_line_of), AfterValidator(visible)]
Prose = Annotated[str, StringConstraints(max_length=20_000), BeforeValidator(_prose_of)]
"""A longer text: up to 20,000 characters, several lines."""
