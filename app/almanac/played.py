"""Updates a scene's entry on the calendar when the scene ends."""

import uuid

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.load_world import WAITING
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.models.almanac import Entry


async def over(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID, *, whole: bool
) -> None:
    """Marks the entry of a played scene (`whole`) as done; that of an abandoned one is open again, for a new scene.

    The scene's row must be locked.
    """
    of_scene = (Entry.campaign_id == campaign_id, Entry.scene_id == scene_id, WAITING)
    if await session.scalar(select(Entry.id).where(*of_scene).limit(1)) is None:
        return
    almanac = await books.hold(session, vault, campaign_id)
    rows = await session.scalars(locking(select(Entry).where(*of_scene)))
    for entry in rows:
        almanac.touched += 1
        entry.touched = almanac.touched
        if whole:
            entry.state, entry.data = "done", {**entry.data, "played_on": almanac.today}
        else:
            entry.state, entry.scene_id = "open", None
        entry.version += 1
        entry.changed_at = func.clock_timestamp()
    await session.flush()
