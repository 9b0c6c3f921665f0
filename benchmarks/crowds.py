"""A crowd that listens: many event streams on raw sockets, what reaches the last of them, and what they fetch then."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence

from benchmarks.ground import Server

HINT = b"data: changed"
PATIENCE = 120.0


class Listener:
    """One open stream. `heard` is set when a hint arrives, `at` says when."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hint(self) -> float:
        """Wait for the next hint; the moment at which it was here."""
        while True:
            line = await self.reader.readline()
            if not line:
                raise RuntimeError("a stream was closed")
            if line.startswith(HINT):
                return time.perf_counter()


async def _open(server: Server, path: str, cookie: str) -> Listener:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=4096)
    writer.write(_request("GET", path, cookie))
    await writer.drain()
    status = await reader.readline()
    if b" 200 " not in status:
        raise RuntimeError(f"a stream was answered with {status.decode().strip()}")
    listener = Listener(reader, writer)
    await listener.hint()  # each stream says at once that there is something to look at
    return listener


@contextlib.asynccontextmanager
async def listening(server: Server, asked: Sequence[tuple[str, str]]) -> AsyncIterator[list[Listener]]:
    """So many open streams (path and cookie), fifty at a time; closed afterwards."""
    gate = asyncio.Semaphore(50)
    opened: list[Listener] = []

    async def one(path: str, cookie: str) -> None:
        async with gate:
            opened.append(await _open(server, path, cookie))

    try:
        await asyncio.wait_for(asyncio.gather(*(one(*each) for each in asked)), PATIENCE)
        yield opened
    finally:
        for listener in opened:
            listener.writer.close()


async def last_hint(listeners: Sequence[Listener], began: asyncio.Future[float]) -> float:
    """Seconds from `began` until everybody has heard."""
    heard = await asyncio.wait_for(asyncio.gather(*(listener.hint() for listener in listeners)), PATIENCE)
    return max(heard) - await began


async def ask(server: Server, method: str, path: str, cookie: str, body: bytes = b"") -> int:
    """One request on a connection of its own; its status, once the whole answer is here."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(_request(method, path, cookie, body, "Connection: close\r\n"))
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        return int(answer.split(b" ", 2)[1])
    finally:
        writer.close()


async def fetch_all(server: Server, asked: Sequence[tuple[str, str]], at_once: int = 100) -> float:
    """Seconds until each of these pages has been fetched, `at_once` at a time as a browser's patience would have it."""
    gate = asyncio.Semaphore(at_once)

    async def one(path: str, cookie: str) -> None:
        async with gate:
            status = await ask(server, "GET", path, cookie)
            if status != 200:
                raise RuntimeError(f"a page was answered with {status}")

    began = time.perf_counter()
    await asyncio.gather(*(one(*each) for each in asked))
    return time.perf_counter() - began


def _request(method: str, path: str, cookie: str, body: bytes = b"", more: str = "") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n{more}"
    if method == "POST":
        head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + body
