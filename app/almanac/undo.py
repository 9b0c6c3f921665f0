"""Takes back a movement of time: restores date, entries, sheets and happenings, unless members have acted since."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import failpoints
from app.almanac import calendar_state as books
from app.almanac.entries import SILENT
from app.campaign import characters, sheets
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.errors import Conflict, NotThere, NotYours
from app.models.almanac import Almanac, Crossing, Entry, Happening
from app.models.people import Character, Member, Promotion, Role
from app.models.scenes import Scene

MOVED = ("state", "day", "last_day", "rule")
"""The fields of an entry that a movement changes and `undo` restores. `version` still rises, so that old forms get a
Conflict."""


async def before(session: AsyncSession, almanac: Almanac) -> dict[str, Any]:
    """Returns the counters and versions to store before a movement writes anything."""
    return {
        "made": almanac.made,
        "touched": almanac.touched,
        "versions": await versions(session, almanac.campaign_id),
    }


async def after(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, Any]:
    """Returns versions of sheets, and scenes, which show later whether members have acted since."""
    opened, count = await _scenes(session, campaign_id)
    return {
        "after": await versions(session, campaign_id),
        "scenes": {"open": [str(scene) for scene in opened], "count": count},
    }


async def versions(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, int]:
    rows = await session.execute(select(Character.slug, Character.version).where(Character.campaign_id == campaign_id))
    return {row[0]: row[1] for row in rows}


async def last(session: AsyncSession, campaign_id: uuid.UUID) -> Crossing | None:
    """Returns the last movement that was not taken back, or None."""
    return await session.scalar(
        select(Crossing)
        .where(Crossing.campaign_id == campaign_id, Crossing.undone_at.is_(None))
        .order_by(Crossing.number.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    )


async def in_the_way(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> list[str]:
    """Returns members' actions since a movement, in words; if there are none, it can be taken back."""
    kept = crossing.before
    found = [*await _written(session, campaign_id, int(kept["touched"]))]
    here = await versions(session, campaign_id)
    changed = sorted(slug for slug, version in kept["after"].items() if here.get(slug, version) != version)
    rows = await session.execute(
        select(Character.slug, Character.name).where(Character.campaign_id == campaign_id, Character.slug.in_(changed))
    )
    found += [f"{name}’s sheet was changed" for _, name in sorted((slug, name) for slug, name in rows)]
    found += await _taken_place(session, campaign_id, crossing)
    return found + await _played(session, campaign_id, kept["scenes"])


async def undo(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, crossing_id: uuid.UUID, by: Member
) -> Crossing:
    """Takes back the whole last movement; does nothing if it is taken back already. Raises NotYours unless for a GM,
    and Conflict with the members' actions that prevent it.

    If the same days pass again, they have the same luck.
    """
    if by.role != Role.GM:
        raise NotYours("Only a GM can undo the passage of time.")
    almanac = await books.hold(session, vault, campaign_id)
    crossing = await session.get(Crossing, (campaign_id, crossing_id), populate_existing=True)
    if crossing is None:
        raise NotThere("There is no record of that passage of time.")
    if crossing.undone_at is not None:
        return crossing
    latest = await last(session, campaign_id)
    if latest is None or latest.id != crossing.id:
        raise Conflict("More time has passed since.", "Undo the later step first.")
    people = {one.slug: one for one in await characters.lock(session, campaign_id)}
    if acts := await in_the_way(session, campaign_id, crossing):
        raise Conflict(
            f"Someone has acted since: {'; '.join(acts)}.", "Undoing the days would leave that without a basis."
        )
    kept = crossing.before
    await _give_back(session, campaign_id, crossing)
    # The date first: records of characters written now are dated with the restored day.
    almanac.today, almanac.made = crossing.from_day, await _made(session, campaign_id, kept["made"])
    almanac.version += 1
    almanac.changed_at = func.clock_timestamp()
    crossing.undone_at = func.clock_timestamp()
    await session.flush()
    for slug, sheet in kept["sheets"].items():
        await sheets.write(session, people[slug], sheet, how="undone", by=by, crossing=crossing.id)
    await _hand_on(session, campaign_id, crossing)
    await session.flush()
    failpoints.hit("days-undone")
    await session.refresh(crossing)
    return crossing


async def noted(session: AsyncSession, crossing: Crossing) -> list[Entry]:
    """Returns the silent entries for later days that members wrote between a movement and its undoing; they remain."""
    rows = await session.scalars(
        select(Entry)
        .where(
            Entry.campaign_id == crossing.campaign_id,
            Entry.kind.in_(sorted(SILENT)),
            Entry.state != "dropped",
            Entry.day > crossing.from_day,
            Entry.changed_at > crossing.at,
            Entry.changed_at < func.coalesce(crossing.undone_at, func.clock_timestamp()),
        )
        .order_by(Entry.day, Entry.made_no)
    )
    return list(rows)


async def _made(session: AsyncSession, campaign_id: uuid.UUID, before: int) -> int:
    """Returns the count of entries made: as before the movement, or the highest number since."""
    last_no = await session.scalar(select(func.max(Entry.made_no)).where(Entry.campaign_id == campaign_id))
    return max(before, last_no or 0)


async def _give_back(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> None:
    await session.execute(
        delete(Happening).where(Happening.campaign_id == campaign_id, Happening.crossing_id == crossing.id)
    )
    made = [uuid.UUID(one) for one in crossing.before["made_entries"]]
    await session.execute(delete(Entry).where(Entry.campaign_id == campaign_id, Entry.id.in_(made)))
    was: Mapping[str, Mapping[str, Any]] = crossing.before["entries"]
    moved = select(Entry).where(Entry.campaign_id == campaign_id, Entry.id.in_([uuid.UUID(one) for one in was]))
    for entry in await session.scalars(locking(moved)):
        for name in MOVED:
            setattr(entry, name, was[str(entry.id)][name])
        entry.version += 1
        entry.changed_at = func.clock_timestamp()


async def _hand_on(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> None:
    """Lets the movement before be taken back too, if no member acted between the two: stores the new versions."""
    earlier = await last(session, campaign_id)
    if earlier is not None and earlier.before["after"] == crossing.before["versions"]:
        earlier.before = earlier.before | {"after": await versions(session, campaign_id)}


async def _written(session: AsyncSession, campaign_id: uuid.UUID, since: int) -> list[str]:
    now = await session.scalar(select(Almanac.touched).where(Almanac.campaign_id == campaign_id))
    if now is None or now <= since:
        return []
    titles = await session.scalars(
        select(Entry.title)
        .where(Entry.campaign_id == campaign_id, Entry.touched > since)
        .order_by(Entry.touched)
        .limit(3)
    )
    return [f"“{title}” was edited" for title in titles] or ["the calendar was changed"]


async def _taken_place(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> list[str]:
    """Returns the characters promoted since, who may replace a character that died in the movement."""
    names = await session.scalars(
        select(Character.name)
        .join(
            Promotion,
            (Promotion.campaign_id == Character.campaign_id) & (Promotion.character_id == Character.id),
        )
        .where(
            Character.campaign_id == campaign_id,
            Promotion.status == "confirmed",
            Promotion.answered_at > crossing.at,
        )
        .order_by(Promotion.id)
    )
    return [f"{name} became a player’s character" for name in names]


async def _scenes(session: AsyncSession, campaign_id: uuid.UUID) -> tuple[list[uuid.UUID], int]:
    opened = await session.scalars(
        select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.status == "open").order_by(Scene.id)
    )
    count = await session.scalar(select(func.count()).select_from(Scene).where(Scene.campaign_id == campaign_id))
    return list(opened), count or 0


async def _played(session: AsyncSession, campaign_id: uuid.UUID, kept: Mapping[str, Any]) -> list[str]:
    """Returns the scenes that were opened or ended since, in words."""
    opened, count = await _scenes(session, campaign_id)
    ended = sorted(set(kept["open"]) - {str(scene) for scene in opened})
    over = await session.scalars(
        select(Scene.title).where(Scene.campaign_id == campaign_id, Scene.id.in_([uuid.UUID(one) for one in ended]))
    )
    found = [f"the scene “{title}” ended" for title in over]
    newer = await session.scalars(
        select(Scene.title)
        .where(Scene.campaign_id == campaign_id)
        .order_by(Scene.made_at.desc(), Scene.id.desc())
        .limit(max(0, count - int(kept["count"])))
    )
    return found + [f"the scene “{title}” was opened" for title in newer]
