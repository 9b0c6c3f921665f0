"""A scene as the player of a seat sees it, or as a spectator does, for GMs: to look at, with nothing to press.

The pages are drawn by the queries and templates of the player's own page, from what the GM knows too
(app/table/perspective.py). They are cached nowhere.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.errors import Conflict
from app.play.turns import of_scenes
from app.table.reading import Choose, sight
from app.table.runtime import Runtime
from app.web.http.seat_session import GmSeat, SeatSession
from app.web.http.templating import block, render
from app.web.scene import rounds
from app.web.scene.film import answer as answer_film
from app.web.scene.log import fetched
from app.web.scene.rounds import RoundAddress
from app.web.scene.table import LIVE, NEWEST, PAGE, RejectedForm, ScenePage, answer_why, scene_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}/as/{seat}")


@router.get("")
async def page(request: Request, seated: GmSeat, scene_id: str, seat: str) -> Response:
    return render(request, PAGE, **await _drawn(request, seated, scene_id, seat, NEWEST))


@router.get("/live")
async def live_part(request: Request, seated: GmSeat, scene_id: str, seat: str, round: str = "") -> Response:
    """Only the live part, for open pages after a change."""
    return block(request, PAGE, LIVE, **await _drawn(request, seated, scene_id, seat, RoundAddress(round)))


@router.get("/why/{number}")
async def why(request: Request, seated: GmSeat, scene_id: str, seat: str, number: str) -> Response:
    """The answer to "Why?" in that seat's log."""
    return answer_why(request, seated, await _read(request, seated, scene_id, seat), number)


@router.get("/log")
async def log(
    request: Request,
    seated: GmSeat,
    scene_id: str,
    seat: str,
    round: str = "",
    event: str = "",
    before: str = "",
) -> Response:
    """An older round, or the headlines before one; without htmx the page with that round open."""
    asked = RoundAddress(round, event)
    if not request.headers.get("HX-Request"):
        return render(request, PAGE, **await _drawn(request, seated, scene_id, seat, asked))
    desk = await _read(request, seated, scene_id, seat, choose=asked.alone)
    return await fetched(request, seated, desk, before)


@router.get("/film")
async def film(
    request: Request, seated: GmSeat, scene_id: str, seat: str, step: Annotated[list[str] | None, Query()] = None
) -> Response:
    """The film of closed steps, as that seat sees it."""
    return await answer_film(request, seated, scene_id, step or [], seat)


async def _drawn(
    request: Request, seated: SeatSession, scene_id: str, seat: str, asked: RoundAddress
) -> dict[str, Any]:
    """What the scene's template needs."""
    desk = await _read(request, seated, scene_id, seat, choose=asked.and_newest)
    desk.log = await rounds.log_of(request.app.state.runtime, seated, desk, asked)
    return {"desk": desk, "sight": desk.sight, "seated": seated}


async def _read(
    request: Request, seated: SeatSession, scene_id: str, seat: str, *, choose: Choose | None = None
) -> ScenePage:
    """Reads the scene as that seat. Raises NotThere where there is no such scene or seat, Refusal for the GM's own
    seat, Conflict for a scene that is not open any more."""
    runtime: Runtime = request.app.state.runtime
    scene = scene_of(scene_id)
    await runtime.close_if_due(seated.campaign.id, scene)
    async with runtime.repeatable_read() as session:
        there = (seated.campaign.id, scene, seated.member)
        seen = await sight(session, runtime.vault, *there, histories=runtime.histories, choose=choose, as_seat=seat)
        stops = tuple(one for one in await of_scenes(session, seated.member, but=scene) if one.stop)
    if seen.status != "open":
        raise Conflict("This scene is over, so nobody is asked anything any more.", "Its own page has its log.")
    others: dict[str, Any] = {"elsewhere": stops, "stops_elsewhere": len(stops)}
    return ScenePage(seen, RejectedForm(), seated.base, as_seat=seat, **others)
