"""Signet's own file: what comes back is what was written, and of a spoiled file it is said what is wrong."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.calendar.days import reckoning
from app.calendar.imports import ForeignEntry, Unusable, converted
from app.calendar.imports.signet_calendar import written
from app.calendar.order import KINDS
from app.calendar.presets import PRESETS
from app.calendar.repeat import EveryDays, NthWeekday, OnDate, Rule, Weekly, WithMoon, WithSeason, occurrences, upcoming
from app.calendar.shape import Shape

RULES: tuple[Rule, ...] = (
    EveryDays(days=10, until=5000, skip=frozenset({120})),
    Weekly(weekdays=frozenset({0, 2})),
    OnDate(day=-1),
    OnDate(day=3, month=2),
    NthWeekday(nth=-1, weekday=1, month=3),
    WithMoon(phase="full"),
    WithSeason(season=2),
)


def full(shape: Shape) -> list[ForeignEntry]:
    """Entries of every kind, and of every way to repeat that this shape knows."""
    count, found = reckoning(shape), list[ForeignEntry]()
    for n, kind in enumerate(KINDS):
        starts = datetime(2027, 1, 2, 20, tzinfo=UTC) + timedelta(days=n) if kind == "session" else None
        found.append(
            ForeignEntry(
                f"{kind} < “{n}” & more", 90 + n, 95 + n if n % 2 else None, None, 61 if n % 3 else None,
                f"First line\n\n- a\ttab, {n}", kind, bool(n % 2), "The <old> mill", "stop" if n % 2 else "pass",
                n % 4 == 3, starts, 180 if starts else None,
            )
        )  # fmt: skip
    for rule in RULES:
        if days := upcoming(rule.model_copy(update={"start": 100}), count, 99, 1):
            found.append(ForeignEntry(rule.kind, days[0], rule=rule.model_copy(update={"start": days[0]})))
    return found


@pytest.mark.parametrize("key", PRESETS)
def test_a_calendar_comes_back_as_it_went(key: str) -> None:
    entries = full(PRESETS[key])
    back = converted(written(PRESETS[key], -400, entries))
    assert (back.source, back.shape, back.today, back.lost) == ("Signet", PRESETS[key], -400, ())
    assert list(back.entries) == entries and len(entries) >= len(KINDS) + 3
    count = reckoning(back.shape)
    for ours, theirs in zip(entries, back.entries, strict=True):
        if ours.rule is not None and theirs.rule is not None:
            days = [list(occurrences(one, count, 0, 3000)) for one in (ours.rule, theirs.rule)]
            assert days[0] == days[1] and days[0]


def spoiled(**change: Any) -> str:
    data = json.loads(written(PRESETS["festivals"], 12, [ForeignEntry("A note", 3), ForeignEntry("Another", 4)]))
    return json.dumps({**data, **change})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 2}, "version 2"),
        ({"version": None}, "version 0, and this server reads version 1"),
        ({"today": "soon"}, "today should be a whole number"),
        ({"today": 10**12}, "today is 1000000000000"),
        ({"shape": None}, "name"),
        ({"shape": {"name": "x", "months": []}}, "months"),
        ({"entries": {"a": 1}}, "entries should be a list"),
        (
            {"shape": {"name": "x", "months": [{"name": "M", "days": 30}],
                       "eras": [{"name": "E", "first_year": -(10**4299)}]}},
            "a number with more than 12 digits",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(change: dict[str, Any], says: str) -> None:
    with pytest.raises(Unusable, match=says):
        converted(spoiled(**change))


def test_entries_that_cannot_be_read_are_named_and_the_others_come() -> None:
    good = {"title": "Good\u0000 \ud800", "day": 5, "viewers": ["x"]}
    bad: list[Any] = [
        {"title": "No day"}, {"title": "Odd kind", "day": 1, "kind": "party"},
        {"title": "Late", "day": 9, "last_day": 3},
        {"title": "No hour", "day": 1, "kind": "session"}, 7, {"title": "Far", "day": 10**10},
        {"title": "Endless", "day": 1, "rule": {"kind": "days", "until": 10**4000}},
        {"title": "Beyond", "day": 1, "kind": "session", "starts_at": "9999-12-31T23:59:59-12:00"},
    ]  # fmt: skip
    never = {"title": "Never", "day": 1, "rule": {"kind": "date", "day": 400}}
    weekly = {"title": "Weekly", "day": 2, "kind": "session", "starts_at": "2027-01-05T19:00:00Z"}
    weekly["rule"] = {"kind": "days", "days": 7}
    back = converted(spoiled(entries=[*bad, never, good, weekly]))
    assert [(one.title, one.hidden) for one in back.entries] == [("Good", True), ("Weekly", True)], (
        "hidden unless the file says otherwise"
    )
    assert back.entries[1].rule is None and any("sessions repeat" in line and "Weekly" in line for line in back.lost)
    for name in ("No day", "Odd kind", "Late", "No hour", "entries[4]", "Far", "Never", "Endless", "Beyond"):
        assert any(name in line for line in back.lost), name
