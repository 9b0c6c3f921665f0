"""The GM's buttons for a scene, on its own page and on the GM's desk."""

from datetime import datetime

from fastapi import APIRouter, Request, Response

from app.errors import NotThere, Refusal, Unfit
from app.observability import metrics
from app.table import awaited_seats, gm_actions, inner_scenes, join_midscene, pauses, reassign_seat, suggestions
from app.table.runtime import Runtime
from app.web.desk import page as desk
from app.web.forms.moments import WrongMoment, moment_of
from app.web.forms.reading import TypedPairs, read
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession
from app.web.scene.table import RejectedForm, after_change, refused_page, scene_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")


@router.post("/act/{what}")
async def act(request: Request, seated: GmSeat, scene_id: str, what: str) -> Response:
    """One of the GM's buttons, on the scene's page or on the GM's desk; the answer leads back there."""
    form = await read(request)
    try:
        await perform(request, seated, scene_id, what, form)
    except Refusal as refused:
        if desk.is_from_here(form) and refused.status in (409, 422):
            return await desk.refused_act(request, seated, str(scene_of(scene_id)), what, form, refused)
        return await refused_page(request, seated, scene_id, RejectedForm(), refused)
    if desk.is_from_here(form):
        return await desk.after_change(request, seated, desk.panel_of(form))
    return await after_change(request, seated, scene_id)


@router.post("/resume-vote")
async def vote_to_resume(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """A player's vote to end a pause."""
    runtime: Runtime = request.app.state.runtime
    try:
        async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
            await pauses.vote_to_resume(session, live, seated.member)
    except Refusal as refused:
        return await refused_page(request, seated, scene_id, RejectedForm(), refused)
    return await after_change(request, seated, scene_id)


async def perform(request: Request, seated: SeatSession, scene_id: str, what: str, form: TypedPairs) -> None:
    """Does what a GM's button says; Refusal says why it cannot be done, NotThere that there is no such button.

    open, time (`seconds`), deadline (a moment's fields), no-limit, hold and release are for the step `step`, go-without
    and wait-again for its seat `seat`, give-back and nudge for that seat or, without one, for all; suggested seals what
    the page with the mark `shown` listed; pause, renew, go-on and go-on-without (the scene that it waits for) for the
    scene; enter seats the character `who`, chair gives the seat `seat` to the member `to`, leave abandons the scene.
    """
    step_key = form.get("step")
    runtime: Runtime = request.app.state.runtime
    async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
        match what:
            case "open":
                await gm_actions.open_now(session, live, seated.member, step_key)
            case "time":
                await gm_actions.give_time(session, live, seated.member, step_key, _seconds(form))
            case "deadline":
                await gm_actions.set_deadline(session, live, seated.member, step_key, _moment(form))
            case "no-limit":
                await gm_actions.remove_limit(session, live, seated.member, step_key)
            case "go-without":
                await awaited_seats.go_without(session, live, seated.member, step_key, form.get("seat"))
            case "wait-again":
                await awaited_seats.wait_again(session, live, seated.member, step_key, form.get("seat"))
            case "give-back":
                await awaited_seats.give_back(session, live, seated.member, step_key, form.get("seat"))
            case "nudge":
                await awaited_seats.nudge(session, live, seated.member, step_key, form.get("seat"))
            case "suggested":
                for _ in await suggestions.seal(session, live, seated.member, form.get("shown"), runtime.histories):
                    metrics.sealed(live.ruleset.key, "seal")
            case "hold":
                await gm_actions.hold(session, live, seated.member, step_key)
            case "release":
                await gm_actions.release(session, live, seated.member, step_key)
            case "pause":
                await pauses.pause(session, live, seated.member)
            case "renew":
                await pauses.renew(session, live, seated.member)
            case "go-on":
                await pauses.go_on(session, live, seated.member)
            case "go-on-without":
                await inner_scenes.go_on_without(session, live, seated.member)
            case "enter":
                await join_midscene.enter(session, live, seated.member, form.get("who"))
            case "chair":
                await reassign_seat.give_chair(session, live, seated.member, form.get("seat"), form.get("to"))
            case "leave":
                await gm_actions.leave(session, live, seated.member)
            case _:
                raise NotThere("This page has no such button.")


def _moment(form: TypedPairs) -> datetime:
    try:
        return moment_of(form.get("real_date"), form.get("real_time"), form.get("zone"), form.get("shown"))
    except WrongMoment as wrong:
        raise Unfit(str(wrong), field=wrong.field) from wrong


def _seconds(form: TypedPairs) -> int:
    text = form.get("seconds")
    return int(text) if text.isdecimal() and len(text) < 9 else 0
