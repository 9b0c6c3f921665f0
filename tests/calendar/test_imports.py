"""Imports: dates and weekdays agree with the other program's own rules, entries come along, what is wrong is said."""

import itertools
import json
import re
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.calendar.days import Date, Reckoning, reckoning
from app.calendar.imports import Imported, Unusable, as_bytes, converted, fantasy_events, plain_text, restored
from app.calendar.repeat import occurrences
from app.calendar.shape import Leap

FILES = Path(__file__).parent / "files"
steady = settings(max_examples=150)


def text_of(name: str) -> str:
    return (FILES / name).read_text()


def data_of(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text_of(name))
    return data


HARROW = converted(text_of("simple-calendar.json"))
OURS = converted(text_of("simple-calendar-ours.json"))
TIDE = converted(text_of("fantasy-calendar.json"))


def entry(imported: Imported, title: str) -> Any:
    return next(one for one in imported.entries if one.title == title)


# ---- Simple Calendar, by its own rules ------------------------------------------------------------------------------


def simple_days(calendar: dict[str, Any], year: int) -> list[int]:
    rule, each = calendar["leapYear"]["rule"], calendar["leapYear"]["customMod"]
    leap = rule == "custom" and year % each == 0
    leap = leap or (rule == "gregorian" and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return [month["numberOfLeapYearDays" if leap else "numberOfDays"] for month in calendar["months"]]


def simple_number(calendar: dict[str, Any], year: int, month: int, day: int, all_days: bool) -> int:
    """Days from the first one of `yearZero`, month and day from 0, counted one year after another."""
    counted = [all_days or not m["intercalary"] or m["intercalaryInclude"] for m in calendar["months"]]
    zero = calendar["year"]["yearZero"]
    low, high, sign = (zero, year, 1) if year >= zero else (year, zero, -1)
    whole = sum(sum(d for d, c in zip(simple_days(calendar, y), counted, strict=True) if c) for y in range(low, high))
    this = sum(d for d, c in list(zip(simple_days(calendar, year), counted, strict=True))[:month] if c)
    return sign * whole + this + day


@steady
@given(st.sampled_from(["simple-calendar.json", "simple-calendar-ours.json"]), st.integers(900, 2100), st.data())
def test_simple_calendars_days_and_weekdays(name: str, year: int, data: Any) -> None:
    file = data_of(name)
    calendar = file["calendars"][0] if "calendars" in file else file["calendar"]
    imported = HARROW if "calendars" in file else OURS
    count = reckoning(imported.shape)
    days = simple_days(calendar, year)
    assert list(count.lengths(year)) == days
    month = data.draw(st.sampled_from([index for index, length in enumerate(days) if length]))
    day = data.draw(st.integers(0, days[month] - 1))
    zero = count.number(Date(calendar["year"]["yearZero"], 1, 1))
    number = count.number(Date(year, month + 1, day + 1))
    assert number - zero == simple_number(calendar, year, month, day, True)
    part = calendar["months"][month]
    if part["intercalary"] and not part["intercalaryInclude"]:
        assert count.weekday(number) is None
    else:
        passed = simple_number(calendar, year, month, day, False) + calendar["year"]["firstWeekday"]
        assert count.weekday(number) == passed % len(calendar["weekdays"])
    moons = zip(calendar["moons"], imported.shape.moons, strict=True)
    for theirs, ours in moons:
        if theirs["firstNewMoon"]["yearReset"] != "none":
            continue
        first = theirs["firstNewMoon"]
        since = simple_number(calendar, year, month, day, True) - simple_number(
            calendar, first["year"], first["month"], first["day"], True
        )
        into = since % theirs["cycleLength"] + theirs["cycleDayAdjust"]
        if not 1 <= into < theirs["cycleLength"]:
            assert count.phase(ours, number) == "new"
        if theirs["cycleLength"] / 2 <= into < theirs["cycleLength"] / 2 + 1:
            assert count.phase(ours, number) == "full"


def test_simple_calendars_calendar_as_people_see_it() -> None:
    count = reckoning(HARROW.shape)
    assert HARROW.shape.name == "The Harrow Reckoning" and count.said(HARROW.today).endswith("12 Sickle 1420 HR")
    assert (HARROW.shape.hours, HARROW.shape.minutes, HARROW.shape.show_hours) == (20, 50, True)
    assert [season.colour for season in HARROW.shape.seasons] == ["spring", "summer", "autumn", "winter"]
    assert count.lengths(1420)[8] == 1 and count.lengths(1421)[8] == 0, "Oath Day comes every fourth year"
    ours = reckoning(OURS.shape)
    assert ours.said(OURS.today) == "Thursday, 29 February 2024"


def test_simple_calendars_notes() -> None:
    count = reckoning(HARROW.shape)
    feast, market, rent = (entry(HARROW, t) for t in ("Candle Night feast", "Market", "Rent is due"))
    after = count.number(Date(1420, 1, 1))
    said = lambda one: [count.said(n) for n in islice(occurrences(one.rule, count, after, after + 9999), 2)]  # noqa: E731
    assert said(feast) == ["Candle Night 1420 HR", "Candle Night 1421 HR"] and feast.kind == "holiday"
    assert said(rent) == [count.said(count.number(Date(1420, n, 15))) for n in (1, 2)]
    assert {count.weekday(n) for n in occurrences(market.rule, count, after, after + 99)} == {count.weekday(market.day)}
    funeral = entry(HARROW, "The king's funeral")
    assert funeral.last_day - funeral.day == 4 and funeral.minute == 18 * 50 + 30
    assert funeral.text == "Words of this note." and not funeral.hidden
    assert entry(HARROW, "What the GM plans").hidden
    assert entry(OURS, "New Year").text == "A toast"
    lost = "\n".join(HARROW.lost)
    assert "“Dwarven Count”" in lost and "“On no day”" in lost and "“Sister”" in lost and "“Bell”" in lost
    assert OURS.lost == ("Formatting, links and pictures in texts.", "Short names of months and weekdays.")


# ---- Fantasy-Calendar, by its own rules -----------------------------------------------------------------------------


def votes(interval: str, offset: int, year: int) -> bool:
    """The largest interval that a year fits decides."""
    parts = sorted(((int(p.strip("!+")), "!" not in p) for p in interval.split(",")), reverse=True)
    return next((yes for each, yes in parts if (year - offset) % each == 0), False)


def tide_year(year: int) -> list[tuple[str, int, bool]]:
    """Name, days and whether in weeks of each month of a year from 1 on, festivals of leap days after their month."""
    found = []
    data = data_of("fantasy-calendar.json")["static_data"]["year_data"]
    for index, span in enumerate(data["timespans"]):
        days = span["length"] if (year - span["offset"]) % span["interval"] == 0 else 0
        after = []
        for leap in data["leap_days"]:
            if leap["timespan"] == index:
                comes = votes(leap["interval"], leap["offset"], year)
                if leap["intercalary"] and span["type"] == "month":
                    after.append((leap["name"], int(comes), False))
                else:
                    days += comes
        found += [(span["name"], days, span["type"] == "month"), *after]
    return found


def test_fantasy_calendars_days_and_weekdays() -> None:
    """Every day of six centuries, counted one after another."""
    count, number, in_weeks = reckoning(TIDE.shape), 0, 0
    for year in range(1, 601):
        months = tide_year(year)
        assert count.lengths(year) == tuple(days for _, days, _ in months)
        for month, (_, days, weekly) in enumerate(months, start=1):
            if days and (year % 40 == 0 or year < 12):
                assert count.number(Date(year, month, 1)) == number
                assert count.weekday(number) == ((in_weeks + 1) % 5 if weekly else None), "first_day is 2: “Slack”"
            number += days
            in_weeks += days * weekly
    pearl = TIDE.shape.moons[0]
    for epoch in range(0, 5000, 7):
        phase = round(((epoch - 4) / 32.5) % 1 * 8) % 8
        exact = ((epoch - 4) / 32.5) % 1 * 8 % 1
        if abs(exact - 0.5) > 1e-9:
            assert count.phase(pearl, epoch) == (
                "new", "waxing crescent", "first quarter", "waxing gibbous", "full", "waning gibbous", "last quarter",
                "waning crescent",
            )[phase]  # fmt: skip


def test_fantasy_calendars_calendar_as_people_see_it() -> None:
    count = reckoning(TIDE.shape)
    assert count.said(TIDE.today).endswith("17 Otter 222 Since the Wall")
    assert [moon.name for moon in TIDE.shape.moons] == ["Pearl"], "what players may not see does not come along"
    assert [(s.name, s.colour) for s in TIDE.shape.seasons] == [("Winter storms", "winter"), ("Summer calm", "summer")]
    assert TIDE.shape.skip_zero and (TIDE.shape.hours, TIDE.shape.minutes) == (12, 90)


def test_fantasy_calendars_events() -> None:
    count = reckoning(TIDE.shape)
    after = count.number(Date(421, 1, 1))
    date = lambda title: count.date(next(occurrences(entry(TIDE, title).rule, count, after, after + 9999)))  # noqa: E731
    assert date("Herring feast")[1:] == (3, 9) and date("Wage day") == (421, 1, 1)
    gull = date("First Flow of Gull")
    assert TIDE.shape.months[gull.month - 1].name == "Gull" and gull.day <= 5
    assert count.weekday(count.number(date("Still mass"))) == 4
    assert (count.number(date("Every ninth day")) - 4) % 9 == 0
    full = next(occurrences(entry(TIDE, "Full Pearl").rule, count, after, after + 99))
    assert count.phase(TIDE.shape.moons[0], full) == "full"
    falls = entry(TIDE, "The Wall falls")
    assert falls.last_day - falls.day == 2 and falls.text == "Told of every year."
    assert count.date(entry(TIDE, "Crowning").day) == (402, 1, 12)
    untold = {"Rare tide", "Either or", "Never"}
    assert {one.title for one in TIDE.entries if one.hidden} == {"The GM's storm", "Hidden by its kind", *untold}
    lost = "\n".join(TIDE.lost)
    for name in ("Rare tide", "Either or", "Never", "The Long Peace", "Drowned Moon", "Buoy"):
        assert f"“{name}”" in lost, name


# ---- files that are none --------------------------------------------------------------------------------------------


def changed(name: str, **parts: Any) -> str:
    data = data_of(name)
    target = data["calendars"][0] if "calendars" in data else data["static_data"]["year_data"]
    target.update(parts)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "file is empty"),
        ("   \n", "file is empty"),
        ("hello", "not a complete JSON"),
        ('{"a": 1', "line 1"),
        ("[" * 100_000, "nested too deeply|not a complete JSON"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("[1]", "is a list"),
        ("7", "is 7"),
        ("{}", "no calendar that Signet knows"),
        ('{"calendars": []}', "no calendar with months"),
        ('{"calendars": {}}', "should be a list"),
        ('{"calendars": [7]}', "should be an object"),
        ('{"static_data": 1}', "should be an object"),
        ('{"static_data": {}}', "no calendar with months"),
        ('{"monthSettings": []}', "before 2"),
        ('{"a": NaN}', "not a number"),
        ('{"a": ' + "9" * 5000 + "}", "thousands of digits"),
        (changed("simple-calendar.json", months=[{"name": "M", "numberOfDays": 3}] * 70), "70 months"),
        (changed("simple-calendar.json", months=[{"name": "M", "numberOfDays": 1e308}]), "whole number|must be"),
        (changed("simple-calendar.json", months=[{"name": "M", "numberOfDays": "many"}]), "whole number"),
        (changed("simple-calendar.json", months=[{"name": ["M"], "numberOfDays": 3}]), "should be text"),
        (changed("simple-calendar.json", weekdays=[{"name": "D"}] * 31), "31 weekdays"),
        (changed("simple-calendar.json", leapYear={"rule": "custom", "customMod": 10**9}), "must be"),
        (changed("fantasy-calendar.json", timespans=[{"name": "M", "length": 0}]), "must be 1"),
        (changed("fantasy-calendar.json", leap_days=[{"interval": "x", "timespan": 0}]), "cannot be read"),
        (changed("fantasy-calendar.json", leap_days=[{"interval": "997", "timespan": 0}] * 21), "21 leap days"),
        ("x" * 1_048_577, "more than a megabyte"),
    ],
    ids=range(27),
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(Unusable, match=says):
        converted(text)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))][: 10**6]


@pytest.mark.nightly  # with each commit: tests/foreign/test_hostile.py
@steady
@given(st.sampled_from(["simple-calendar.json", "simple-calendar-ours.json", "fantasy-calendar.json"]), st.data())
def test_whatever_stands_in_a_file_it_is_taken_over_or_refused_in_words(name: str, data: Any) -> None:
    file = data_of(name)
    for path in data.draw(st.lists(st.sampled_from(places(file)[1:]), min_size=1, max_size=3)):
        target = file
        try:
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = data.draw(junk)
        except (KeyError, IndexError, TypeError):
            continue
    try:
        imported = converted(json.dumps(file))
    except Unusable as refused:
        assert str(refused)[-1] in ".!" and len(str(refused)) < 400
    else:
        count = reckoning(imported.shape)
        assert count.said(imported.today) and all(isinstance(line, str) for line in imported.lost)
        for one in imported.entries:
            assert count.said(one.day) and one.title and len(one.text) <= 4000


def test_a_file_of_another_program_is_named() -> None:
    """No sentence of a library reaches a person, and what the file is comes first."""
    stars = {"translations": {}, "months": [{"name": "Sedge", "days": 30}], "leapYear": {"rule": "none"}}
    for named, text in (
        ("calendar of Seasons & Stars", json.dumps(stars)),
        ("calendar of Seasons & Stars", json.dumps({**stars, "translations": None})),
        ("calendar of Seasons & Stars", json.dumps({"translations": {}, "baseCalendar": "gregorian"})),
        ("calendar of Calendaria", json.dumps({"years": {"yearZero": 1}, "months": {"values": {}}})),
        ("iCalendar file", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
        ("web page", "\n<!doctype html><title>Calendar</title>"),
        ("from Simple Calendar: moons.0.period: Enter a number of days",
         changed("simple-calendar.json", moons=[{"cycleLength": 100_000}])),
        ("from Fantasy-Calendar: timespans", json.dumps({"static_data": {"year_data": {"timespans": 1}}}))
    ):  # fmt: skip
        with pytest.raises(Unusable, match=named.replace("timespans", ".*timespans")) as refused:
            converted(text)
        assert not re.search("validation|Expecting|should (match|have)|Value error", str(refused.value))


# ---- files made in spite ---------------------------------------------------------------------------------------------


def spiteful(events: int) -> str:
    """Sixty short months, leap rules with a long cycle, and events on a day that two leap rules never make together."""
    months = [{"name": f"m{n}", "length": 1, "interval": 1, "type": "month"} for n in range(48)]
    rules = ["2", "2", *["20000,!10000,5000,!2500,1250,!625,125,!25"] * 18]
    leaps = [{"name": str(n), "timespan": n // 2, "interval": every, "offset": n} for n, every in enumerate(rules)]
    never = {"date": [], "conditions": [["Day", "0", ["3"]]]}
    fifth = {"date": [], "conditions": [["Weekday", "0", ["1"]], ["&&"], ["Weekday", "8", ["5"]]]}
    static = {
        "year_data": {"timespans": months, "global_week": ["x"], "leap_days": leaps, "first_day": 1},
        "settings": {"year_zero_exists": True},
    }
    told = [{"name": str(n), "data": (never, fifth)[n % 2]} for n in range(events)]
    return json.dumps({"name": "x", "static_data": static, "dynamic_data": {"year": 1}, "events": told})


def test_rules_that_never_fall_cost_their_steps_together_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    lengths = Reckoning.lengths

    def counted(self: Reckoning, year: int) -> tuple[int, ...]:
        nonlocal looked
        looked += 1
        return lengths(self, year)

    monkeypatch.setattr(fantasy_events, "MOST_STEPS_OF_ALL", 500)
    monkeypatch.setattr(Reckoning, "lengths", counted)
    found = converted(spiteful(200))
    assert {one.day for one in found.entries} == {found.today} and "and 192 more" in found.lost[0]
    assert looked < 5000


def test_the_table_of_a_long_cycle_asks_no_year_for_its_leap_days(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Leap, "falls_in", lambda self, year: bool(asked.append(year)))
    monkeypatch.setattr(fantasy_events, "MOST_STEPS_OF_ALL", 0)
    assert converted(spiteful(1)).shape.cycle == 20_000
    assert len(asked) < 1000


NO_WEEKDAYS = {
    "Fantasy-Calendar": {"static_data": {"year_data": {"timespans": [{"name": "M"}]}}},
    "Simple Calendar": {"calendar": {"months": [{"name": "M", "numberOfDays": 30}]}},
}


@pytest.mark.parametrize("source", NO_WEEKDAYS)
def test_a_calendar_without_weekdays_is_read(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks for the first day with a weekday, one after another, never ends."""
    looked = itertools.count()

    def counted(self: Reckoning, number: int) -> int | None:
        assert next(looked) < 1000, "the search never ends"
        return None

    monkeypatch.setattr(Reckoning, "weekday", counted)
    found = converted(json.dumps(NO_WEEKDAYS[source]))
    assert found.source == source and found.shape.weekdays == () and found.shape.months[0].days == 30


def test_a_year_that_begins_with_festivals_has_its_first_weekday_after_them() -> None:
    months = [
        {"name": "Feast", "numberOfDays": 2, "intercalary": True, "intercalaryInclude": False},
        {"name": "Sedge", "numberOfDays": 30},
    ]
    days = [{"name": name} for name in ("One", "Two", "Three")]
    part = {"months": months, "weekdays": days, "year": {"firstWeekday": 2, "yearZero": 5}}
    found = converted(json.dumps({"calendar": part}))
    count = reckoning(found.shape)
    assert [count.weekday(count.number(Date(5, 1, 1))), count.weekday(count.number(Date(5, 2, 1)))] == [None, 2]


def test_descriptions_full_of_half_tags_cost_what_their_length_costs() -> None:
    notes = [{"name": f"n{n}", "content": "<a b='" * 2700} for n in range(60)]
    file = {"calendar": {"months": [{"name": "M", "numberOfDays": 30}]}, "notes": notes}
    begun = time.process_time()
    assert len(converted(json.dumps(file)).entries) == 60
    assert time.process_time() - begun < 5, "quadratic: nine seconds for each"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One<br>two &amp; <b>three</b></p><ul><li>four<li>five</ul>", "One\ntwo & three\nfour\nfive"),
        ("<table><tr><td>a<tr><td>b</table><script>if (a<b) alert('<p>')</script>c", "a\nbc"),
        ("HP < 5 & x<y", "HP < 5 & x<y"),
        ("&lt;b&gt; &copy; &amp;lt; &#x41;", "<b> © &lt; A"),
        ("<!-- no --><h1>a</h1>\n\n\n\n<div>b</div>", "a\n\nb"),
        ("a\x00\ud800\x1bb<i>\udfff</i>\u200b", "ab"),
    ],
)
def test_html_becomes_plain_text(html: str, text: str) -> None:
    assert plain_text.plain(html) == text


def test_a_repeat_of_no_days_or_a_name_of_half_characters_spoils_one_entry() -> None:
    told: list[dict[str, Any]] = [
        {"name": "zero", "data": {"conditions": [["Epoch", "6", ["0"]]]}},
        {"name": 5, "data": {}},
        {"name": ["\ud800"], "data": {"date": [1, 0, 1]}},
        {"name": "half \ud800", "data": 7},
        {"name": "good", "data": {"date": [1, 0, 1]}},
    ]
    file = {"static_data": {"year_data": {"timespans": [{"name": "M"}]}}, "events": told}
    found = restored(as_bytes(json.dumps(file).encode()))
    assert [one.title for one in found.entries] == ["zero", "good"] and "comes when" in found.entries[0].text
    lost = "\n".join(found.lost)
    assert "“zero”" in lost and "“half”" in lost and "“events[1]”" in lost
