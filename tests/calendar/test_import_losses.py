"""Imports are right to the day, and whatever is lost or changed is told: by declarations of all fields of a format."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from app.almanac import calendar_state, entries
from app.calendar.days import Date, reckoning
from app.calendar.imports import (
    Imported,
    converted,
    fantasy_fields,
    fields,
    reading,
    signet_calendar,
    simple_fields,
)
from app.calendar.imports.fields import Fields, Format
from app.calendar.imports.moons import NAMES
from app.calendar.repeat import OnDate

FILES = Path(__file__).parent / "files"
FORMATS = {"simple-calendar": simple_fields.FILE, "fantasy-calendar": fantasy_fields.FILE}
MONTHS = [
    {"name": name, "numberOfDays": 30, "numberOfLeapYearDays": leap} for name, leap in (("Sedge", 30), ("Rush", 31))
]
PHASES = [{"name": name, "length": 1 if at % 2 == 0 else 4} for at, name in enumerate(NAMES)]


def simple(**parts: Any) -> Imported:
    calendar = {"name": "Reed Count", "months": MONTHS, "weekdays": [], **parts}
    return converted(json.dumps({"calendar": calendar}))


def fantasy(leap: dict[str, Any], events: list[Any] = [], **parts: Any) -> Imported:  # noqa: B006
    """Two months of thirty days, of which the first has this leap day."""
    spans = [{"name": name, "type": "month", "length": 30, "interval": 1, "offset": 0} for name in ("Sedge", "Rush")]
    leaps = (
        [{"name": "Gate Day", "intercalary": True, "timespan": 0, "interval": "1", "offset": 0, **leap}] if leap else []
    )
    static = {"year_data": {"timespans": spans, "leap_days": leaps, "global_week": ["One", "Two", "Three"]}, **parts}
    file = {"static_data": static, "dynamic_data": {"year": 100, "timespan": 0, "day": 1}, "events": events}
    return converted(json.dumps(file))


def told(found: Imported) -> str:
    return "\n".join(found.lost)


# ---- right to the day ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leap", "years"),
    [
        ({"rule": "custom", "customMod": 4, "startingYear": 2}, [-2, 2, 98, 102, 106]),
        ({"rule": "custom", "customMod": 4, "startingYear": 99}, [-1, 3, 99, 103]),
        ({"rule": "custom", "customMod": 4}, [0, 4, 100, 104]),
        ({"rule": "gregorian", "startingYear": 1}, [1, 5, 401, 405]),
    ],
)
def test_leap_years_are_counted_from_their_starting_year(leap: dict[str, Any], years: list[int]) -> None:
    found = simple(leapYear=leap)
    count = reckoning(found.shape)
    assert [count.lengths(year)[1] for year in years] == [31] * len(years)
    others = [year + more for year in years for more in (1, 2, 3)]
    assert [count.lengths(year)[1] for year in others] == [30] * len(others)
    shorter = simple(leapYear=leap, months=[{**MONTHS[1], "numberOfLeapYearDays": 29}])
    assert [reckoning(shorter.shape).lengths(year)[0] for year in (years[0], others[0])] == [29, 30], (
        "leap years lose one"
    )


@pytest.mark.parametrize("cycle", [20, 25, 28, 34, 91, 29.5, 29.53059, 11.25])
@pytest.mark.parametrize("adjust", [0, 0.5, 2])
def test_moons_are_new_and_full_on_the_days_on_which_simple_calendar_shows_them(cycle: float, adjust: float) -> None:
    """There, a day's place in the cycle is that of its beginning, and the phases follow by their lengths."""
    new = {"yearReset": "none", "year": 100, "month": 0, "day": 4}
    found = simple(moons=[{"name": "Pebble", "cycleLength": cycle, "cycleDayAdjust": adjust, "firstNewMoon": new}])
    count, (moon,) = reckoning(found.shape), found.shape.moons
    period, first = Fraction(str(cycle)), count.number(Date(100, 1, 5))
    if not adjust:
        assert count.is_peak(moon, first, "new")
    rest = (period - 4) / 4
    begins = {"new": Fraction(0), "first quarter": 1 + rest, "full": 2 + 2 * rest, "last quarter": 3 + 3 * rest}
    for day in range(first - 300, first + 300):
        into = ((day - first) + Fraction(str(adjust))) % period
        for phase, at in begins.items():
            assert count.is_peak(moon, day, phase) == ((into - at) % period < 1), (day - first, phase)


def test_a_leap_day_before_the_first_day_is_a_festival_before_its_month() -> None:
    """There, it is day 1 of its month; the date and events are on the same days as there."""
    feast = {"data": {"conditions": [["Month", "0", ["0"]], ["&&"], ["Day", "0", ["1"]]]}, "name": "Feast"}
    fifth = {"data": {"conditions": [["Month", "0", ["0"]], ["&&"], ["Day", "0", ["5"]]]}, "name": "Fifth"}
    last = {"data": {"date": [100, 0, 31]}, "name": "Last"}
    found = fantasy({"day": 0}, [feast, fifth, last])
    count = reckoning(found.shape)
    assert [(month.name, month.days, month.between) for month in found.shape.months] == [
        ("Gate Day", 1, True), ("Sedge", 30, False), ("Rush", 30, False),
    ]  # fmt: skip
    assert count.said(found.today) == "Gate Day 100" and found.today == 99 * 61
    assert "“Gate Day”" in told(found) and "day 1 of their month" in told(found)
    assert [one.rule for one in found.entries[:2]] == [OnDate(month=1, day=1), OnDate(month=2, day=4)]
    assert count.said(found.entries[2].day).endswith("30 Sedge 100")


@pytest.mark.parametrize(
    ("day", "order"), [(0, "Gate Day, Sedge, Rush"), (12, "Sedge, Gate Day, Rush"), (30, "Sedge, Gate Day, Rush")]
)
def test_a_leap_day_of_some_years_is_on_its_side_of_the_month(day: int, order: str) -> None:
    dated = [{"data": {"date": [year, 0, 31]}, "name": str(year)} for year in (100, 101)]
    found = fantasy({"day": day, "interval": "4", "not_numbered": True}, dated)
    assert ", ".join(month.name for month in found.shape.months) == order
    count = reckoning(found.shape)
    assert [count.year_length(year) for year in (100, 101)] == [61, 60]
    (leap, other) = (one for one in found.entries)
    assert count.said(leap.day).endswith("30 Sedge 100" if day == 0 else "Gate Day 100")
    assert other.hidden and "no date" in other.text, "year 101 has no 31st day of that month"
    assert ("lie inside a month" in told(found)) == (day == 12) and "day 1 of their month" not in told(found)


@pytest.mark.parametrize(("rounding", "new"), [("round", [0, 10, 19]), ("floor", [0, 10, 20]), ("ceil", [0, 9, 19])])
def test_a_moon_of_fantasy_calendar_is_rounded_as_the_file_says(rounding: str, new: list[int]) -> None:
    found = fantasy({}, moons=[{"name": "Pebble", "cycle": 9.6, "shift": 0, "cycle_rounding": rounding}])
    count, (moon,) = reckoning(found.shape), found.shape.moons
    assert [day for day in range(21) if count.is_peak(moon, day, "new")] == new


# ---- what is told ----------------------------------------------------------------------------------------------------


def filled(paths: list[str], value: object) -> dict[str, Any]:
    """A file with a value in each of these fields."""
    file: dict[str, Any] = {}
    for path in paths:
        target: Any = file
        keys = path.replace("[]", ".[]").split(".")
        for key, after in zip(keys, [*keys[1:], None], strict=True):
            inner: Any = value if after is None else [] if after == "[]" else {}
            if key == "[]":
                target[:] = target or [inner]
                target = target[0]
            else:
                target = target.setdefault(key, inner)
    return file


def names_of(name: str) -> list[str]:
    return (FILES / f"{name}-fields.txt").read_text().split()


@pytest.mark.parametrize("name", FORMATS)
def test_every_field_of_real_files_is_declared(name: str) -> None:
    """The lists have each field that a file of the program was seen to have, and those that its code writes."""
    losses = reading.Losses()
    FORMATS[name].tell(filled(names_of(name), "telling"), losses)
    assert fields.UNKNOWN not in losses.said, losses.said.get(fields.UNKNOWN)
    assert set(losses.said) == {row.words for row in FORMATS[name].rows if row.fate == "left out"}, "each is told once"
    for silent in (None, "", 0, False, [], {}, [{}]):
        losses = reading.Losses()
        FORMATS[name].tell(filled(names_of(name), silent), losses)
        assert losses.said == {}, silent


def test_an_unknown_field_is_named_once_and_briefly() -> None:
    found = simple(tides=[{"high": 1}] * 50, **{"x" * 500: 1, "empty": [], "half \ud800": 2})
    (line,) = (line for line in found.lost if line.startswith("Fields that Signet does not know"))
    assert line.count("calendar.tides") == 1 and len(line) < 200 and "empty" not in line and "“calendar.half ”" in line
    many = simple(**{f"odd{number}": 1 for number in range(3000)})
    assert "and 2992 more" in told(many) and len(told(many)) < 300


def test_a_declaration_has_each_field_once() -> None:
    for format_ in (*FORMATS.values(), signet_calendar.FIELDS):
        format_.tell({}, reading.Losses())
    with pytest.raises(ValueError, match="twice"):
        Format((Fields("a", "b c"), Fields("a", "c"))).tell({}, reading.Losses())
    with pytest.raises(ValueError, match="twice"):
        Format((Fields("a[]", "b"), Fields("", "a[].b.c"))).tell({}, reading.Losses())


MOON = {"name": "Pebble", "cycleLength": 20, "firstNewMoon": {"year": 1, "month": 0, "day": 0}}
NOTE = {"name": "Fair", "noteData": {"startDate": {"year": 1, "month": 0, "day": 0}}}


def with_note(**more: Any) -> Imported:
    note = {**NOTE, **more, "noteData": {**NOTE["noteData"], **more.get("noteData", {})}}  # type: ignore[dict-item]
    return converted(json.dumps({"calendar": {"months": MONTHS}, "notes": [note]}))


TOLD = [
    ("other names", lambda: simple(moons=[{**MOON, "phases": [*PHASES[:-1], {"name": "Sleep", "length": 4}]}])),
    ("other lengths", lambda: simple(moons=[{**MOON, "phases": [*PHASES[:-1], {"name": NAMES[-1], "length": 2}]}])),
    ("shows it after them", lambda: simple(year={"prefix": "RY"})),
    ("number their days", lambda: simple(months=[{**MONTHS[0], "numericRepresentationOffset": 1}])),
    ("Numbers of months", lambda: simple(months=[{**MONTHS[0], "numericRepresentation": 7}])),
    ("never have a day", lambda: simple(months=[*MONTHS, {"name": "Nowhen", "numberOfDays": 0}])),
    ("too long and are cut: “Sedge Sedge", lambda: simple(name="Sedge " * 20)),
    ("longer than 4,000 characters", lambda: with_note(content="word " * 900)),
    ("Formatting, links", lambda: with_note(content="A <b>bold</b> word")),
    ("hours at which", lambda: with_note(noteData={"allDay": False, "endDate": {"year": 1, "month": 0, "hour": 3}})),
    ("Categories of notes: “Law”", lambda: with_note(noteData={"categories": ["Law", "Feast day"]})),
    ("too far away", lambda: with_note(noteData={"endDate": {"year": 999_999, "month": 0, "day": 0}})),
    ("no first year: “Dawn”", lambda: fantasy({}, eras=[{"name": "Dawn", "settings": {"starting_era": True}}])),
    ("hidden from players", lambda: fantasy({}, eras=[{"name": "Dawn"}], settings={"hide_eras": True})),
    ("take a day or a weekday away", lambda: fantasy({"removes_day": True, "day": 3})),
    ("set how far they see", lambda: fantasy({}, settings={"only_reveal_today": True})),
    ("Cycles", lambda: fantasy({}, cycles={"data": [{"names": ["Rat", "Ox"]}]})),
]


@pytest.mark.parametrize(("words", "found"), TOLD, ids=[words for words, _ in TOLD])
def test_what_is_lost_is_told(words: str, found: Any) -> None:
    assert words in told(found())


def test_what_has_all_that_signet_knows_loses_nothing() -> None:
    whole = simple(moons=[{**MOON, "phases": PHASES}], year={"postfix": "RC"}, leapYear={"rule": "gregorian"})
    assert whole.lost == () and with_note(content="<p>One</p>").lost == () and fantasy({}).lost == ()
    own = json.loads(signet_calendar.written(whole.shape, 3, with_note().entries))
    assert converted(json.dumps(own)).lost == ()
    assert told(converted(json.dumps({**own, "spell": 1}))) == "Fields that Signet does not know: “spell”."


@pytest.mark.parametrize("name", ["hide", "hide_full"])
def test_what_fantasy_calendar_hides_is_for_gms_alone(name: str) -> None:
    event = {"name": "Plot", "data": {"date": [100, 0, 1]}, "settings": {name: True}}
    assert [one.hidden for one in fantasy({}, [event]).entries] == [True]
    open_event = {**event, "settings": {}}
    assert [one.hidden for one in fantasy({}, [open_event], settings={"hide_events": True}).entries] == [True]
    moon = {"name": "Pebble", "cycle": 20}
    assert fantasy({}, moons=[moon], settings={"hide_moons": True}).shape.moons == ()


def condition(*rows: Any, linked: list[Any] = []) -> str:  # noqa: B006
    events = [
        {
            "name": "Tide",
            "description": "<p>High water</p>",
            "data": {"conditions": list(rows), "connected_events": linked},
        },
        {"name": "Fair", "data": {"date": [100, 0, 2]}},
    ]
    found = fantasy({}, events, moons=[{"name": "Pebble", "cycle": 20}], eras=[{"name": "Dawn", "date": {"year": 1}}])
    (tide, fair) = found.entries
    assert (tide.kind, tide.hidden, tide.rule, tide.day) == ("note", True, None, found.today) and not fair.hidden
    assert "“Tide”" in told(found) and "note for GMs" in told(found)
    assert tide.text.startswith("High water\n\nIn Fantasy-Calendar this ")
    return tide.text.split("\n\n")[1].removeprefix("In Fantasy-Calendar this ")


def test_an_event_with_conditions_is_a_note_that_names_them() -> None:
    both = [["Month", "1", ["1"]], ["||"], ["Year", "6", ["3", "2"]]]
    assert condition(*both) == "comes when the month is not Rush or the year comes every 3, from 2 on."
    assert condition(["", both], ["&&"], ["Moons", "4", ["0", "12"]]) == (
        "comes when (the month is not Rush or the year comes every 3, from 2 on) "
        "and the phase of Pebble is later than 12."
    )
    assert condition(["Events", "3", [0, "7"]], linked=[1]) == "comes when “Fair” was within the last 7 days."
    assert condition(["Events", "0", [0, "1"]], linked=["1"]) == "comes when “Fair” was 1 day ago."
    assert condition(["Season", "15", ["1"]]) == "comes when it is the longest day."
    assert condition(["Random", "0", ["20", "7"]]) == "comes when a chance from 0 to 100 is above 20."
    assert condition(["Era", "0", ["0"]], ["&&"], ["Day", "8", ["9"]]) == (
        "comes when the era is Dawn and the day of the year is not 9."
    )
    assert condition(["Tarot", "99", ["<b>fool</b>", {"a": 1}]]) == "comes when Tarot: fool, {'a': 1}."
    assert condition().startswith("has no date, and no conditions")


def test_conditions_cost_no_more_than_a_sentence() -> None:
    deep: list[Any] = ["", [["Year", "1", ["9"]]]]
    for _ in range(12):
        deep = ["", [deep, ["||"], deep]]
    events = [
        {"name": "Deep", "data": {"conditions": [deep]}},
        {"name": "Wide", "data": {"conditions": [["Day", "1", ["9"]]] * 9000}},
    ]
    found = fantasy({}, events)
    assert [len(one.text) < 1700 for one in found.entries] == [True, True]


def test_limits_of_the_almanac_are_those_of_imports() -> None:
    assert (reading.MOST_DAY, reading.MOST_SPAN) == (calendar_state.MOST_DAY, entries.MOST_SPAN)
