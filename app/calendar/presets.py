"""Preset calendars: well-known shapes that a group starts with, each with a line about it."""

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


_REAL_MOON = Moon(name="The moon", period="29.530588", new_at="730124.76")  # new on 6 January 2000, 18:14


def _plain() -> Shape:
    """CHR-CAL-15: twelve months of thirty days."""
    return Shape(
        name="Twelve months of thirty days",
        months=tuple(Month(name=f"{name} Month", days=30) for name in _PLAIN),
        seasons=_seasons(("spring", 2, 1), ("summer", 5, 1), ("autumn", 8, 1), ("winter", 11, 1)),
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
        seasons=_seasons(("spring", 2, 20), ("summer", 5, 21), ("autumn", 8, 22), ("winter", 11, 21)),
        moons=(_REAL_MOON,),
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


def _thirteen() -> Shape:
    """The International Fixed Calendar: 13 months of 4 weeks, and days outside of any week that keep the sun's year."""
    months = [Month(name=name, days=28) for name, _ in _MONTHS]
    months.insert(6, Month(name="Sol", days=28))
    months.insert(6, Month(name="Leap Day", days=0, between=True))
    months.append(Month(name="Year Day", days=1, between=True))
    starts = (("spring", 2, 23), ("summer", 7, 4), ("autumn", 10, 12), ("winter", 13, 18))
    return Shape(
        name="Thirteen months of four weeks",
        months=tuple(months),
        weekdays=("Sunday", *_WEEK[:-1]),
        leaps=(Leap(month=6, every="400, !100, 4", name="Leap Day"),),
        seasons=_seasons(*starts),
        moons=(_REAL_MOON,),
    )


def _lunar() -> Shape:
    """Twelve months of 29 or 30 days and, in seven of nineteen years, a thirteenth (Meton's cycle, with Callippus'
    correction: 27,759 days in 76 years). A month begins within a day of the new moon. The count falls a day behind the
    moon in about 300 years, and a day behind the sun in about 128.
    """
    names = ("Wolf", "Snow", "Sap", "Egg", "Milk", "Rose", "Hay", "Grain", "Harvest", "Hunter's", "Frost", "Long Night")
    months = [Month(name=f"{name} Moon", days=30 - index % 2) for index, name in enumerate(names)]
    long, leap = 11, 12
    return Shape(
        name="Months by the moon",
        months=(*months, Month(name="Blue Moon", days=0)),
        weekdays=_WEEK,
        leaps=(
            *(
                Leap(month=leap, every="19", shift=year, days=30, name="Blue Moon")
                for year in (3, 6, 8, 11, 14, 17, 19)
            ),
            *(Leap(month=long, every="19", shift=year, name="Long year") for year in (2, 7, 12)),
            Leap(month=long, every="!76, 19", shift=16, name="Long year"),
        ),
        seasons=_seasons(("spring", 2, 1), ("summer", 5, 1), ("autumn", 8, 1), ("winter", 11, 1)),
        moons=(Moon(name="The moon", period="29.530588", new_at="0.28"),),
    )


def _republican() -> Shape:
    """The calendar of the French Republic: weeks of ten days, and five or six days at the end of the year. Leap years
    are 3, 7 and 11, as they were, and go on by the rule of four that was proposed for later years.
    """
    names = (
        "Vendémiaire", "Brumaire", "Frimaire", "Nivôse", "Pluviôse", "Ventôse", "Germinal", "Floréal", "Prairial",
        "Messidor", "Thermidor", "Fructidor",
    )  # fmt: skip
    decade = (
        "Primidi", "Duodi", "Tridi", "Quartidi", "Quintidi", "Sextidi", "Septidi", "Octidi", "Nonidi", "Décadi",
    )  # fmt: skip
    feasts = ("Virtue", "Talent", "Labour", "Opinion", "Rewards")
    return Shape(
        name="Twelve months of three décades",
        months=(
            *(Month(name=name, days=30) for name in names),
            *(Month(name=f"Feast of {feast}", days=1, between=True) for feast in feasts),
            Month(name="Feast of the Revolution", days=0, between=True),
        ),
        weekdays=decade,
        leaps=(Leap(month=17, every="400, !100, 4", shift=3, name="Franciade"),),
        eras=(Era(name="of the Republic", first_year=1),),
        seasons=_seasons(("autumn", 0, 1), ("winter", 3, 1), ("spring", 6, 1), ("summer", 9, 1)),
        moons=(Moon(name="The moon", period="29.530588", new_at="-5.67"),),  # new on 16 September 1792
    )


def _tendays() -> Shape:
    """Twelve months of three ten-day weeks, five feasts between them, and a sixth in every fourth year."""
    names = (
        "Deepfrost", "Stormwane", "Firstplough", "Rainfall", "Greentide", "Highflower", "Goldsun", "Longhay",
        "Leaffall", "Mistwind", "Barebough", "Nightreach",
    )  # fmt: skip
    after = {0: ["Midwinter Fires"], 3: ["Sowing Day"], 6: ["Midsummer Fair", "Oathday"], 8: ["High Harvest"]}
    after[10] = ["Feast of the Ancestors"]
    months: list[Month] = []
    for index, name in enumerate(names):
        months.append(Month(name=name, days=30))
        for feast in after.get(index, []):
            months.append(Month(name=feast, days=0 if feast == "Oathday" else 1, between=True))
    place = {month.name: index for index, month in enumerate(months)}
    starts = (("spring", "Firstplough"), ("summer", "Highflower"), ("autumn", "Leaffall"), ("winter", "Nightreach"))
    return Shape(
        name="Months of three ten-day weeks",
        months=tuple(months),
        weekdays=tuple(
            f"{name}-day" for name in ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Rest")
        ),
        leaps=(Leap(month=place["Oathday"], every="4", name="Oathday"),),
        eras=(Era(name="Common Reckoning", short="CR", first_year=1),),
        seasons=_seasons(*((season, place[month], 20) for season, month in starts)),
        moons=(Moon(name="The Lantern", period="30.4375", new_at="15"),),
    )


def _seasons(*starts: tuple[str, int, int]) -> tuple[Season, ...]:
    """Seasons by name, month and day of their first days, each in its own colour."""
    return tuple(
        Season(name=name.title(), month=month, day=day, colour=name)  # type: ignore[arg-type]
        for name, month, day in starts
    )


PRESETS: Mapping[str, Shape] = {
    "plain": _plain(),
    "gregorian": _gregorian(),
    "festivals": _festivals(),
    "tendays": _tendays(),
    "thirteen": _thirteen(),
    "lunar": _lunar(),
    "republican": _republican(),
}
"""By key, the default first."""

ABOUT: Mapping[str, str] = {
    "plain": "Twelve months of thirty days. Nothing else to learn.",
    "gregorian": "January to December, with leap years and the real moon.",
    "festivals": "Twelve months with five feasts between them, two moons and a week of six days.",
    "tendays": "Ten-day weeks, three to a month, with five feasts and an Oathday every fourth year.",
    "thirteen": "Four whole weeks in every month: each date falls on the same weekday all year.",
    "lunar": "Each month begins with the new moon. A thirteenth month comes seven times in nineteen years.",
    "republican": "France’s revolutionary calendar: ten-day weeks, and five or six feasts that end the year.",
}
"""A line about each preset, for people who choose one."""
