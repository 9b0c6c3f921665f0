"""Dates and day numbers: exact both ways, against Python's own calendar and against counting one by one."""

import datetime
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from app.calendar.days import PHASES, Date, NoSuchDay, Reckoning, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import Leap, Month, Shape

OURS = reckoning(PRESETS["gregorian"])
FAR = 365_242_500  # a million years
MOON = OURS.shape.moons[0]
steady = settings(deadline=None, database=None, derandomize=True)


@st.composite
def shapes(draw: Any) -> Shape:
    months = [
        Month(name=f"M{n}", days=draw(st.integers(n < 1, 40)), between=n > 0 and draw(st.booleans()))
        for n in range(draw(st.integers(1, 9)))
    ]
    if draw(st.booleans()):
        months.insert(0, Month(name="Now and then", days=0, between=draw(st.booleans())))
    leaps = [
        Leap(
            month=draw(st.integers(0, len(months) - 1)),
            every=draw(st.sampled_from(["4", "3", "400,!100,4", "7,!21", "1", "12, !6, 2"])),
            shift=draw(st.integers(-5, 5)),
            days=draw(st.integers(1, 3)),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    leaps += [Leap(month=n, every="5") for n, month in enumerate(months) if not month.days]
    return Shape(
        name="Drawn",
        months=tuple(months),
        leaps=tuple(leaps),
        weekdays=tuple(f"D{n}" for n in range(draw(st.integers(0, 9)))),
        weeks=draw(st.sampled_from(["on", "by-month", "by-year"])),
        skip_zero=draw(st.booleans()),
    )


@steady
@given(shapes(), st.integers(-FAR, FAR))
def test_a_day_number_becomes_a_date_and_comes_back(shape: Shape, number: int) -> None:
    count = reckoning(shape)
    date = count.date(number)
    assert count.number(date) == number
    assert count.clamp(date) == date and count.number(count.clamp(date._replace(day=999))) >= number
    for month in range(1, len(shape.months) + 1):
        near = count.clamp(date._replace(month=month))
        assert count.date(count.number(near)) == near


@steady
@given(shapes(), st.integers(-4000, 4000))
def test_the_next_day_is_the_next_date(shape: Shape, number: int) -> None:
    """Against a slow reference: a day later is the next day of the month, else of the next month, else of the year."""
    count = reckoning(shape)
    date, after = count.date(number), count.date(number + 1)
    lengths = count.lengths(date.year)
    later = [month for month in range(date.month + 1, len(lengths) + 1) if lengths[month - 1]]
    if date.day < lengths[date.month - 1]:
        expected = date._replace(day=date.day + 1)
    elif later:
        expected = Date(date.year, later[0], 1)
    else:
        year = 1 if shape.skip_zero and date.year == -1 else date.year + 1
        expected = Date(year, next(n for n, length in enumerate(count.lengths(year), start=1) if length), 1)
    assert after == expected


@steady
@given(shapes(), st.integers(-3000, 3000))
def test_weekdays_follow_one_another_but_for_festivals(shape: Shape, number: int) -> None:
    count = reckoning(shape)
    week = len(shape.weekdays)
    if not week:
        assert count.weekday(number) is None
        return
    known = count.weekday(number)
    later = next((n for n in range(number + 1, number + 2000) if count.weekday(n) is not None), None)
    if known is None or later is None:
        return
    one, two = count.date(number), count.date(later)
    anew = {"on": False, "by-month": one[:2] != two[:2], "by-year": one.year != two.year}[shape.weeks]
    assert count.weekday(later) == (0 if anew else (known + 1) % week)


@steady
@given(st.dates())
def test_our_own_calendar_is_pythons(day: datetime.date) -> None:
    number = day.toordinal() - 1
    assert OURS.date(number) == (day.year, day.month, day.day)
    assert OURS.weekday(number) == day.weekday()


def test_a_million_years_either_way() -> None:
    assert OURS.number(Date(1_000_001, 1, 1)) == FAR
    assert OURS.number(Date(-999_999, 1, 1)) == -FAR
    assert OURS.date(FAR) == (1_000_001, 1, 1)


def test_what_there_is_not_is_said() -> None:
    for date, says in (
        (Date(2025, 2, 29), "29 February in 2025; it has 28"),
        (Date(2025, 13, 1), "no month 13"),
        (Date(2025, 1, 0), "0 January"),
    ):
        with pytest.raises(NoSuchDay, match=says):
            OURS.number(date)
    with pytest.raises(NoSuchDay, match="no year 0"):
        reckoning(PRESETS["plain"].model_copy(update={"skip_zero": True})).number(Date(0, 1, 1))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"months": ()}, "at least 1"),
        ({"months": (Month(name="Feast", days=1, between=True),), "seasons": ()}, "not a festival"),
        ({"leaps": (Leap(month=11, every="3"), Leap(month=40))}, "month 41"),
        ({"leaps": (Leap(month=0, every="997"), Leap(month=0, every="991"))}, "common divisors"),
        ({"months": (Month(name="A", days=9), Month(name="B", days=0)), "seasons": ()}, "B never has a day"),
        ({"weekdays": ("A", "B"), "first_weekday": 5}, "weekday that does not exist"),
        ({"seasons": ({"name": "Dry", "month": 1, "day": 99},)}, "day that does not exist"),
    ],
)
def test_a_shape_that_cannot_be_is_refused_in_words(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Shape.model_validate({**PRESETS["plain"].model_dump(), **change})


@pytest.mark.parametrize("every", ["0", "4,,5", "x", "!"])
def test_a_leap_rule_that_says_nothing_is_refused(every: str) -> None:
    with pytest.raises(ValidationError):
        Leap(month=0, every=every)


@pytest.mark.parametrize(
    ("number", "said"),
    [(738885 + 29, "Friday, 3 January 2024 AD"), (0, "Monday, 1 January 1 AD"), (-1, "Sunday, 31 December 1 BC")],
)
def test_days_in_words(number: int, said: str) -> None:
    number = datetime.date(2024, 1, 5).toordinal() - 1 if number > 1 else number
    assert OURS.said(number) == (said if number < 2 else "Friday, 5 January 2024 AD")


def test_festivals_stand_between_the_weeks() -> None:
    count = reckoning(PRESETS["festivals"])
    gate = count.number(Date(1, 4, 1))
    assert count.said(gate) == "Spring Gate 1 OR" and count.weekday(gate) is None
    assert count.weekday(gate + 1) == (count.weekday(gate - 1) + 1) % 6  # type: ignore[operator]
    assert count.lengths(4)[7] == 2 and count.lengths(4) != count.lengths(5)
    assert count.year_length(4) == 366 and count.year_length(5) == 365
    assert [count.season(count.number(Date(1, m, 1))).name for m in (1, 3, 7, 12)] == [  # type: ignore[union-attr]
        "Winter", "Spring", "Summer", "Autumn"
    ]  # fmt: skip


def test_the_moon_over_our_own_days() -> None:
    """Full moons of 2024 by the almanac; a mean moon may be a day off."""
    found = [n for n in range(_day(2024, 1, 1), _day(2024, 7, 1)) if OURS.is_peak(MOON, n, "full")]
    wanted = [_day(2024, *md) for md in ((1, 25), (2, 24), (3, 25), (4, 23), (5, 23), (6, 22))]
    assert len(found) == 6 and all(abs(a - b) <= 1 for a, b in zip(found, wanted, strict=True))


@steady
@given(st.integers(-FAR, FAR), st.sampled_from(PHASES))
def test_each_phase_comes_once_a_round(number: int, phase: str) -> None:
    round_days = [n for n in range(number, number + 30) if OURS.is_peak(MOON, n, phase)]
    assert len(round_days) in (1, 2)


def _day(year: int, month: int, day: int) -> int:
    return datetime.date(year, month, day).toordinal() - 1


def test_a_reckoning_is_made_once() -> None:
    assert isinstance(OURS, Reckoning) and reckoning(OURS.shape) is reckoning(OURS.shape)


@steady
@given(shapes(), st.integers(-FAR, FAR), st.integers(-FAR, FAR))
def test_a_shift_gives_each_day_the_date_of_another_one_and_back(shape: Shape, shift: int, number: int) -> None:
    plain, shifted = reckoning(shape), reckoning(shape, shift)
    for day in (number, number + 1):  # neighbours stay neighbours
        date = shifted.date(day)
        assert date == plain.date(day + shift) and shifted.number(date) == day
        assert shifted.weekday(day) == plain.weekday(day + shift)
        assert shifted.said(day) == plain.said(day + shift)
    first = shifted.begins(date.year, date.month)
    assert first <= number + 1 and shifted.date(shifted.new_year(date.year)).year == date.year
    assert plain.date(number) != shifted.date(number) or not shift


def test_the_tables_of_the_longest_cycle_are_small() -> None:
    """A calendar that somebody brings is remembered in the server, with its tables."""
    shape = Shape.model_validate(
        {"name": "x", "months": [{"name": "M", "days": 500}], "leaps": [{"month": 0, "every": "20000"}]}
    )
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        count = reckoning(shape)
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert count.new_year(20_001) == 20_000 * 500 + 1 and hash(count) == hash(reckoning(shape))
    assert kept < 600_000, "numbers of their own are 1.6 megabytes"
