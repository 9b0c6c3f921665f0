"""Updates a scene's entry on the calendar when the scene ends, or goes on after a pause. Its row must be locked."""

import uuid

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.load_world import WAITING
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.models.almanac import Almanac, Entry


async def over(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID, *, whole: bool
) -> int | None:
    """Marks the entry of a played scene (`whole`) as done, and returns its day; that of an abandoned one is open again,
    for a new scene. None: no entry waits for the scene."""
    day: int | None = None
    of_scene = (Entry.campaign_id == campaign_id, Entry.scene_id == scene_id, WAITING)
    if await session.scalar(select(Entry.id).where(*of_scene).limit(1)) is None:
        return None
    almanac = await books.hold(session, vault, campaign_id)
    rows = await session.scalars(locking(select(Entry).where(*of_scene)))
    for entry in rows:
        if whole:
            mark_played(almanac, entry)
        else:
            entry.state, entry.scene_id = "open", None
            _touch(almanac, entry)
        day = entry.day if day is None else max(day, entry.day)
    await session.flush()
    return day


def mark_played(almanac: Almanac, entry: Entry) -> None:
    """Marks an entry as played; the almanac must be locked."""
    entry.state, entry.data = "done", {**entry.data, "played_on": almanac.today}
    _touch(almanac, entry)


async def goes_on(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> None:
    """Opens the entry again that was paused with its scene (CHR-CAL-06)."""
    of_scene = (Entry.campaign_id == campaign_id, Entry.scene_id == scene_id, WAITING, Entry.state == "paused")
    if await session.scalar(select(Entry.id).where(*of_scene).limit(1)) is None:
        return
    almanac = await books.hold(session, vault, campaign_id)
    for entry in await session.scalars(locking(select(Entry).where(*of_scene))):
        entry.state = "open"
        _touch(almanac, entry)
    await session.flush()


def _touch(almanac: Almanac, entry: Entry) -> None:
    almanac.touched += 1
    entry.touched = almanac.touched
    entry.version += 1
    entry.changed_at = func.clock_timestamp()
