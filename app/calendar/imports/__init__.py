"""Imports of foreign calendars: a shape, a date, entries, and sentences on what is lost."""

from pydantic import TypeAdapter

from app.calendar.days import reckoning
from app.calendar.imports import fantasy_calendar, signet_calendar, simple_calendar
from app.calendar.imports.other_programs import program_of
from app.calendar.imports.reading import ForeignEntry, Imported, Unusable, opened

__all__ = ["ForeignEntry", "Imported", "Unusable", "as_bytes", "converted", "restored"]

_IMPORTED = TypeAdapter(Imported)
_READ = "Signet imports calendars from Signet, from Simple Calendar (Foundry) and from Fantasy-Calendar"


def converted(text: str) -> Imported:
    """Converts a file's text, from any supported program. Raises `Unusable` in words for people."""
    file = opened(text)
    other = program_of(file)
    if other:
        raise Unusable(
            f"This is a calendar of {other}, which Signet cannot import yet. {_READ}. "
            "You can draw it in the calendar's editor."
        )
    for program in (signet_calendar, fantasy_calendar, simple_calendar):
        if program.is_one(file):
            try:
                return program.convert(file)
            except Unusable as wrong:
                advice = "Export it again, and do not edit the file." if wrong.advice is None else ""
                raise Unusable(f"This file is from {program.SOURCE}: {wrong} {advice}".strip()) from None
    raise Unusable(
        f"This is a JSON file, but no calendar that Signet knows. {_READ}; choose the file that one of them exported."
    )


def as_bytes(body: bytes) -> bytes:
    """Converts a file's text in UTF-8, and returns the result as `restored` takes it. Raises `Unusable`."""
    try:
        return _IMPORTED.dump_json(converted(body.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise Unusable(
            "This is not a text file, and a calendar export is a JSON file. Choose the exported file itself."
        ) from None
    finally:
        reckoning.cache_clear()  # nothing of the file stays in the process


def restored(result: bytes) -> Imported:
    """The result of `as_bytes`."""
    return _IMPORTED.validate_json(result)
