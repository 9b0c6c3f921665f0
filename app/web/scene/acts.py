"""The GM's acts on a scene, sent from its own page or from the GM's desk; the answer leads back there."""

from fastapi import APIRouter, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotThere, Refusal
from app.models.people import Member
from app.table import gm_actions, join_midscene, reassign_seat
from app.table.loaded_scene import LoadedScene
from app.table.runtime import Runtime
from app.web.desk import page as desk
from app.web.forms.reading import TypedPairs, read
from app.web.http.seat_session import GmSeat, SeatSession
from app.web.scene.table import RejectedForm, after_change, refused_page, scene_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")


@router.post("/act/{what}")
async def act(request: Request, seated: GmSeat, scene_id: str, what: str) -> Response:
    """Open now, give time, pause, go on, seat a latecomer, reassign a seat, abandon the scene."""
    form = await read(request)
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            await _do(session, live, seated.member, what, form)
    except Refusal as refused:
        if desk.is_from_here(form) and refused.status in (409, 422):
            return await _refused(request, seated, scene_id, what, form, refused)
        return await refused_page(request, seated, scene_id, RejectedForm(), refused)
    if desk.is_from_here(form):
        return await desk.after_change(request, seated)
    return await after_change(request, seated, scene_id)


async def _do(session: AsyncSession, live: LoadedScene, who: Member, what: str, form: TypedPairs) -> None:
    step_key = form.get("step")
    match what:
        case "open":
            await gm_actions.open_now(session, live, who, step_key)
        case "time":
            await gm_actions.give_time(session, live, who, step_key, _seconds(form))
        case "pause":
            await gm_actions.pause(session, live, who)
        case "go-on":
            await gm_actions.go_on(session, live, who)
        case "enter":
            await join_midscene.enter(session, live, who, form.get("who"))
        case "chair":
            await reassign_seat.give_chair(session, live, who, form.get("seat"), form.get("to"))
        case "leave":
            await gm_actions.leave(session, live, who)
        case _:
            raise NotThere("This page has no such button.")


async def _refused(
    request: Request, seated: SeatSession, scene_id: str, what: str, form: TypedPairs, refused: Refusal
) -> Response:
    """The desk with the reason of the refusal on the scene's card, and what was typed."""
    faults = {refused.field: refused.text} if refused.field else {}
    notice = "" if refused.field else refused.text
    again = desk.RefusedAct(str(scene_of(scene_id)), what, form.get("step"), notice, form, faults)
    return await desk.show(request, seated, refused.status, refused=again)


def _seconds(form: TypedPairs) -> int:
    text = form.get("seconds")
    return int(text) if text.isdecimal() and len(text) < 9 else 0
