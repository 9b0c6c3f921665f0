"""Challenges between players, made and answered on the campaign's home and at the end of a fight."""

import uuid
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.errors import NotThere, NotYours
from app.models.people import Role
from app.play import challenges
from app.web.campaign import home
from app.web.forms.reading import Form, nested, read
from app.web.http.seat_session import Visit, Visiting, changing

router = APIRouter(prefix="/c/{slug}/{handle}/challenges")


@router.post("")
async def make(request: Request, visit: Visiting) -> Response:
    """Challenge somebody."""
    _may_fight(visit)
    typed = await read(request)
    form: Form[Any] = Form(typed)
    wanted: Any = nested(typed.pairs).get("settings", {})
    with form.refusing():
        async with changing(request, visit.campaign.id) as session:
            await challenges.challenge(session, visit.member, typed.get("challenger"), typed.get("challenged"), wanted)
        return RedirectResponse(f"{visit.base}/?did=challenged#duels", 303)
    return await home.show(request, visit, 422, challenging=form)


@router.post("/{challenge_id}/accept")
async def accept(request: Request, visit: Visiting, challenge_id: str) -> Response:
    """Take it up: the fight begins at once."""
    _may_fight(visit)
    vault = request.app.state.runtime.vault
    async with changing(request, visit.campaign.id) as session:
        scene = await challenges.accept(session, vault, visit.member, _id(challenge_id))
    return RedirectResponse(f"{visit.base}/scene/{scene}", 303)


@router.post("/{challenge_id}/close")
async def close(request: Request, visit: Visiting, challenge_id: str) -> Response:
    """Decline it, or withdraw one's own."""
    _may_fight(visit)
    async with changing(request, visit.campaign.id) as session:
        how = await challenges.close(session, visit.member, _id(challenge_id))
    return RedirectResponse(f"{visit.base}/?did={how}#duels", 303)


def _may_fight(visit: Visit) -> None:
    if visit.role == Role.SPECTATOR:
        raise NotYours("Who watches does not fight.", "Ask your GM for a player's seat.")


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise NotThere("There is no such challenge.") from wrong
