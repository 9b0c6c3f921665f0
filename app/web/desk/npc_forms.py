"""The forms of the GMs' library on the desk: what players may know of a character, and its folder."""

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, BeforeValidator, StringConstraints

from app.campaign import character_visibility, library, names
from app.web.desk import npcs
from app.web.desk import page as desk
from app.web.forms.reading import Form, TypedPairs, take
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/desk/npcs/{who}")


def _line(given: object) -> object:
    return names.line(given) if isinstance(given, str) else given


class Showing(BaseModel):
    """What players may know."""

    shown: Annotated[str, StringConstraints(max_length=10)] = ""


class Filing(BaseModel):
    """The folder, old or new; "" for none."""

    folder: Annotated[str, BeforeValidator(_line), StringConstraints(max_length=40)] = ""


@router.post("/shown")
async def show(request: Request, seated: GmSeat, who: str) -> Response:
    """Set what players may know of a GMs' character; every open page follows."""
    form = await take(request, Showing)
    with form.refusing():
        data = form.checked("Press one of these.")
        async with changing(request, seated.campaign.id) as session:
            character = await character_visibility.find(session, seated.member, who)
            await library.show(session, character, data.shown, seated.member)
        return await _done(request, seated, who, "shown")
    return await _again(request, seated, who, form)


@router.post("/folder")
async def move(request: Request, seated: GmSeat, who: str) -> Response:
    """Move a character to a folder, which is there as soon as somebody is in it."""
    form = await take(request, Filing)
    with form.refusing():
        data = form.checked()
        async with sessions(request).begin() as session:
            character = await character_visibility.find(session, seated.member, who)
            await library.move(session, character, data.folder, seated.member)
        return await _done(request, seated, who, "filed")
    return await _again(request, seated, who, form)


async def _done(request: Request, seated: SeatSession, who: str, did: str) -> Response:
    """The desk, at the character and with its folder open."""
    if request.headers.get("HX-Request"):
        return await desk.show(request, seated, filing=Form(TypedPairs(((npcs.FILED, who),))))
    return await desk.after_change(request, seated, "npcs", did, f"#npc-{who}")


async def _again(request: Request, seated: SeatSession, who: str, form: Form[Any]) -> Response:
    form.typed = TypedPairs((*form.typed.pairs, (npcs.FILED, who)))
    return await desk.show(request, seated, form.status, filing=form)
