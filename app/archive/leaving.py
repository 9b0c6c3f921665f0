"""`signet export`: one campaign into one file, as it is at one moment.

Values that are encrypted in the database stay encrypted, with a separate key that is written beside the file. Envelopes
and drafts of open steps are left out: the file must not contain sealed declarations. Those steps open again.
"""

import gzip
import json
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app import settings
from app.archive.rows import CAMPAIGNS, FORMAT, TABLES, Row, digest_of, end, of, written
from app.crypto.vault import Locked, Vault, key_name
from app.db.engine import make_engine, revisions
from app.errors import UserError
from app.models.scenes import AskRow, Draft, Envelope, Scene, StepRow
from app.settings import Settings

BATCH = 500
LEAST_SECONDS = 60
"""The least time that a step has left when it opens again: its players have to find it first."""


@dataclass(slots=True)
class Left:
    """An exported file and its row counts."""

    place: Path
    key: Path
    title: str
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)  # scene title -> envelopes of its open steps


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The open steps of a campaign; their envelopes are not exported."""

    steps: frozenset[tuple[uuid.UUID, str]]
    scenes: frozenset[uuid.UUID]  # open scenes with a clock: they arrive paused
    at: datetime


async def leave(current: Settings, slug: str, place: Path) -> Left:
    """Exports the campaign of that slug to a new file. Raises `UserError` if there is none, or if a file exists."""
    key_place = place.with_name(place.name + ".key")
    here, key = Vault(current.keys), settings.new_key()
    there = Vault([*settings.read_keys(key, "the new key")])
    engine = make_engine(current.database)
    try:
        async with engine.connect() as plain:
            connection = await plain.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            campaign = (await connection.execute(select(CAMPAIGNS).where(CAMPAIGNS.c.slug == slug))).mappings().first()
            if campaign is None:
                raise UserError(
                    f"There is no campaign {slug!r}. You find its name in its addresses, after /c/.", code=2
                )
            left = Left(place, key_place, campaign["title"])
            with _new_file(place) as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
                lines = _lines(connection, dict(campaign), here, there, left)
                digest = digest_of(FORMAT, there)
                async for line in lines:
                    raw = (json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n").encode()
                    digest.update(raw)
                    packed.write(raw)
                packed.write(end(FORMAT, digest))
    except Locked as locked:
        raise UserError(
            f"The campaign cannot be read with the current key: {locked}. Run `signet doctor` for details."
        ) from None
    finally:
        await engine.dispose()
    with _new_file(key_place) as file:
        file.write((key + "\n").encode())
    return left


async def _lines(
    connection: AsyncConnection, campaign: Row, here: Vault, there: Vault, left: Left
) -> AsyncIterator[dict[str, Any]]:
    unfinished = await _unfinished(connection, campaign["id"])
    left.left_out = await _left_out(connection, campaign["id"], unfinished)
    yield {
        "signet": "campaign",
        "format": FORMAT,
        "tables": revisions()[1],
        "campaign": str(campaign["id"]),
        "slug": campaign["slug"],
        "title": campaign["title"],
        "written_at": unfinished.at.isoformat(),
        "key": key_name(there.keys[0]).hex(),
        "left_out": left.left_out,
    }
    for table in TABLES:
        count = 0
        async for row in _rows(connection, table, campaign["id"]):
            kept = _as_it_leaves(table, row, unfinished)
            if kept is not None:
                count += 1
                yield {"table": table.name, "row": written(table, kept, here, there)}
        left.rows[table.name] = count


async def _rows(connection: AsyncConnection, table: Table, campaign: uuid.UUID) -> AsyncIterator[Row]:
    keys = list(table.primary_key)
    result = await connection.stream(select(table).where(of(table, campaign)).order_by(*keys))
    async for part in result.mappings().partitions(BATCH):
        for row in part:
            yield dict(row)


def _as_it_leaves(table: Table, row: Row, unfinished: Unfinished) -> Row | None:
    """Returns a row to export, or None for what is laid or saved in an open step; clocks stop until the import."""
    match table.name:
        case Draft.__tablename__:  # all of them are of open steps
            return None
        case Envelope.__tablename__ if (row["scene_id"], row["step_key"]) in unfinished.steps:
            return None
        case AskRow.__tablename__ if (row["scene_id"], row["step_key"]) in unfinished.steps:
            return {**row, "status": "waiting"}
        case Scene.__tablename__ if row["id"] in unfinished.scenes:
            return {**row, "paused_at": row["paused_at"] or unfinished.at, "paused_until": None, "next_due_at": None}
        case StepRow.__tablename__ if (row["scene_id"], row["key"]) in unfinished.steps:
            left = row["left_seconds"]
            if row["due_at"] is not None:
                left = max(LEAST_SECONDS, int((row["due_at"] - unfinished.at).total_seconds()))
            return {**row, "status": "open", "due_at": None, "left_seconds": left}
        case _:
            return row


async def _unfinished(connection: AsyncConnection, campaign: uuid.UUID) -> Unfinished:
    steps = await connection.execute(
        select(StepRow.scene_id, StepRow.key, StepRow.due_at).where(
            StepRow.campaign_id == campaign, StepRow.status.in_(("open", "stuck"))
        )
    )
    rows = steps.all()
    at = datetime.now(UTC)
    return Unfinished(
        steps=frozenset((scene, key) for scene, key, _ in rows),
        scenes=frozenset(scene for scene, _, due in rows if due is not None),
        at=at,
    )


async def _left_out(connection: AsyncConnection, campaign: uuid.UUID, unfinished: Unfinished) -> dict[str, int]:
    """Returns how many declarations are left out, by the title of their scene."""
    rows = await connection.execute(
        select(Scene.title, Envelope.scene_id, Envelope.step_key, Envelope.seat)
        .join(Scene, (Scene.campaign_id == Envelope.campaign_id) & (Scene.id == Envelope.scene_id))
        .where(Envelope.campaign_id == campaign, Envelope.box.is_not(None))
        .distinct()
    )
    count: dict[str, int] = {}
    for title, scene, key, _ in rows:
        if (scene, key) in unfinished.steps:
            count[title] = count.get(title, 0) + 1
    return count


@contextmanager
def _new_file(place: Path) -> Iterator[IO[bytes]]:
    """Opens a new private file, and removes it again where writing fails."""
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UserError(f"{place} already exists. Choose another file, or move that one away.", code=2) from None
    except OSError as error:
        raise UserError(f"{place} cannot be written: {error.strerror}.", code=2) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except BaseException as error:
        with suppress(OSError):
            place.unlink()
        if isinstance(error, OSError):
            raise UserError(
                f"{place} could not be written: {error.strerror}. The incomplete file was removed."
            ) from None
        raise
