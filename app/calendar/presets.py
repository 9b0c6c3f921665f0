"""Three preset calendars: plain months of thirty days, the Gregorian one, and one with festivals between its months."""

from collections.abc import Mapping

from app.calendar.shape import Era, Leap, Month, Moon, Season, Shape

_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    ("January", 31), ("February", 28), ("March", 31), ("April", 30), ("May", 31), ("June", 30), ("July", 31),
    ("August", 31), ("September", 30), ("October", 31), ("November", 30), ("December", 31),
)  # fmt: skip
_PLAIN = (
    "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh",
    "Twelfth",
)  # fmt: skip


def _plain() -> Shape:
    """CHR-CAL-15: twelve months of thirty days."""
    return Shape(
        name="Twelve months of thirty days",
        months=tuple(Month(name=f"{name} Month", days=30) for name in _PLAIN),
        seasons=tuple(
            Season(name=name.title(), month=month, colour=name)  # type: ignore[arg-type]
            for name, month in (("spring", 2), ("summer", 5), ("autumn", 8), ("winter", 11))
        ),
    )


def _gregorian() -> Shape:
    return Shape(
        name="Our own calendar",
        months=tuple(Month(name=name, days=days) for name, days in _MONTHS),
        weekdays=_WEEK,
        first_weekday=0,  # 1 January of year 1 is a Monday, by today's rules counted back
        leaps=(Leap(month=1, every="400, !100, 4", name="Leap day"),),
        eras=(
            Era(name="Anno Domini", short="AD", first_year=1),
            Era(name="Before Christ", short="BC", first_year=1, backwards=True),
        ),
        seasons=tuple(
            Season(name=name.title(), month=month, day=day, colour=name)  # type: ignore[arg-type]
            for name, month, day in (("spring", 2, 20), ("summer", 5, 21), ("autumn", 8, 22), ("winter", 11, 21))
        ),
        moons=(Moon(name="The moon", period="29.530588", new_at="730124.76"),),  # new on 6 January 2000, 18:14
        show_hours=True,
    )


def _festivals() -> Shape:
    """Twelve months of thirty days with five festivals between them, and a sixth every fourth year."""
    names = ("Frost", "Thaw", "Seed", "Bloom", "Mead", "Hay", "Sun", "Grain", "Apple", "Leaf", "Fog", "Ember")
    after = {2: "Spring Gate", 5: "Midsummer", 8: "Harvest Home", 10: "Feast of the Dead", 11: "Year's Night"}
    months: list[Month] = []
    for index, name in enumerate(names):
        months.append(Month(name=name, days=30))
        if index in after:
            months.append(Month(name=after[index], days=1, between=True))
    place = {month.name: index for index, month in enumerate(months)}
    starts = (("Spring", "Seed", "spring"), ("Summer", "Hay", "summer"), ("Autumn", "Apple", "autumn"))
    seasons = [(name, place[month], colour) for name, month, colour in starts]
    return Shape(
        name="Twelve months and five festivals",
        months=tuple(months),
        weekdays=("Starday", "Moonday", "Wainday", "Hearthday", "Marketday", "Restday"),
        leaps=(Leap(month=place["Midsummer"], every="4", name="The second Midsummer"),),
        eras=(Era(name="Of the Realm", short="OR", first_year=1),),
        seasons=(
            *(Season(name=name, month=month, colour=colour) for name, month, colour in seasons),  # type: ignore[arg-type]
            Season(name="Winter", month=len(months) - 2, colour="winter"),
        ),
        moons=(Moon(name="Ansa", period="30", new_at="0"), Moon(name="Little Per", period="11.25", new_at="3")),
    )


PRESETS: Mapping[str, Shape] = {"plain": _plain(), "gregorian": _gregorian(), "festivals": _festivals()}
"""By key, the default first."""
