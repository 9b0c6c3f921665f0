"""The weather of a day by climate and season: a pure function of a secret luck and the day number.

A day's temperature, wetness and wind are three sums over the draws of that day and the days before it, the older the
less (a moving average of `MEMORY` days). So neighbouring days are alike, and any day, however late, needs `MEMORY`
hashes. The season gives the mean; the sky follows from the wetness.
"""

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Literal

from app.calendar.days import Date, Reckoning
from app.calendar.shape import Season

MEMORY = 12  # days whose draws a day's weather is made of
KEPT = 0.8  # how much of each day's draw is left on the next day
DRAWS = 3  # temperature, wetness, wind
MOST = 2.6  # how far from its mean each sum may be, in standard deviations

Sky = Literal["clear", "fair", "cloudy", "overcast", "fog", "drizzle", "rain", "heavy rain", "thunderstorm", "sleet",
              "snow", "heavy snow"]  # fmt: skip
DRY: tuple[Sky, ...] = ("overcast", "cloudy", "fair", "clear")
WINDS = ((5, "calm"), (20, "a light breeze"), (38, "a fresh breeze"), (60, "a strong wind"), (88, "a gale"))
STORM = "a storm"
WARMTH = {"winter": -1.0, "spring": 0.0, "summer": 1.0, "autumn": 0.0}
MILD = (
    (-15, "bitter cold"), (-5, "freezing"), (3, "cold"), (10, "chilly"), (17, "cool"), (23, "mild"), (29, "warm"),
    (36, "hot"),
)  # fmt: skip
SCORCHING = "scorching"
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Climate:
    """A climate: °C as means of mid-winter and mid-summer days and as their spread, the share of wet days in both, and
    the usual wind in km/h."""

    name: str
    winter: float
    summer: float
    spread: float
    wet_winter: float
    wet_summer: float
    wind: float


ClimateKey = Literal["temperate", "coast", "mediterranean", "continental", "cold", "highland", "dry", "tropical"]
CLIMATES: Mapping[ClimateKey, Climate] = {
    "temperate": Climate("Temperate: four seasons, rain in all of them", 2, 20, 4.5, 0.42, 0.36, 14),
    "coast": Climate("Sea coast: mild, wet and windy", 7, 17, 3, 0.52, 0.38, 26),
    "mediterranean": Climate("Southern: dry, hot summers and mild, wet winters", 11, 27, 3.5, 0.36, 0.06, 13),
    "continental": Climate("Inland: hot summers, hard winters", -9, 23, 5.5, 0.3, 0.34, 13),
    "cold": Climate("Cold: long frost, short summers", -18, 10, 6, 0.34, 0.3, 17),
    "highland": Climate("Mountains: cold, with sudden storms", -7, 12, 5.5, 0.44, 0.42, 24),
    "dry": Climate("Desert: hot days, hardly any rain", 15, 34, 4.5, 0.05, 0.02, 15),
    "tropical": Climate("Tropical: always warm, a rainy season in summer", 25, 28, 2, 0.16, 0.68, 11),
}
"""By key, in the order in which they are offered."""


@dataclass(frozen=True, slots=True)
class Weather:
    """The weather of one day: the temperature at noon in °C, and the wind in km/h."""

    sky: Sky
    celsius: int
    wind: int

    @property
    def fahrenheit(self) -> int:
        return round(self.celsius * 9 / 5 + 32)

    @property
    def warmth(self) -> str:
        """The temperature in a word or two."""
        return next((word for below, word in MILD if self.celsius < below), SCORCHING)

    @property
    def breeze(self) -> str:
        """The wind in words."""
        return next((word for below, word in WINDS if self.wind < below), STORM)

    @property
    def said(self) -> str:
        """The whole in words: "Rain, chilly, a fresh breeze, 8 °C (46 °F)"."""
        return f"{self.sky.capitalize()}, {self.warmth}, {self.breeze}, {self.celsius} °C ({self.fahrenheit} °F)"


def weather(climate: Climate, luck: bytes, count: Reckoning, number: int) -> Weather:
    """The weather of a day number in a climate. `luck` is secret bytes of any length."""
    heat, wet, wind = (max(-MOST, min(MOST, one)) for one in _drawn(luck, number))
    warmth = season_warmth(count, number)
    share = (warmth + 1) / 2
    mean = climate.winter + (climate.summer - climate.winter) * share
    chance = climate.wet_winter + (climate.wet_summer - climate.wet_winter) * share
    rank = _NORMAL.cdf(wet)  # evenly from 0, the wettest, to 1
    celsius = mean + climate.spread * (heat + 0.25 * (wet if warmth > 0 else -wet))  # clear: hot summer, cold winter
    speed = climate.wind * max(0.05, 1 + 0.55 * wind - 0.18 * wet)
    sky = _sky(rank, chance, celsius, speed)
    if sky == "thunderstorm":
        speed = max(speed, 45.0)
    return Weather(sky, round(celsius), round(speed))


def season_warmth(count: Reckoning, number: int) -> float:
    """How near a day is to midsummer: 1 in the middle of summer, -1 in that of winter, between them in a straight line.

    Seasons count by their colours. Where a calendar has no summer or no winter, the year is coldest on its first day.
    """
    found = _middles(count, count.date(number).year)
    if found is None:
        year = count.date(number).year
        through = (number - count.new_year(year) + 0.5) / count.year_length(year)
        return 4 * abs(0.5 - abs(through - 0.5)) - 1
    for (day, level), (next_day, next_level) in pairwise(found):
        if day <= number + 0.5 < next_day:
            return level + (next_level - level) * (number + 0.5 - day) / (next_day - day)
    raise AssertionError("the middles of three years' seasons hold each day of the second")


def _sky(rank: float, chance: float, celsius: float, wind: float) -> Sky:
    """The sky of a day: the lowest ranks are wet, the heavier the lower; the others have ever fewer clouds."""
    if rank >= chance:
        sky = DRY[min(3, int(4 * (rank - chance) / (1 - chance)))]
        return "fog" if sky == "cloudy" and wind < 8 and celsius < 14 else sky
    heavy = rank < chance / 4
    if celsius < 0:
        return "heavy snow" if heavy else "snow"
    if celsius < 2:
        return "sleet"
    if heavy:
        return "thunderstorm" if celsius > 18 else "heavy rain"
    return "drizzle" if rank > chance * 0.75 else "rain"


@functools.lru_cache(maxsize=4096)
def _draws(luck: bytes, number: int) -> tuple[float, ...]:
    """A day's own draws, each about normal with mean 0 and variance 1: twelve bytes added up."""
    text = b"signet-weather-1\n%s\n%d" % (luck.hex().encode(), number)
    value = hashlib.sha512(text).digest()
    span = 12
    deviation = (span * (256**2 - 1) / 12) ** 0.5
    return tuple((sum(value[place * span : (place + 1) * span]) - span * 127.5) / deviation for place in range(DRAWS))


def _drawn(luck: bytes, number: int) -> tuple[float, ...]:
    """The three sums of a day, each about normal with mean 0 and variance 1."""
    weights = [KEPT**age for age in range(MEMORY)]
    scale = sum(weight * weight for weight in weights) ** 0.5
    days = [_draws(luck, number - age) for age in range(MEMORY)]
    return tuple(
        sum(weight * day[place] for weight, day in zip(weights, days, strict=True)) / scale for place in range(DRAWS)
    )


@functools.lru_cache(maxsize=256)
def _middles(count: Reckoning, year: int) -> tuple[tuple[float, float], ...] | None:
    """The middles of the seasons of a year and of those beside it, with their warmth; None without summer or winter."""
    seasons = sorted(count.shape.seasons, key=lambda one: (one.month, one.day))
    if not {"summer", "winter"} <= {one.colour for one in seasons}:
        return None
    years = [_beside(count, year, step) for step in (-1, 0, 1, 2)]
    begins = [(_begins(count, one, season), season) for one in years for season in seasons]
    return tuple(
        ((day + next_day) / 2, WARMTH[season.colour])
        for (day, season), (next_day, _) in pairwise(begins)
        if season.colour and next_day > day
    )


def _begins(count: Reckoning, year: int, season: Season) -> int:
    return count.number(Date(year, season.month + 1, season.day))


def _beside(count: Reckoning, year: int, step: int) -> int:
    found = year + step
    if count.shape.skip_zero and (year < 0 <= found or found <= 0 < year):
        found += 1 if step > 0 else -1
    return found
