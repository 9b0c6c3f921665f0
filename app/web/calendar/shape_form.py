"""The calendar's shape as a form: rows that can be added, removed and moved, and their values. Knows no request.

Names of fields: `months.3.name`, `leaps.0.every` and the like; single ones as in `Shape`. Texts stay as typed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.calendar.days import Date, NoSuchDay, reckoning
from app.calendar.imports.reading import digits, exact
from app.calendar.shape import MOST_MONTHS, PATTERNS, Shape
from app.engine.faults import Place, explain, faults_of
from app.engine.ruleset import Faults
from app.web.forms.sheet_values import numbered

Row = dict[str, str]

LISTS: dict[str, tuple[str, ...]] = {
    "months": ("name", "days", "between"),
    "leaps": ("name", "month", "every", "days", "shift"),
    "eras": ("name", "short", "first_year", "backwards"),
    "seasons": ("name", "month", "day", "colour"),
    "moons": ("name", "period", "new_in"),
}
SINGLE = ("name", "weekdays", "weeks", "first_weekday", "hours", "minutes", "show_hours", "skip_zero", "fog")
TODAY = ("today", "today_day", "today_month", "today_year")
TICKS = {"between", "backwards", "show_hours", "skip_zero"}
MOST_ROWS = {"months": MOST_MONTHS, "leaps": 20, "eras": 20, "seasons": 12, "moons": 12}
FRESH: dict[str, Row] = {
    "months": {"name": "", "days": "30"},
    "leaps": {"name": "", "month": "0", "every": "4", "days": "1", "shift": "0"},
    "eras": {"name": "", "short": "", "first_year": "1"},
    "seasons": {"name": "", "month": "0", "day": "1", "colour": ""},
    "moons": {"name": "", "period": "30", "new_in": "0"},
}
MOST_FOG = 1_000_000
MOST_ERA_YEAR = 10**9
_FIELD = re.compile(r"(\w+)\.(\d{1,3})\.(\w+)", re.ASCII)
_ACT = re.compile(r"(add|remove|up|down)\.(\w+)(?:\.(\d{1,3}))?", re.ASCII)


@dataclass(slots=True)
class ShapeDraft:
    """The form as currently typed."""

    texts: dict[str, str] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: list[Row]() for name in LISTS})

    # ---- sources -----------------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, shape: Shape, book: CalendarState, *, by_date: bool = False) -> "ShapeDraft":
        """A shape as a form, with today's date under that shape."""
        count = reckoning(shape)
        now = count.date(book.today)
        draft = cls(
            texts={
                "name": shape.name,
                "weekdays": "\n".join(shape.weekdays),
                "weeks": shape.weeks,
                "first_weekday": str(shape.first_weekday),
                "hours": str(shape.hours),
                "minutes": str(shape.minutes),
                "show_hours": "yes" if shape.show_hours else "",
                "skip_zero": "yes" if shape.skip_zero else "",
                "fog": "" if book.fog is None else str(book.fog),
                "today": "date" if by_date else "keep",
                "today_day": str(now.day),
                "today_month": str(now.month - 1),
                "today_year": str(now.year),
            }
        )
        for name, fields in LISTS.items():
            for part in getattr(shape, name):
                draft.rows[name].append({one: _text(getattr(part, one)) for one in fields if hasattr(part, one)})
        for row, moon in zip(draft.rows["moons"], shape.moons, strict=True):
            row["new_in"] = digits((Fraction(moon.new_at) - book.today) % moon.days)
        return draft

    @classmethod
    def typed(cls, pairs: Iterable[tuple[str, str]]) -> "ShapeDraft":
        """The form as sent, with rows ordered by their numbers; ignores unknown names."""
        draft, found = cls(), {name: dict[str, Row]() for name in LISTS}
        for name, value in pairs:
            if name in SINGLE or name in TODAY:
                draft.texts[name] = value.replace("\r\n", "\n")
            elif (match := _FIELD.fullmatch(name)) and match[3] in LISTS.get(match[1], ()):
                found[match[1]].setdefault(match[2], {})[match[3]] = value
        for name, rows in found.items():
            draft.rows[name] = numbered(rows)
        return draft

    def get(self, name: str) -> str:
        return self.texts.get(name, "")

    # ---- buttons -----------------------------------------------------------------------------------------------------

    def act(self, what: str) -> None:
        """Add, remove or move a row; fields that refer to a month follow it."""
        match = _ACT.fullmatch(what)
        if match is None or match[2] not in LISTS:
            return
        name, rows = match[2], self.rows[match[2]]
        if match[1] == "add":
            if len(rows) < MOST_ROWS[name]:
                rows.append(dict(FRESH[name]))
            return
        at = int(match[3] or 0)
        if at >= len(rows):
            return
        order = list(range(len(rows)))
        other = at - 1 if match[1] == "up" else at + 1
        if match[1] == "remove":
            del order[at]
        elif 0 <= other < len(rows):
            order[at], order[other] = order[other], order[at]
        self.rows[name] = [rows[one] for one in order]
        if name == "months":
            self._follow({str(old): str(new) for new, old in enumerate(order)})

    def _follow(self, moved: dict[str, str]) -> None:
        for name in ("leaps", "seasons"):
            self.rows[name] = [row for row in self.rows[name] if row.get("month", "0") in moved]
            for row in self.rows[name]:
                row["month"] = moved[row.get("month", "0")]
        self.texts["today_month"] = moved.get(self.get("today_month"), "0")

    # ---- reading -----------------------------------------------------------------------------------------------------

    def read(self, book: CalendarState) -> "ParsedShape":
        """The typed shape, date and fog, with faults by field."""
        faults: Faults = {}
        shape = self._shape(book, faults)
        fog = _whole(self.get("fog"), 0, MOST_FOG, "fog", faults) if self.get("fog").strip() else None
        today = book.today
        if self.get("today") == "date" and shape is not None:
            today = self._today(shape, book, faults)
        return ParsedShape(None if faults else shape, today, fog, faults)

    def _shape(self, book: CalendarState, faults: Faults) -> Shape | None:
        data: dict[str, Any] = {
            "name": self.get("name"),
            "weekdays": [day.strip() for day in self.get("weekdays").split("\n") if day.strip()],
            "weeks": self.get("weeks") or "on",
            "first_weekday": self.get("first_weekday") or 0,
            "hours": self.get("hours"),
            "minutes": self.get("minutes"),
            "show_hours": bool(self.get("show_hours")),
            "skip_zero": bool(self.get("skip_zero")),
        }
        for name, rows in self.rows.items():
            data[name] = [self._part(name, row, number, book, faults) for number, row in enumerate(rows)]
        self._places(faults)
        try:
            return Shape.model_validate(data)
        except ValidationError as wrong:
            found = faults_of(wrong, _place, _words)
            if faults:  # they may be the cause of the fault of the whole
                found.pop("", None)
            faults |= {**found, **faults}
            return None

    def _part(self, name: str, row: Row, number: int, book: CalendarState, faults: Faults) -> dict[str, Any]:
        part: dict[str, Any] = {one: value for one, value in row.items() if one != "new_in"}
        for tick in TICKS & part.keys():
            part[tick] = bool(part[tick])
        if name == "eras" and part.get("first_year"):
            _whole(part["first_year"], -MOST_ERA_YEAR, MOST_ERA_YEAR, f"eras.{number}.first_year", faults)
        if name == "moons":
            since = exact(row.get("new_in") or "0")
            if since is None or abs(since) > 100_000:
                faults[f"moons.{number}.new_in"] = PATTERNS["new_at"]
            else:
                period = exact(row.get("period") or "")
                new = since + book.today
                part["new_at"] = digits(new % period if period and period >= 1 else new)
        return {one: value for one, value in part.items() if value != "" or one in ("name", "short", "colour")}

    def _places(self, faults: Faults) -> None:
        """Adds faults at the fields of months that never have a day, and of days on which no season can begin."""
        days = [exact(row.get("days", "")) for row in self.rows["months"]]
        given = {row.get("month") or "0" for row in self.rows["leaps"]}
        for number, most in enumerate(days):
            if most == 0 and str(number) not in given:
                faults[f"months.{number}.days"] = "It never has a day. Give it days, or add a leap rule that does."
        begun: set[tuple[int, int]] = set()
        for number, row in enumerate(self.rows["seasons"]):
            month, day = exact(row.get("month") or "0"), exact(row.get("day") or "1")
            if month is None or day is None or not 0 <= month < len(days):
                continue
            most = days[int(month)]
            if most is not None and day > most:
                faults[f"seasons.{number}.day"] = f"That month has {most} days."
            elif (int(month), int(day)) in begun:
                faults[f"seasons.{number}.day"] = "Another season already begins on that day."
            begun.add((int(month), int(day)))

    def _today(self, shape: Shape, book: CalendarState, faults: Faults) -> int:
        before = len(faults)
        day = _whole(self.get("today_day"), 1, 10_000, "today_day", faults)
        month = _whole(self.get("today_month"), 0, MOST_MONTHS, "today_month", faults)
        year = _whole(self.get("today_year"), -900_000, 900_000, "today_year", faults)
        if len(faults) > before or day is None or month is None or year is None:
            return book.today
        try:
            number = reckoning(shape).number(Date(year, month + 1, day))
        except NoSuchDay as wrong:
            faults["today_day"] = str(wrong)
            return book.today
        if abs(number) > MOST_DAY:
            faults["today_year"] = "That is too far from year 1."
            return book.today
        return number


@dataclass(frozen=True, slots=True)
class ParsedShape:
    """The values of a draft. `shape` is None if it has faults."""

    shape: Shape | None
    today: int
    fog: int | None
    faults: Faults


def _whole(text: str, low: int, high: int, name: str, faults: Faults) -> int | None:
    number = exact(text.strip())
    if number is None or number.denominator != 1:
        faults[name] = "Enter a whole number."
        return None
    if not low <= number <= high:
        faults[name] = f"Enter a number from {low:,} to {high:,}."
        return None
    return int(number)


def _words(fault: ErrorDetails) -> str:
    if fault["type"] == "string_pattern_mismatch":
        return PATTERNS.get(str(fault["loc"][-1]), "That is not possible.")
    return explain(fault)


def _place(place: Place) -> str:
    name = ".".join(str(part) for part in place)
    name = re.sub(r"\.new_at$", ".new_in", re.sub(r"^weekdays\.\d+$", "weekdays", name))
    return re.sub(r"^(leaps|moons)\.(\d+)$", _main_field, name)


def _main_field(place: re.Match[str]) -> str:
    """The field that shows a fault of a whole leap rule or moon."""
    return f"{place[0]}.{'every' if place[1] == 'leaps' else 'period'}"


def _text(value: object) -> str:
    return ("yes" if value else "") if isinstance(value, bool) else str(value)
