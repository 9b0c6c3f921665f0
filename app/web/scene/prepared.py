"""The presses of a prepared scene on the GM's desk: open, copy, remove and restore."""

import uuid

from fastapi import APIRouter, Request, Response

from app.campaign import prepared
from app.errors import NotThere
from app.web.desk import page as desk
from app.web.http.seat_session import GmSeat, changing
from app.web.scene import new

router = APIRouter(prefix="/c/{slug}/{handle}/scenes/prepared/{prepared_id}")


@router.post("/open")
async def open_it(request: Request, seated: GmSeat, prepared_id: str) -> Response:
    """Open it, checked anew. What no longer fits is named on the form, which has everything else as it was kept, and
    which asks once whether a scene without foes is meant."""
    plan = await new.prepared_plan(request, seated, _id(prepared_id))
    plan.doubted = not plan.faults and plan.without_foes
    if plan.doubted or await new.try_open(request, seated, plan) is None:
        return await new.show_again(request, seated, plan)
    return await desk.after_change(request, seated, did="opened")


@router.post("/copy")
async def copy(request: Request, seated: GmSeat, prepared_id: str) -> Response:
    vault = request.app.state.runtime.vault
    async with changing(request, seated.campaign.id) as session:
        await prepared.copy(session, vault, seated.member, _id(prepared_id))
    return await desk.after_change(request, seated, did="copied", place="#prepared")


@router.post("/remove")
async def remove(request: Request, seated: GmSeat, prepared_id: str) -> Response:
    async with changing(request, seated.campaign.id) as session:
        await prepared.remove(session, seated.member, _id(prepared_id))
    return await desk.after_change(request, seated, did="removed", place="#prepared")


@router.post("/restore")
async def restore(request: Request, seated: GmSeat, prepared_id: str) -> Response:
    async with changing(request, seated.campaign.id) as session:
        await prepared.remove(session, seated.member, _id(prepared_id), removed=False)
    return await desk.after_change(request, seated, did="restored", place="#prepared")


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotThere("There is no such prepared scene.") from None
