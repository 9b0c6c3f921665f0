"""Finds a preset with a wrong day: each against dates that are known from elsewhere, or against its own promise."""

import itertools
from math import floor

import pytest

from app.calendar.days import Date, reckoning
from app.calendar.presets import ABOUT, PRESETS

OURS = reckoning(PRESETS["gregorian"])


def test_each_preset_has_its_line() -> None:
    assert list(ABOUT) == list(PRESETS) and all(line.endswith(".") and len(line) <= 100 for line in ABOUT.values())
    assert len({shape.name for shape in PRESETS.values()}) == len(PRESETS)


@pytest.mark.parametrize(
    ("ours", "theirs", "weekday"),
    [
        (Date(2023, 1, 1), Date(2023, 1, 1), "Sunday"),
        (Date(2023, 6, 17), Date(2023, 6, 28), "Saturday"),
        (Date(2024, 6, 17), Date(2024, 7, 1), None),  # Leap Day
        (Date(2023, 6, 18), Date(2023, 8, 1), "Sunday"),  # 1 Sol, in leap years as in others
        (Date(2024, 6, 18), Date(2024, 8, 1), "Sunday"),
        (Date(2023, 7, 16), Date(2023, 9, 1), "Sunday"),
        (Date(2023, 12, 31), Date(2023, 15, 1), None),  # Year Day
        (Date(1900, 12, 30), Date(1900, 14, 28), "Saturday"),
    ],
)
def test_thirteen_months_keep_step_with_our_years(ours: Date, theirs: Date, weekday: str | None) -> None:
    count = reckoning(PRESETS["thirteen"])
    number = OURS.number(ours)
    found = count.weekday(number)
    assert count.date(number) == theirs
    assert (None if found is None else count.shape.weekdays[found]) == weekday


@pytest.mark.parametrize(
    ("ours", "said"),
    [
        (Date(1792, 9, 22), "Primidi, 1 Vendémiaire 1 of the Republic"),
        (Date(1794, 7, 27), "Nonidi, 9 Thermidor 2 of the Republic"),
        (Date(1795, 9, 22), "Feast of the Revolution 3 of the Republic"),
        (Date(1799, 11, 9), "Octidi, 18 Brumaire 8 of the Republic"),
        (Date(1804, 12, 2), "Primidi, 11 Frimaire 13 of the Republic"),
        (Date(1805, 12, 31), "Décadi, 10 Nivôse 14 of the Republic"),
    ],
)
def test_the_republics_days_are_those_of_history(ours: Date, said: str) -> None:
    count = reckoning(PRESETS["republican"])
    number = OURS.number(ours) - OURS.number(Date(1792, 9, 22))
    assert count.said(number) == said
    moon, real = count.shape.moons[0], OURS.shape.moons[0]
    assert count.phase(moon, number) == OURS.phase(real, OURS.number(ours)), "it is the same moon"


def test_lunar_months_begin_within_a_day_of_the_new_moon() -> None:
    count = reckoning(PRESETS["lunar"])
    moon = count.shape.moons[0]
    assert [year for year in range(1, 20) if count.lengths(year)[12]] == [3, 6, 8, 11, 14, 17, 19]
    starts = [
        count.begins(year, month) for year in range(1, 77) for month in range(1, 14) if count.lengths(year)[month - 1]
    ]
    assert len(starts) == 76 // 19 * 235 and count.new_year(77) == 27_759
    assert {after - before for before, after in itertools.pairwise(starts)} == {29, 30}
    for index, start in enumerate(starts):
        assert abs(floor(0.28 + index * float(moon.days)) - start) <= 1
    drift = 940 * float(moon.days) - 27_759  # what 76 years lack, in days
    assert -0.26 < drift < -0.24, "a day in about 300 years"


def test_tendays_begin_every_month_and_oathday_comes_every_fourth_year() -> None:
    count = reckoning(PRESETS["tendays"])
    for year in (1, 4, 1492, 1493):
        lengths = count.lengths(year)
        assert sum(lengths) == (366 if year % 4 == 0 else 365)
        firsts = {count.weekday(count.begins(year, month)) for month, days in enumerate(lengths, 1) if days == 30}
        assert firsts == {0}
    assert count.said(count.number(Date(1492, 10, 1)) + 1) == "Oathday 1492 CR"
    assert count.said(count.number(Date(1493, 10, 1)) + 1) == "One-day, 1 Longhay 1493 CR"


def test_plain_and_festive_years() -> None:
    assert reckoning(PRESETS["plain"]).date(365) == (2, 1, 6)
    festive = reckoning(PRESETS["festivals"])
    assert festive.said(festive.new_year(5) - 1) == "Year's Night 4 OR"
    assert [festive.year_length(year) for year in (3, 4)] == [365, 366]
