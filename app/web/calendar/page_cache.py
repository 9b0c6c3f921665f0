"""A cache for calendar pages, each used until something on it changes for its reader."""

import uuid
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from app.almanac.page_version import version
from app.db.page_version import PageVersion
from app.web.http.page_cache import PageCache
from app.web.http.seat_session import SeatSession, sessions

Address = tuple[str, str]
"""The path of an address, and its query."""

P = ParamSpec("P")
Page = Callable[Concatenate[Request, SeatSession, P], Awaitable[Response]]


def cached(draw: Page[P]) -> Page[P]:
    """Caches a page that depends only on what `version` covers (entries, days, characters, the reader), and on what
    waits for its reader."""

    @wraps(draw)
    async def page(request: Request, seated: SeatSession, *given: P.args, **named: P.kwargs) -> Response:
        pages: PageCache[Address, uuid.UUID] = request.app.state.calendars
        key, reader = (request.url.path, request.url.query), seated.member.id
        async with sessions(request)() as session:
            found = await version(session, seated.campaign, seated.member)
        stands = PageVersion(found.now, (*found.what, repr(seated.turns)))  # the bar on top is a part of the page
        if (text := pages.get(key, reader, stands)) is not None:
            return HTMLResponse(text)
        async with pages.turn(key, reader, stands):
            if (text := pages.get(key, reader, stands)) is not None:
                return HTMLResponse(text)
            answer = await draw(request, seated, *given, **named)
            if answer.status_code == 200:
                pages.keep(key, reader, stands, bytes(answer.body).decode())
            return answer

    return page
