"""`signet import`: a campaign from a file into this database, all of it or nothing."""

import gzip
import hmac
import json
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from app.archive.checking import NAMES, Checker
from app.archive.rows import CAMPAIGNS, FORMATS, SECRETS, TABLES, Row, digest_of, end, rebox
from app.archive.values import MOST_NAME, MOST_PARTS, read
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
LONGEST_HEADER = 1024 * 1024
"""The most bytes of the first line, the only one that is parsed before the file's MAC is checked."""
MOST_MARKS = 2 * MOST_PARTS
"""The most brackets and commas of a line: 64 megabytes of them take 1.7 gigabytes of memory when parsed."""


@dataclass(slots=True)
class Arrived:
    """The imported campaign, with its slug here and its row counts. `proved`: the file had a MAC, which fitted."""

    title: str
    slug: str
    campaign: uuid.UUID
    copy: bool
    proved: bool
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    @property
    def without_links(self) -> bool:
        """Whether no sign-in and no link came in, so that its GMs need new links."""
        return self.copy or not self.proved

    def told(self) -> Iterator[str]:
        """Yields what the operator is told, in lines."""
        yield f"Imported “{self.title}”: {sum(self.rows.values())} rows, at /c/{self.slug}/."
        if self.proved:
            yield "The file's MAC fits its key: nobody who lacks the key has changed the file."
        else:
            yield "Nobody can tell whether this file was changed: it is of format 1, which has no MAC."
            yield "So all sign-ins, personal links, invitations and calendar feeds were left out."
        for title, count in sorted(self.left_out.items()):
            yield f"“{title}” is open again, without {count} sealed there. The GM can resume it when everyone is back."
        if self.without_links:
            yield "These are all its GMs, with new links. They can invite everyone else again."
        if not self.proved:
            yield f"If you don't know one of them, someone has changed the file: run `signet delete {self.slug}`."


async def arrive(current: Settings, place: Path, key_place: Path | None, *, copy: bool = False) -> Arrived:
    """Imports a campaign into this database. Raises `UserError` where the file is incomplete, its MAC does not fit, it
    holds what no Signet writes, its key does not fit, its tables are newer than ours, or the campaign exists already
    and `copy` is false; then nothing was changed."""
    there = _key(key_place or place.with_name(place.name + ".key"))
    here = Vault(current.keys)
    header = _proved(place, there)
    checker = Checker(place, header.campaign, there)
    for line in _lines(place, header, there):
        checker.line(line)
    checker.end()
    engine = make_engine(current.database)
    try:
        async with engine.begin() as connection:
            arrived = await _place(connection, header, copy=copy)
            await _rows(connection, _lines(place, header, there), arrived, header.campaign, there, here)
        return arrived
    except (StatementError, IntegrityError):
        raise UserError(_broken(place, "the database refuses one of its rows")) from None
    finally:
        await engine.dispose()


@dataclass(frozen=True, slots=True)
class _Header:
    """What a file's first line says, and the digest of all lines but the last."""

    format: int
    campaign: uuid.UUID
    slug: str
    title: str
    left_out: dict[str, int]
    digest: bytes = b""


def _proved(place: Path, there: Vault) -> _Header:
    """Reads the whole file and checks its last line; of the others, only the header is parsed."""
    lines = _raw(place)
    last = next(lines, b"{}")
    header = _header(_parsed(place, last, LONGEST_HEADER), place, there)
    digest = digest_of(header.format, there)
    for line in lines:
        digest.update(last)
        last = line
    if not hmac.compare_digest(last, end(header.format, digest)):
        raise _wrong_end(place, header.format, last)
    return replace(header, digest=digest.digest())


def _wrong_end(place: Path, form: int, last: bytes) -> UserError:
    if not last.startswith((b'{"end"', b'{"mac"')):
        return UserError(_broken(place, "its end is missing, or there is data after it"))
    if form == 1:
        return UserError(_broken(place, "its last line does not match the rest"))
    why = "its MAC does not fit its key" if last.startswith(b'{"mac"') else "its MAC is missing"
    return UserError(
        f"{place} is not as Signet exported it: {why}. It was damaged, or someone changed it. Nothing was imported. "
        "Ask for another copy of the file, or export the campaign again with `signet export`."
    )


def _key(place: Path) -> Vault:
    try:
        return Vault(read_keys(place.read_text(encoding="ascii", errors="replace"), str(place)))
    except OSError:
        raise UserError(
            f"The file's key is not at {place}. It was written next to the file. Pass it with --key FILE.", code=2
        ) from None


def _lines(place: Path, header: _Header, there: Vault) -> Iterator[dict[str, Any]]:
    """Yields the rows of a file that `_proved` has read. Raises `UserError` at the end if it is another file now."""
    lines, digest = _raw(place), digest_of(header.format, there)
    digest.update(next(lines, b""))
    last = next(lines, b"")
    for line in lines:
        digest.update(last)
        yield _parsed(place, last)
        last = line
    if not hmac.compare_digest(digest.digest(), header.digest):
        raise UserError(_broken(place, "it was changed while it was read"))


def _raw(place: Path) -> Iterator[bytes]:
    """Yields the lines of the unpacked file."""
    size = 0
    try:
        with gzip.open(place, "rb") as file:
            while raw := file.readline(LONGEST_LINE):
                size += len(raw)
                if size > MOST_BYTES:
                    raise UserError(_broken(place, "unpacked it is larger than any campaign"))
                yield raw
    except FileNotFoundError:
        raise UserError(f"There is no {place}.", code=2) from None
    except (OSError, EOFError, zlib.error):
        raise UserError(_broken(place, "it cannot be read to the end")) from None


def _parsed(place: Path, raw: bytes, longest: int = LONGEST_LINE) -> dict[str, Any]:
    try:
        if len(raw) <= longest and sum(map(raw.count, (b"[", b"{", b","))) <= MOST_MARKS:
            line = json.loads(raw, parse_constant=_no_number)
            if isinstance(line, dict):
                return line
    except (ValueError, RecursionError):
        pass
    raise UserError(_broken(place, "one of its lines cannot be read"))


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _broken(place: Path, why: str) -> str:
    return f"{place} is not a complete campaign ({why}). Nothing was changed. Export it again with `signet export`."


def _header(said: dict[str, Any], place: Path, there: Vault) -> _Header:
    form = said.get("format")
    if said.get("signet") != "campaign" or type(form) is not int or form not in FORMATS:
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
        titles = (title, *left_out)
        right = names.is_slug(slug) and title.strip() and all(type(one) is int for one in left_out.values())
        if right and all(len(one) <= MOST_NAME for one in titles):
            return _Header(form, uuid.UUID(said["campaign"]), slug, title, left_out)
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
    here = new_id() if copy else campaign
    return Arrived(header.title, slug, here, copy, header.format != 1, left_out=header.left_out)


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
    if arrived.without_links:
        if table.name in SECRETS:
            return None
        if table.name == "members":
            new["way_back"] = None
    if arrived.copy and table.name == Scene.__tablename__:
        # Seals and records are hashed with the campaign's first id, and are always checked with it.
        new["made_in"] = row.get("made_in") or old
    return rebox(table, row, there, new, here)
