"""Receipts of a scene: the page that verifies them in the browser, and the file to verify them elsewhere."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from app.table.receipt import lines
from app.table.runtime import Runtime
from app.web.http.seat_session import CurrentSeat
from app.web.http.templating import render
from app.web.scene.table import scene_page

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")


@router.get("/verify")
async def verify(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """The page that checks the seals, chance and log of a scene in the viewer's browser."""
    desk = await scene_page(request, seated, scene_id)
    return render(request, "scene/verify.html", desk=desk, sight=desk.sight, seated=seated)


@router.get("/receipts")
async def receipts(request: Request, seated: CurrentSeat, scene_id: str) -> Response:
    """The member's own file of receipts, for `signet verify` and for the page above."""
    desk = await scene_page(request, seated, scene_id)  # closes what is due, and checks access
    runtime: Runtime = request.app.state.runtime
    async with runtime.repeatable_read() as session:
        text = await lines(session, runtime.vault, seated.campaign.id, desk.sight.id, seated.member)
    name = f"signet-{desk.sight.id}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, media_type="application/jsonl", headers=headers)
