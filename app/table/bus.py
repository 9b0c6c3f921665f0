"""The wake-up bus: says that something changed in a campaign, and for whom; never what, and with no number in it.

Three methods, so that another carrier is one more class. A lost hint costs a few seconds, never the truth: every
stream looks for itself now and then.
"""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator
from typing import Protocol

import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

log = logging.getLogger("signet.bus")

EVERYBODY = "all"
CHANNEL = "signet"
RETRY_SECONDS = 0.5
LOOK_SECONDS = 5.0  # how long a lost hint can go unnoticed


class Bus(Protocol):
    async def publish(self, session: AsyncSession, campaign: uuid.UUID, whom: str) -> None:
        """Hint that `whom` (`EVERYBODY` or a member's id) has something new to see, if this session commits."""
        ...

    def subscribe(
        self, campaign: uuid.UUID, member: uuid.UUID
    ) -> contextlib.AbstractAsyncContextManager[asyncio.Event]:
        """An event that is set whenever there may be something new for that member; the reader clears it."""
        ...

    async def close(self) -> None: ...


class PostgresBus:
    """LISTEN/NOTIFY: one listening connection per process, whatever the number of streams."""

    def __init__(self, url: str) -> None:
        self._url = url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._waiting: dict[tuple[uuid.UUID, uuid.UUID], set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    async def publish(self, session: AsyncSession, campaign: uuid.UUID, whom: str) -> None:
        await session.execute(
            text("SELECT pg_notify(:channel, :hint)"), {"channel": CHANNEL, "hint": f"{campaign.hex}:{whom}"}
        )

    @contextlib.asynccontextmanager
    async def subscribe(self, campaign: uuid.UUID, member: uuid.UUID) -> AsyncIterator[asyncio.Event]:
        self.start()
        event = asyncio.Event()
        waiting = self._waiting.setdefault((campaign, member), set())
        waiting.add(event)
        try:
            yield event
        finally:
            waiting.discard(event)
            if not waiting:
                self._waiting.pop((campaign, member), None)

    def start(self) -> None:
        """Begin to listen, once, in the running loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen_always(), name="signet-bus")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _listen_always(self) -> None:
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError) as lost:
                log.warning("the listening connection was lost (%s); trying again", type(lost).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, connect_timeout=5)
        async with connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._wake_all()  # whatever was missed while nobody listened
            seen: dict[uuid.UUID, int] = {}
            while True:
                async for notice in connection.notifies(timeout=LOOK_SECONDS):
                    self._wake(notice.payload)
                seen = await self._look(connection, seen)

    async def _look(self, connection: psycopg.AsyncConnection, seen: dict[uuid.UUID, int]) -> dict[uuid.UUID, int]:
        """Compare what everybody may see change, campaign by campaign, in case a hint was lost; also proves that the
        connection still answers."""
        campaigns = list({campaign for campaign, _ in self._waiting})
        rows = await connection.execute(
            "SELECT campaign_id, sum(changes)::bigint FROM scenes WHERE campaign_id = ANY(%s) GROUP BY campaign_id",
            (campaigns,),
        )
        now = {campaign: count async for campaign, count in rows}
        for campaign, count in now.items():
            if seen.get(campaign, count) != count:
                self._wake(f"{campaign.hex}:{EVERYBODY}")
        return now

    def _wake(self, hint: str) -> None:
        campaign, _, whom = hint.partition(":")
        for (of, member), events in self._waiting.items():
            if of.hex == campaign and whom in (EVERYBODY, str(member)):
                for event in events:
                    event.set()

    def _wake_all(self) -> None:
        for events in self._waiting.values():
            for event in events:
                event.set()
