"""`signet import`: a campaign from a file into this database, all of it or nothing."""

import gzip
import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.archive.rows import CAMPAIGNS, FORMAT, SECRETS, TABLES, Row, read, rebox
from app.campaign import names
from app.crypto.vault import Locked, Vault, key_name
from app.db.engine import make_engine, revisions
from app.errors import UserError
from app.models.base import new_id
from app.models.scenes import Scene
from app.settings import Settings, read_keys

BATCH = 200
LONGEST_LINE = 64 * 1024 * 1024


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
    """Imports a campaign into this database. Raises `UserError` where the file is incomplete, its key does not fit, its
    tables are newer than ours, or the campaign exists already and `copy` is false; then nothing was changed."""
    there = _key(key_place or place.with_name(place.name + ".key"))
    here = Vault(current.keys)
    lines = _lines(place)
    header = _header(next(lines, {}), place, there)
    engine = make_engine(current.database)
    try:
        async with engine.begin() as connection:
            arrived = await _place(connection, header, copy=copy)
            await _rows(connection, lines, place, arrived, uuid.UUID(header["campaign"]), there, here)
        return arrived
    except Locked:
        raise UserError(
            "Part of this file cannot be decrypted with its key: the file was changed. Nothing was imported."
        ) from None
    except (KeyError, ValueError, TypeError, StatementError, IntegrityError) as error:
        raise UserError(_broken(place, type(error).__name__)) from None
    finally:
        await engine.dispose()


def _key(place: Path) -> Vault:
    try:
        return Vault(read_keys(place.read_text(encoding="ascii", errors="replace"), str(place)))
    except OSError:
        raise UserError(
            f"The file's key is not at {place}. It was written next to the file. Pass it with --key FILE.", code=2
        ) from None


def _lines(place: Path) -> Iterator[dict[str, Any]]:
    """Yields the file's lines except the last, which is checked against all before it."""
    digest, ended = hashlib.sha256(), False
    try:
        with gzip.open(place, "rb") as file:
            while raw := file.readline(LONGEST_LINE):
                if ended:
                    raise UserError(_broken(place, "there is data after its end"))
                line = json.loads(raw)
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


def _broken(place: Path, why: str) -> str:
    return f"{place} is not a complete campaign ({why}). Nothing was changed. Export it again with `signet export`."


def _header(header: dict[str, Any], place: Path, there: Vault) -> dict[str, Any]:
    if header.get("signet") != "campaign" or header.get("format") != FORMAT:
        raise UserError(f"{place} is not a campaign exported by this version of Signet. Nothing was changed.", code=2)
    older, newest = revisions()
    if header.get("tables") not in (newest, *older):
        raise UserError("This file was written by a newer Signet. Update this one first. Nothing was changed.")
    if header.get("key") != key_name(there.keys[0]).hex():
        raise UserError(
            "This key belongs to another file. Pass the key that was written next to this file with --key FILE."
        )
    return header


async def _place(connection: AsyncConnection, header: dict[str, Any], *, copy: bool) -> Arrived:
    """Returns the campaign's id and slug here."""
    campaign = uuid.UUID(header["campaign"])
    there = (await connection.execute(select(CAMPAIGNS.c.slug).where(CAMPAIGNS.c.id == campaign))).scalar()
    if there is not None and not copy:
        raise UserError(
            f"This campaign is already here, as {there!r}. Nothing was changed. Use --copy to import it as a separate "
            "campaign, or delete the one here first (`signet delete`)."
        )
    wanted = header["slug"]
    taken = set(await connection.scalars(select(CAMPAIGNS.c.slug).where(CAMPAIGNS.c.slug.startswith(wanted[:30]))))
    slug = names.free(wanted, taken)
    return Arrived(header["title"], slug, new_id() if copy else campaign, copy, left_out=header["left_out"])


async def _rows(
    connection: AsyncConnection,
    lines: Iterator[dict[str, Any]],
    place: Path,
    arrived: Arrived,
    old: uuid.UUID,
    there: Vault,
    here: Vault,
) -> None:
    """Inserts the file's rows, table by table, parents before children."""
    tables, at, batch = {table.name: number for number, table in enumerate(TABLES)}, 0, list[Row]()
    for line in lines:
        number = tables[line["table"]]
        if number < at:
            raise UserError(_broken(place, "its parts are in the wrong order"))
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
        if row["id"] != old:
            raise ValueError("a row of another campaign")
        return {**new, "id": arrived.campaign, "slug": arrived.slug, "demo": row["demo"] and not arrived.copy}
    if row["campaign_id"] != old:
        raise ValueError("a row of another campaign")
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
