"""Secret rolls: a GM rolls and shows them, on the scene's page or on the desk; a page of all rolls of a scene."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.errors import NotThere, Refusal
from app.table import hidden_rolls
from app.table.hidden_rolls import HiddenRoll
from app.table.runtime import Runtime
from app.web.desk import page as desk
from app.web.forms.reading import Form, TypedPairs, read
from app.web.http.limits import limit_act
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession
from app.web.http.templating import render
from app.web.scene import table
from app.web.scene.table import RejectedForm, ScenePage, scene_of, scene_page

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}/rolls")

PAGE = "scene/rolls.html"
FROM_PAGE = "rolls"
"""What a form's field "_page" says if it stands on the page of all rolls: its answer leads back there."""


@router.get("")
async def page(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """All secret rolls of a scene: for GMs, and once it is over for everybody, with what was rolled."""
    return await _list(request, seated, scene_id)


@router.post("")
async def roll(request: Request, seated: GmSeat, scene_id: str) -> Response:
    form = await read(request)
    limit_act(request, "roll", seated.member.id)
    runtime: Runtime = request.app.state.runtime
    typed = form.get("purpose"), form.get("formula"), form.number("after")
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            number = await hidden_rolls.roll(session, live, seated.member, *typed)
    except Refusal as refused:
        return await _refused(request, seated, scene_id, form, refused)
    return await _changed(request, seated, scene_id, form, number)


@router.post("/{number}/show")
async def show(request: Request, seated: GmSeat, scene_id: str, number: str) -> Response:
    """Shows a roll to everybody."""
    form = await read(request)
    wanted = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            await hidden_rolls.show(session, live, seated.member, wanted)
    except Refusal as refused:
        return await _refused(request, seated, scene_id, form, refused)
    return await _changed(request, seated, scene_id, form, wanted)


async def _changed(request: Request, seated: SeatSession, scene_id: str, form: TypedPairs, number: int) -> Response:
    """The answer after a change, on the page that the form stands on, with the list of rolls unfolded there."""
    if form.get("_page") == FROM_PAGE:
        return RedirectResponse(f"{seated.base}/scene/{scene_id}/rolls#roll-{number}", status_code=303)
    if desk.is_from_here(form):
        return await desk.after_change(request, seated, desk.panel_of(form), place=f"#roll-{scene_id}-{number}")
    if request.headers.get("HX-Request"):
        return await table.show(request, seated, scene_id, RejectedForm(rolls_open=True))
    return RedirectResponse(f"{seated.base}/scene/{scene_id}#roll-{number}", status_code=303)


async def _refused(
    request: Request, seated: SeatSession, scene_id: str, form: TypedPairs, refused: Refusal
) -> Response:
    """The page that the form stands on, with the reason of the refusal and what was typed."""
    if refused.status not in (409, 422):
        raise refused
    if form.get("_page") == FROM_PAGE:
        return await _list(request, seated, scene_id, refused)
    if desk.is_from_here(form):
        return await desk.refused_act(request, seated, str(scene_of(scene_id)), "rolls", form, refused)
    faults = {refused.field: refused.text} if refused.field else {}
    kept = RejectedForm(rolling=Form(form, faults=faults), rolls_open=True)
    kept.notice = "" if faults else refused.text
    return await table.show(request, seated, scene_id, kept, status=refused.status)


async def _list(request: Request, seated: SeatSession, scene_id: str, refused: Refusal | None = None) -> Response:
    seen = await scene_page(request, seated, scene_id)
    rolls = await _rolls(request, seated, seen)
    context = {"desk": seen, "sight": seen.sight, "rolls": rolls, "wrong": refused.text if refused else ""}
    return render(request, PAGE, status_code=refused.status if refused else 200, seated=seated, **context)


async def _rolls(request: Request, seated: SeatSession, seen: ScenePage) -> tuple[HiddenRoll, ...]:
    """Raises NotThere for a scene that is older than the record."""
    if seen.sight.head is None:
        raise NotThere("This scene was opened before Signet kept records, so it has no secret rolls.")
    runtime: Runtime = request.app.state.runtime
    everything = seated.is_gm or seen.sight.status != "open"
    async with runtime.repeatable_read() as session:
        there = (session, runtime.vault, seated.campaign.id, seen.sight.id)
        return await hidden_rolls.visible_rolls(*there, everything=everything)
