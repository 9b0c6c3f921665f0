"""Saves what a member has chosen and not sealed, as a quiet draft; a script sends it (static/js/quiet-drafts.js)."""

import uuid

from fastapi import APIRouter, Request, Response

from app.table import quiet_drafts
from app.table.envelopes import Stamp
from app.table.runtime import Runtime
from app.web.forms.reading import read
from app.web.http.limits import limit_act
from app.web.http.seat_session import CurrentSeat
from app.web.scene.table import scene_of, stamp_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")


@router.post("/draft")
async def save(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """Save a draft over the one before; the script reads nothing but the status."""
    form = await read(request)
    limit_act(request, "draft", seated.member.id)
    runtime: Runtime = request.app.state.runtime
    place = (form.get("_step"), form.get("_seat"), form.get("_ask"))
    saved = quiet_drafts.Saved(_campaign(form.get("_campaign")), *place, stamp_of(form) or Stamp("", b"", b""))
    async with runtime.read_sessions() as session:  # one statement, which is committed by itself
        there = (seated.campaign.id, scene_of(scene_id), seated.member)
        await quiet_drafts.save(session, runtime.vault, *there, saved)
    return Response(status_code=204)


def _campaign(text: str) -> uuid.UUID:
    """The id; for any other text one that no campaign has."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()
