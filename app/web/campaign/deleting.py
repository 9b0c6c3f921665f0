"""The page on which a GM deletes the campaign, by typing its title."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, StringConstraints

from app.campaign import deleting
from app.web.forms.reading import Form, take
from app.web.http.seat_session import GmSeat, SeatSession, changing, clear_seat_cookie, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/delete")


class Deleting(BaseModel):
    """The confirmation: the campaign's title as typed."""

    typed: Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)] = ""


@router.get("")
async def ask(request: Request, seated: GmSeat) -> Response:
    return await _show(request, seated, Form())


@router.post("")
async def delete(request: Request, seated: GmSeat) -> Response:
    """Delete everything at once; pages that are still open notice at their next request."""
    form = await take(request, Deleting)
    with form.refusing(at=lambda _: "typed"):
        title = form.checked().typed
        async with changing(request, seated.campaign.id) as session:
            await deleting.delete_by(session, seated.campaign, seated.member, title)
        clear_seat_cookie(request, seated)
        return RedirectResponse("/", 303)
    return await _show(request, seated, form, 422)


async def _show(request: Request, seated: SeatSession, form: Form[Deleting], status: int = 200) -> Response:
    nights = request.app.state.settings.backups_nights
    async with sessions(request)() as session:
        doomed = await deleting.summary(session, seated.campaign.slug)
    return render(request, "campaign/delete.html", status, seated=seated, form=form, nights=nights, doomed=doomed)
