"""Foundry's Simple Calendar: the JSON it exports (version 2), and the files of its predefined calendars.

There, months, days and seasons are counted from 0, a leap year gives each month a second length, intercalary months
belong to no week unless they say so, and `year.firstWeekday` is the first weekday of the year `year.yearZero`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from app.calendar.days import Date, Reckoning, reckoning
from app.calendar.imports import simple_fields
from app.calendar.imports.moons import first_day_from, unlike_ours
from app.calendar.imports.plain_text import printable
from app.calendar.imports.reading import (
    MOST_TITLE,
    ForeignEntry,
    Imported,
    Losses,
    Section,
    Unusable,
    called,
    converted_entries,
    digits,
    number_of,
    shaped,
    turned,
    written,
)
from app.calendar.repeat import OnDate, Rule, Weekly
from app.calendar.shape import MOST_CYCLE, MOST_MONTHS, Shape

SOURCE = "Simple Calendar"
FEASTS = ("holiday", "feast", "festival")
"""Words in the categories of notes that are feast days."""

ICONS = {"spring": "spring", "summer": "summer", "fall": "autumn", "autumn": "autumn", "winter": "winter"}


def is_one(file: Section) -> bool:
    """Whether a file looks like one of Simple Calendar's, of any version."""
    return any(name in file for name in ("calendars", "calendar", "monthSettings")) or (
        "months" in file and "leapYear" in file
    )


def convert(file: Section) -> Imported:
    """Converts the first calendar of a file, with its notes."""
    losses = Losses()
    calendar = _calendar(file, losses)
    made = _Conversion(calendar, losses)
    shape = made.shape()
    count = reckoning(shape)
    notes = _notes(file, calendar)
    entries = converted_entries(notes, "notes", losses, lambda note: made.entry(note, count))
    for name in made.categories:
        losses.add("Categories of notes.", name)
    simple_fields.FILE.tell(simple_fields.as_declared(file.value, calendar.value, notes), losses)
    return Imported(SOURCE, shape, made.today(count), entries, losses.sentences())


def _calendar(file: Section, losses: Losses) -> Section:
    if "monthSettings" in file:
        raise Unusable(
            "it was exported by a version before 2.",
            "Open the world with a newer one, which updates its calendar, and export it again.",
        )
    if "calendars" in file:
        first, *others = file.groups("calendars", 100, "calendars") or [Section({})]
        for other in others:
            losses.add("Only the first calendar in the file is imported.", other.text("name"))
    else:
        first = file.group("calendar") if "calendar" in file else file
    if not first.rows("months"):
        raise Unusable("it has no calendar with months.")
    if "year" not in first and "years" in first:  # as converters write it
        first = Section({**first.value, "year": first.value["years"], "years": None}, first.where)
    return Section(first.value, first.where, losses)


def _notes(file: Section, calendar: Section) -> list[Any]:
    """The notes of a calendar: by its id in an export, a plain list in a predefined calendar's file."""
    notes = file.value.get("notes")
    if isinstance(notes, Mapping):
        mine = str(calendar.value.get("id"))
        rows = notes.get(mine, [] if len(notes) != 1 else next(iter(notes.values())))
        return rows if isinstance(rows, list) else []
    return notes if isinstance(notes, list) else []


@dataclass(slots=True)
class _Conversion:
    """One calendar in conversion. `place` maps its months to ours, since months without any days are left out."""

    calendar: Section
    losses: Losses
    place: dict[int, int] = field(default_factory=dict)
    categories: dict[str, None] = field(default_factory=dict)  # of notes, but for feast days

    # ---- the shape -------------------------------------------------------------------------------------------------

    def shape(self) -> Shape:
        calendar = self.calendar
        weekdays = called(calendar.groups("weekdays", 30, "weekdays"), "Day")
        data: dict[str, Any] = {
            "name": calendar.text("name", "A calendar from Foundry"),
            "weekdays": weekdays,
            **self._months(),
            **self._clock(),
        }
        plain = shaped(data)
        count = reckoning(plain)
        year = calendar.group("year")
        first = turned(year.whole("firstWeekday", 0, 0, 100), count, year.whole("yearZero", 0))
        data |= {
            "first_weekday": first if plain.weeks == "on" else 0,
            "eras": self._eras(year),
            "seasons": self._seasons(plain),
            "moons": self._moons(count),
        }
        return shaped(data)

    def _months(self) -> dict[str, Any]:
        every, never, shift = self._leap_rule()
        plain = between_months = 0  # how many months of either kind came before
        months: list[dict[str, Any]] = []
        leaps: list[dict[str, Any]] = []
        starts: list[tuple[str, object]] = []
        parts = self.calendar.groups("months", MOST_MONTHS, "months")
        for index, (part, name) in enumerate(zip(parts, called(parts, "Month"), strict=True)):
            days = part.whole("numberOfDays", 0, 0, 500)
            more = part.whole("numberOfLeapYearDays", days, 0, 500) - days if every else 0
            intercalary = part.yes("intercalary")
            between = intercalary and not part.yes("intercalaryInclude")
            plain, between_months = plain + (not intercalary), between_months + intercalary
            self._numbers(part, name, -between_months if intercalary else plain)
            if not days and more <= 0:
                self.losses.add("These months never have a day.", name)
                continue
            self.place[index] = len(months)
            if more and every == "1":
                days, more = days + more, 0
            if more:
                rule = every if more > 0 else never
                leaps.append({"month": len(months), "every": rule, "shift": shift, "days": abs(more)})
            months.append({"name": name, "days": days + min(0, more), "between": between})
            if not between:
                starts.append((name, part.value.get("startingWeekday")))
        fixed = [name for name, start in starts if start is not None]
        by_month = bool(starts) and all(start in (1, "1") for _, start in starts)
        for name in fixed if not by_month else ():
            self.losses.add("Fixed first weekdays of these months.", name)
        return {"months": months, "leaps": leaps, "weeks": "by-month" if by_month else "on"}

    def _numbers(self, part: Section, name: str, usual: int) -> None:
        """Tells where a month is shown by another number than its place, or its days by others than theirs."""
        if part.whole("numericRepresentation", usual) != usual:
            self.losses.add("Numbers of months that are not their place in the year.", name)
        if part.whole("numericRepresentationOffset", 0):
            self.losses.add("These months do not number their days from 1; in Signet they do.", name)

    def _leap_rule(self) -> tuple[str, str, int]:
        """The rules for leap years and for all other years, and their shift; empty texts if there are no leap years.
        There, leap years are counted from `startingYear`."""
        leap = self.calendar.group("leapYear")
        start = leap.whole("startingYear", 0)
        match leap.text("rule", "none"):
            case "gregorian":
                return "400, !100, 4", "1, !4, 100, !400", start % 400
            case "custom" if each := leap.whole("customMod", 0, 0, MOST_CYCLE):
                return str(each), f"1, !{each}", (start + each // 2) % each - each // 2
        return "", "", 0

    def _clock(self) -> dict[str, Any]:
        time = self.calendar.group("time")
        if time.whole("secondsInMinute", 60) != 60:
            self.losses.add("The number of seconds per minute. Signet does not count seconds.")
        return {
            "hours": time.whole("hoursInDay", 24, 1, 1000),
            "minutes": time.whole("minutesInHour", 60, 1, 1000),
            "show_hours": self.calendar.group("general").yes("showClock"),
        }

    def _eras(self, year: Section) -> list[dict[str, Any]]:
        after, before = year.text("postfix"), year.text("prefix")
        if year.rows("yearNames"):
            self.losses.add("Names of individual years.")
        if before:
            instead = f"only shows “{after}”" if after else "shows it"
            self.losses.add(f"Years have “{before}” before them; Signet {instead} after them.")
        name = after or before
        return [{"name": name, "short": name if len(name) <= 12 else "", "first_year": 1}] if name else []

    def _seasons(self, shape: Shape) -> list[dict[str, Any]]:
        seasons: list[dict[str, Any]] = []
        parts = self.calendar.groups("seasons", 12, "seasons")
        for part, name in zip(parts, called(parts, "Season"), strict=True):
            month = self.place.get(part.whole("startingMonth", 0))
            days = shape.months[month].days if month is not None else 0
            day = min(part.whole("startingDay", 0, 0, 600) + 1, days)
            if not day or any((month, day) == (one["month"], one["day"]) for one in seasons):
                self.losses.add("These seasons do not begin on a fixed day, or begin on the same day as another.", name)
                continue
            icon = part.text("icon") or name
            seasons.append({"name": name, "month": month, "day": day, "colour": ICONS.get(icon.lower(), "")})
        return seasons

    def _moons(self, count: Reckoning) -> list[dict[str, Any]]:
        """The moons. There, a day shows the phase of its beginning: it is new if that is in the cycle's first day."""
        moons: list[dict[str, Any]] = []
        parts = self.calendar.groups("moons", 12, "moons")
        for part, name in zip(parts, called(parts, "Moon"), strict=True):
            cycle, first = part.number("cycleLength"), part.group("firstNewMoon")
            month = self.place.get(first.whole("month", 0), 0)
            date = Date(first.whole("year", 0), month + 1, first.whole("day", 0, 0, 600) + 1)
            if cycle < 1:
                self.losses.add("These moons are new more than once a day.", name)
                continue
            if first.text("yearReset", "none") != "none":
                self.losses.add("These moons restart in some years; in Signet they run on.", name)
            for sentence in unlike_ours(part.rows("phases"), cycle):
                self.losses.add(sentence, name)
            begins = count.number(count.clamp(date)) - part.number("cycleDayAdjust", most=1000)
            period = Fraction(digits(cycle))
            moons.append({"name": name, "period": digits(cycle), "new_at": digits(first_day_from(begins, period))})
        return moons

    # ---- what is on it -----------------------------------------------------------------------------------------------

    def today(self, count: Reckoning) -> int:
        now, year = self.calendar.group("currentDate"), self.calendar.group("year")
        date = self._date(now, year.whole("numericRepresentation", 1))
        number = None if date is None else number_of(count, date)
        if number is None:
            self.losses.add("The file's date does not exist in its calendar; the nearest earlier day is used.")
            number = count.number(count.clamp(date or Date(now.whole("year", 1), 1, 1)))
        return number

    def _date(self, part: Section, year: int) -> Date | None:
        month = self.place.get(part.whole("month", 0))
        return None if month is None else Date(part.whole("year", year), month + 1, part.whole("day", 0, 0, 600) + 1)

    def entry(self, note: Section, count: Reckoning) -> ForeignEntry | None:
        data = _note_data(note)
        title = note.text("name", "A note", MOST_TITLE)
        start, end = self._date(data.group("startDate"), 1), self._date(data.group("endDate"), 1)
        day = None if start is None else number_of(count, start)
        if start is None or day is None:
            self.losses.add("These notes are on a day that does not exist in the calendar.", title)
            return None
        last = number_of(count, end) if end is not None and "endDate" in data else None
        repeats = data.whole("repeats", 0)
        rule = _rule(repeats, start, day, count)
        if repeats and rule is None:
            self.losses.add("These notes repeat in a way that Signet does not support; they are imported once.", title)
        if data.text("macro", "none") not in ("none", ""):
            self.losses.add("Macros in notes. Signet does not run them.", title)
        whole_day = data.yes("allDay", True)
        clock, until = data.group("startDate"), data.group("endDate")
        ends = (until.whole("hour", 0), until.whole("minute", 0))
        if not whole_day and ends not in ((0, 0), (clock.whole("hour", 0), clock.whole("minute", 0))):
            self.losses.add("The hours at which these notes end.", title)
        minute = clock.whole("hour", 0, 0, 1000) * count.shape.minutes + clock.whole("minute", 0, 0, 1000)
        named = [one for one in data.rows("categories") if isinstance(one, str)]
        feasts = [one for one in named if any(word in one.lower() for word in FEASTS)]
        self.categories |= dict.fromkeys(printable(one)[:60] for one in named if one not in feasts)
        return ForeignEntry(
            title=title,
            day=day,
            last_day=last if last is not None and last > day else None,
            rule=rule,
            minute=None if whole_day else min(minute, count.shape.hours * count.shape.minutes - 1),
            text=_text(note, title, self.losses),
            kind="holiday" if feasts else "note",
            hidden=_hidden(note),
        )


def _note_data(note: Section) -> Section:
    flags = note.group("flags")
    for module in simple_fields.MODULES:
        if module in flags:
            return flags.group(module).group("noteData")
    return note.group("noteData") if "noteData" in note else note


def _rule(repeats: int, start: Date, day: int, count: Reckoning) -> Rule | None:
    """0 never, 1 weekly, 2 monthly, 3 yearly; None if it does not repeat."""
    weekday = count.weekday(day)
    if repeats == 1 and weekday is not None:
        return Weekly(weekdays=frozenset({weekday}), start=day)
    if repeats == 2:
        return OnDate(day=start.day, start=day)
    return OnDate(day=start.day, month=start.month, start=day) if repeats == 3 else None


def _text(note: Section, title: str, losses: Losses) -> str:
    """The texts of a note and of its pages, each below its name if there are several."""
    texts = [note.value.get("content")]
    pages = [page for page in note.rows("pages") if isinstance(page, Mapping) and isinstance(page.get("text"), Mapping)]
    for page in pages:
        if len(pages) > 1 and isinstance(page.get("name"), str):
            texts.append(page["name"])
        texts.append(page["text"].get("content"))
    return written([text for text in texts if isinstance(text, str)], title, losses)


def _hidden(note: Section) -> bool:
    """Whether some players could not read a note; here, only GMs can. Notes of predefined calendars are open."""
    for name in ("ownership", "permission"):
        if name in note:
            return note.group(name).whole("default", 0) < 2
    return False
