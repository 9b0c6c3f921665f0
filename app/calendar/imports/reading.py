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
from typing import Any, Literal

from pydantic import AwareDatetime, ValidationError

from app.calendar.days import Date, NoSuchDay, Reckoning
from app.calendar.imports.plain_text import MOST_PARSED, MOST_TEXT, has_formats, plain, printable
from app.calendar.repeat import Rule
from app.calendar.shape import PATTERNS, Shape
from app.engine.faults import explain
from app.errors import BadFile

MOST_SIGNS = 1_048_576
"""The most characters (and so at least bytes) of a file: one megabyte."""

MOST_ENTRIES = 2000
MOST_TITLE = 120
MOST_DEPTH = 40  # of lists and objects in one another; exports have about ten
MOST_YEAR = 1_000_000
MOST_DAY = 400_000_000  # of app.almanac.calendar_state
MOST_SPAN = 100_000  # of app.almanac.entries
MOST_STEPS_OF_ALL = 200_000
"""The budget of months and years for the first days of all entries of a file: about two seconds."""


class Unusable(BadFile):
    """The file cannot be imported at all; the text says where it is wrong, or what it is not. `advice` says what to do;
    None: export it again."""

    def __init__(self, text: str, advice: str | None = None) -> None:
        super().__init__(f"{text} {advice}" if advice else text)
        self.advice = advice


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
    losses: "Losses | None" = None  # told of what is cut

    def at(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def __contains__(self, name: object) -> bool:
        return self.value.get(str(name)) is not None

    def group(self, name: str) -> "Section":
        """The object of that name in this one; an empty one if there is none."""
        value = self.value.get(name)
        if value is None:
            return Section({}, self.at(name), self.losses)
        if not isinstance(value, Mapping):
            raise Unusable(f"{self.at(name)} should be an object in braces, but is {_kind(value)}.")
        return Section(value, self.at(name), self.losses)

    def groups(self, name: str, most: int, what: str) -> list["Section"]:
        """A list of objects. Raises `Unusable` if there are more than `most`; `what` is their plural noun."""
        rows = self.rows(name)
        if len(rows) > most:
            raise Unusable(f"there are {len(rows):,} {what}; Signet allows at most {most}.")
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
        return Section(row, f"{self.at(name)}[{number}]", self.losses)

    def text(self, name: str, otherwise: str = "", most: int = 60) -> str:
        """A text on one line, without markup; `otherwise` if there is none."""
        value = self.value.get(name)
        if value is None:
            return otherwise
        if not isinstance(value, str):
            raise Unusable(f"{self.at(name)} should be text, but is {_kind(value)}.")
        line = " ".join(plain(value).split())
        if len(line) > most and self.losses is not None:
            self.losses.add("These names are too long and are cut.", f"{line[:30]}…")
        return line[:most].strip() or otherwise

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
    """Returns a file's text as its outermost object. Raises `Unusable` if it is too large, no valid JSON, or deeper
    than a calendar is."""
    if len(text) > MOST_SIGNS:
        raise Unusable(f"That is more than a megabyte ({len(text):,} characters). A calendar export is much smaller.")
    text = text.lstrip("\ufeff")
    start = text.lstrip()[:15].upper()
    if not start:
        raise Unusable("The file is empty. Choose the exported file, or paste all of its text.")
    if start == "BEGIN:VCALENDAR":
        raise Unusable(
            "This is an iCalendar file (.ics), as calendar apps export it. Signet cannot import real-world calendars "
            "yet. Add the sessions by hand, or choose an export of an invented calendar."
        )
    if start[0] == "<":
        raise Unusable("This is a web page or XML, not a calendar. Choose the JSON file that the program exported.")
    value = _value(text)
    if not isinstance(value, Mapping):
        raise Unusable(
            f"A calendar export is an object in braces, but this is {_kind(value)}. "
            "Choose the file that the program exported."
        )
    if _is_deep(value):
        raise Unusable("This file is nested too deeply to be a calendar. Choose the file that the program exported.")
    return Section(value)


def _value(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as wrong:
        raise Unusable(
            f"This is not a complete JSON file: there is an error in line {wrong.lineno}, column {wrong.colno}. "
            "Export it again, and do not edit the file."
        ) from None
    except RecursionError:
        raise Unusable(
            "This file is nested too deeply to be a calendar. Choose the file that the program exported."
        ) from None
    except Unusable:
        raise
    except ValueError:  # Python reads numbers of at most 4,300 digits
        raise Unusable(
            "This is a JSON file with a number of thousands of digits, which no calendar has. "
            "Export it again, and do not edit the file."
        ) from None


def _no_constant(name: str) -> float:
    raise Unusable(
        f"This file has “{name}” where a number should be. Export it again, or write a number there: {name} is not "
        "a number of JSON."
    )


def _is_deep(value: object) -> bool:
    """Whether lists and objects are nested deeper than `MOST_DEPTH`; looks at one level after another."""
    level: list[object] = [value]
    for _ in range(MOST_DEPTH):
        inner: list[object] = []
        for one in level:
            if isinstance(one, Mapping):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        level = inner
    return any(isinstance(one, (Mapping, list)) for one in level)


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
    shown = printable(str(value)[:200])
    return shown if len(shown) <= 40 else f"{shown[:40]}…"


def shaped(data: Mapping[str, Any]) -> Shape:
    """Makes a shape from these parts. Raises `Unusable` with the reason if they do not fit."""
    try:
        return Shape.model_validate(data)
    except ValidationError as wrong:
        fault = wrong.errors(include_url=False)[0]
        name = next((part for part in reversed(fault["loc"]) if isinstance(part, str)), "")
        pattern = fault["type"] == "string_pattern_mismatch"
        words = PATTERNS.get(name, "That cannot be read.") if pattern else explain(fault)
        where = ".".join(map(str, fault["loc"]))
        raise Unusable(f"{where}: {words}" if where else words) from None


def number_of(count: Reckoning, date: Date) -> int | None:
    """The day number of a date; None if the calendar has no such date."""
    try:
        return count.number(date)
    except NoSuchDay:
        return None


def turned(wanted: int, count: Reckoning, year: int) -> int:
    """The weekday of day 0 that makes `wanted` the first weekday of the year; 0 if there are no weekdays.

    `count` is the reckoning of the same shape with day 0 on weekday 0.
    """
    for month, length in enumerate(count.lengths(year), start=1):
        first = count.first_weekday(year, month)
        if length and first is not None:
            return (wanted - first) % len(count.shape.weekdays)
    return 0


def written(texts: list[str], title: str, losses: Losses) -> str:
    """An entry's text, plain, of all its parts. Tells what is lost: formatting, and the end of a long one."""
    parts = [plain(text) for text in texts]
    text = "\n\n".join(part for part in parts if part)
    if len(text) > MOST_TEXT or any(len(one) > MOST_PARSED for one in texts):
        losses.add(f"These texts are longer than {MOST_TEXT:,} characters and are cut.", title)
    if any(has_formats(one) for one in texts):
        losses.add("Formatting, links and pictures in texts.")
    return text[:MOST_TEXT]


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
        part = Section(row, f"{where}[{number}]", losses)
        try:
            one = convert(part)
        except (Unusable, ValidationError):
            name = row.get("name", row.get("title"))
            losses.add("These entries could not be read.", (isinstance(name, str) and plain(name)[:60]) or part.where)
            continue
        if one is not None and _is_near(one):
            found.append(one)
        elif one is not None:
            losses.add("These entries are too far away, or last too long.", one.title)
    return tuple(found)


def _is_near(one: ForeignEntry) -> bool:
    return abs(one.day) <= MOST_DAY and (one.last_day is None or one.last_day - one.day <= MOST_SPAN)
