"""LISTEN/NOTIFY: each process listens on one connection and notifies on another."""

import asyncio
from collections.abc import Callable

import psycopg

from app.table.bus.carrier import Carrier, Lost
from app.table.bus.fanout import WakingBus
from app.table.bus.poller import ALIVE, LOOK_SECONDS, plain

CHANNEL = "signet"
PROOF_SECONDS = 5.0  # between two proofs that the listening connection still answers
SEND_SECONDS = 2.0
FAILURES = (TimeoutError, psycopg.Error, OSError)
NOTIFY = "SELECT pg_notify(%s, hint) FROM unnest(%s::text[]) AS hint"


class ByPostgres(Carrier):
    def __init__(self, database: str) -> None:
        super().__init__()
        self._url = plain(database)
        self._sender: psycopg.AsyncConnection | None = None

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
        except FAILURES as lost:
            raise Lost(type(lost).__name__) from None

    async def send(self, hints: list[str]) -> None:
        try:
            if self._sender is None:
                self._sender = await psycopg.AsyncConnection.connect(self._url, autocommit=True, **ALIVE)
                await self._sender.execute("SET synchronous_commit = off")  # it writes nothing that a crash could lose
            async with asyncio.timeout(SEND_SECONDS):
                await self._sender.execute(NOTIFY, (CHANNEL, hints))
        except FAILURES as lost:
            await self._hang_up()
            raise Lost(type(lost).__name__) from None

    async def close(self) -> None:
        await super().close()
        await self._hang_up()

    async def _hang_up(self) -> None:
        sender, self._sender = self._sender, None
        if sender is not None:
            await sender.close()


class PostgresBus(WakingBus):
    """The default bus, which needs only the database."""

    def __init__(self, database: str, look: float = LOOK_SECONDS) -> None:
        super().__init__(database, ByPostgres(database), look)
