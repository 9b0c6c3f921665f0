"""A year for the calendar: three journeys, a healing, a feast, meetings, and things that only some may know."""

import asyncio
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.calendar.days import Date, reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import EveryDays, NthWeekday, OnDate, WithMoon
from app.calendar.shape import Shape
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.people import Campaign, Member
from tests.server import KEY

SHAPE = PRESETS["festivals"]
COUNT = reckoning(SHAPE)
YEAR = 412


def day(month: str, number: int) -> int:
    """A day of the year that is planned."""
    names = [one.name for one in SHAPE.months]
    return COUNT.number(Date(YEAR, names.index(month) + 1, number))


TODAY = day("Leaf", 6)


async def plan(session: AsyncSession, shape: Shape = SHAPE, today: int = TODAY) -> Campaign:
    """Put the year on the demo campaign's calendar, with that shape and that day."""
    vault = Vault([KEY])
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    people = {one.handle: one for one in await session.scalars(select(Member).where(Member.campaign_id == campaign.id))}
    await calendar_state.choose_shape(session, vault, campaign.id, shape, 1, today)
    soon = datetime.now(UTC).replace(microsecond=0, second=0, minute=0, hour=19) + timedelta(days=3)

    async def put(title: str, at: int, kind: str = "note", by: str = "gm", **more: object) -> uuid.UUID:
        stays = {"standing": "pass"} if kind == "leg" else {}
        typed = EntryTyped.model_validate({"title": title, "day": at, "kind": kind, **stays, **more})
        entry = await entries.add(session, vault, campaign.id, people[by], typed)
        if kind == "scene" and at < today:
            await entries.mark(session, vault, campaign.id, entry.id, entry.version, "done", people[by])
        return entry.id

    leaf = day("Leaf", 1)
    await put("Council at Ashby", leaf + 2, "scene", people=["alice", "bob"], place="Ashby")
    await put("The clearing", leaf + 4, "scene", people=["alice"], place="The clearing")
    await put("Bob travels to Thornwick", leaf + 6, "leg", "bob", last_day=leaf + 11, people=["bob"])
    await put("Bob reaches Thornwick", leaf + 11, "arrival", "bob", people=["bob"], place="Thornwick")
    await put("Alice rides to the coast", leaf + 9, "leg", "alice", last_day=leaf + 20, people=["alice"])
    await put("Charlie goes home", leaf + 3, "leg", "charlie", last_day=leaf + 7, people=["charlie"])
    await put(
        "Alice’s arm is looked at", leaf + 7, "healing", people=["alice"], rule=EveryDays(days=3, until=leaf + 17)
    )
    await put("Lantern feast", leaf + 14, "holiday", text="Every window has a light in it.", place="Thornwick")
    await put("Ships finished", leaf + 17, "completion", people=["bob"], place="Thornwick")
    await put("We play on", leaf + 8, "session", starts_at=soon, minutes=180)
    await put("Market at Ashby", leaf, "event", rule=NthWeekday(nth=2, weekday=4), place="Ashby")
    await put("The harbour tax is due", leaf, "reckoning", rule=OnDate(day=-1))
    await put("The wolves come down", leaf, "event", seen_by="gm", rule=WithMoon(moon=0, phase="full"))
    await put("A letter for Bob alone", leaf + 12, "note", seen_by="named", viewers=[people["bob"].id])
    await put("The siege of the Old Mill", leaf + 18, "scene", last_day=leaf + 24, people=["alice", "bob", "charlie"])
    for number in range(7):
        await put(f"Errand number {number + 1} in the lower town", leaf + 22, "note")
    for number, month in enumerate(("Thaw", "Bloom", "Mead", "Hay", "Sun", "Grain")):
        await put(f"Chapter {number + 1}", day(month, 4 + 3 * number), "scene", people=["alice"], place="On the road")
    return campaign


def planned(db_url: str) -> str:
    """`plan` from a thread that has no loop; the campaign's slug."""

    async def make() -> str:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                return (await plan(session)).slug
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        return elsewhere.submit(asyncio.run, make()).result()
