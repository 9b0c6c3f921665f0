"""`signet import`: a campaign from a file into this database, all of it or nothing."""

import gzip
import hashlib
import json
import uuid
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.archive.checking import NAMES, Checker
from app.archive.rows import CAMPAIGNS, FORMAT, SECRETS, TABLES, Row, rebox
from app.archive.values import read
from app.campaign import names
from app.crypto.vault import Vault, key_name
from app.db.engine import make_engine, revisions
from app.errors import UserError
from app.models.base import new_id
from app.models.scenes import Scene
from app.settings import Settings, read_keys

BATCH = 200
LONGEST_LINE = 64 * 1024 * 1024
MOST_BYTES = 8 * 1024 * 1024 * 1024
"""The most bytes of an unpacked file: a small one may unpack without end."""


@dataclass(slots=True)
class Arrived:
    """The imported campaign, with its slug here and its row counts."""

    title: str
    slug: str
    campaign: uuid.UUID
    copy: bool
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


async def arrive(current: Settings, place: Path, key_place: Path | None, *, copy: bool = False) -> Arrived:
    """Imports a campaign into this database. Raises `UserError` where the file is incomplete or holds what no Signet
    writes, its key does not fit, its tables are newer than ours, or the campaign exists already and `copy` is false;
    then nothing was changed."""
    there = _key(key_place or place.with_name(place.name + ".key"))
    here = Vault(current.keys)
    checked = _checked(place, there)
    engine = make_engine(current.database)
    try:
        async with engine.begin() as connection:
            arrived = await _place(connection, checked, copy=copy)
            digest = hashlib.sha256()
            lines = _lines(place, digest)
            next(lines)
            await _rows(connection, lines, arrived, checked.campaign, there, here)
            if digest.digest() != checked.digest:
                raise UserError(_broken(place, "it was changed while it was read"))
        return arrived
    except (StatementError, IntegrityError):
        raise UserError(_broken(place, "the database refuses one of its rows")) from None
    finally:
        await engine.dispose()


@dataclass(frozen=True, slots=True)
class _Header:
    """A checked file: what its first line says, and the digest of all lines."""

    campaign: uuid.UUID
    slug: str
    title: str
    left_out: dict[str, int]
    digest: bytes = b""


def _checked(place: Path, there: Vault) -> _Header:
    """Reads the whole file and checks it; its lines are read a second time to be written."""
    digest = hashlib.sha256()
    lines = _lines(place, digest)
    header = _header(next(lines, {}), place, there)
    checker = Checker(place, header.campaign, there)
    try:
        for line in lines:
            checker.line(line)
    except UserError:
        deque(lines, maxlen=0)  # of a file that is damaged as a whole, that is said
        raise
    checker.end()
    return replace(header, digest=digest.digest())


def _key(place: Path) -> Vault:
    try:
        return Vault(read_keys(place.read_text(encoding="ascii", errors="replace"), str(place)))
    except OSError:
        raise UserError(
            f"The file's key is not at {place}. It was written next to the file. Pass it with --key FILE.", code=2
        ) from None


def _lines(place: Path, digest: "hashlib._Hash") -> Iterator[dict[str, Any]]:
    """Yields the file's lines except the last, which is checked against `digest`, of all before it."""
    size, ended = 0, False
    try:
        with gzip.open(place, "rb") as file:
            while raw := file.readline(LONGEST_LINE):
                size += len(raw)
                if ended:
                    raise UserError(_broken(place, "there is data after its end"))
                if size > MOST_BYTES:
                    raise UserError(_broken(place, "unpacked it is larger than any campaign"))
                line = json.loads(raw, parse_constant=_no_number)
                if not isinstance(line, dict):
                    raise UserError(_broken(place, "an empty line"))
                if "end" in line:
                    ended = True
                    if line["end"] != digest.hexdigest():
                        raise UserError(_broken(place, "its last line does not match the rest"))
                    continue
                digest.update(raw)
                yield line
    except FileNotFoundError:
        raise UserError(f"There is no {place}.", code=2) from None
    except (OSError, EOFError, ValueError, RecursionError):
        raise UserError(_broken(place, "it cannot be read to the end")) from None
    if not ended:
        raise UserError(_broken(place, "its end is missing"))


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _broken(place: Path, why: str) -> str:
    return f"{place} is not a complete campaign ({why}). Nothing was changed. Export it again with `signet export`."


def _header(said: dict[str, Any], place: Path, there: Vault) -> _Header:
    if said.get("signet") != "campaign" or said.get("format") != FORMAT:
        raise UserError(f"{place} is not a campaign exported by this version of Signet. Nothing was changed.", code=2)
    older, newest = revisions()
    if said.get("tables") not in (newest, *older):
        raise UserError("This file was written by a newer Signet. Update this one first. Nothing was changed.")
    if said.get("key") != key_name(there.keys[0]).hex():
        raise UserError(
            "This key belongs to another file. Pass the key that was written next to this file with --key FILE."
        )
    try:
        slug, title, left_out = said["slug"], said["title"], said["left_out"]
        right = names.is_slug(slug) and title.strip() and all(type(one) is int for one in left_out.values())
        if right:
            return _Header(uuid.UUID(said["campaign"]), slug, title, left_out)
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    raise UserError(_broken(place, "its first line does not say which campaign it is"))


async def _place(connection: AsyncConnection, header: _Header, *, copy: bool) -> Arrived:
    """Returns the campaign's id and slug here."""
    campaign = header.campaign
    there = (await connection.execute(select(CAMPAIGNS.c.slug).where(CAMPAIGNS.c.id == campaign))).scalar()
    if there is not None and not copy:
        raise UserError(
            f"This campaign is already here, as {there!r}. Nothing was changed. Use --copy to import it as a separate "
            "campaign, or delete the one here first (`signet delete`)."
        )
    wanted = header.slug
    taken = set(await connection.scalars(select(CAMPAIGNS.c.slug).where(CAMPAIGNS.c.slug.startswith(wanted[:30]))))
    slug = names.free(wanted, taken)
    return Arrived(header.title, slug, new_id() if copy else campaign, copy, left_out=header.left_out)


async def _rows(
    connection: AsyncConnection,
    lines: Iterator[dict[str, Any]],
    arrived: Arrived,
    old: uuid.UUID,
    there: Vault,
    here: Vault,
) -> None:
    """Inserts the rows of a checked file, table by table, parents before children."""
    at, batch = 0, list[Row]()
    for line in lines:
        number = NAMES[line["table"]]
        if number != at or len(batch) >= BATCH:
            await _put(connection, at, batch)
            at, batch = number, list[Row]()
        row = _settled(number, read(TABLES[number], line["row"]), arrived, old, there, here)
        if row is not None:
            batch.append(row)
            name = TABLES[number].name
            arrived.rows[name] = arrived.rows.get(name, 0) + 1
    await _put(connection, at, batch)


async def _put(connection: AsyncConnection, at: int, batch: list[Row]) -> None:
    if batch:
        await connection.execute(insert(TABLES[at]), batch)


def _settled(number: int, row: Row, arrived: Arrived, old: uuid.UUID, there: Vault, here: Vault) -> Row | None:
    """Returns the row for this database: its boxes encrypted with our key, in a copy with the copy's id, or None."""
    table, new = TABLES[number], dict(row)
    if table is CAMPAIGNS:
        return {**new, "id": arrived.campaign, "slug": arrived.slug, "demo": row["demo"] and not arrived.copy}
    new["campaign_id"] = arrived.campaign
    if arrived.copy:
        if table.name in SECRETS:
            return None
        if table.name == "members":
            new["way_back"] = None
        if table.name == Scene.__tablename__:
            # Seals and records are hashed with the campaign's first id, and are always checked with it.
            new["made_in"] = row.get("made_in") or old
    return rebox(table, row, there, new, here)
