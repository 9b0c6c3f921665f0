"""Fantasy-Calendar's conditions of events in words: "the month is Gull and the weekday is Flow"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.calendar.imports.plain_text import plain
from app.calendar.imports.reading import Section, exact

MOST_WORDS = 1500  # characters of a sentence
MOST_DEEP = 6  # groups of conditions in one another
MOST_ROWS = 40  # conditions of a group

SERIES = ("is", "is not", "is at least", "is at most", "is later than", "is earlier than", "comes every")
SUBJECTS: dict[str, tuple[tuple[int, str], ...]] = {
    "Year": ((7, "the year"),),
    "Month": ((7, "the month"), (7, "the month's number"), (2, "the month's name")),
    "Day": ((7, "the day of the month"), (7, "the day of the year"), (6, "the day counted from the month's end")),
    "Epoch": ((7, "the day, counted from the first one,"),),
    "Weekday": ((2, "the weekday"), (6, "the weekday's number"), (6, "the weekday's place in the month")),
    "Week": ((7, "the week of the month"), (7, "the week of the year"), (7, "the week, counted from the first one,")),
    "Moons": (
        (7, "the phase"), (7, "the phase's count in the month"), (7, "the phase's count in the year"),
        (7, "the phase's count"),
    ),
    "Cycle": ((2, "the cycle"),),
    "Era": ((2, "the era"),),
    "Era year": ((7, "the year of the era"),),
    "Season": ((2, "the season"), (6, "the percentage of the season"), (7, "the day of the season")),
}  # fmt: skip
"""The comparisons of each kind, in their order: how many of SERIES a subject has."""

SENTENCES: dict[tuple[str, int], str] = {
    ("Season", 15): "it is the longest day",
    ("Season", 16): "it is the shortest day",
    ("Season", 17): "it is the equinox of spring",
    ("Season", 18): "it is the equinox of autumn",
    ("Random", 0): "a chance from 0 to 100 is above {1}",
    ("Random", 1): "a chance from 0 to 100 is below {1}",
    ("Events", 0): "“{0}” was {1} ago",
    ("Events", 1): "“{0}” is in {1}",
    ("Events", 2): "“{0}” is within the next {1}",
    ("Events", 3): "“{0}” was within the last {1}",
    ("Events", 4): "“{0}” is today or within the next {1}",
    ("Events", 5): "“{0}” is today or was within the last {1}",
}
EITHER = "or, but not both,"
JOINED = {"&&": "and", "||": "or", "XOR": EITHER, "^": EITHER, "NAND": "not at the same time as"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """What conditions say by number: names of months, moons, seasons, eras and events, in the file's order."""

    months: Sequence[str]
    moons: Sequence[str]
    seasons: Sequence[str]
    eras: Sequence[str]
    events: Sequence[str]

    @classmethod
    def of(cls, static: Section, events: Sequence[Any]) -> "Spoken":
        seasons = static.value.get("seasons")
        return cls(
            _names(static.group("year_data").value.get("timespans")),
            _names(static.value.get("moons")),
            _names(seasons.get("data") if isinstance(seasons, Mapping) else None),
            _names(static.value.get("eras")),
            _names(events),
        )

    def said(self, data: Section, days: int) -> str:
        """The sentence on when an event comes, and for how long; `data` is the event's."""
        rows, linked = data.value.get("conditions"), data.value.get("connected_events")
        when = self._all(rows, linked if isinstance(linked, list) else [], MOST_DEEP)
        when = when if len(when) <= MOST_WORDS else f"{when[:MOST_WORDS]}…"
        lasts = f" It lasts {days:,} days." if days > 1 else ""
        if not when:
            return f"In Fantasy-Calendar this has no date, and no conditions that Signet can read.{lasts}"
        return f"In Fantasy-Calendar this comes when {when}.{lasts}"

    def _all(self, rows: object, linked: list[Any], deep: int) -> str:
        said: list[str] = []
        for row in rows[:MOST_ROWS] if isinstance(rows, list) and deep else []:
            if isinstance(row, list) and len(row) == 1 and isinstance(row[0], str):
                said.append(JOINED.get(row[0], "and"))
            elif isinstance(row, list) and len(row) == 2 and isinstance(row[1], list):
                inner = self._all(row[1], linked, deep - 1)
                said.append(f"({inner})" if len(row[1]) > 1 else inner)
            elif isinstance(row, list) and len(row) == 3 and isinstance(row[2], list):
                said.append(self._one(_short(row[0]), row[1], row[2][:4], linked))
        return " ".join(one for one in said if one)

    def _one(self, kind: str, comparison: object, values: list[Any], linked: list[Any]) -> str:
        number = exact(comparison)
        place = int(number) if number is not None and 0 <= number < 100 else -1
        if kind == "Events" and values:
            at = _at(values[0])
            days = _short(values[1]) if len(values) > 1 else "some"
            values = [
                _named(self.events, linked[at] if 0 <= at < len(linked) else at),
                f"{days} day{'s' * (days != '1')}",
            ]
        if (kind, place) in SENTENCES:
            padded = [_short(value) for value in (*values, "", "")]
            return SENTENCES[kind, place].format(*(padded if kind == "Events" else ["", *padded]))
        for many, subject in SUBJECTS.get(kind, ()):
            if 0 <= place < many:
                return self._compared(kind, subject, SERIES[place], place == 6, values)
            place -= many
        return f"{kind or 'something'}: {', '.join(_short(value) for value in values)}"

    def _compared(self, kind: str, subject: str, verb: str, every: bool, values: list[Any]) -> str:
        if kind == "Moons" and values:
            subject, values = f"{subject} of {_named(self.moons, values[0])}", values[1:]
        names = {"the month": self.months, "the season": self.seasons, "the era": self.eras}.get(subject)
        if names is not None and values and not (every and len(values) < 3):
            values = [_named(names, values[0]), *values[1:]]
        said = [_short(value) for value in values]
        if every and said:
            offset = f", from {said[-1]} on" if len(said) > 1 and said[-1] not in ("0", "") else ""
            return f"{subject} {verb} {said[0]}{offset}"
        return f"{subject} {verb} {', '.join(said)}"


def _names(rows: object) -> list[str]:
    found = [row.get("name") if isinstance(row, Mapping) else None for row in rows] if isinstance(rows, list) else []
    return [_short(name) if isinstance(name, str) else "" for name in found]


def _at(value: object) -> int:
    number = exact(value)
    return int(number) if number is not None and number.denominator == 1 and abs(number) < 10**6 else -1


def _named(names: Sequence[str], value: object) -> str:
    at = _at(value)
    return (names[at] if 0 <= at < len(names) else "") or _short(value)


def _short(value: object) -> str:
    return " ".join(plain(str(value)[:60]).split())
