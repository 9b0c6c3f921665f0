"""The streams of a bus, before and after a test looks whom a hint wakes."""

import asyncio
import contextlib
import uuid

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.table.bus import Bus
from app.table.bus.fanout import WakingBus


async def until_quiet(bus: Bus) -> None:
    """Returns once nothing but a hint wakes a stream: a bus wakes everybody when it begins to listen, and again where
    a first count came late."""
    assert isinstance(bus, WakingBus)
    async with asyncio.timeout(30):
        await bus.listening.wait()
        await bus.poller.counted.wait()


async def waits(
    stack: contextlib.AsyncExitStack, bus: Bus, campaign: uuid.UUID, *whom: uuid.UUID
) -> list[asyncio.Event]:
    """Events of so many members, once their bus listens, which woke them all."""
    events = [await stack.enter_async_context(bus.subscribe(campaign, member)) for member in whom]
    await until_quiet(bus)
    for event in events:
        event.clear()
    return events


async def until_heard(bus: Bus, sessions: async_sessionmaker[AsyncSession]) -> None:
    """Returns once every hint that this process has sent is heard: one of its own comes after them, in a campaign of
    its own, where no other hint can wake it."""
    campaign, member = uuid.uuid4(), uuid.uuid4()
    async with bus.subscribe(campaign, member) as mine:
        await until_quiet(bus)
        mine.clear()
        async with sessions.begin() as session:
            await bus.publish(session, campaign, str(member))
        await asyncio.wait_for(mine.wait(), 30)
