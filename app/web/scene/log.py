"""Older rounds of a scene's log: one round, or the headlines of earlier ones, for pages that open them in place."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.web.http.seat_session import CurrentSeat, SeatSession
from app.web.http.templating import block
from app.web.scene import rounds
from app.web.scene.rounds import RoundAddress
from app.web.scene.table import ScenePage, scene_page, show

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}")

PARTS = "scene/log.html"


@router.get("/log")
async def log(
    request: Request, seated: CurrentSeat, scene_id: str, round: str = "", event: str = "", before: str = ""
) -> Response:
    """The lines of the round with this key or event, or the headlines before a round; without htmx the scene's page
    with that round open, or the story."""
    asked = RoundAddress(round, event)
    if not request.headers.get("HX-Request"):
        if before:
            return RedirectResponse(f"{seated.base}/scene/{scene_id}/story", status_code=303)
        return await show(request, seated, scene_id, asked=asked)
    desk = await scene_page(request, seated, scene_id, choose=asked.alone)
    return await fetched(request, seated, desk, before)


async def fetched(request: Request, seated: SeatSession, desk: ScenePage, before: str = "") -> Response:
    """The lines of the rounds that `desk` has read, or the headlines before a round."""
    context = {"desk": desk, "sight": desk.sight, "seated": seated}
    if before:
        listed = await rounds.before(request.app.state.runtime, seated, desk, before)
        return block(request, PARTS, "headlines", **context, log=listed, before=before)
    words = rounds.words_of(desk, seated)
    drawn = rounds.logged(desk, words)
    return block(request, PARTS, "lines", **context, log=rounds.Log(words), drawn=drawn)
