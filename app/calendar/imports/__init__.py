"""Calendars made elsewhere, read into a shape, a date and entries, and in words what could not come along."""

from app.calendar.imports import fantasy_calendar, simple_calendar
from app.calendar.imports.reading import ForeignEntry, Imported, Unusable, opened

__all__ = ["ForeignEntry", "Imported", "Unusable", "converted"]


def converted(text: str) -> Imported:
    """A file's text, whichever program it comes from. Raises `Unusable` in words for people."""
    file = opened(text)
    if fantasy_calendar.is_one(file):
        return fantasy_calendar.convert(file)
    if simple_calendar.is_one(file):
        return simple_calendar.convert(file)
    raise Unusable(
        "This is neither an export of Simple Calendar (Foundry) nor one of Fantasy-Calendar: "
        "it has neither “calendars” nor “static_data”."
    )
