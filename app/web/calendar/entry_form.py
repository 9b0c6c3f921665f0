"""The form of a calendar entry: the typed texts, the entry they stand for, and an existing entry as typed texts."""

import re
import uuid
from collections.abc import Sequence
from datetime import UTC
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from app.almanac.calendar_state import CalendarState
from app.almanac.entries import BriefTyped, EntryTyped, Kind
from app.almanac.visibility import Occurrence
from app.calendar.days import NoSuchDay
from app.calendar.repeat import RULE, Rule
from app.calendar.shape import Shape
from app.campaign.names import Prose, Title
from app.engine.faults import Place, faults_of
from app.web.calendar.month import typed_date
from app.web.calendar.words import hour
from app.web.forms.moments import WrongMoment, moment_of
from app.web.forms.reading import Form, TypedPairs, Version

Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]
Number = Annotated[str, StringConstraints(strip_whitespace=True, max_length=12)]


class EntryForm(BaseModel):
    """The fields as texts; `read` turns them into an entry."""

    kind: Kind = "note"
    title: Annotated[Title, StringConstraints(max_length=120)]
    text: Annotated[Prose, StringConstraints(max_length=4000)] = ""
    place: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""
    day: Number
    month: Number
    year: Number
    lasts: Number = "1"
    at: Number = ""
    repeat: Literal["", "days", "weekly", "date", "nth", "moon", "season"] = ""
    every: Number = ""
    weekdays: Annotated[list[Number], Field(max_length=30)] = []
    month_day: Number = ""
    of_month: Number = ""
    nth: Number = ""
    nth_weekday: Number = ""
    moon: Number = ""
    phase: Short = ""
    season: Number = ""
    until_day: Number = ""
    until_month: Number = ""
    until_year: Number = ""
    people: Annotated[list[Short], Field(max_length=200)] = []
    seen_by: Literal["all", "named", "gm"] = "all"
    viewers: Annotated[list[uuid.UUID], Field(max_length=200)] = []
    standing: Literal["", "stop", "pass"] = ""
    real_date: Short = ""
    real_time: Short = ""
    zone: Short = "UTC"
    shown: Short = ""
    minutes: Number = ""
    version: Version = 0


class _Wrong(ValueError):
    def __init__(self, field: str, says: str) -> None:
        super().__init__(says)
        self.field = field


def read(form: Form[EntryForm], book: CalendarState, brief: dict[str, Any] | None = None) -> EntryTyped | None:
    """The entry that a form describes; None if it has faults, which are then in the form.

    `brief` is the brief of a scene that the entry has already: the form does not show it and must not lose it.
    """
    if form.data is None:
        return None
    given = form.data
    try:
        day = _date(book, given.year, given.month, given.day, "day")
        return EntryTyped(
            kind=given.kind,
            title=given.title,
            text=given.text,
            place=" ".join(given.place.split()),
            day=day,
            last_day=day + _whole(given.lasts or "1", "lasts", 1, 100_000) - 1,
            minute=_minute(book.shape, given.at),
            rule=rule_of(given, book, day),
            people=tuple(given.people),
            seen_by=given.seen_by,
            viewers=tuple(given.viewers),
            standing=given.standing or None,
            brief=None if brief is None else BriefTyped.model_validate(brief),
            starts_at=moment_of(given.real_date, given.real_time, given.zone, given.shown)
            if given.kind == "session"
            else None,
            minutes=_whole(given.minutes, "minutes", 1, 10_000)
            if given.kind == "session" and given.minutes.strip()
            else None,
        )
    except (_Wrong, WrongMoment) as wrong:
        form.faults[wrong.field] = str(wrong)
    except ValidationError as wrong:
        form.faults |= faults_of(wrong, _place)
    return None


def rule_of(given: EntryForm, book: CalendarState, day: int) -> Rule | None:
    """The rule by which the entry repeats, from its first day on; None if it does not."""
    if not given.repeat:
        return None
    raw: dict[str, Any] = {"kind": given.repeat, "start": day}
    shape = book.shape
    match given.repeat:
        case "days":
            raw["days"] = _whole(given.every or "1", "every", 1, 1_000_000)
        case "weekly":
            raw["weekdays"] = [_whole(one, "weekdays", 0, len(shape.weekdays) - 1) for one in given.weekdays]
            if not raw["weekdays"]:
                raise _Wrong("weekdays", "Choose at least one weekday.")
        case "date":
            raw["day"] = _whole(given.month_day or "1", "month_day", -1, 520)
            if raw["day"] == 0:
                raise _Wrong("month_day", "Days are counted from 1; −1 is the last of the month.")
            raw["month"] = _whole(given.of_month, "of_month", 1, len(shape.months)) if given.of_month else None
        case "nth":
            raw["nth"] = _whole(given.nth or "1", "nth", -1, 5)
            raw["weekday"] = _whole(given.nth_weekday or "0", "nth_weekday", 0, len(shape.weekdays) - 1)
            raw["month"] = _whole(given.of_month, "of_month", 1, len(shape.months)) if given.of_month else None
        case "moon":
            raw |= {"moon": _whole(given.moon or "0", "moon", 0, len(shape.moons) - 1), "phase": given.phase or "full"}
        case "season":
            raw["season"] = _whole(given.season or "0", "season", 0, len(shape.seasons) - 1)
    if given.until_day.strip() or given.until_year.strip():
        raw["until"] = _date(book, given.until_year, given.until_month or "1", given.until_day or "1", "until_day")
    try:
        return RULE.validate_python(raw)
    except ValidationError as wrong:
        raise _Wrong("repeat", next(iter(faults_of(wrong).values()))) from None


def typed_of(one: Occurrence, book: CalendarState) -> TypedPairs:
    """The texts of an existing entry, for the form that changes it."""
    date_ = book.count.date(one.series_day)
    pairs: list[tuple[str, str]] = [
        ("kind", one.kind), ("title", one.title), ("text", one.text), ("place", one.place),
        ("day", str(date_.day)), ("month", str(date_.month)), ("year", str(date_.year)),
        ("lasts", str((one.series_last or one.series_day) - one.series_day + 1)),
        ("at", "" if one.minute is None else hour(book.shape, one.minute)),
        ("seen_by", one.seen_by), ("standing", one.standing), ("version", str(one.version)),
        ("minutes", "" if one.minutes is None else str(one.minutes)),
    ]  # fmt: skip
    pairs += [("people", slug) for slug in one.people] + [("viewers", who) for who in one.viewers]
    if one.starts_at is not None:
        there = one.starts_at.astimezone(UTC)
        pairs += [("real_date", f"{there:%Y-%m-%d}"), ("real_time", f"{there:%H:%M}"), ("zone", "UTC")]
        pairs += [("shown", there.isoformat())]
    return TypedPairs((*pairs, *_typed_rule(one.rule, book)))


def _typed_rule(rule: Rule | None, book: CalendarState) -> list[tuple[str, str]]:
    if rule is None:
        return []
    raw = RULE.dump_python(rule, mode="json")
    pairs = [("repeat", raw["kind"])]
    month = [("of_month", "" if raw.get("month") is None else str(raw["month"]))]
    match raw["kind"]:
        case "days":
            pairs += [("every", str(raw["days"]))]
        case "weekly":
            pairs += [("weekdays", str(one)) for one in sorted(raw["weekdays"])]
        case "date":
            pairs += [("month_day", str(raw["day"])), *month]
        case "nth":
            pairs += [("nth", str(raw["nth"])), ("nth_weekday", str(raw["weekday"])), *month]
        case "moon":
            pairs += [("moon", str(raw["moon"])), ("phase", raw["phase"])]
        case _:
            pairs += [("season", str(raw["season"]))]
    if rule.until is not None:
        until = book.count.date(rule.until)
        pairs += [("until_day", str(until.day)), ("until_month", str(until.month)), ("until_year", str(until.year))]
    return pairs


def blank(book: CalendarState, number: int, people: Sequence[str] = ()) -> TypedPairs:
    """The texts of an empty form for a day."""
    date_ = book.count.date(number)
    pairs = [("day", str(date_.day)), ("month", str(date_.month)), ("year", str(date_.year)), ("zone", "UTC")]
    return TypedPairs((*pairs, *(("people", slug) for slug in people)))


# ---- single fields -------------------------------------------------------------------------------------------------


def _whole(text: str, field: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", text.strip().replace("−", "-")):
        raise _Wrong(field, "Enter a whole number.")
    number = int(text.strip().replace("−", "-"))
    if not least <= number <= most:
        raise _Wrong(
            field,
            f"Enter a number from {least:,} to {most:,}." if most >= least else "This calendar does not have that.",
        )
    return number


def _date(book: CalendarState, year: str, month: str, day: str, field: str) -> int:
    try:
        return typed_date(
            book.count,
            _whole(year, field, -100_000_000, 100_000_000),
            _whole(month, field, 1, len(book.shape.months)),
            _whole(day, field, 1, 1000),
        )
    except NoSuchDay as wrong:
        raise _Wrong(field, str(wrong)) from None


def _minute(shape: Shape, text: str) -> int | None:
    if not text.strip():
        return None
    found = re.fullmatch(r"([0-9]{1,4})(?:[:.]([0-9]{1,3}))?", text.strip())
    hours, minutes = (int(found[1]), int(found[2] or 0)) if found else (shape.hours, 0)
    if hours >= shape.hours or minutes >= shape.minutes:
        last = hour(shape, shape.hours * shape.minutes - 1)
        raise _Wrong("at", f"Enter an hour from {hour(shape, 0)} to {last}.")
    return hours * shape.minutes + minutes


def _place(place: Place) -> str:
    """The form's field for a field of the entry."""
    field = str(place[0]) if place else ""
    named = {"last_day": "lasts", "minute": "at", "starts_at": "real_date", "rule": "repeat", "brief": ""}
    return named.get(field, field)
