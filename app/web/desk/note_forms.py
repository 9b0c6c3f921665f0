"""Saves notes of the campaign, of a scene or of a character from the GM's desk, which then shows them still open."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.campaign import notes
from app.errors import NotThere
from app.web.desk import page as desk
from app.web.forms.reading import NotesForm, take
from app.web.http.seat_session import GmSeat, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/desk/notes")


@router.post("")
async def write(request: Request, seated: GmSeat) -> Response:
    """Save the notes of the form's `note`; the answer shows them where they stood."""
    form = await take(request, NotesForm)
    topic, find = form.typed.get("note"), form.typed.get("find")
    with form.refusing(NotThere):
        data = form.checked()
        async with sessions(request).begin() as session:
            await notes.title(session, seated.member, topic)
            await notes.write(session, seated.campaign.id, seated.member, data.body, data.version, topic)
        there = {"note": topic, **({"find": find} if find else {}), "did": "noted"}
        return RedirectResponse(f"{seated.base}/desk?{urlencode(there)}#notes", 303)
    return await desk.show(request, seated, form.status, noting=form)
