"""A crowd of listeners: many event streams on raw sockets, the last one's delay, and the pages that they fetch."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence

from benchmarks.ground import Server

HINT = b"data: changed"
PATIENCE = 120.0


class Listener:
    """One open stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def hint(self) -> float:
        """Waits for the next hint; returns the moment at which it came. Raises RuntimeError if the stream closes."""
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
    await listener.hint()  # each stream begins with a hint
    return listener


@contextlib.asynccontextmanager
async def listening(server: Server, asked: Sequence[tuple[str, str]]) -> AsyncIterator[list[Listener]]:
    """Opens a stream for each path and cookie, fifty at a time; closes them afterwards."""
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
    """Returns the seconds from `began` until the last listener has the hint."""
    heard = await asyncio.wait_for(asyncio.gather(*(listener.hint() for listener in listeners)), PATIENCE)
    return max(heard) - await began


async def ask(server: Server, method: str, path: str, cookie: str, body: bytes = b"") -> int:
    """Sends one request on a new connection; returns its status once the whole answer is here."""
    return int((await _answer(server, method, path, cookie, body)).split(b" ", 2)[1])


async def fetch(server: Server, path: str, cookie: str) -> bytes:
    """Returns the answer to a GET on a new connection, head and body."""
    return await _answer(server, "GET", path, cookie)


async def _answer(server: Server, method: str, path: str, cookie: str, body: bytes = b"") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(_request(method, path, cookie, body, "Connection: close\r\n"))
        await writer.drain()
        return await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()


async def fetch_all(server: Server, asked: Sequence[tuple[str, str]], at_once: int = 100) -> float:
    """Returns the seconds until all these pages are fetched, `at_once` at a time."""
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
