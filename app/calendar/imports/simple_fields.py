"""What becomes of the fields of Simple Calendar's files.

The calendar is in "calendars" or "calendar", or is the file itself; notes are lists by calendar, or one list, and their
dates are in "noteData", in flags of the module, or in the note itself. `as_declared` makes one form of all.
"""

from collections.abc import Mapping
from typing import Any

from app.calendar.imports.fields import HOUR, MARKS, SUN, Fields, Format

ONLY_FOUNDRY = "Settings that only matter in Foundry: how its clock runs, who may do what, reminders."
LOOKS = "Colours of moons, seasons and kinds of notes."
SHORT = "Short names of months and weekdays."
DESCRIPTIONS = "Descriptions of the calendar, its months, weekdays and seasons."
FORMATS = "How dates and times are written."
PARTS = "Pictures, videos and files in notes."

MONTH, MOON, SEASON = "calendar.months[]", "calendar.moons[]", "calendar.seasons[]"
NOTE = "notes[]"
DATA = f"{NOTE}.noteData"
MODULES = ("foundryvtt-simple-calendar", "foundryvtt-simple-calendar-reborn")

FILE = Format(
    (
        Fields("calendar", "name id"),
        Fields("calendar", "description", "left out", DESCRIPTIONS),
        Fields("calendar", "numericRepresentation abbreviation showAdvanced", "not needed", "empty in every calendar"),
        Fields("calendar.currentDate", "year month day"),
        Fields("calendar.currentDate", "seconds", "left out", HOUR),
        Fields("calendar.general", "showClock"),
        Fields(
            "calendar.general",
            "gameWorldTimeIntegration noteDefaultVisibility postNoteRemindersOnFoundryLoad pf2eSync "
            "compactViewOptions playersAddNotes id",
            "left out", ONLY_FOUNDRY, ("none", "full"),
        ),
        Fields(
            "calendar.general", "dateFormat", "left out", FORMATS,
            ("MMMM DD, YYYY", "HH:mm:ss", "MMMM YAYYYYYZ", "MMM DD, YYYY HH:mm"),
        ),
        Fields("calendar.general", "chatTime", "left out", ONLY_FOUNDRY),
        Fields("calendar.leapYear", "rule customMod startingYear"),
        Fields("calendar.leapYear", "id", "not needed", MARKS),
        Fields(MONTH, "name numberOfDays numberOfLeapYearDays intercalary intercalaryInclude"),
        Fields(MONTH, "startingWeekday", "changed", "1 in every month begins each with a new week; others are told"),
        Fields(MONTH, "numericRepresentation", "changed", "a month's number is its place; other numbers are told"),
        Fields(MONTH, "numericRepresentationOffset", "changed", "days count from 1; another first day is told"),
        Fields(MONTH, "abbreviation", "left out", SHORT),
        Fields(MONTH, "description", "left out", DESCRIPTIONS),
        Fields(MONTH, "id showAdvanced", "not needed", MARKS),
        Fields("calendar.weekdays[]", "name"),
        Fields("calendar.weekdays[]", "numericRepresentation", "not needed", "weekdays keep their order"),
        Fields("calendar.weekdays[]", "abbreviation", "left out", SHORT),
        Fields("calendar.weekdays[]", "description", "left out", DESCRIPTIONS),
        Fields("calendar.weekdays[]", "restday", "left out", "Which weekdays are days of rest."),
        Fields("calendar.weekdays[]", "id showAdvanced", "not needed", MARKS),
        Fields(MOON, "name cycleLength cycleDayAdjust firstNewMoon.year firstNewMoon.month firstNewMoon.day"),
        Fields(
            MOON, "firstNewMoon.yearReset firstNewMoon.yearX", "changed",
            "a moon runs on where it would restart, which the preview tells",
        ),
        Fields(
            MOON, "phases", "changed", "every moon has the same eight phases; other names and lengths are told by moon"
        ),
        Fields(MOON, "color", "left out", LOOKS, ("#ffffff", "#fff")),
        Fields(MOON, "currentPhase", "not needed", "it follows from the date"),
        Fields(MOON, "id description numericRepresentation abbreviation showAdvanced", "not needed", MARKS),
        Fields("calendar.noteCategories[]", "name", "not needed", "notes name their categories"),
        Fields("calendar.noteCategories[]", "color textColor", "left out", LOOKS),
        Fields("calendar.noteCategories[]", "id", "not needed", MARKS),
        Fields(SEASON, "name startingMonth startingDay"),
        Fields(SEASON, "icon", "changed", "it gives the season its colour: spring, summer, autumn or winter"),
        Fields(SEASON, "color customColor", "left out", LOOKS),
        Fields(SEASON, "description", "left out", DESCRIPTIONS),
        Fields(SEASON, "sunriseTime sunsetTime", "left out", SUN),
        Fields(SEASON, "id numericRepresentation abbreviation showAdvanced", "not needed", MARKS),
        Fields("calendar.time", "hoursInDay minutesInHour"),
        Fields("calendar.time", "secondsInMinute", "changed", "Signet counts no seconds; if not 60, that is told"),
        Fields(
            "calendar.time", "gameTimeRatio updateFrequency unifyGameAndClockPause", "left out", ONLY_FOUNDRY, (1,)
        ),
        Fields("calendar.time", "id", "not needed", MARKS),
        Fields("calendar.year", "numericRepresentation firstWeekday yearZero postfix"),
        Fields("calendar.year", "prefix", "changed", "stands after the year, or gives way to the postfix, as is told"),
        Fields("calendar.year", "yearNames", "changed", "years have no names of their own, which the preview tells"),
        Fields("calendar.year", "yearNamesStart yearNamingRule", "not needed", "they belong to yearNames"),
        Fields(
            "calendar.year", "showWeekdayHeadings", "not needed", "a month shows its weekdays where it has some"
        ),
        Fields("calendar.year", "id", "not needed", MARKS),
        Fields("", "exportVersion", "not needed", "files of version 2 and later are read alike"),
        Fields("", "globalConfig permissions userSettings", "left out", ONLY_FOUNDRY),
        Fields(NOTE, "name content pages[].name pages[].text.content"),
        Fields(NOTE, "ownership permission", "changed", "a note that not every player could see is for GMs alone"),
        Fields(DATA, "startDate.year startDate.month startDate.day startDate.hour startDate.minute"),
        Fields(DATA, "endDate.year endDate.month endDate.day allDay repeats"),
        Fields(DATA, "endDate.hour endDate.minute", "changed", "an entry has no hour at which it ends, as is told"),
        Fields(DATA, "startDate.seconds endDate.seconds", "left out", "Seconds in the hours of notes."),
        Fields(DATA, "categories", "changed", "holidays, feasts and festivals are feast days; others are told"),
        Fields(DATA, "macro", "changed", "the entry without its macro, which the preview tells"),
        Fields(DATA, "remindUsers", "left out", "Reminders of notes."),
        Fields(DATA, "order", "left out", "The order of the notes of a day."),
        Fields(DATA, "calendarId fromPredefined", "not needed", "notes come with their calendar"),
        Fields(f"{NOTE}.pages[]", "src image video system", "left out", PARTS),
        Fields(NOTE, "img", "left out", PARTS),
        Fields(
            f"{NOTE}.pages[]", "_id type title text.format text.markdown show sort ownership flags _stats category",
            "not needed", "marks of Foundry",
        ),
        Fields(NOTE, "_id id _key folder sort _stats author type", "not needed", "marks of Foundry"),
        Fields(f"{NOTE}.flags.core", "sheetClass sourceId", "not needed", "marks of Foundry"),
    )
)  # fmt: skip

_DATA_NAMES = {name.split(".")[0] for row in FILE.rows if row.at == DATA for name in row.names.split()}


def as_declared(file: Mapping[str, Any], calendar: Mapping[str, Any], notes: list[Any]) -> dict[str, Any]:
    """A file with its calendar and notes where the declaration has them."""
    around = {} if calendar is file else {key: file[key] for key in file if key not in ("calendars", "calendar")}
    return {**around, "calendar": calendar, "notes": [_note(one) for one in notes if isinstance(one, Mapping)]}


def _note(note: Mapping[str, Any]) -> dict[str, Any]:
    flags = note.get("flags")
    flags = dict(flags) if isinstance(flags, Mapping) else {}
    inner = [flags.pop(name).get("noteData") for name in MODULES if isinstance(flags.get(name), Mapping)]
    loose = {key: note[key] for key in note if key in _DATA_NAMES and "noteData" not in note}
    data = next((one for one in inner if one is not None), note.get("noteData", loose))
    return {**{key: note[key] for key in note if key not in loose}, "flags": flags, "noteData": data}
