"""Programs whose calendars are recognised by what is their own, but not read yet."""

from collections.abc import Mapping

from app.calendar.imports.reading import Section


def program_of(file: Section) -> str:
    """The name of the program that a file is from; "" for one that is not known."""
    months = file.value.get("months")
    if "translations" in file and ("baseCalendar" in file or isinstance(months, list)):
        return "Seasons & Stars"
    if isinstance(months, list) and months and isinstance(months[0], Mapping):
        if "days" in months[0] and "numberOfDays" not in months[0]:
            return "Seasons & Stars"
    if isinstance(months, Mapping) and "values" in months and "years" in file:
        return "Calendaria"
    return ""
