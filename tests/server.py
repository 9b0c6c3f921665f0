"""Real servers for tests: uvicorn worker processes on a free loopback port, and a TCP proxy that can be cut."""

import asyncio
import base64
import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.forking import program

KEY = b"test key of thirty-two bytes, ok"
ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass
class Server:
    """One uvicorn process; several of them on one database are what `signet serve --workers` runs."""

    database_url: str
    log: Path
    extra: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Server":
        env = {
            **os.environ,
            "DATABASE_URL": self.database_url,
            "SIGNET_KEY": base64.b64encode(KEY).decode(),
            "PYTHONPATH": str(ROOT),
            **self.extra,
        }
        command = program("uvicorn", "--factory", "app.main:create_app", "--port", str(self.port))
        command += ["--host", "127.0.0.1", "--timeout-graceful-shutdown", "3", "--no-access-log"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=env, cwd=ROOT, stdout=log, stderr=log)
        self.wait()
        return self

    def wait(self, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended at once:\n{self.log.read_text()[-3000:]}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"the server did not answer:\n{self.log.read_text()[-3000:]}")

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self._closed()

    def _closed(self, seconds: float = 30) -> None:
        """Wait until nobody listens any more: a killed process' own end comes a moment later."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                return
            time.sleep(0.005)
        raise RuntimeError(f"the server goes on:\n{self.log.read_text()[-3000:]}")

    def stop(self, seconds: float = 30) -> int:
        """SIGTERM, and how it ended."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return int(self.process.returncode)


async def turns() -> None:
    """Sockets are opened and closed in the loop's next turns."""
    for _ in range(3):
        await asyncio.sleep(0)


async def stop_accepting(server: asyncio.Server) -> None:
    """Closes a server once each connection that it has accepted is made, and so can be closed: asyncio's `close` loses
    one in between, with its socket (`Server._attach` fails)."""
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    await turns()
    server.close()


class Proxy:
    """A TCP proxy before a server: `cut` drops every connection and refuses new ones, `mend` lets them through."""

    def __init__(self, to: int | str) -> None:
        self.to = to  # a port on this machine, or the path of a socket
        self.port = free_port()
        self._open = True
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Proxy":
        ready = threading.Event()
        self._loop.call_soon_threadsafe(lambda: None)
        self._ready = ready
        self._thread.start()
        ready.wait(5)
        return self

    def cut(self) -> None:
        self._open = False
        self._call(self._drop)

    def mend(self) -> None:
        self._open = True

    def stop(self) -> None:
        self._call(self._drop)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    def _call(self, function: object) -> None:
        done = threading.Event()

        def run() -> None:
            assert callable(function)
            function()
            done.set()

        self._loop.call_soon_threadsafe(run)
        done.wait(5)

    def _drop(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", self.port))
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._end(server))
        self._loop.close()

    async def _end(self, server: asyncio.Server) -> None:
        """Leaves no task and no open socket behind."""
        await stop_accepting(server)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._drop()
        await turns()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)  # here, for a task that is cancelled before its first turn does nothing
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):
            if self._open:
                await self._join(reader, writer)
                return
        writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if isinstance(self.to, str):
            up_reader, up_writer = await asyncio.open_unix_connection(self.to)
        else:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.to)
        self._writers.add(up_writer)
        await asyncio.gather(self._pump(reader, up_writer), self._pump(up_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(Exception):
            writer.close()


@contextlib.contextmanager
def servers(database_url: str, place: Path, count: int = 1, **extra: str) -> Iterator[list[Server]]:
    """So many server processes on one database; each stopped afterwards."""
    running: list[Server] = []
    try:
        for number in range(count):
            running.append(Server(database_url, place / f"server-{number}.log", dict(extra)).start())
        yield running
    finally:
        for server in running:
            server.kill()
