"""Setting up a calendar from a preset in one press: on the first visit to the calendar, and on a page of its own."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, BeforeValidator, Field

from app.almanac import calendar_state as books
from app.calendar.days import reckoning
from app.calendar.presets import PRESETS
from app.errors import Refusal
from app.web.calendar.preset_cards import preset_cards
from app.web.forms.reading import Form, Version, fill, read
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/setup")

MOST_YEAR = 900_000
Year = Annotated[
    Annotated[int, Field(ge=-MOST_YEAR, le=MOST_YEAR)] | None,
    BeforeValidator(lambda typed: typed.strip() or None if isinstance(typed, str) else typed),
]


class PresetForm(BaseModel):
    """A preset's key, and the year whose first day is today; None: year 1, or in a calendar in use the day as it is."""

    preset: str = ""
    year: Year = None
    version: Version


@router.get("")
async def page(request: Request, seated: GmSeat) -> Response:
    return await _show(request, seated, Form())


@router.post("")
async def choose(request: Request, seated: GmSeat) -> Response:
    """Give the campaign a preset. A repeated press finds it chosen."""
    form = fill(PresetForm, await read(request))
    with form.refusing():
        data = form.checked()
        shape = PRESETS.get(data.preset)
        if shape is None:
            raise Refusal("Choose one of the calendars.", "Press its card.", field="preset")
        async with changing(request, seated.campaign.id) as session:
            book = await books.read(session, seated.campaign.id)
            if book.shape != shape or book.untouched:
                count = reckoning(shape)
                first = count.new_year(1 if data.year is None else data.year)
                today = first if book.untouched or data.year is not None else book.today
                vault = request.app.state.runtime.vault
                await books.choose_shape(session, vault, seated.campaign.id, shape, data.version, today)
        return RedirectResponse(f"{seated.base}/calendar?did=shaped", 303)
    return await _show(request, seated, form, form.status)


async def _show(request: Request, seated: SeatSession, form: Form[PresetForm], status: int = 200) -> Response:
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
    return render(request, "calendar/setup.html", status, seated=seated, book=book, form=form, cards=preset_cards())
