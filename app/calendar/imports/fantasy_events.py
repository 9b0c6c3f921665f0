"""Fantasy-Calendar's events: a date, or conditions on a day. Those that fit one of our rules are converted, the others
become notes that name their conditions.

A condition is [kind, comparison, [values]], with ["&&"] between two; numbers may be written as texts.
"""

from dataclasses import dataclass, field
from typing import Any

from app.calendar.days import Reckoning
from app.calendar.imports.fantasy_conditions import Spoken
from app.calendar.imports.fantasy_months import Months
from app.calendar.imports.plain_text import MOST_TEXT
from app.calendar.imports.reading import (
    MOST_STEPS_OF_ALL,
    MOST_TITLE,
    ForeignEntry,
    Losses,
    Section,
    Unusable,
    exact,
    written,
)
from app.calendar.repeat import EveryDays, NthWeekday, OnDate, Rule, Steps, Weekly, WithMoon, upcoming

EXACTLY, EVERY_NTH = "0", "6"
QUARTERS = ("new", "first quarter", "full", "last quarter")
AGAIN = (
    "These events have conditions that Signet does not support; each becomes a note for GMs on the date of the file, "
    "with its conditions in words."
)


@dataclass(frozen=True, slots=True)
class EventReader:
    """Reads events: it has the calendar, their months, the day of epoch 0, and for each of their moons ours and its
    number of phases there."""

    count: Reckoning
    months: Months
    first: int
    moons: list[tuple[int, int] | None]
    losses: Losses
    hidden: frozenset[str]  # categories
    today: int
    all_hidden: bool
    spoken: Spoken
    steps: Steps = field(default_factory=lambda: Steps(MOST_STEPS_OF_ALL))

    def entry(self, event: Section) -> ForeignEntry:
        title = event.text("name", "An event", MOST_TITLE)
        data, settings = event.group("data"), event.group("settings")
        told = event.value.get("description")
        text = written([told] if isinstance(told, str) else [], title, self.losses)
        days = data.whole("duration", 0, 0, 10_000) if data.yes("has_duration") else 0
        try:
            day, rule = self._when(data)
        except (Unusable, ValueError, TypeError, ArithmeticError, LookupError):
            self.losses.add(AGAIN, title)
            words = self.spoken.said(data, days)
            text = f"{text[: MOST_TEXT - len(words) - 2]}\n\n{words}".strip()
            return ForeignEntry(title=title, day=self.today, text=text, hidden=True)
        if rule is not None and data.yes("limited_repeat"):
            self.losses.add("These events stay away for some days after each time; in Signet they do not.", title)
        hidden = self.all_hidden or settings.yes("hide") or settings.yes("hide_full")
        return ForeignEntry(
            title=title,
            day=day,
            last_day=day + days - 1 if days > 1 else None,
            rule=rule,
            text=text,
            kind="note" if rule is None else "holiday",
            hidden=hidden or str(event.value.get("event_category_id")) in self.hidden,
        )

    def _when(self, data: Section) -> tuple[int, Rule | None]:
        date = data.rows("date")
        if len(date) == 3:
            return self._day(*(_whole(one) for one in date)), None
        asked = _conditions(data.rows("conditions"))
        if set(asked) == {("Date", EXACTLY)}:
            return self._day(*(_whole(one) for one in asked["Date", EXACTLY])), None
        if set(asked) == {("Year", EXACTLY), ("Month", EXACTLY), ("Day", EXACTLY)}:
            kinds = ("Year", "Month", "Day")
            return self._day(*(_whole(asked[kind, EXACTLY][0]) for kind in kinds)), None
        if set(asked) == {("Epoch", EXACTLY)}:
            return self.first + _whole(asked["Epoch", EXACTLY][0]), None
        rule = self._rule(asked)
        return upcoming(rule, self.count, rule.start - 1, 1, self.steps)[0], rule

    def _day(self, year: int, month: int, day: int) -> int:
        number = self.months.number(self.count, year, month, day)
        if number is None:
            raise Unusable("That day does not exist.")
        return number

    def _rule(self, asked: dict[tuple[str, str], list[Any]]) -> Rule:
        """Returns the equivalent rule, from the calendar's first day on. Raises `Unusable` if there is none."""
        start, values = self.first, {kind: value for (kind, _), value in asked.items()}
        match sorted(asked):
            case [("Day", "0")] if not self.months.numbers_differ:
                day = _whole(values["Day"][0])
                if day == 1 and self.months.split:
                    self.losses.add("Events on day 1 of every month also come on leap days that became festivals.")
                return OnDate(day=day, start=start)
            case [("Day", "0"), ("Month", "0")]:
                month, day = self.months.yearly(self.count, _whole(values["Month"][0]), _whole(values["Day"][0]))
                return OnDate(day=day, month=month, start=start)
            case [("Day", "7")] if _whole(values["Day"][0]) == 1:
                month, day = self.months.yearly(self.count, 0, 1)
                return OnDate(day=day, month=month, start=start)
            case [("Weekday", "0" | "2")]:
                return Weekly(weekdays=frozenset({self._weekday(values["Weekday"][0])}), start=start)
            case [("Epoch", "6")]:
                each, offset = _whole(values["Epoch"][0]), _whole((values["Epoch"][1:] or [0])[0])
                return EveryDays(days=each, start=start + offset % each)
            case [("Moons", "0")]:
                return self._moon(values["Moons"], start)
        if set(asked) <= {("Weekday", "0"), ("Weekday", "8"), ("Month", "0")} and ("Weekday", "8") in asked:
            return self._nth(asked, start)
        raise Unusable(AGAIN)

    def _nth(self, asked: dict[tuple[str, str], list[Any]], start: int) -> Rule:
        month = asked.get(("Month", EXACTLY))
        return NthWeekday.model_validate(
            {
                "nth": _whole(asked["Weekday", "8"][0]),
                "weekday": self._weekday(asked["Weekday", EXACTLY][0]),
                "month": None if month is None else self.months.parts[_whole(month[0])].main + 1,
                "start": start,
            }
        )

    def _weekday(self, value: object) -> int:
        """A weekday by name, or by number from 1."""
        named = [index for index, name in enumerate(self.count.shape.weekdays) if name == value]
        number = named[0] if named else _whole(value) - 1
        if not 0 <= number < len(self.count.shape.weekdays):
            raise Unusable("That weekday does not exist.")
        return number

    def _moon(self, values: list[Any], start: int) -> Rule:
        known = self.moons[_whole(values[0])]
        phase, rest = divmod(_whole(values[1]) * 4, known[1]) if known else (0, 1)
        if known is None or rest:
            raise Unusable("That phase does not exist.")
        return WithMoon.model_validate({"moon": known[0], "phase": QUARTERS[phase % 4], "start": start})


def _conditions(rows: list[Any]) -> dict[tuple[str, str], list[Any]]:
    """Returns conditions that must all hold, by kind and comparison. Raises `Unusable` for other combinations."""
    asked: dict[tuple[str, str], list[Any]] = {}
    for number, row in enumerate(rows):
        if number % 2:
            if row != ["&&"]:
                raise Unusable(AGAIN)
            continue
        if not (isinstance(row, list) and len(row) == 3 and isinstance(row[2], list) and row[2]):
            raise Unusable(AGAIN)
        key = (str(row[0]), str(row[1]))
        if key in asked:
            raise Unusable(AGAIN)
        asked[key] = row[2]
    if not asked:
        raise Unusable(AGAIN)
    return asked


def _whole(value: object) -> int:
    number = exact(value)
    if number is None or number.denominator != 1 or abs(number) > 10**9:
        raise Unusable("That is not a whole number.")
    return int(number)
