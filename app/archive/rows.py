"""The lines of a campaign's file: a header, its rows as JSON with boxes encrypted with the file's key, and the end.

The last line of format 2 is a MAC of all lines before it under the file's key. In format 1, which older Signets wrote,
it was a hash without a key, so anyone who could write the file could change it.
"""

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias

from sqlalchemy import Table

from app.crypto.columns import BOXES
from app.crypto.vault import Vault
from app.models import metadata

FORMAT = 2
FORMATS = (1, FORMAT)
CAMPAIGNS = metadata.tables["campaigns"]
TABLES: tuple[Table, ...] = tuple(metadata.sorted_tables)
"""All tables: every row belongs to a campaign. Parents come before children."""

SECRETS = frozenset(
    {"sessions", "device_codes", "invitations", "group_links", "join_requests", "feeds", "presences", "hints"}
)
"""Tables of sign-ins, links, open pages and hints to them. A copy begins without them: one link must not open two
campaigns. So does a file without a MAC, where anyone may have added a row that lets them in."""

Row = dict[str, Any]
Digest: TypeAlias = "hashlib._Hash | hmac.HMAC"


def digest_of(form: int, there: Vault) -> Digest:
    """Returns what all lines but the last are added to, as bytes, in a file of this format with this key."""
    return hashlib.sha256() if form == 1 else there.mac("archive-1")


def end(form: int, digest: Digest) -> bytes:
    """Returns the last line, after all others were added to `digest`."""
    return (json.dumps({"end" if form == 1 else "mac": digest.hexdigest()}) + "\n").encode()


def of(table: Table, campaign: uuid.UUID) -> Any:
    """Returns the condition that selects a campaign's rows of a table."""
    return (table.c.id if table is CAMPAIGNS else table.c.campaign_id) == campaign


def written(table: Table, row: Mapping[str, Any], here: Vault, there: Vault) -> Row:
    """Returns a row as JSON, its boxes encrypted with the file's key."""
    moved = rebox(table, row, here, row, there)
    return {name: _plain(value) for name, value in moved.items()}


def rebox(table: Table, old: Mapping[str, Any], here: Vault, new: Mapping[str, Any], there: Vault) -> Row:
    """Returns `new` with each of its boxes decrypted at its place in `old` and encrypted at its place in `new`."""
    row = dict(new)
    for boxes in BOXES:
        if boxes.of != table.name or row.get(boxes.name) is None:
            continue
        was = boxes.place_of([old[column.name] for column in boxes.keys])
        now = boxes.place_of([new[column.name] for column in boxes.keys])
        row[boxes.name] = there.encrypt(here.decrypt(row[boxes.name], was), now)
    return row


def _plain(value: Any) -> Any:
    match value:
        case bytes() | memoryview():
            return base64.b64encode(bytes(value)).decode()
        case uuid.UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            return value
