"""Fantasy-Calendar's export: `static_data` (the calendar), `dynamic_data` (the date), `events`.

There, months are counted from 0 and days from 1, leap days included (`fantasy_months`). The epoch counts days from the
first day of year 1, or of year 0 with `year_zero_exists`; `first_day` is the weekday of epoch 0, counted from 1. Leap
days and months name their years by intervals ("400,!100,4") and an offset.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from app.calendar.days import Reckoning, reckoning
from app.calendar.imports import fantasy_events, fantasy_fields
from app.calendar.imports.fantasy_conditions import Spoken
from app.calendar.imports.fantasy_months import Months, MonthSpan
from app.calendar.imports.moons import first_day_from
from app.calendar.imports.plain_text import printable
from app.calendar.imports.reading import (
    Imported,
    Losses,
    Section,
    Unusable,
    called,
    converted_entries,
    digits,
    shaped,
    turned,
)
from app.calendar.shape import MOST_MONTHS, Shape

SOURCE = "Fantasy-Calendar"
COLOURS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}


def is_one(file: Section) -> bool:
    """Whether a file looks like a Fantasy-Calendar export."""
    return "static_data" in file


def convert(file: Section) -> Imported:
    """Converts a whole export."""
    losses = Losses()
    static = Section(file.group("static_data").value, "static_data", losses)
    made = _Conversion(static, losses)
    shape = made.shape(file.text("name", "A calendar from Fantasy-Calendar"))
    count = reckoning(shape)
    today = made.today(file.group("dynamic_data"), count)
    rows = file.rows("events")
    told = fantasy_events.EventReader(
        count,
        made.months,
        count.new_year(0 if made.with_zero else 1),
        made.moons_told,
        losses,
        _hidden_categories(file),
        today,
        made.setting("hide_events"),
        Spoken.of(static, rows),
    )
    entries = converted_entries(rows, "events", losses, told.entry)
    fantasy_fields.FILE.tell(file.value, losses)
    return Imported(SOURCE, shape, today, entries, losses.sentences())


def _hidden_categories(file: Section) -> frozenset[str]:
    rows = (row for row in file.rows("categories") if isinstance(row, Mapping))
    return frozenset(str(row.get("id")) for row in rows if _is_hidden(row.get("category_settings")))


def _is_hidden(settings: object) -> bool:
    return isinstance(settings, Mapping) and bool(settings.get("hide"))


@dataclass(slots=True)
class _Conversion:
    """One calendar in conversion."""

    static: Section
    losses: Losses
    months: Months = field(default_factory=Months)
    moons_told: list[tuple[int, int] | None] = field(default_factory=list)  # our moon, its number of phases there

    def setting(self, name: str) -> bool:
        return self.static.group("settings").yes(name)

    @property
    def with_zero(self) -> bool:
        return self.setting("year_zero_exists")

    # ---- the shape -------------------------------------------------------------------------------------------------

    def shape(self, name: str) -> Shape:
        year = self.static.group("year_data")
        if not year.rows("timespans"):
            raise Unusable("it has no calendar with months.")
        weekdays = [str(Section({"name": day}).text("name", "Day")) for day in year.rows("global_week")]
        if len(weekdays) > 30:
            raise Unusable(f"there are {len(weekdays):,} weekdays; Signet allows at most 30.")
        clock = self.static.group("clock")
        data: dict[str, Any] = {
            "name": name,
            "weekdays": weekdays,
            "weeks": "on" if year.yes("overflow", True) else "by-month",
            "skip_zero": not self.with_zero,
            "hours": clock.whole("hours", 24, 1, 1000),
            "minutes": clock.whole("minutes", 60, 1, 1000),
            "show_hours": clock.yes("enabled"),
            **self._months(year),
        }
        plain = shaped(data)
        count = reckoning(plain)
        begins = 0 if self.with_zero else 1
        wanted = (year.whole("first_day", 1, -100, 1000) - 1) % (len(weekdays) or 1)
        data |= {
            "first_weekday": turned(wanted, count, begins) if plain.weeks == "on" else 0,
            "eras": self._eras(),
            "seasons": self._seasons(plain),
            "moons": self._moons(count.new_year(begins)),
        }
        return shaped(data)

    def _months(self, year: Section) -> dict[str, Any]:
        months: list[dict[str, Any]] = []
        leaps: list[dict[str, Any]] = []
        parts = year.groups("timespans", MOST_MONTHS, "months")
        extra: dict[int, list[Section]] = {}
        for leap in year.groups("leap_days", 20, "leap days"):
            extra.setdefault(leap.whole("timespan", 0), []).append(leap)
        for index, (part, name) in enumerate(zip(parts, called(parts, "Month"), strict=True)):
            days, between = part.whole("length", 30, 1, 500), part.text("type", "month") == "intercalary"
            each, leap_days = part.whole("interval", 1, 1, 20_000), extra.get(index, [])
            if isinstance(part.value.get("week"), list) and part.value["week"]:
                self.losses.add("Separate weekdays for these months.", name)
            if each > 1 and leap_days:
                self.losses.add(
                    "These months exist only in some years, but their leap days do not depend on that.", name
                )
                leap_days.clear()
            apart = [leap for leap in leap_days if leap.yes("intercalary") and not between]
            before = [leap for leap in apart if leap.whole("day", 0, -1000, 1000) <= 0]
            after = [leap for leap in apart if leap not in before]
            first = len(months)
            for leap in before:
                self._festival(leap, days, months, leaps)
            main = len(months)
            months.append({"name": name, "days": days if each == 1 else 0, "between": between})
            if each > 1:
                leaps.append({"month": main, "every": str(each), "shift": part.whole("offset", 0) % each, "days": days})
            for leap in leap_days:
                if leap not in apart:
                    self._leap(leap, main, months, leaps)
            for leap in sorted(after, key=lambda leap: leap.whole("day", 0, -1000, 1000)):
                self._festival(leap, days, months, leaps)
            self.months.parts.append(MonthSpan(first, main, len(months) - 1))
        return {"months": months, "leaps": leaps}

    def _festival(self, leap: Section, length: int, months: list[dict[str, Any]], leaps: list[dict[str, Any]]) -> None:
        """Adds a leap day that belongs to no week, as a festival beside its month."""
        name, day = leap.text("name", "Leap day"), leap.whole("day", 0, -1000, 1000)
        if 0 < day < length:
            self.losses.add("These leap days lie inside a month; Signet puts them after it.", name)
        elif day <= 0 and not leap.yes("not_numbered"):
            self.losses.add("These leap days are day 1 of their month; in Signet, day 1 is the day after them.", name)
        months.append({"name": name, "days": 0, "between": True})
        self._leap(leap, len(months) - 1, months, leaps)
        if not months[-1]["days"] and not any(one["month"] == len(months) - 1 for one in leaps):
            months.pop()  # it removes a day, and is left out

    def _leap(self, leap: Section, month: int, months: list[dict[str, Any]], leaps: list[dict[str, Any]]) -> None:
        """Gives a month a leap day."""
        name = leap.text("name", "Leap day")
        if leap.yes("removes_day") or leap.yes("removes_week_day"):
            self.losses.add("These leap days take a day or a weekday away, which Signet cannot do.", name)
            return
        if leap.yes("adds_week_day"):
            self.losses.add("Extra weekdays for these leap days.", name)
        every, offset = _intervals(leap, name, self.losses)
        if every == "1":
            months[month]["days"] += 1
        else:
            leaps.append({"month": month, "every": every, "shift": offset, "name": name})

    def _eras(self) -> list[dict[str, Any]]:
        eras: list[dict[str, Any]] = []
        for part in self.static.groups("eras", 100, "eras"):
            name, settings, date = part.text("name", "An era"), part.group("settings"), part.group("date")
            if settings.yes("starting_era"):
                self.losses.add("These eras have no first year.", name)
                continue
            if self.setting("hide_eras"):
                self.losses.add("These eras are hidden from players, which Signet cannot do.", name)
                continue
            year = date.whole("year", 1)
            if settings.yes("ends_year"):
                self.losses.add("These eras cut a year short; Signet keeps the whole year, so later days shift.", name)
            if not settings.yes("restart") and year != 1:
                self.losses.add("These eras do not restart the year count.", name)
            elif len(eras) == 20 or (not self.with_zero and year == 0):
                self.losses.add("Too many eras.", name)
            else:
                if date.whole("timespan", 0) or date.whole("day", 1) > 1:
                    self.losses.add(
                        "These eras begin in the middle of a year; in Signet they begin with the year.", name
                    )
                eras.append({"name": name, "first_year": year, "short": name if len(name) <= 12 else ""})
        return eras

    def _seasons(self, shape: Shape) -> list[dict[str, Any]]:
        """Seasons by date, or by length, one after another; the latter get their dates in a year without leap days."""
        group = self.static.value.get("seasons")
        if not isinstance(group, Mapping):
            return []
        seasons, parts = Section(group, "static_data.seasons"), Section(group).groups("data", 12, "seasons")
        periodic = seasons.group("global_settings").yes("periodic_seasons", all("timespan" not in one for one in parts))
        found: list[dict[str, Any]] = []
        passed = seasons.group("global_settings").number("season_offset") if periodic else Fraction(0)
        for part, name in zip(parts, called(parts, "Season"), strict=True):
            if periodic:
                month, day = _day_of_year(shape, int(passed))
                passed += part.number("transition_length") + part.number("duration")
            else:
                month, day = self._season_day(part, shape)
            if not day or any((month, day) == (one["month"], one["day"]) for one in found):
                self.losses.add("These seasons do not begin on a fixed day, or begin on the same day as another.", name)
                continue
            colour = next((ours for word, ours in COLOURS.items() if word in name.lower()), "")
            found.append({"name": name, "month": month, "day": day, "colour": colour})
        if periodic and found:
            self.losses.add("These seasons go by length; in Signet they begin on the same date each year.")
        if seasons.rows("locations"):
            self.losses.add("Climates and the weather.")
        return found

    def _season_day(self, part: Section, shape: Shape) -> tuple[int, int]:
        """Our month, from 0, and day of a season's first day; day 0 if there is none every year."""
        month, day = part.whole("timespan", 0), part.whole("day", 1, 0, 600) or 1
        if not 0 <= month < len(self.months.parts):
            return 0, 0
        try:
            month, day = self.months.yearly(reckoning(shape), month, day)
        except Unusable:
            month = self.months.parts[month].main + 1
        return month - 1, min(day, shape.months[month - 1].days)

    def _moons(self, first: int) -> list[dict[str, Any]]:
        """The moons. There, a day's phase is the nearest to its beginning, unless `cycle_rounding` says otherwise."""
        moons: list[dict[str, Any]] = []
        parts = self.static.groups("moons", 100, "moons")
        for part, name in zip(parts, called(parts, "Moon"), strict=True):
            cycle = part.number("cycle")
            if part.yes("custom_phase") or cycle < 1 or len(moons) == 12:
                self.losses.add("These moons use custom phases, or there are more than 12 moons.", name)
                self.moons_told.append(None)
                continue
            if part.yes("hidden") or self.setting("hide_moons"):
                self.losses.add("These moons are hidden from players, which Signet cannot do.", name)
                self.moons_told.append(None)
                continue
            begins, period = first + part.number("shift"), Fraction(digits(cycle))
            match part.text("cycle_rounding", "round"):
                case "floor":
                    new = first_day_from(begins, period)
                case "ceil":
                    new = begins % period
                case _:
                    new = (begins + Fraction(1, 2)) % period
            self.moons_told.append((len(moons), part.whole("granularity", 24, 1, 100)))
            moons.append({"name": name, "period": digits(cycle), "new_at": digits(new)})
        return moons

    # ---- the date --------------------------------------------------------------------------------------------------

    def today(self, now: Section, count: Reckoning) -> int:
        year = now.whole("year", 1) or int(not self.with_zero)
        month, day = now.whole("timespan", 0), now.whole("day", 1, 0, 600)
        number = self.months.number(count, year, month, day)
        if number is None:
            self.losses.add("The file's date does not exist in its calendar; the nearest earlier day is used.")
            number = self.months.nearest(count, year, month, day)
        return number


def _intervals(leap: Section, name: str, losses: Losses) -> tuple[str, int]:
    """Returns a leap day's rule and offset. There, an interval with "+" is not moved by the offset; here, all are."""
    written = str(leap.value.get("interval", "1"))
    parts = [part.strip() for part in written.split(",") if part.strip()]
    if not parts or len(parts) > 8 or not all(re.fullmatch(r"[!+]{0,2}[1-9]\d{0,4}", part, re.ASCII) for part in parts):
        raise Unusable(f"the rule “{printable(written[:40])}” of the leap day “{name}” cannot be read.")
    offset = leap.whole("offset", 0, -10_000, 10_000)
    if any("+" in part and offset % int(part.strip("!+")) for part in parts):
        losses.add(
            "The offset of these leap days applies to part of their rule; in Signet it applies to all of it.", name
        )
    return ", ".join(part.replace("+", "") for part in parts), offset


def _day_of_year(shape: Shape, number: int) -> tuple[int, int]:
    """The month and day at a position in a year without leap days; the position may be outside the year."""
    rest = number % sum(month.days for month in shape.months)
    for index, month in enumerate(shape.months):
        if rest < month.days:
            return index, rest + 1
        rest -= month.days
    return 0, 1
