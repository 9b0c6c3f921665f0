"""The push channel: reports that something changed, without content; each page then fetches its own blocks."""

import contextlib
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.types import Receive, Scope, Send

from app.observability import metrics
from app.play import challenges
from app.table.listing import calls
from app.table.runtime import Runtime
from app.web.http.limits import one_stream
from app.web.http.seat_session import CurrentSeat

router = APIRouter(prefix="/c/{slug}/{handle}")

PING_SECONDS = 15
SEND_SECONDS = 20  # a client that takes no bytes for so long is disconnected


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
    """Sends one event at once and one for each change that this member may see; never with any content."""
    runtime: Runtime = request.app.state.runtime
    counted = contextlib.ExitStack()
    counted.enter_context(one_stream(request, seated.member.id))
    return CountedStream(
        _hints(runtime, seated.campaign.id, seated.member.id),
        ended=counted.close,
        ping=PING_SECONDS,
        send_timeout=SEND_SECONDS,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _hints(runtime: Runtime, campaign: uuid.UUID, member: uuid.UUID) -> AsyncIterator[ServerSentEvent]:
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(metrics.streaming())
        changed = await stack.enter_async_context(runtime.bus.subscribe(campaign, member))
        yield ServerSentEvent(data="changed", retry=500)
        while True:
            await changed.wait()
            changed.clear()
            yield ServerSentEvent(data="changed")


@router.get("/awaits")
async def awaits(request: Request, seated: CurrentSeat) -> JSONResponse:
    """Whether and where this member is awaited: for background tabs, and for the front page of a browser that sits in
    several seats, which asks each seat at its own address."""
    runtime: Runtime = request.app.state.runtime
    async with runtime.read_sessions() as session:
        awaited = await calls(session, seated.campaign.id, seated.member.id)
        called = await challenges.called(session, seated.member)
    found = [{"call": one.call, "where": one.scene, "at": f"{seated.base}/scene/{one.scene_id}"} for one in awaited]
    dare, at = "{} wants to fight {}", f"{seated.base}/#duels"
    found += [{"call": dare.format(one.challenger, one.challenged), "where": "", "at": at} for one in called]
    answer = {"awaited": bool(found), "line": found[0]["call"] if found else "", "calls": found}
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})
