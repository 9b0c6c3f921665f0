"""A battlefield as text that people can draw, and the ready-made battlefields.

Each line is a row of hexes from the north: "." is Open, "#" Closed, "~" Impassable. Blanks do not matter, and the
letter of the row may stand first. After a line "heights", the same rows again have a digit for the level of each hex.
A barrier has its own line: "soft L6 L7", or "hard L6 > M6" if it is one-way with M6 as its outer hex.
"""

import re

from app.rulesets.chronicle.mass.field import Barrier, Field, Kind
from app.rulesets.chronicle.mass.hexes import MOST_ROWS, distance, read, spell
from app.rulesets.chronicle.mass.troops import data_text

Row = tuple[int, str]  # number of the line, its hexes

LEAST, MOST_HEXES, MOST_BARRIERS, MOST_TEXT = 3, 1_000, 600, 20_000
SIGNS: dict[Kind, str] = {"open": ".", "closed": "#", "impassable": "~"}
FIELDS = {  # in data/fields
    "open": "Open ground",
    "plain": "A plain with copses and a low hill",
    "river": "A river with two fords",
    "valley": "A wooded valley between heights",
    "village": "A village with walls and ditches",
    "pass": "A forest road through a pass",
}
_LABEL = re.compile(r"([A-Z])\s+(?=\S)")
_BARRIER = re.compile(r"(SOFT|HARD) +([A-Z] ?\d+) *(>| ) *([A-Z] ?\d+)", re.ASCII)


def ready_made(key: str) -> Field:
    """The ready-made battlefield with this key of `FIELDS`."""
    return read_field(data_text(f"fields/{key}.txt"))


def read_field(text: str) -> Field:
    """The battlefield that a text draws.

    Raises ValueError with the line, what is wrong with it, and what to do.
    """
    if len(text) > MOST_TEXT:
        raise ValueError(f"The map has {len(text):,} characters. Shorten it to {MOST_TEXT:,}.")
    ground, heights, walls = list[Row](), list[Row](), list[Row]()
    block = ground
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip().upper()
        if words == "HEIGHTS":
            block = heights
        elif words.startswith(("SOFT", "HARD")):
            walls.append((number, words))
        elif words:
            block.append((number, _unlabelled(number, words, len(block))))
    bare = _ground(ground)
    return Field(bare.rows, bare.columns, bare.kinds, _levels(bare, heights), _barriers(bare, walls))


def _unlabelled(number: int, words: str, row: int) -> str:
    """The hexes of a row, without blanks and without the letter of the row."""
    label = _LABEL.match(words)
    if label and ord(label[1]) != ord("A") + row:
        raise ValueError(
            f"Line {number}: this is row {row + 1} from the north, but its letter is {label[1]}. "
            "Correct the letter or leave it out."
        )
    return "".join(words[label.end() if label else 0 :].split())


def _ground(rows: list[Row]) -> Field:
    columns = len(rows[0][1]) if rows else 0
    if not LEAST <= len(rows) <= MOST_ROWS or columns < LEAST:
        raise ValueError(
            f"The map has {_counted(rows)}, and {columns} hexes in the first. "
            f"Draw {LEAST} to {MOST_ROWS} rows of at least {LEAST} hexes."
        )
    bare = Field(len(rows), columns)
    if (count := sum(map(bare.width, range(bare.rows)))) > MOST_HEXES:
        raise ValueError(f"The map has {count:,} hexes. Draw at most {MOST_HEXES:,}.")
    kinds = {sign: kind for kind, sign in SIGNS.items()}
    found = _by_hex(bare, rows, "".join(kinds), ". for Open, # for Closed or ~ for Impassable")
    return Field(bare.rows, columns, {hex: kinds[sign] for hex, sign in found.items()})


def _counted(rows: list[Row]) -> str:
    return "1 row" if len(rows) == 1 else f"{len(rows)} rows"


def _by_hex(bare: Field, rows: list[Row], signs: str, use: str) -> dict[tuple[int, int], str]:
    """The sign of each hex that does not have the first sign of all."""
    found = dict[tuple[int, int], str]()
    for row, (number, hexes) in enumerate(rows):
        if wrong := next((sign for sign in hexes if sign not in signs), ""):
            raise ValueError(f"Line {number}: “{wrong}” means nothing there. Use {use}.")
        if len(hexes) != bare.width(row):
            raise ValueError(
                f"Line {number}: row {chr(ord('A') + row)} has {len(hexes)} hexes and needs {bare.width(row)}. "
                f"Rows have {bare.columns} and {bare.columns - 1} hexes in turn."
            )
        found |= {(row, column): sign for column, sign in enumerate(hexes) if sign != signs[0]}
    return found


def _levels(bare: Field, rows: list[Row]) -> dict[tuple[int, int], int]:
    if rows and len(rows) != bare.rows:
        raise ValueError(
            f"The heights have {_counted(rows)}, the map has {bare.rows}. Draw all rows again, or no heights."
        )
    found = _by_hex(bare, rows, ".0123456789", "a digit for the level, or . for level 0")
    return {hex: int(sign) for hex, sign in found.items() if sign != "0"}


def _barriers(bare: Field, lines: list[Row]) -> tuple[Barrier, ...]:
    if len(lines) > MOST_BARRIERS:
        raise ValueError(f"The map has {len(lines)} barriers. Draw at most {MOST_BARRIERS}.")
    found = dict[frozenset[tuple[int, int]], Barrier]()
    for number, words in lines:
        barrier = _barrier(bare, number, words)
        if (pair := frozenset((barrier.one, barrier.other))) in found:
            raise ValueError(f"Line {number}: there is already a barrier between these two hexes. Keep one of them.")
        found[pair] = barrier
    return tuple(found.values())


def _barrier(bare: Field, number: int, words: str) -> Barrier:
    match = _BARRIER.fullmatch(words)
    one, other = (read(match[2]), read(match[4])) if match else (None, None)
    if not match or not one or not other:
        raise ValueError(f"Line {number}: this is no barrier. Write “soft L6 L7”, or “hard L6 > M6” for a one-way one.")
    if strange := next((hex for hex in (one, other) if hex not in bare), None):
        raise ValueError(f"Line {number}: {spell(strange)} is not on the map. Name two hexes of it.")
    if distance(one, other) != 1:
        raise ValueError(f"Line {number}: {spell(one)} and {spell(other)} are not neighbours. Name two that touch.")
    return Barrier("soft" if match[1] == "SOFT" else "hard", one, other, match[3] == ">")


def spell_field(field: Field) -> str:
    """The text that draws a battlefield; `read_field` reads it back."""
    lines = _drawn(field, [SIGNS[field.kind(hex)] for hex in field])
    if field.levels:
        lines += ["heights", *_drawn(field, [str(field.level(hex) or ".") for hex in field])]
    for one in field.barriers:
        lines.append(f"{one.kind} {spell(one.one)} {'> ' if one.one_way else ''}{spell(one.other)}")
    return "\n".join(lines) + "\n"


def _drawn(field: Field, signs: list[str]) -> list[str]:
    rest = iter(signs)
    rows = ([next(rest) for _ in range(field.width(row))] for row in range(field.rows))
    return [f"{chr(ord('A') + row)} {' ' * (row % 2)}{' '.join(hexes)}" for row, hexes in enumerate(rows)]
