"""The poller: every few seconds each process compares counters in the database with the last ones, for the campaigns
that streams here watch, and wakes the streams whose hint was lost. This also proves that the database answers.
"""

import asyncio
import contextlib
import logging
import uuid
from collections import Counter
from collections.abc import Collection
from typing import Any, Protocol

import psycopg

from app.loop import end
from app.table.bus.counts import COUNTS, EVERYBODY

log = logging.getLogger("signet.bus")

LOOK_SECONDS = 5.0  # how long until a lost hint is missed
LATE_SECONDS = 0.5  # a hint that is missed may still be under way: its change was counted right after the commit
RETRY_SECONDS = 0.5
PATIENCE = 2.0  # how long a stream waits for its first count
ALIVE: dict[str, Any] = {  # to notice a dead connection that was not closed
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
Key = tuple[str, str]  # a campaign, and a member or EVERYBODY


class Watched(Protocol):
    def watched(self) -> list[Key]: ...
    def wake(self, hint: str) -> None: ...
    def wake_all(self) -> None: ...


class Poller:
    """Polls with one connection per process, for any number of streams."""

    def __init__(self, database: str, waiting: Watched, every: float) -> None:
        self._url = plain(database)
        self._waiting = waiting
        self._every = every
        self._seen: dict[Key, int] = {}
        self._heard: Counter[str] = Counter()
        self._late: dict[str, asyncio.TimerHandle] = {}  # hints that were missed and may still come
        self._asked: list[tuple[Key, asyncio.Future[None]]] = []
        self._ask = asyncio.Event()
        # Cleared where a stream may have begun to wait without a count, or the database did not answer.
        self.counted = asyncio.Event()
        self.counted.set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look_always(), name="signet-look")

    async def close(self) -> None:
        await end(self._task)
        for late in self._late.values():
            late.cancel()

    def heard(self, hint: str) -> None:
        """Counts a hint that has arrived, so that the poller does not repeat it."""
        if late := self._late.pop(hint, None):
            late.cancel()
        else:
            self._heard[hint] += 1

    async def begin(self, campaign: str, member: str) -> None:
        """Returns once there is a count to compare with, so that later changes are noticed, or after `PATIENCE`."""
        if (campaign, member) in self._seen:
            return
        done = asyncio.get_running_loop().create_future()
        self._asked.append(((campaign, member), done))
        self._ask.set()
        try:
            async with asyncio.timeout(PATIENCE):
                await done
        except TimeoutError:
            self.counted.clear()

    async def _look_always(self) -> None:
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **ALIVE)
                async with connection:
                    await self._look_on(connection)
            except (psycopg.Error, OSError) as lost:
                if self.counted.is_set():
                    log.warning("the look lost the database (%s); trying again and again", type(lost).__name__)
            except Exception:
                log.exception("the look failed; trying again")
            self.counted.clear()
            self._answer(self._asked)
            await asyncio.sleep(RETRY_SECONDS)

    async def _look_on(self, connection: psycopg.AsyncConnection) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            if loop.time() >= due:
                await self._compare(connection)
                due = loop.time() + self._every
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._ask.wait()
            if self._ask.is_set():
                await self._first_counts(connection)

    async def _first_counts(self, connection: psycopg.AsyncConnection) -> None:
        """Reads the counters for all streams that have begun to wait since the last time, in one query."""
        self._ask.clear()
        asked = list(self._asked)
        self._asked.clear()
        try:
            keys = {key for (campaign, member), _ in asked for key in ((campaign, EVERYBODY), (campaign, member))}
            counts = await self._count(connection, keys)
            for key in keys:
                self._seen.setdefault(key, counts.get(key, 0))
        except BaseException:
            self.counted.clear()
            raise
        finally:
            self._answer(asked)

    def _answer(self, asked: list[tuple[Key, asyncio.Future[None]]]) -> None:
        while asked:
            _, done = asked.pop()
            if not done.done():
                done.set_result(None)

    async def _compare(self, connection: psycopg.AsyncConnection) -> None:
        """Wakes whom a hint has missed. One that is heard while the counters are read may be counted only next time."""
        watched = self._waiting.watched()
        heard, self._heard = self._heard, Counter()
        counts = await self._count(connection, watched)
        before, meanwhile, blind = self._seen, self._heard, not self.counted.is_set()
        self._seen = {key: counts.get(key, 0) for key in watched}
        self._heard = Counter()
        self.counted.set()
        if blind:
            self._waiting.wake_all()
            return
        for key, count in self._seen.items():
            more = count - before.get(key, count)
            hint = f"{key[0]}:{key[1]}"
            early = heard[hint] + meanwhile[hint] - more
            if more < 0:
                self._waiting.wake(hint)
            elif early > 0:
                self._heard[hint] = min(early, meanwhile[hint])
            elif early < 0 and hint not in self._late:
                self._late[hint] = asyncio.get_running_loop().call_later(LATE_SECONDS, self._give_up, hint)

    def _give_up(self, hint: str) -> None:
        del self._late[hint]
        self._waiting.wake(hint)

    async def _count(self, connection: psycopg.AsyncConnection, keys: Collection[Key]) -> dict[Key, int]:
        campaigns, whom = {campaign for campaign, _ in keys}, {who for _, who in keys}
        asked = {"campaigns": list(map(uuid.UUID, campaigns)), "whom": list(whom)}
        asked["members"] = list(map(uuid.UUID, whom - {EVERYBODY}))
        counts: Counter[Key] = Counter()
        async for campaign, who, count in await connection.execute(COUNTS, asked):
            counts[campaign.hex, who] += count
        return counts


def plain(database: str) -> str:
    """Returns a database address for libpq, without SQLAlchemy's driver."""
    return database.replace("postgresql+psycopg://", "postgresql://", 1)
