"""Writes what becomes of the fields of foreign calendars into docs/calendar.md, from the importers' declarations.

Run it from the project's folder: `python tools/calendar_fields.py`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.calendar.imports import fantasy_calendar, fantasy_fields, simple_calendar, simple_fields  # noqa: E402

PAGE = ROOT / "docs" / "calendar.md"
FORMATS = {simple_calendar.SOURCE: simple_fields.FILE, fantasy_calendar.SOURCE: fantasy_fields.FILE}


def renewed(text: str) -> str:
    """The page's text with the tables as they are now. Raises ValueError where a table has no place in it."""
    for source, fields in FORMATS.items():
        heading = f"### Fields of {source}\n"
        found = re.search(rf"^{re.escape(heading)}(?:(?!\|).*\n)*(?P<table>(?:\|.*\n)+)", text, re.MULTILINE)
        if found is None:
            raise ValueError(f"docs/calendar.md has no table below “{heading.strip()}”")
        text = text[: found.start("table")] + fields.table() + text[found.end("table") :]
    return text


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
