"""The GMs' notes on one scene, on a separate page: only GMs may read them, and the scene's page stays light."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import select

from app.campaign import notes
from app.errors import NotThere
from app.models.scenes import Scene
from app.web.forms.reading import Form, NotesForm, take
from app.web.http.seat_session import GmSeat, SeatSession, sessions
from app.web.http.templating import render
from app.web.scene.table import scene_of

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}/notes")


@router.get("")
async def page(request: Request, seated: GmSeat, scene_id: str, did: str = "") -> Response:
    return await _show(request, seated, scene_id, notice="Notes saved." if did == "noted" else "")


@router.post("")
async def write(request: Request, seated: GmSeat, scene_id: str) -> Response:
    await _title(request, seated, scene_id)
    form = await take(request, NotesForm)
    with form.refusing():
        data = form.checked()
        async with sessions(request).begin() as session:
            await notes.write(session, seated.campaign.id, seated.member, data.body, data.version, _topic(scene_id))
        return RedirectResponse(f"{seated.base}/scene/{scene_id}/notes?did=noted", 303)
    return await _show(request, seated, scene_id, form.status, noting=form)


async def _show(
    request: Request,
    seated: SeatSession,
    scene_id: str,
    status: int = 200,
    *,
    noting: Form[NotesForm] | None = None,
    notice: str = "",
) -> Response:
    title = await _title(request, seated, scene_id)
    async with sessions(request)() as session:
        kept = await notes.read(session, seated.campaign.id, seated.member, _topic(scene_id))
    at = f"{seated.base}/scene/{scene_id}"
    context = {"seated": seated, "at": at, "title": title, "page": kept, "noting": noting or Form(), "notice": notice}
    return render(request, "scene/notes.html", status, **context)


async def _title(request: Request, seated: SeatSession, scene_id: str) -> str:
    """The scene's title. Raises `NotThere` if the campaign has no such scene."""
    here = Scene.campaign_id == seated.campaign.id, Scene.id == scene_of(scene_id)
    async with sessions(request)() as session:
        title = await session.scalar(select(Scene.title).where(*here))
    if title is None:
        raise NotThere("There is no such scene in this campaign.")
    return title


def _topic(scene_id: str) -> str:
    return f"scene/{scene_of(scene_id)}"
