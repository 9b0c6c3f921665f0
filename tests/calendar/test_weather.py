"""The weather: the same for the same luck and day, alike from day to day, and as its climate and season have it."""

from functools import cache
from itertools import pairwise
from statistics import fmean

import pytest

from app.calendar.days import Date, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import Shape
from app.calendar.weather import CLIMATES, ClimateKey, Weather, season_warmth, weather

OURS = reckoning(PRESETS["gregorian"])
BEGIN = OURS.number(Date(1200, 1, 1))
YEARS = range(BEGIN, BEGIN + 20 * 365)
LUCK = b"a luck"
SAID = ["Sleet, cold, a light breeze, 1 °C (34 °F)", "Sleet, cold, a light breeze, 0 °C (32 °F)"]


@cache
def days(key: ClimateKey, luck: bytes = LUCK, some: range = YEARS) -> list[Weather]:
    return [weather(CLIMATES[key], luck, OURS, number) for number in some]


def of_month(key: ClimateKey, month: int) -> list[Weather]:
    return [one for number, one in zip(YEARS, days(key), strict=True) if OURS.date(number).month == month]


def wet(some: list[Weather]) -> float:
    dry = {"clear", "fair", "cloudy", "overcast", "fog"}
    return fmean(one.sky not in dry for one in some)


def test_a_day_is_told_alike_by_itself_and_by_no_other_luck() -> None:
    """A change in these words changes what groups have seen of past days."""
    alone = [weather(CLIMATES["temperate"], LUCK, OURS, number) for number in reversed(range(BEGIN, BEGIN + 30))]
    assert alone[::-1] == days("temperate", some=range(BEGIN, BEGIN + 30))
    assert days("temperate", b"another", range(BEGIN, BEGIN + 30)) != alone[::-1]
    assert [one.said for one in alone[-2:]] == SAID


@pytest.mark.parametrize("key", CLIMATES)
def test_climates_are_as_warm_and_wet_as_they_say(key: ClimateKey) -> None:
    climate = CLIMATES[key]
    winter, summer = of_month(key, 2), of_month(key, 8)  # midwinter is early in February by the presets' seasons
    assert abs(fmean(one.celsius for one in winter) - climate.winter) < 2.5
    assert abs(fmean(one.celsius for one in summer) - climate.summer) < 2.5
    assert abs(wet(winter) - climate.wet_winter) < 0.1 and abs(wet(summer) - climate.wet_summer) < 0.1
    assert all(one.wind >= 0 for one in winter)


def test_skies_fit_their_temperature() -> None:
    for key in CLIMATES:
        for one in days(key):
            assert ("snow" in one.sky) <= (one.celsius <= 0) and (one.sky == "thunderstorm") <= (one.celsius >= 18)
    assert {one.sky for key in CLIMATES for one in days(key)} >= {"heavy snow", "sleet", "fog", "thunderstorm", "clear"}


def test_one_day_is_like_the_next() -> None:
    some = days("temperate")
    next_to = fmean(abs(a.celsius - b.celsius) for a, b in pairwise(some))
    apart = fmean(abs(a.celsius - b.celsius) for a, b in zip(some, some[365:], strict=False))
    assert next_to < 0.65 * apart, "a year apart in the same season they differ more"
    after_rain = [b for a, b in pairwise(some) if wet([a])]
    assert wet(after_rain) > wet(some) + 0.15


@pytest.mark.parametrize("key", PRESETS)
def test_seasons_turn_slowly_in_every_preset(key: str) -> None:
    count = reckoning(PRESETS[key])
    for year in (-3, 1, 1021):
        first = count.new_year(year)
        warm = [season_warmth(count, first + day) for day in range(count.year_length(year) + 1)]
        assert max(warm) > 0.97 and min(warm) < -0.97
        assert max(abs(a - b) for a, b in pairwise(warm)) < 0.05
        assert all((count.season(first + day) or 0) for day in range(5))


def test_a_year_without_seasons_is_coldest_at_its_beginning_and_one_without_a_year_0_has_weather() -> None:
    plain = PRESETS["gregorian"].model_copy(update={"seasons": ()})
    for shape in (plain, PRESETS["gregorian"].model_copy(update={"skip_zero": True})):
        count = reckoning(Shape.model_validate(shape.model_dump()))
        for year in (-1, 1):
            for day in (0, 100, 364):
                assert -1 <= season_warmth(count, count.new_year(year) + day) <= 1
    count = reckoning(plain)
    assert season_warmth(count, 0) < -0.98 < 0.98 < season_warmth(count, 182)


def test_words_and_both_scales() -> None:
    assert Weather("heavy snow", -40, 90).said == "Heavy snow, bitter cold, a storm, -40 °C (-40 °F)"
    assert Weather("clear", 37, 0).said == "Clear, scorching, calm, 37 °C (99 °F)"
