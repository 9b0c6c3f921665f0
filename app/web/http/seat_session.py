"""The member behind a request: every page under /c/<slug>/<handle>/ begins with a `SeatSession`.

The cookie is bound to that path, so one browser can sit in several seats, each at its own address.
"""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Response
from sqlalchemy.exc import InternalError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.campaign import seats
from app.db import troubles
from app.db.waiting import GaveUp, begin_request
from app.errors import NotYours, SeatClosed
from app.models.people import Campaign, Device, Member, Role
from app.play.turns import Turn, turns
from app.table.bus import EVERYBODY
from app.table.runtime import Runtime
from app.web.http.errors import route
from app.web.http.security import COOKIE, SECURE_COOKIE, secure

WITHOUT_BAR = (
    *("/live", "/stream", "/awaits", "/presence"),
    *("/scene/{scene_id}", "/as/{seat}", "/lay", "/draft", "/say", "/stop", "/act/{what}"),
)
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers allow; renewed while the seat is in use


@dataclass(frozen=True, slots=True)
class SeatSession:
    """A member at their own address, in a browser that sits in their seat. Campaign and member are read-only."""

    campaign: Campaign
    member: Member
    device_id: uuid.UUID
    turns: tuple[Turn, ...] = ()
    """Stopped scenes and what waits for the member, as the bar on top of the page says; empty in requests that draw no
    bar."""

    @property
    def role(self) -> Role:
        return self.member.role

    @property
    def is_gm(self) -> bool:
        return self.member.role == Role.GM

    @property
    def base(self) -> str:
        """The member's own address, without a trailing slash."""
        return seat_path(self.campaign.slug, self.member.handle)


async def current_seat(request: Request, slug: str, handle: str) -> SeatSession:
    """The seat that the request comes from. Raises `SeatClosed` (401) if the cookie does not open that seat.

    Returns its connection before the page begins, so no page holds two.
    """
    campaign, member, device, unseen, waiting = await _sitting(request, slug, handle)
    if unseen:
        if await _noted(request, device):
            set_seat_cookie(request, campaign, member, request.cookies[cookie_name(request)])
        begin_request()  # that is no part of what was asked for
    return SeatSession(campaign, member, device.id, waiting)


async def _noted(request: Request, device: Device) -> bool:
    """Records that a browser is in use. A full disk or a locked row, which lets nothing be recorded, keeps nobody
    from reading; a change will be refused by itself."""
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.sessions.begin() as session:
            return await seats.note_last_seen(session, device)
    except (OperationalError, InternalError) as error:
        if troubles.of(error) is None and not isinstance(error, GaveUp):
            raise
        return False


async def without_last_seen(request: Request, slug: str, handle: str) -> SeatSession:
    """`current_seat` without updating when the member was last seen: for requests that must leave no trace."""
    campaign, member, device, _, waiting = await _sitting(request, slug, handle)
    return SeatSession(campaign, member, device.id, waiting)


async def _sitting(request: Request, slug: str, handle: str) -> tuple[Campaign, Member, Device, bool, tuple[Turn, ...]]:
    runtime: Runtime = request.app.state.runtime
    async with runtime.read_sessions() as session:
        found = await seats.find_seat(session, slug, handle, request.cookies.get(cookie_name(request), ""))
        if found is None:
            raise SeatClosed(slug, handle)
        return (*found, await turns(session, found[1]) if _draws_bar(request) else ())


def _draws_bar(request: Request) -> bool:
    """Whether the response may be a page with the bar: not a part of a page, and not the scene, which has its own
    line."""
    path = route(request.scope)
    return path.endswith("/turns") or not (request.headers.get("HX-Request") or path.endswith(WITHOUT_BAR))


async def gm_seat(seated: Annotated[SeatSession, Depends(current_seat)]) -> SeatSession:
    """`current_seat` for GMs. Raises `NotYours` for other members."""
    if not seated.is_gm:
        raise NotYours("Only a GM of this campaign can do this.", "Ask your GM.")
    return seated


CurrentSeat = Annotated[SeatSession, Depends(current_seat)]
UnseenSeat = Annotated[SeatSession, Depends(without_last_seen)]
GmSeat = Annotated[SeatSession, Depends(gm_seat)]


def sessions(request: Request) -> async_sessionmaker[AsyncSession]:
    factory: async_sessionmaker[AsyncSession] = request.app.state.runtime.sessions
    return factory


@asynccontextmanager
async def changing(request: Request, campaign_id: uuid.UUID) -> AsyncIterator[AsyncSession]:
    """A transaction that changes a campaign; after its commit every open page of the campaign refreshes."""
    async with sessions(request).begin() as session:
        yield session
        await request.app.state.runtime.bus.publish(session, campaign_id, EVERYBODY)


def seat_path(slug: str, handle: str) -> str:
    return f"/c/{slug}/{handle}"


def cookie_name(request: Request) -> str:
    return SECURE_COOKIE if secure(request) else COOKIE


def set_seat_cookie(request: Request, campaign: Campaign, member: Member, token: str) -> None:
    """Set the cookie that opens this seat, on whatever response the request gets."""
    carrier = Response()
    carrier.set_cookie(
        cookie_name(request),
        token,
        max_age=COOKIE_SECONDS,
        path=seat_path(campaign.slug, member.handle),
        secure=secure(request),
        httponly=True,
        samesite="lax",
    )
    request.scope["signet.cookies"].append(carrier.headers["set-cookie"])


def clear_seat_cookie(request: Request, seated: SeatSession) -> None:
    """Delete the seat's cookie from this browser."""
    carrier = Response()
    carrier.delete_cookie(cookie_name(request), path=seated.base, secure=secure(request), httponly=True, samesite="lax")
    request.scope["signet.cookies"].append(carrier.headers["set-cookie"])


def absolute(request: Request, path: str) -> str:
    """A path as an address that can be sent to other people: the public one, else one that works in this network."""
    public = request.app.state.settings.public_url
    near = _near(request) if _loopback(request) else ()
    return f"{public or (near[0] if near else str(request.base_url).rstrip('/'))}{path}"


def only_here(request: Request) -> bool:
    """Whether addresses made by `absolute` work on this computer only."""
    return _loopback(request) and request.app.state.settings.public_url is None and not _near(request)


def _near(request: Request) -> tuple[str, ...]:
    """This server's addresses in its network, if known to the process (`signet play` sets them)."""
    return tuple(getattr(request.app.state, "near", ()))


def _loopback(request: Request) -> bool:
    return (request.url.hostname or "") in ("localhost", "127.0.0.1", "::1")
