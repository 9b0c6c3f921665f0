"""Connections: half requests are closed after a while, however many there are; answers leave at once."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from app.loop import SharingLoop
from app.ops import connections
from app.ops.connections import Connection
from app.ops.local_install import listen
from tests.start.playing import free_port

pytestmark = pytest.mark.anyio

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def listening(app: ASGIApp | None = None) -> AsyncIterator[tuple[int, set[Connection]]]:
    config = uvicorn.Config(app or PlainTextResponse("here\n"), http=Connection, lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], state.connections  # type: ignore[misc]
        for one in list(state.connections):
            one.transport.abort()


async def sent(port: int, words: bytes) -> Pair:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(words)
    await writer.drain()
    return reader, writer


async def closed(pair: Pair) -> bool:
    """Once the other side has closed it; nothing but that ends the waiting."""
    with contextlib.suppress(ConnectionError):
        assert b" 200 " not in await pair[0].read()
    pair[1].close()
    return True


async def answered(port: int) -> bool:
    pair = await sent(port, HALF + b"Connection: close\r\n\r\n")
    said = await pair[0].read()
    pair[1].close()
    return said.endswith(b"here\n")


@pytest.mark.parametrize(
    "words", [b"", HALF, b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\nhalf"]
)
async def test_a_request_that_does_not_come_in_is_given_up(monkeypatch: pytest.MonkeyPatch, words: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.05)
    async with listening() as (port, _):
        if b"POST" in words:
            reader, writer = await sent(port, words)
            await reader.read()  # what was said, and then the end
            writer.close()
        else:
            assert await closed(await sent(port, words))
        monkeypatch.undo()
        assert await answered(port)


async def test_of_too_many_those_go_that_bring_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most", lambda: 8)
    async with listening() as (port, _):
        halves = [await sent(port, HALF) for _ in range(20)]
        assert await answered(port)
        assert all([await closed(pair) for pair in halves[:12]]), "the oldest went first"
        halves[-1][1].write(b"Connection: close\r\n\r\n")
        assert (await halves[-1][0].read()).endswith(b"here\n"), "the newest is waited for"
        for _, writer in halves[12:]:
            writer.close()


async def test_a_whole_request_may_be_answered_for_as_long_as_it_takes() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await ended.wait()
        await PlainTextResponse("here\n")(scope, receive, send)

    async with listening(slow) as (port, open_ones):
        reader, writer = await sent(port, HALF + b"\r\n")
        await begun.wait()
        assert [one.late for one in open_ones] == [None], "no clock runs"
        ended.set()
        assert (await reader.readuntil(b"here\n")).startswith(b"HTTP/1.1 200")
        assert [one.late is not None for one in open_ones] == [True], "the next request has one again"
        writer.close()


@pytest.mark.parametrize(
    "bound",
    [
        pytest.param(lambda port: uvicorn.Config("", port=port, log_config=None).bind_socket(), id="workers of serve"),
        pytest.param(lambda port: listen("127.0.0.1", port), id="play"),
    ],
)
@pytest.mark.parametrize("loop", [asyncio.SelectorEventLoop, SharingLoop])
def test_no_answer_waits_until_its_head_is_confirmed(
    bound: Callable[[int], socket.socket], loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    """Finds answers that come 40 ms late: a body that the system holds back after its head (TCP_NODELAY is off)."""

    async def asked() -> list[int]:
        config = uvicorn.Config(PlainTextResponse("here\n"), http=Connection, lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        with bound(free_port()) as sock:
            make = asyncio.get_running_loop().create_server
            async with await make(lambda: Connection(config, state, {}), sock=sock):
                reader, writer = await sent(sock.getsockname()[1], HALF + b"\r\n")
                await reader.readuntil(b"here\n")
                ends = [one.transport.get_extra_info("socket") for one in state.connections]
                found = [end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for end in ends]
                writer.close()
                await reader.read()
        return found

    with asyncio.Runner(loop_factory=loop) as runner:
        (on,) = runner.run(asked())
    assert on
