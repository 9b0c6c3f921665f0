"""Presses in a sheet's form that come back with more rows of a list, or with a thing of the book in a row."""

from dataclasses import dataclass, replace

from app.web.forms.reading import TypedPairs
from app.web.forms.schema import SPARE_ROWS

BUTTON = "_rows"
MORE = 3
MOST_SPARE = 40
LAST = 999_999  # the number of a new row: behind all others


@dataclass(frozen=True, slots=True)
class RowsPressed:
    """The form after the press, and how many empty rows to show in each of its lists."""

    typed: TypedPairs
    spare: int


def rows_pressed(typed: TypedPairs) -> RowsPressed | None:
    """Returns None if no such button was pressed.

    The button says "sheet.weapons" for more rows, "sheet.weapons counts sword" for a row with that choice, and "sheet"
    to see what the typed figures come to.
    """
    press = typed.get(BUTTON)
    if not press:
        return None
    place, _, choice = press.partition(" ")
    part, _, key = choice.partition(" ")
    if part and key:
        return RowsPressed(replace(typed, pairs=(*typed.pairs, (f"{place}.{LAST}.{part}", key))), SPARE_ROWS)
    empty: dict[str, bool] = {}
    for name, text in typed.pairs:
        if name.startswith(f"{place}."):
            row = name.removeprefix(f"{place}.").partition(".")[0]
            empty[row] = empty.get(row, True) and not text.strip()
    more = 0 if "." not in place else sum(empty.values()) + MORE
    return RowsPressed(typed, min(max(SPARE_ROWS, more), MOST_SPARE))
