"""What becomes of each field of a format: declared once, checked against every file, told to people, put into docs.

A path is like "calendar.months[].name": "[]" stands for each of a list, "*" for any key. A declared field stands for
everything in it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from app.calendar.imports.plain_text import printable
from app.calendar.imports.reading import Losses

EMPTY = (None, "", "0", 0, False)
"""Values that say nothing, in any field; so do empty lists and objects."""

MARKS = "marks of the program"
HOUR = "The hour of the date: a date has none in Signet."
SUN = "Sunrise and sunset."

MOST_KEY = 60  # characters of a key that are shown
UNKNOWN = "Fields that Signet does not know."


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields of one object, and what becomes of them.

    `words`: of "changed", how, which the importer itself tells where it matters; of "not needed", why; of "left out",
    the sentence that people read. `usual`: values of these fields that say nothing, besides the empty ones.
    """

    at: str  # the object's path; "" the outermost
    names: str  # separated by spaces
    fate: Literal["imported", "changed", "not needed", "left out"] = "imported"
    words: str = ""
    usual: tuple[object, ...] = ()

    @property
    def said(self) -> str:
        """What becomes of them, in a sentence for docs."""
        match self.fate:
            case "imported":
                return "imported"
            case "changed":
                return f"read: {self.words}"
            case "not needed":
                return f"not needed: {self.words}"
        return f"left out, as the preview says: “{self.words}”"


@dataclass(slots=True)
class _Node:
    inner: dict[str, "_Node"] = field(default_factory=dict)
    row: Fields | None = None

    def below(self, key: str) -> "_Node | None":
        return self.inner.get(key) or (self.inner.get("*") if key != "[]" else None)


@dataclass(frozen=True)
class Format:
    """A format's declaration. Raises ValueError for a field that is declared twice."""

    rows: tuple[Fields, ...]

    @cached_property
    def _tree(self) -> _Node:
        root = _Node()
        for row in self.rows:
            for name in row.names.split():
                node = root
                for key in f"{row.at}.{name}".replace("[]", ".[]").strip(".").split("."):
                    if node.row is not None:
                        break
                    node = node.inner.setdefault(key, _Node())
                if node.row is not None or node.inner:
                    raise ValueError(f"{row.at}.{name} is declared twice")
                node.row = row
        return root

    def tell(self, file: Mapping[str, Any], losses: Losses) -> None:
        """Tells what a file has in fields that are left out, and names those that are not declared."""
        found = dict(_found(file, self._tree, ""))
        for words in dict.fromkeys(row.words for row in found.values() if row and row.fate == "left out"):
            losses.add(words)
        for path, row in found.items():
            if row is None:
                losses.add(UNKNOWN, path)

    def table(self) -> str:
        """The declaration as a table in Markdown, in the order of its rows."""
        lines = ["| Field | What becomes of it |", "|---|---|"]
        for row in self.rows:
            names = ", ".join(f"`{name}`" for name in row.names.split())
            lines.append(f"| {f'`{row.at}`: ' if row.at else ''}{names} | {row.said} |")
        return "\n".join(lines) + "\n"


def _found(value: object, node: _Node | None, path: str) -> Iterator[tuple[str, Fields | None]]:
    """Yields the fields that say something: path and row; None for those that are not declared, which end the way."""
    row = None if node is None else node.row
    if node is None or row is not None:
        if _says(value, () if row is None else row.usual):
            yield path, row
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            shown = printable(key[:MOST_KEY]).replace("\n", " ")
            yield from _found(inner, node.below(key), f"{path}.{shown}" if path else shown)
    elif isinstance(value, list):
        for inner in value:
            yield from _found(inner, node.below("[]"), f"{path}[]")


def _says(value: object, usual: tuple[object, ...]) -> bool:
    """Whether a value, or any in it, is neither empty nor usual."""
    if isinstance(value, Mapping):
        return any(_says(inner, usual) for inner in value.values())
    if isinstance(value, list):
        return any(_says(inner, usual) for inner in value)
    return value not in EMPTY and value not in usual
