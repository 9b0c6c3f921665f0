"""Checks a whole file before its first row is written: each row, what its boxes hold, and what rows say of each other.

Only a file that passes is imported. That shows that the app can read it, not that nobody has changed it.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table

from app.archive import fields
from app.archive.rows import CAMPAIGNS, TABLES
from app.archive.scenes import Scenes
from app.archive.values import Keys, Row, Unfit, check_json, read
from app.campaign.pictures import MOST_BYTES
from app.crypto.columns import BOXES
from app.crypto.vault import Locked, Vault
from app.errors import UserError

NAMES = {table.name: number for number, table in enumerate(TABLES)}
MOST_ROWS = 5_000_000
MOST_GOALS = 100_000
"""The most characters of a player's goals."""


class Checker:
    """Reads a file's lines in order. Raises UserError with the table, the row, the field, and what is wrong."""

    def __init__(self, place: object, campaign: uuid.UUID, there: Vault) -> None:
        self._place, self._campaign, self._there = place, campaign, there
        self._keys, self._scenes = Keys(), Scenes()
        self._counts: dict[str, int] = {}
        self._fields: dict[str, set[str]] = {}
        self._at = 0

    def line(self, line: Mapping[str, Any]) -> None:
        """Checks a line after the header."""
        name = line.get("table")
        if not isinstance(name, str) or name not in NAMES or set(line) != {"table", "row"}:
            raise self._refusal("A line of it", "is no row of a table that this Signet has")
        if NAMES[name] < self._at:
            raise self._refusal(f"A row of {name}", "comes after rows that must follow it")
        self._at = NAMES[name]
        number = self._counts[name] = self._counts.get(name, 0) + 1
        if sum(self._counts.values()) > MOST_ROWS:
            raise self._refusal("It", f"has more than {MOST_ROWS} rows")
        try:
            self._row(TABLES[self._at], number, line["row"])
        except Unfit as wrong:
            field = f", field {wrong.field}" if wrong.field else ""
            raise self._refusal(f"Row {number} of {name}{field}:", wrong.what) from None

    def end(self) -> None:
        """Checks what can be known only when all rows are there."""
        if self._counts.get("campaigns") != 1:
            raise self._refusal("It", "does not have exactly one campaign")
        try:
            self._scenes.end()
        except Unfit as wrong:
            raise self._refusal(f"The field {wrong.field}", wrong.what) from None

    def _row(self, table: Table, number: int, said: object) -> None:
        row = read(table, said)
        assert isinstance(said, dict)
        if row["id" if table is CAMPAIGNS else "campaign_id"] != self._campaign:
            raise Unfit("campaign_id", "is of another campaign than the file")
        first = self._fields.setdefault(table.name, set(said))
        if first != set(said):
            raise Unfit(min(first ^ set(said)), "is in some rows of this table, but not in all")
        fields.check(table.name, row)
        self._keys.add(table, row)
        boxes = self._opened(table, row)
        self._scenes.add(table.name, number, row, boxes)

    def _opened(self, table: Table, row: Row) -> dict[str, bytes]:
        """Returns the contents of the row's boxes, after checking those that do not depend on a ruleset."""
        found = {}
        for boxes in BOXES:
            if boxes.of != table.name or row[boxes.name] is None:
                continue
            try:
                plain = self._there.decrypt(row[boxes.name], boxes.place_of([row[one.name] for one in boxes.keys]))
            except (Locked, ValueError):
                raise Unfit(boxes.name, "cannot be decrypted with the file's key: it was changed or moved") from None
            found[boxes.name] = plain
            _contents(f"{table.name}.{boxes.name}", boxes.name, plain, row)
        return found

    def _refusal(self, where: str, what: str) -> UserError:
        return UserError(
            f"{self._place} was not written by Signet, or was changed since. {where} {what}. Nothing was imported. "
            "Export the campaign again with `signet export`, or ask for another copy of the file."
        )


def _contents(name: str, field: str, plain: bytes, row: Row) -> None:
    if name in fields.BOXES:
        check_json(field, fields.fits(field, json.loads, plain))
        fields.fits(field, fields.BOXES[name].validate_json, plain)
    elif name == "almanacs.root" and len(plain) != 32:
        raise Unfit(field, "holds no 32 bytes")
    elif name == "goals.box" and ("\x00" in (text := fields.fits(field, plain.decode)) or len(text) > MOST_GOALS):
        raise Unfit(field, f"is no text of at most {MOST_GOALS} characters")
    elif name == "handouts.picture":
        if plain[:4] != b"RIFF" or plain[8:12] != b"WEBP" or len(plain) > MOST_BYTES:
            raise Unfit(field, "is no WebP picture of a size that Signet makes")
        if not (row["width"] and row["height"]):
            raise Unfit("width", "and height of the picture are missing")
