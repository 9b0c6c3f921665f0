"""The group link: the page that asks to join, the page that waits for an answer, and the GMs' actions on both.

Opening the link changes nothing, so a chat may fetch its preview. The browser that asks gets a secret in a cookie of
the waiting page; once a GM admits the request, that page uses it as the cookie of the new seat.
"""

import re
import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import group_links, heroes, names, seats, tokens
from app.campaign.group_links import Waiting
from app.errors import NotThere
from app.models.people import Role
from app.web.forms.reading import Form, read, take
from app.web.http import limits
from app.web.http.limits import limit
from app.web.http.seat_session import (
    COOKIE_SECONDS,
    GmSeat,
    SeatSession,
    absolute,
    changing,
    only_here,
    seat_path,
    sessions,
    set_seat_cookie,
)
from app.web.http.security import secure
from app.web.http.shown_once import show_at
from app.web.http.templating import render
from app.web.members.browsers import label
from app.web.members.entry import JOINED

router = APIRouter()
people = "/c/{slug}/{handle}/people"

NOTICES = {
    "group-link": "The new group link is ready. Older ones no longer work.",
    "group-link-off": "The group link is switched off.",
    "admitted": "They have joined.",
    "not-admitted": "You declined the request.",
}

WAITING = "signet_waiting"
"""The cookie of a browser that waits, for the addresses of that campaign's group link only."""


class Asking(BaseModel):
    """The form of the group link. `hero` is the key of a ready-made hero, or empty."""

    name: names.Name
    hero: Annotated[str, Field(max_length=60)] = ""


@router.get("/group/{slug}/state")
async def waiting_state(request: Request, slug: str) -> JSONResponse:
    """Whether the GM has answered, for the waiting page's script: waiting, admitted, declined or gone."""
    limit(request, limits.WAIT)
    waiting = await _waiting(request, slug)
    status = "gone" if waiting is None else waiting.request.status
    return JSONResponse({"status": status}, headers={"Cache-Control": "no-store"})


@router.get("/group/{slug}/{token}")
async def group_link(request: Request, slug: str, token: str) -> Response:
    limit(request, limits.LOOK)
    waiting = await _waiting(request, slug)
    if waiting is not None and waiting.request.status != "declined":
        return RedirectResponse(f"/group/{slug}", 303)
    return await _ask_page(request, slug, token, Form(), 200)


async def _ask_page(request: Request, slug: str, token: str, form: Form[Asking], status: int) -> Response:
    async with sessions(request)() as session:
        campaign = await group_links.find(session, slug, token)
    context = {"campaign": campaign, "heroes": heroes.offered(heroes.usual_rules(campaign))}
    joined = request.cookies.get(JOINED, "")  # as the browser says: whether there is such a member is not for strangers
    here = seat_path(slug, joined) if names.is_slug(joined) else ""
    once = form.typed.once or tokens.fresh()
    return render(request, "members/group.html", status, form=form, once=once, here=here, **context)


@router.post("/group/{slug}/{token}")
async def ask(request: Request, slug: str, token: str) -> Response:
    """Ask to join; redirects to the page that waits for the GM's answer."""
    form = await take(request, Asking)
    with form.refusing():
        data = form.checked()
        limit(request, limits.JOIN)
        async with sessions(request).begin() as session:
            who = (data.name, data.hero, label(request))
            asked, secret = await group_links.ask(session, slug, token, *who, form.typed.once)
            await _tell_gms(request, session, asked.campaign_id)
        answer = RedirectResponse(f"/group/{slug}", 303)
        answer.set_cookie(WAITING, secret, max_age=int(group_links.LIFE.total_seconds()), **_here(request, slug))
        return answer
    return await _ask_page(request, slug, token, form, form.status)


def _here(request: Request, slug: str) -> dict[str, Any]:
    """The attributes of cookies for the addresses of a campaign's group link."""
    return {"path": f"/group/{slug}", "secure": secure(request), "httponly": True, "samesite": "lax"}


async def _tell_gms(request: Request, session: AsyncSession, campaign_id: uuid.UUID) -> None:
    """Refreshes the open pages of GMs only: a stranger's request is nothing that players may know of."""
    gms = [member.id for member in await seats.members(session, campaign_id) if member.role == Role.GM]
    for gm in sorted(gms):
        await request.app.state.runtime.bus.publish(session, campaign_id, str(gm))


@router.get("/group/{slug}")
async def waiting_page(request: Request, slug: str) -> Response:
    """The answer to the request of this browser. Once admitted, it redirects to the new seat and signs in there, with
    the secret of the waiting cookie, which it deletes."""
    limit(request, limits.WAIT)
    waiting = await _waiting(request, slug)
    if waiting is None:
        if not request.cookies:
            raise NotThere(
                "This browser keeps no cookies, so Signet cannot tell that you have asked to join.",
                "Allow cookies for this address, go back and press the button again: you are not asked for twice.",
            )
        raise NotThere(
            "This browser has no request to join.",
            "Open the group link again, or your personal link if you have joined.",
        )
    if waiting.member is None:
        return render(request, "members/waiting.html", campaign=waiting.campaign, asked=waiting.request)
    secret = request.cookies[WAITING]
    set_seat_cookie(request, waiting.campaign, waiting.member, secret)
    link = group_links.personal_link(secret)
    home = seat_path(slug, waiting.member.handle)
    known = waiting.member.way_back == tokens.digest(link)
    answer = show_at(request, home, "/", "seat", link) if known else RedirectResponse(f"{home}/", 303)
    answer.delete_cookie(WAITING, **_here(request, slug))
    answer.set_cookie(JOINED, waiting.member.handle, max_age=COOKIE_SECONDS, **_here(request, slug))
    return answer


async def _waiting(request: Request, slug: str) -> Waiting | None:
    secret = request.cookies.get(WAITING, "")
    if not secret:
        return None
    async with sessions(request)() as session:
        return await group_links.state(session, slug, secret)


async def for_gms(request: Request, session: AsyncSession, seated: SeatSession) -> dict[str, Any]:
    """The part of a GM's page about the group link; nothing for other members.

    `group_link` is its address: None if it is off, "" if this server cannot show it any more.
    """
    if not seated.is_gm:
        return {"requests": [], "group_link": None, "only_here": False}
    campaign = seated.campaign
    token = await group_links.token_for_gms(session, request.app.state.runtime.vault, campaign)
    return {
        "requests": await group_links.waiting(session, campaign),
        "group_link": absolute(request, f"/group/{campaign.slug}/{token}") if token else token,
        "only_here": only_here(request),
    }


@router.post(f"{people}/group-link")
async def make(request: Request, seated: GmSeat) -> Response:
    """Switch the group link on, or replace it."""
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        await group_links.make(session, request.app.state.runtime.vault, seated.campaign)
    return _back(seated, typed.get("_page"), "group-link")


@router.post(f"{people}/group-link/close")
async def close(request: Request, seated: GmSeat) -> Response:
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        await group_links.close(session, seated.campaign)
    return _back(seated, typed.get("_page"), "group-link-off")


@router.post(f"{people}/requests/{{request_id}}/admit")
async def admit(request: Request, seated: GmSeat, request_id: uuid.UUID) -> Response:
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        await group_links.admit(session, seated.campaign, request_id)
    return _back(seated, typed.get("_page"), "admitted")


@router.post(f"{people}/requests/{{request_id}}/decline")
async def decline(request: Request, seated: GmSeat, request_id: uuid.UUID) -> Response:
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        await group_links.decline(session, seated.campaign, request_id)
    return _back(seated, typed.get("_page"), "not-admitted")


def _back(seated: SeatSession, page: str, did: str) -> Response:
    """Back to the page whose button was pressed: a scene's, the people page, or the campaign's."""
    if re.fullmatch("scene/[0-9a-f-]{36}", page):
        return RedirectResponse(f"{seated.base}/{page}", 303)
    return RedirectResponse(f"{seated.base}/{'people' if page == 'people' else ''}?did={did}", 303)
