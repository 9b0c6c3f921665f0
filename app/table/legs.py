"""The legs of a long scene, an entry of the calendar for each: its day is over with the leg (CHR-CAL-05, CHR-CAL-06).

The scene must be locked; the almanac is locked after it, and before characters.
"""

import uuid
from collections.abc import Sequence

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state, entries, played
from app.almanac.calendar_state import CalendarState
from app.almanac.load_world import STOPPING, WAITING, time_item
from app.almanac.time_walk import next_of
from app.calendar.order import PLAYED
from app.campaign import founding
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.errors import Refusal
from app.models.almanac import Almanac, Entry
from app.models.people import Campaign, Member, Role
from app.models.scenes import Scene
from app.table import clock
from app.table.loaded_scene import LoadedScene, read
from app.table.notices import notice

CALENDAR = "the calendar"
"""Who paused a scene whose next leg has to wait."""


def number(live: LoadedScene) -> int:
    """Returns the number of the leg that the scene is in; 0 if it has no legs."""
    return 0 if live.kind.leg is None else live.kind.leg(live.state)


async def are_in(session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID) -> bool:
    """Whether a scene is open and writes its next leg itself. False if it cannot be read."""
    try:
        live = await read(session, vault, campaign, scene)
    except (Refusal, LookupError):
        return False
    return live.row.status == "open" and number(live) > 0


async def begin(session: AsyncSession, live: LoadedScene, people: Sequence[str]) -> None:
    """Puts a scene with legs on today, as its first one. Scenes of a sandbox are on no calendar; nor is a scene whose
    campaign has no GM, for a scene is no author."""
    if number(live) < 1 or await _in_sandbox(session, live.campaign):
        return
    author = await first_gm(session, live.campaign)
    if author is None:
        return
    almanac = await calendar_state.hold(session, live.vault, live.campaign)
    leg = entries.blank_entry(almanac, author.id)
    if leg is None:
        return
    leg.kind, leg.title, leg.day, leg.people = "leg", live.row.title, almanac.today, list(people)
    leg.text, leg.place, leg.seen_by, leg.viewers, leg.standing = "", "", "all", list[str](), "stop"
    leg.scene_id, leg.data = live.id, {"leg": number(live)}
    await entries.write_entry(session, almanac, leg)


async def passed(session: AsyncSession, live: LoadedScene, before: int) -> None:
    """Writes the next leg if the scene is in a later one than `before`: the entry of the leg that was played is done,
    and the next one is as many days later. The scene pauses if another one is due before that day."""
    now, was = number(live), max(before, 1)
    if now <= was or not live.kind.steps(live.state):
        return
    of_scene = select(Entry).where(Entry.campaign_id == live.campaign, Entry.scene_id == live.id)
    last = of_scene.order_by(Entry.made_no.desc()).limit(1)
    if await session.scalar(last) is None:
        return
    almanac = await calendar_state.hold(session, live.vault, live.campaign)
    entry = await session.scalar(locking(last))
    if entry is None or entry.state == "dropped":
        return
    if entry.state != "done":
        entry.last_day = None  # the days after this one are those of the next legs
        played.mark_played(almanac, entry)
    leg = entries.next_leg(almanac, entry, entry.day + now - was, now - was, entry.author_id)
    if leg is None:
        return
    leg.scene_id = live.id
    if await _comes_first(session, calendar_state.of(almanac), leg):
        leg.state, leg.data = "paused", {**leg.data, "resumes": leg.day}
        await _pause(session, live, almanac, leg)
    await entries.write_entry(session, almanac, leg)


async def _pause(session: AsyncSession, live: LoadedScene, almanac: Almanac, leg: Entry) -> None:
    """Stops the scene's clocks until a GM resumes it."""
    live.row.paused_until, live.row.paused_by = None, CALENDAR
    live.held_up = True
    await clock.halt(session, live, live.now)
    day = f" It goes on on {calendar_state.of(almanac).count.said(leg.day)}." if leg.seen_by == "all" else ""
    notice(session, live, None, f"The calendar paused the scene: something else comes before its next leg.{day}")


async def _comes_first(session: AsyncSession, book: CalendarState, leg: Entry) -> bool:
    """Whether a scene or leg that time stops for, and that is not being played, is due before this leg."""
    open_scene = select(Scene.id).where(Scene.campaign_id == leg.campaign_id, Scene.status == "open")
    rows = await session.scalars(
        select(Entry)
        .where(Entry.campaign_id == leg.campaign_id, Entry.kind.in_(sorted(PLAYED)), WAITING, STOPPING)
        .where(Entry.day < leg.day, or_(Entry.scene_id.is_(None), Entry.scene_id.not_in(open_scene)))
    )
    for entry in rows:
        item = time_item(entry)
        due = item.due if item.rule is None else next_of(item, book, book.today)
        if due is not None and due < leg.day:
            return True
    return False


async def resumes(session: AsyncSession, live: LoadedScene, *, is_gm: bool) -> str:
    """Returns the date until which the calendar has paused the scene; "" if it has not, or the viewer may not know."""
    if live.row.paused_at is None:
        return ""
    entry = await session.scalar(
        select(Entry)
        .where(Entry.campaign_id == live.campaign, Entry.scene_id == live.id, Entry.state == "paused")
        .order_by(Entry.made_no.desc())
        .limit(1)
    )
    if entry is None or not (is_gm or entry.seen_by == "all"):
        return ""
    return (await calendar_state.read(session, live.campaign)).count.said(time_item(entry).due)


async def day_around(session: AsyncSession, live: LoadedScene) -> int | None:
    """Returns the day of the scenes around this one, which is on no calendar itself; None if they are on none."""
    around, outer = set[uuid.UUID](), live.row.outer_id
    while outer is not None and outer not in around:
        around.add(outer)
        row = await session.get(Scene, (live.campaign, outer))
        outer = row.outer_id if row is not None else None
    of_scenes = (Entry.campaign_id == live.campaign, Entry.scene_id.in_(around), Entry.state != "dropped")
    return await session.scalar(select(func.max(Entry.day)).where(*of_scenes))


async def first_gm(session: AsyncSession, campaign: uuid.UUID) -> Member | None:
    """Returns the campaign's first GM, the author of what scenes write on its calendar."""
    return await session.scalar(
        select(Member)
        .where(Member.campaign_id == campaign, Member.role == Role.GM, Member.removed_at.is_(None))
        .order_by(Member.joined_at, Member.id)
        .limit(1)
    )


async def _in_sandbox(session: AsyncSession, campaign: uuid.UUID) -> bool:
    settings = await session.scalar(select(Campaign.settings).where(Campaign.id == campaign))
    return any((settings or {}).get(mark) for mark in founding.SANDBOXES)
