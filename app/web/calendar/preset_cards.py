"""The preset calendars as cards to choose from: name, a line, and a taste of each."""

import functools
from dataclasses import dataclass

from app.calendar.days import reckoning
from app.calendar.presets import ABOUT, PRESETS
from app.calendar.shape import Shape
from app.web.calendar import month as sheets


@dataclass(frozen=True, slots=True)
class PresetCard:
    """A preset: `taste` is its months, year, week and moons in a few words, `parts` the seasons of a year."""

    key: str
    name: str
    about: str
    taste: str
    parts: tuple[sheets.SeasonPart, ...]


@functools.cache
def preset_cards() -> tuple[PresetCard, ...]:
    """All presets, the default first."""
    return tuple(PresetCard(key, shape.name, ABOUT[key], taste(shape), _year(shape)) for key, shape in PRESETS.items())


def taste(shape: Shape) -> str:
    """A shape in a few words: "12 months of 30 days · 5 festivals · 365 days a year · weeks of 6 days · 2 moons"."""
    lengths = [month.days for month in shape.months if month.days and not month.between]
    span = f"{min(lengths)}" if len(set(lengths)) == 1 else f"{min(lengths)} to {max(lengths)}"
    feasts = sum(month.between and month.days > 0 for month in shape.months)
    days = sum(month.days for month in shape.months)
    parts = [
        _many(len(lengths), "month") + f" of {span} days",
        _many(feasts, "festival") if feasts else "",
        f"{days:,} days a year",
        f"weeks of {_many(len(shape.weekdays), 'day')}" if shape.weekdays else "no weeks",
        _many(len(shape.moons), "moon") if shape.moons else "no moon",
    ]
    return " · ".join(part for part in parts if part)


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _year(shape: Shape) -> tuple[sheets.SeasonPart, ...]:
    count = reckoning(shape)
    return sheets.band(count, 0, count.year_length(1) - 1)
