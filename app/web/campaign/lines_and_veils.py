"""The page of lines and veils: every member can read and edit it, and sign an addition or leave it anonymous."""

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, StringConstraints

from app.campaign import lines_and_veils, names
from app.web.forms.reading import Form, Version, take
from app.web.http.limits import BOUND, limit_unnamed
from app.web.http.live import page_or_live
from app.web.http.seat_session import CurrentSeat, SeatSession, UnseenSeat, changing, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/lines")

NOTICES = {
    "added": "Entry added. Nobody can see who added it, unless you chose to show your name.",
    "change": "Entry changed for everyone.",
    "away": "Entry removed. You can restore it at the bottom of this page.",
    "back": "Entry restored.",
}

Words = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    BeforeValidator(lambda given: names.line(given) if isinstance(given, str) else given),
    AfterValidator(names.visible),
]


class Adding(BaseModel):
    """A new item on one of the lists; `openly` puts the author's name beside it."""

    text: Words
    kind: lines_and_veils.Kind
    openly: Literal["", "yes"] = ""


class Changing(BaseModel):
    """A change to an item, and the version that the page had shown."""

    text: Words
    kind: lines_and_veils.Kind
    version: Version
    act: Literal["change", "away", "back"] = "change"


@router.get("")
@router.get("/live")
async def page(request: Request, seated: CurrentSeat, did: str = "") -> Response:
    return await _page(request, seated, notice=NOTICES.get(did, ""))


async def _page(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    adding: Form[Adding] | None = None,
    changed: uuid.UUID | None = None,
    form: Form[Changing] | None = None,
    notice: str = "",
) -> Response:
    async with sessions(request)() as session:
        rows = await lines_and_veils.bounds(session, seated.campaign.id)
    context = {
        "seated": seated,
        "lists": lines_and_veils.LISTS,
        "rows": rows,
        "adding": adding or Form(),
        "changed": changed,
        "form": form or Form(),
        "notice": notice,
    }
    return page_or_live(request, "campaign/lines.html", status, **context)


@router.post("")
async def add(request: Request, seated: UnseenSeat) -> Response:
    form = await take(request, Adding)
    limit_unnamed(request, BOUND, seated.device_id)
    with form.refusing():
        data = form.checked()
        said_by = seated.member.name if data.openly else ""
        async with changing(request, seated.campaign.id) as session:
            await lines_and_veils.add(session, seated.campaign.id, data.kind, data.text, said_by)
        return RedirectResponse(f"{seated.base}/lines?did=added", 303)
    return await _page(request, seated, form.status, adding=form)


@router.post("/{bound_id}")
async def change(request: Request, seated: UnseenSeat, bound_id: uuid.UUID) -> Response:
    form = await take(request, Changing)
    limit_unnamed(request, BOUND, seated.device_id)
    if form.data is None:
        async with sessions(request)() as session:
            await lines_and_veils.get_bound(session, seated.campaign.id, bound_id)
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            gone = data.act == "away"
            await lines_and_veils.change(
                session, seated.campaign.id, bound_id, data.version, data.kind, data.text, gone=gone
            )
        return RedirectResponse(f"{seated.base}/lines?did={data.act}", 303)
    return await _page(request, seated, form.status, changed=bound_id, form=form)
