"""The signs of life of open pages (static/js/presence.js), each answered with who is at the table now."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from app.campaign import presence, sealing_shows
from app.web.forms.reading import take
from app.web.http.limits import PRESENCE, limit
from app.web.http.seat_session import CurrentSeat, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/presence")


class Sign(BaseModel):
    """A page says whether it is in front; `page` is a number of its own choice."""

    page: Annotated[int, Field(ge=0, lt=presence.PAGES)]
    state: presence.PageState


@router.post("")
async def sign(request: Request, seated: CurrentSeat) -> JSONResponse:
    """Stores the sign and answers who is here, as the campaign's setting `sealing_shows` lets this member know."""
    given = (await take(request, Sign)).checked("Signet could not read that sign of an open page.")
    limit(request, PRESENCE, str(seated.member.id))
    shows = "names" if seated.is_gm else sealing_shows.chosen(seated.campaign.settings)
    async with sessions(request).begin() as session:
        await presence.note(session, seated.member, given.page, given.state)
        found = await presence.who_is_here(session, seated.campaign.id, shows)
    answer: dict[str, object] = {} if found.here is None else {"here": found.here}
    if found.people is not None:
        answer["people"] = [
            {"name": one.name, "state": one.state, "since": one.since and one.since.isoformat()} for one in found.people
        ]
    return JSONResponse(answer)
