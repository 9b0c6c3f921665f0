"""The X-card: any member can stop the scene, and it stays anonymous.

Spectators may press it too: they read the same scene, and excluding them would narrow down who can have pressed it.
"""

import uuid

from fastapi import APIRouter, Request, Response

from app.errors import Refusal
from app.table import pauses
from app.table.runtime import Runtime
from app.web.forms.reading import read
from app.web.http.limits import CARD, limit_unnamed
from app.web.http.seat_session import UnseenSeat
from app.web.scene.table import RejectedForm, after_change, refused_page, scene_of, show

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")


@router.post("/stop")
async def stop(request: Request, seated: UnseenSeat, scene_id: str) -> Response:
    """Stop the scene for everyone. The form must carry the confirmation, so no stray request stops a table."""
    form = await read(request)
    if form.get("sure") != "yes":
        kept = RejectedForm(notice="The scene was not stopped. Press “Stop here”, then confirm.")
        return await show(request, seated, scene_id, kept, status=422)
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            if not live.row.stopped:
                limit_unnamed(request, CARD, seated.device_id)
            await pauses.stop_here(session, live)
        await _stop_inside(runtime, seated, live.row.waits_for)
    except Refusal as refused:
        return await refused_page(request, seated, scene_id, RejectedForm(), refused)
    return await after_change(request, seated, scene_id)


async def _stop_inside(runtime: Runtime, seated: UnseenSeat, inner: uuid.UUID | None) -> None:
    """Stops the scenes that a stopped one waits for, too: it is the same table."""
    while inner is not None:
        try:
            async with runtime.locked_scene(seated.campaign.id, inner) as (session, live):
                await pauses.stop_here(session, live)
                inner = live.row.waits_for
        except Refusal:  # it is over, or gone
            return
