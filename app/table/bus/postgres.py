"""LISTEN/NOTIFY: the hint goes with the transaction itself. One listening connection per process."""

from collections.abc import Callable

import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.table.bus.look import ALIVE, LOOK_SECONDS, plain
from app.table.bus.waking import Lost, WakingBus

CHANNEL = "signet"
PROOF_SECONDS = 5.0  # how often the listening connection shows that it still answers


class ByPostgres:
    def __init__(self, database: str) -> None:
        self._url = plain(database)

    async def publish(self, session: AsyncSession, hint: str) -> None:
        await session.execute(text("SELECT pg_notify(:channel, :hint)"), {"channel": CHANNEL, "hint": hint})

    async def listen(self, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
        try:
            connection = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **ALIVE)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                missed()
                while True:
                    async for notice in connection.notifies(timeout=PROOF_SECONDS):
                        heard(notice.payload)
                    await connection.execute("SELECT 1")
        except (TimeoutError, psycopg.Error, OSError) as lost:
            raise Lost(type(lost).__name__) from None

    async def close(self) -> None: ...


class PostgresBus(WakingBus):
    """The default: needs nothing but the database."""

    def __init__(self, database: str, look: float = LOOK_SECONDS) -> None:
        super().__init__(database, ByPostgres(database), look)
