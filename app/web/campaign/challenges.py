"""Challenges between players, made and answered on the campaign's home page and at the end of a fight."""

import uuid
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.errors import NotThere, NotYours
from app.models.people import Role
from app.play import challenges
from app.web.campaign import home
from app.web.forms.reading import Form, nested, read
from app.web.http.seat_session import CurrentSeat, SeatSession, changing

router = APIRouter(prefix="/c/{slug}/{handle}/challenges")


@router.post("")
async def make(request: Request, seated: CurrentSeat) -> Response:
    """Challenge another player's character."""
    _may_fight(seated)
    typed = await read(request)
    form: Form[Any] = Form(typed)
    wanted: Any = nested(typed.pairs).get("settings", {})
    with form.refusing():
        async with changing(request, seated.campaign.id) as session:
            await challenges.challenge(session, seated.member, typed.get("challenger"), typed.get("challenged"), wanted)
        return RedirectResponse(f"{seated.base}/?did=challenged#duels", 303)
    return await home.show(request, seated, 422, challenging=form)


@router.post("/{challenge_id}/accept")
async def accept(request: Request, seated: CurrentSeat, challenge_id: str) -> Response:
    """Accept a challenge: the fight begins at once."""
    _may_fight(seated)
    vault = request.app.state.runtime.vault
    async with changing(request, seated.campaign.id) as session:
        scene = await challenges.accept(session, vault, seated.member, _id(challenge_id))
    return RedirectResponse(f"{seated.base}/scene/{scene}", 303)


@router.post("/{challenge_id}/close")
async def close(request: Request, seated: CurrentSeat, challenge_id: str) -> Response:
    """Decline a challenge, or withdraw one that the member made."""
    _may_fight(seated)
    async with changing(request, seated.campaign.id) as session:
        how = await challenges.close(session, seated.member, _id(challenge_id))
    return RedirectResponse(f"{seated.base}/?did={how}#duels", 303)


def _may_fight(seated: SeatSession) -> None:
    if seated.role == Role.SPECTATOR:
        raise NotYours("Spectators cannot fight.", "Ask your GM to make you a player.")


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise NotThere("There is no such challenge.") from wrong
