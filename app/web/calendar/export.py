"""The calendar as a file, for GMs; *Import a calendar* of any campaign takes it."""

from fastapi import APIRouter, Request, Response

from app.almanac.export import exported
from app.calendar.imports.signet_calendar import written
from app.web.http.seat_session import GmSeat, sessions

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/export")


@router.get("")
async def file(request: Request, seated: GmSeat) -> Response:
    async with sessions(request)() as session:
        book, entries = await exported(session, seated.campaign.id, seated.member)
    headers = {"Content-Disposition": f'attachment; filename="calendar-{seated.campaign.slug}.json"'}
    return Response(written(book.shape, book.today, entries), media_type="application/json", headers=headers)
