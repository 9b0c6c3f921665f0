"""The member's own page: name, personal link, the code for a second device, signed-in browsers, and quiet drafts."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names, people, seats, tokens
from app.errors import NotThere
from app.models.people import Member
from app.table import quiet_drafts
from app.web.forms.reading import Form, read, take
from app.web.http.seat_session import (
    CurrentSeat,
    SeatSession,
    absolute,
    changing,
    clear_seat_cookie,
    only_here,
    sessions,
)
from app.web.http.shown_once import forget_shown, secret_to_show, show_at
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/you")

NOTICES = {
    "renamed": "Name changed. Your address stays the same.",
    "closed": "Browser signed out.",
    "drafts-on": "What you choose is saved as a draft from now on.",
    "drafts-off": "What you choose is not saved any more until you seal it.",
    "others": "All your other browsers are signed out.",
}


class Naming(BaseModel):
    name: names.Name


@router.get("")
async def page(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    token, code = secret_to_show(request, "link"), secret_to_show(request, "code")
    async with sessions(request)() as session:
        link = await link_of(request, session, seated.member, seated.campaign.slug, token)
        code = code if code and await seats.code_lives(session, seated.member, code) else ""
    return await _page(request, seated, link=link, code=code, notice=NOTICES.get(did, ""))


async def link_of(request: Request, session: AsyncSession, member: Member, slug: str, token: str) -> str:
    """A personal link as an address, if the token is this member's; else ""."""
    found = await seats.by_link(session, slug, token)
    return absolute(request, f"/enter/{slug}/{token}") if found is not None and found[1].id == member.id else ""


async def personal_link(request: Request, session: AsyncSession, seated: SeatSession) -> str:
    """The personal link that a browser just got by joining or by creating the campaign, for a few minutes; else ""."""
    token = secret_to_show(request, "campaign") or secret_to_show(request, "seat")
    return await link_of(request, session, seated.member, seated.campaign.slug, token) if token else ""


async def _page(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    form: Form[Naming] | None = None,
    link: str = "",
    code: str = "",
    notice: str = "",
) -> Response:
    async with sessions(request)() as session:
        devices = await seats.devices(session, seated.member)
        member = await seats.now(session, seated.member)
    return render(
        request,
        "members/my-seat.html",
        status,
        seated=seated,
        form=form or Form(),
        devices=devices,
        has_link=member.way_back is not None,
        link=link,
        code=code,
        drafts=member.quiet_drafts,
        code_at=absolute(request, f"/code/{seated.campaign.slug}"),
        only_here=only_here(request),
        notice=notice,
        once=tokens.fresh(),
    )


@router.post("/name")
async def rename(request: Request, seated: CurrentSeat) -> Response:
    form = await take(request, Naming)
    with form.refusing():
        name = form.checked().name
        async with changing(request, seated.campaign.id) as session:
            await people.rename(session, seated.member, name)
        return _back(seated, "renamed")
    return await _page(request, seated, form.status, form=form)


@router.post("/drafts")
async def switch_drafts(request: Request, seated: CurrentSeat) -> Response:
    """Whether what the member chooses is saved as a quiet draft; their open scenes are drawn anew."""
    on = (await read(request)).get("drafts") == "on"
    async with sessions(request).begin() as session:
        await quiet_drafts.switch(session, seated.member, on)
        await request.app.state.runtime.bus.publish(session, seated.campaign.id, str(seated.member.id))
    return _back(seated, "drafts-on" if on else "drafts-off")


@router.post("/link")
async def new_link(request: Request, seated: CurrentSeat) -> Response:
    """A new personal link, shown once by the next page; the old one stops working, and the member's other browsers are
    signed out."""
    once = (await read(request)).once
    async with _signing_out(request, seated) as session:
        token = await seats.renew_link(session, seated.member, once, but=seated.device_id)
    return show_at(request, seated.base, "/you", "link", token)


@router.post("/code")
async def show_code(request: Request, seated: CurrentSeat) -> Response:
    """A code for one more device, shown by the next page."""
    async with sessions(request).begin() as session:
        code = await seats.show_code(session, seated.member)
    return show_at(request, seated.base, "/you", "code", code)


@router.post("/devices/{device_id}/close")
async def close(request: Request, seated: CurrentSeat, device_id: uuid.UUID) -> Response:
    """Sign out one browser; closing the current one is the way to sign out."""
    async with _signing_out(request, seated) as session:
        closed = await seats.sign_out(session, seated.member, only=device_id)
    if not closed:
        raise NotThere("That browser is not signed in to your seat.", "The page “Your seat” lists those that are.")
    if device_id == seated.device_id:
        clear_seat_cookie(request, seated)
        return forget_shown(request, RedirectResponse(f"/?left={seated.base}", 303), seated.base)
    return _back(seated, "closed")


@router.post("/devices/close-others")
async def close_others(request: Request, seated: CurrentSeat) -> Response:
    async with _signing_out(request, seated) as session:
        await seats.sign_out(session, seated.member, but=seated.device_id)
    return _back(seated, "others")


@asynccontextmanager
async def _signing_out(request: Request, seated: SeatSession) -> AsyncIterator[AsyncSession]:
    """A transaction that signs browsers of this member out; after its commit their streams close."""
    async with sessions(request).begin() as session:
        yield session
        await request.app.state.runtime.bus.publish(session, seated.campaign.id, str(seated.member.id))


def _back(seated: SeatSession, did: str) -> Response:
    return RedirectResponse(f"{seated.base}/you?did={did}", 303)
