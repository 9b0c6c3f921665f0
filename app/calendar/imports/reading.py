"""Shared parts of imports: their result, and readers for files that may be made by hand or with bad intent.

Nothing in a file is trusted: texts are cut to the length that a calendar allows, numbers must be in a sane range, lists
have a limit. Errors name their place in the file.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any, Literal

from pydantic import AwareDatetime, ValidationError

from app.calendar.days import Date, NoSuchDay, Reckoning
from app.calendar.repeat import Rule
from app.calendar.shape import Shape

MOST_SIGNS = 1_048_576
"""The most characters (and so at least bytes) of a file: one megabyte."""

MOST_ENTRIES = 2000
MOST_TITLE, MOST_TEXT = 120, 4000
MOST_YEAR = 1_000_000
MOST_STEPS_OF_ALL = 200_000
"""The budget of months and years for the first days of all entries of a file: about two seconds."""


class Unusable(ValueError):
    """The file cannot be imported at all; the text says where it is wrong, or what it is not."""


@dataclass(frozen=True, slots=True)
class ForeignEntry:
    """An entry of the other calendar. `rule` repeats it; `hidden`: not everyone could see it there.

    `standing` None: the usual answer for its kind. A session begins at `starts_at` and lasts so many `minutes`.
    """

    title: str
    day: int
    last_day: int | None = None
    rule: Rule | None = None
    minute: int | None = None
    text: str = ""
    kind: str = "note"  # of app.calendar.order.KINDS
    hidden: bool = False
    place: str = ""
    standing: Literal["stop", "pass"] | None = None
    done: bool = False
    starts_at: AwareDatetime | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import; `lost` says in sentences what was not imported."""

    source: str
    shape: Shape
    today: int
    entries: tuple[ForeignEntry, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(slots=True)
class Losses:
    """Sentences about what was not imported, each once, with the names of the things."""

    said: dict[str, list[str]] = field(default_factory=dict)

    def add(self, what: str, name: str = "") -> None:
        """Adds a whole sentence; names, if any, are put after it."""
        self.said.setdefault(what, []).extend([name] if name else [])

    def sentences(self) -> tuple[str, ...]:
        return tuple(_with_names(what, names) for what, names in self.said.items())


def _with_names(what: str, names: list[str]) -> str:
    if not names:
        return what
    shown = ", ".join(f"“{name}”" for name in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"{what.rstrip('.')}: {shown}{more}."


@dataclass(frozen=True, slots=True)
class Section:
    """An object of a file ("{…}"), with its path."""

    value: Mapping[str, Any]
    where: str = ""

    def at(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def __contains__(self, name: object) -> bool:
        return self.value.get(str(name)) is not None

    def group(self, name: str) -> "Section":
        """The object of that name in this one; an empty one if there is none."""
        value = self.value.get(name)
        if value is None:
            return Section({}, self.at(name))
        if not isinstance(value, Mapping):
            raise Unusable(f"{self.at(name)} should be an object in braces, but is {_kind(value)}.")
        return Section(value, self.at(name))

    def groups(self, name: str, most: int, what: str) -> list["Section"]:
        """A list of objects. Raises `Unusable` if there are more than `most`; `what` is their plural noun."""
        rows = self.rows(name)
        if len(rows) > most:
            raise Unusable(f"There are {len(rows):,} {what}; Signet allows at most {most}.")
        return [self._row(name, number, row) for number, row in enumerate(rows)]

    def rows(self, name: str) -> list[Any]:
        value = self.value.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise Unusable(f"{self.at(name)} should be a list, but is {_kind(value)}.")
        return value

    def _row(self, name: str, number: int, row: object) -> "Section":
        if not isinstance(row, Mapping):
            raise Unusable(f"{self.at(name)}[{number}] should be an object in braces, but is {_kind(row)}.")
        return Section(row, f"{self.at(name)}[{number}]")

    def text(self, name: str, otherwise: str = "", most: int = 60) -> str:
        """A text on one line, without markup; `otherwise` if there is none."""
        value = self.value.get(name)
        if value is None:
            return otherwise
        if not isinstance(value, str):
            raise Unusable(f"{self.at(name)} should be text, but is {_kind(value)}.")
        return " ".join(plain(value).split())[:most].strip() or otherwise

    def whole(self, name: str, otherwise: int, low: int = -MOST_YEAR, high: int = MOST_YEAR) -> int:
        """A whole number from `low` to `high`, also if written as a text or as 4.0."""
        value = self.value.get(name)
        if value is None or value == "":
            return otherwise
        number = exact(value)
        if number is None or number.denominator != 1:
            raise Unusable(f"{self.at(name)} should be a whole number, but is {_kind(value)}.")
        if not low <= number <= high:
            raise Unusable(f"{self.at(name)} is {_short(value)}; it must be {low:,} to {high:,}.")
        return int(number)

    def number(self, name: str, otherwise: Fraction = Fraction(0), most: int = 100_000) -> Fraction:
        """Any number, exactly as written."""
        value = self.value.get(name)
        if value is None or value == "":
            return otherwise
        number = exact(value)
        if number is None or abs(number) > most:
            raise Unusable(f"{self.at(name)} should be a number up to {most:,}, but is {_kind(value)}.")
        return number

    def yes(self, name: str, otherwise: bool = False) -> bool:
        value = self.value.get(name)
        return otherwise if value is None else value in (True, 1, "1", "true")


def opened(text: str) -> Section:
    """Returns a file's text as its outermost object. Raises `Unusable` with the fault if it is not valid JSON."""
    if len(text) > MOST_SIGNS:
        raise Unusable(f"That is more than a megabyte ({len(text):,} characters). A calendar export is much smaller.")
    if not text.strip():
        raise Unusable("The file is empty. Choose the exported file, or paste all of its text.")
    try:
        value = json.loads(text.lstrip("\ufeff"), parse_constant=_no_constant)
    except json.JSONDecodeError as wrong:
        raise Unusable(
            f"This is not a complete JSON file: there is an error in line {wrong.lineno}, column {wrong.colno}. "
            "Export it again, and do not edit the file."
        ) from None
    except RecursionError:
        raise Unusable("This file is nested too deeply to be a calendar.") from None
    except ValueError as wrong:  # a number of thousands of digits, NaN
        raise Unusable(f"A number in this file cannot be read: {str(wrong)[:80]}.") from None
    if not isinstance(value, Mapping):
        raise Unusable(f"A calendar export is an object in braces, but this is {_kind(value)}.")
    return Section(value)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def exact(value: object) -> Fraction | None:
    """A number of a file, exactly as written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    written = repr(value) if isinstance(value, float) else str(value).strip()
    if not re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,30})?(e[+-]?\d{1,2})?", written, re.IGNORECASE | re.ASCII):
        return None
    return Fraction(Decimal(written))


def digits(number: Fraction) -> str:
    """A number as moons store it: at most ten decimal places."""
    shown = f"{Decimal(number.numerator) / Decimal(number.denominator):.10f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return _short(value)
        case str():
            return f"the text “{_short(value)}”" if value else "an empty text"
        case list():
            return "a list"
        case Mapping():
            return "a group"
        case _:
            return "nothing"


def _short(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= 40 else f"{shown[:40]}…"


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.quiet = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("script", "style"):
            self.quiet += 1
        if tag in ("p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4"):
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.quiet = max(0, self.quiet - 1)

    def handle_data(self, data: str) -> None:
        if not self.quiet:
            self.words.append(data)


def plain(text: str) -> str:
    """A text without HTML and unprintable characters."""
    if "<" in text or "&" in text:
        reader = _Words()
        reader.feed(text[: 4 * MOST_TEXT])
        reader.close()
        text = "".join(reader.words)
    kept = "".join(sign for sign in text if sign == "\n" or (sign.isprintable() and not "\ud800" <= sign <= "\udfff"))
    return re.sub(r"\n{3,}", "\n\n", kept).strip()


def prose(text: object) -> str:
    """A longer text, plain, cut to the length of an entry's text."""
    return plain(text)[:MOST_TEXT] if isinstance(text, str) else ""


def shaped(data: Mapping[str, Any]) -> Shape:
    """Makes a shape from these parts. Raises `Unusable` with the reason if they do not fit."""
    try:
        return Shape.model_validate(data)
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        words = fault["msg"].removeprefix("Value error, ")
        raise Unusable(f"{where}: {words}" if where else words) from None


def number_of(count: Reckoning, date: Date) -> int | None:
    """The day number of a date; None if the calendar has no such date."""
    try:
        return count.number(date)
    except NoSuchDay:
        return None


def turned(weekdays: int, wanted: int, count: Reckoning, year: int) -> int:
    """The weekday of day 0 that makes `wanted` the first weekday of the year.

    `count` is the reckoning of the same shape with day 0 on weekday 0.
    """
    number = count.new_year(year)
    while (now := count.weekday(number)) is None:
        number += 1
    return (wanted - now) % weekdays if weekdays else 0


def called(parts: list[Section], what: str) -> list[str]:
    """The names of the objects of a list; those without one are named by kind and number."""
    return [part.text("name", f"{what} {number}") for number, part in enumerate(parts, start=1)]


def converted_entries(
    rows: list[Any], where: str, losses: Losses, convert: Callable[[Section], ForeignEntry | None]
) -> tuple[ForeignEntry, ...]:
    """The entries that can be imported; an unreadable one is reported and left out, and does not affect the others."""
    found: list[ForeignEntry] = []
    if len(rows) > MOST_ENTRIES:
        losses.add(f"Only the first {MOST_ENTRIES:,} of {len(rows):,} entries are imported.")
    for number, row in enumerate(rows[:MOST_ENTRIES]):
        if not isinstance(row, Mapping):
            losses.add("These entries are not in the file's own format.", f"{where}[{number}]")
            continue
        part = Section(row, f"{where}[{number}]")
        try:
            one = convert(part)
        except (Unusable, ValidationError):
            name = row.get("name", row.get("title"))
            losses.add("These entries could not be read.", name[:60] if isinstance(name, str) else part.where)
            continue
        if one is not None:
            found.append(one)
    return tuple(found)
