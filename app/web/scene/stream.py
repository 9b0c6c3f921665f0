"""The push channel: reports that something changed, without content; each page then fetches its own blocks.

A stream asks before each hint whether its browser is still signed in, so that whatever has ended that (a removal, a
handed over seat, a signed-out browser, a deleted campaign; here, in another process or in the database itself) also
ends what it tells.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy.exc import InterfaceError, OperationalError, TimeoutError
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.types import Receive, Scope, Send

from app.observability import metrics
from app.play.turns import Turn, turns
from app.table.runtime import Runtime
from app.web.http.limits import one_stream
from app.web.http.seat_session import CurrentSeat, SeatSession
from app.web.http.signed_in import SignedIn
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}")

PING_SECONDS = 15
SEND_SECONDS = 20  # a client that takes no bytes for so long is disconnected
RETRY_SECONDS = 1.0  # while the database does not answer
CLOSED = ServerSentEvent(event="closed", data="closed")
"""The last event of a stream whose browser is signed out: its page loads itself again."""


class CountedStream(EventSourceResponse):
    """Calls `ended` when the stream has ended, in any way, even if it was never read."""

    def __init__(self, *given: Any, ended: Callable[[], None], **more: Any) -> None:
        super().__init__(*given, **more)
        self.ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.ended()


@router.get("/stream")
async def stream(request: Request, seated: CurrentSeat) -> EventSourceResponse:
    """Sends one event at once and one for each change that this member may see, never with any content, until the
    browser is signed out."""
    counted = contextlib.ExitStack()
    counted.enter_context(one_stream(request, seated.member.id))
    return CountedStream(
        _hints(request, seated),
        ended=counted.close,
        ping=PING_SECONDS,
        send_timeout=SEND_SECONDS,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _hints(request: Request, seated: SeatSession) -> AsyncIterator[ServerSentEvent]:
    runtime: Runtime = request.app.state.runtime
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(metrics.streaming())
        changed = await stack.enter_async_context(runtime.bus.subscribe(seated.campaign.id, seated.member.id))
        hint = ServerSentEvent(data="changed", retry=500)
        while await _still_signed_in(request, seated):
            yield hint
            hint = ServerSentEvent(data="changed")
            await changed.wait()
            changed.clear()
        yield CLOSED


async def _still_signed_in(request: Request, seated: SeatSession) -> bool:
    """Returns the database's answer, once it gives one."""
    runtime: Runtime = request.app.state.runtime
    signed_in: SignedIn = request.app.state.signed_in
    while True:
        try:
            return await signed_in.is_still(runtime.read_sessions, seated.campaign.id, seated.device_id)
        except (InterfaceError, OperationalError, TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)


@router.get("/awaits")
async def awaits(request: Request, seated: CurrentSeat) -> JSONResponse:
    """Which scenes are stopped, and whether and where this member is awaited: for background tabs, and for the front
    page of a browser that sits in several seats, which asks each seat at its own address."""
    runtime: Runtime = request.app.state.runtime
    async with runtime.read_sessions() as session:
        waiting = await turns(session, seated.member)
    stops = [_address(seated, one) for one in waiting if one.stop]
    calls = [_address(seated, one) for one in waiting if not one.stop]
    answer = {"awaited": bool(calls), "nudged": any(one.nudged for one in waiting)}
    answer |= {"line": calls[0]["call"] if calls else "", "calls": calls, "stops": stops}
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})


def _address(seated: SeatSession, one: Turn) -> dict[str, str]:
    return {"call": one.call, "where": one.scene, "at": f"{seated.base}{one.at}"}


@router.get("/turns")
async def turn_bar(request: Request, seated: CurrentSeat) -> Response:
    """The bar on top of a page, for open pages after a change."""
    return render(request, "turns.html", seated=seated)
