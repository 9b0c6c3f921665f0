"""The people page: members, invitations and the owners of characters, with the actions of GMs."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import character_visibility, inviting, names, people, seats, tokens
from app.errors import NotThere, NotYours
from app.models.people import Invitation, Member, Role
from app.web.forms.reading import Form, fill, read, take
from app.web.http.live import page_or_live
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, absolute, changing, only_here, sessions
from app.web.http.shown_once import secret_to_show, show_at
from app.web.members import group_link

router = APIRouter(prefix="/c/{slug}/{handle}/people")

NOTICES = {
    "removed": "Player removed: their browsers are signed out, and their links no longer work.",
    "role": "Role changed.",
    "revoked": "Invitation withdrawn. Its link no longer works.",
    "handed": "Character handed over. Sealed declarations stay sealed.",
    **group_link.NOTICES,
}


class Inviting(BaseModel):
    """A new invitation."""

    for_name: names.OptionalName = ""
    role: Role = Role.PLAYER
    characters: Annotated[list[uuid.UUID], Field(max_length=50)] = []


class Handing(BaseModel):
    """A character and its new owner's handle; an empty one means the GMs."""

    character: Annotated[str, Field(min_length=1, max_length=60)]
    to: Annotated[str, Field(max_length=60)] = ""


class Casting(BaseModel):
    role: Role


@dataclass(frozen=True, slots=True)
class Fresh:
    """A link just made, shown this once."""

    invitation: Invitation
    link: str
    only_here: bool


@router.get("")
async def page(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    return await _page(request, seated, fresh=await _made(request, seated), notice=NOTICES.get(did, ""))


@router.get("/live")
async def live(request: Request, seated: CurrentSeat) -> Response:
    """Members and invitations, for open pages after a change."""
    return await _page(request, seated)


async def _page(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    form: Form[Inviting] | None = None,
    handing: Form[Handing] | None = None,
    fresh: Fresh | None = None,
    notice: str = "",
    wrong: str = "",
) -> Response:
    async with sessions(request)() as session:
        campaign = seated.campaign
        context: dict[str, Any] = {
            "members": await seats.members(session, campaign.id),
            "characters": await character_visibility.known_characters(session, seated.member),
            "held": await character_visibility.holdings(session, seated.member),
            "invitations": await inviting.invitations(session, campaign) if seated.is_gm else [],
        }
        context |= await group_link.for_gms(request, session, seated)
    context["unowned"] = [one for one in context["characters"] if one.owner_id is None and one.retired_at is None]
    context |= {"seated": seated, "form": form or Form(), "handing": handing or Form(), "fresh": fresh}
    context |= {"notice": notice, "wrong": wrong, "once": tokens.fresh(), "fresh_once": tokens.fresh}
    return page_or_live(request, "members/people.html", status, **context)


@router.post("/invite")
async def invite(request: Request, seated: GmSeat) -> Response:
    """A new invitation; the next page shows its link, once."""
    form = await take(request, Inviting)
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            _, token = await inviting.invite(
                session,
                seated.campaign,
                seated.member,
                data.role,
                data.for_name,
                data.characters if data.role != Role.SPECTATOR else (),
                once=form.typed.once,
            )
        return _show(request, seated, token)
    return await _page(request, seated, form.status, form=form)


@router.post("/invitations/{invitation_id}/renew")
async def renew(request: Request, seated: GmSeat, invitation_id: uuid.UUID) -> Response:
    """A new link for an unclaimed invitation."""
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        _, token = await inviting.renew(session, seated.campaign, invitation_id, typed.once)
    return _show(request, seated, token)


@router.post("/invitations/{invitation_id}/revoke")
async def revoke(request: Request, seated: GmSeat, invitation_id: uuid.UUID) -> Response:
    async with changing(request, seated.campaign.id) as session:
        await inviting.revoke(session, seated.campaign, invitation_id)
    return _back(seated, "revoked")


@router.post("/of/{who}/invite")
async def invite_anew(request: Request, seated: GmSeat, who: str) -> Response:
    """An invitation to replace a member: claiming it hands over the member's characters and removes the member."""
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        member = await seats.member_by_handle(session, seated.campaign.id, who)
        _, token = await inviting.invite(
            session,
            seated.campaign,
            seated.member,
            member.role,
            member.name,
            replaces=member,
            once=typed.once,
        )
    return _show(request, seated, token)


def _show(request: Request, seated: SeatSession, token: str) -> Response:
    return show_at(request, seated.base, "/people", "invitation", token)


async def _made(request: Request, seated: SeatSession) -> Fresh | None:
    """The invitation made a moment ago, as long as it is unclaimed."""
    token = secret_to_show(request, "invitation")
    if not (token and seated.is_gm):
        return None
    try:
        async with sessions(request)() as session:
            sight = await inviting.preview(session, seated.campaign.slug, token)
    except NotThere:
        return None
    link = absolute(request, f"/join/{seated.campaign.slug}/{token}")
    return Fresh(sight.invitation, link, only_here(request)) if sight.state == "open" else None


@router.post("/of/{who}/role")
async def role(request: Request, seated: GmSeat, who: str) -> Response:
    form = await take(request, Casting)
    if form.data is None:
        return await _page(request, seated, 422, wrong="Choose one of the three roles.")
    wanted = form.data.role
    return await _do(request, seated, who, "role", lambda s, member: people.set_role(s, member, wanted, seated.member))


@router.post("/of/{who}/remove")
async def remove(request: Request, seated: GmSeat, who: str) -> Response:
    return await _do(request, seated, who, "removed", lambda s, member: people.remove(s, member, seated.member))


async def _do(
    request: Request, seated: SeatSession, who: str, did: str, act: Callable[[AsyncSession, Member], Awaitable[None]]
) -> Response:
    form: Form[Any] = Form()
    with form.refusing():
        async with changing(request, seated.campaign.id) as session:
            await act(session, await seats.member_by_handle(session, seated.campaign.id, who))
        if did == "removed" and who == seated.member.handle:
            return RedirectResponse("/", 303)
        return _back(seated, did)
    return await _page(request, seated, form.status, wrong=form.wrong)


@router.post("/hand-over")
async def hand_over(request: Request, seated: CurrentSeat) -> Response:
    """Give a character to another member or to the GMs: GMs any, players their own."""
    form = fill(Handing, await read(request))
    try:
        with form.refusing(NotYours):
            data = form.checked()
            async with changing(request, seated.campaign.id) as session:
                character = await character_visibility.find(session, seated.member, data.character)
                to = await seats.member_by_handle(session, seated.campaign.id, data.to) if data.to else None
                await people.hand_over(session, seated.campaign.id, character.id, to, seated.member)
            return _back(seated, "handed")
    except NotThere as missing:
        return await _page(request, seated, 404, handing=form, wrong=missing.text)
    return await _page(request, seated, form.status, handing=form)


def _back(seated: SeatSession, did: str) -> Response:
    return RedirectResponse(f"{seated.base}/people?did={did}", 303)
