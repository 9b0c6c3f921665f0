"""Imports of foreign calendars: a shape, a date, entries, and sentences on what is lost."""

from app.calendar.imports import fantasy_calendar, signet_calendar, simple_calendar
from app.calendar.imports.reading import ForeignEntry, Imported, Unusable, opened

__all__ = ["ForeignEntry", "Imported", "Unusable", "converted"]


def converted(text: str) -> Imported:
    """Converts a file's text, from any supported program. Raises `Unusable` in words for people."""
    file = opened(text)
    if signet_calendar.is_one(file):
        return signet_calendar.convert(file)
    if fantasy_calendar.is_one(file):
        return fantasy_calendar.convert(file)
    if simple_calendar.is_one(file):
        return simple_calendar.convert(file)
    raise Unusable(
        "This is not an export from Signet, Simple Calendar (Foundry) or Fantasy-Calendar: "
        f"it has none of “format: {signet_calendar.FORMAT}”, “calendars” and “static_data”."
    )
