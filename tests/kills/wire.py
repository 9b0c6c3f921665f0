"""A TCP door before the test's Postgres that can lose a COMMIT: on its way there, or its answer on the way back."""

import asyncio
import contextlib
import threading
from pathlib import Path
from typing import Literal

from sqlalchemy import make_url

from tests.server import stop_accepting

Loss = Literal["the COMMIT", "its answer"]


class Wire:
    """Runs in a thread of its own. The next COMMIT after `lose` is lost, and the connection with it."""

    def __init__(self, database_url: str) -> None:
        given = make_url(database_url)
        self._socket = str(Path(str(given.query["host"])) / ".s.PGSQL.5432")
        self._user, self._database = given.username, given.database
        self._loop = asyncio.new_event_loop()
        self._loss: Loss | None = None
        self.lost = threading.Event()
        self.port = 0
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait(10)

    @property
    def url(self) -> str:
        plain = "sslmode=disable&gssencmode=disable"
        return f"postgresql+psycopg://{self._user}@127.0.0.1:{self.port}/{self._database}?{plain}"

    def lose(self, what: Loss) -> None:
        self.lost.clear()
        self._loss = what

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(stop_accepting(server))
        for task in (tasks := asyncio.all_tasks(self._loop)):
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.suppress(OSError))
            stack.callback(writer.transport.abort)
            up_reader, up_writer = await asyncio.open_unix_connection(self._socket)
            stack.callback(up_writer.transport.abort)
            back = asyncio.create_task(self._back(up_reader, writer))
            stack.callback(back.cancel)
            await self._forth(reader, up_reader, up_writer, back)

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()

    async def _forth(
        self,
        reader: asyncio.StreamReader,
        up_reader: asyncio.StreamReader,
        up_writer: asyncio.StreamWriter,
        back: asyncio.Task[None],
    ) -> None:
        while data := await reader.read(65536):
            loss = self._loss if b"COMMIT\x00" in data else None
            if loss is None:
                up_writer.write(data)
                await up_writer.drain()
                continue
            self._loss = None
            if loss == "its answer":
                back.cancel()
                await asyncio.wait([back])
                up_writer.write(data)
                answer = await up_reader.read(65536)
                assert b"COMMIT\x00" in answer, "Postgres did commit"
            self.lost.set()
            return
