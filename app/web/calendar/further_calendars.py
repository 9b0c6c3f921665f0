"""The further calendars of a campaign: a GM lists, adds, renames, sets and removes them. Days keep their numbers."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, BeforeValidator, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.calendar_state import MOST_DAY, MOST_OTHERS, CalendarState, OtherCalendar
from app.calendar.days import Date, NoSuchDay, reckoning
from app.calendar.presets import PRESETS
from app.calendar.shape import MOST_MONTHS, Shape
from app.campaign import names
from app.errors import NotThere, Refusal
from app.web.calendar.month import typed_date
from app.web.calendar.preset_cards import taste
from app.web.forms.reading import Form, Version, fill, read
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/others")

OWN = "own"
"""Stands for the campaign's own calendar among the shapes to choose from."""
NOTICES = {"added": "Calendar added.", "saved": "Calendar saved.", "removed": "Calendar removed."}


def _digits(typed: object) -> object:
    return typed.strip() if isinstance(typed, str) else typed


class OtherForm(BaseModel):
    """A name, and the date that the calendar writes for today."""

    name: names.Name
    day: Annotated[int, Field(ge=1, le=1000), BeforeValidator(_digits)]
    month: Annotated[int, Field(ge=1, le=MOST_MONTHS)]
    year: Annotated[int, Field(ge=-MOST_DAY, le=MOST_DAY), BeforeValidator(_digits)]
    version: Version

    def of(self, key: int, shape: Shape, today: int) -> OtherCalendar:
        """The calendar. Raises Refusal if it has no such date."""
        try:
            there = typed_date(reckoning(shape), self.year, self.month, self.day)
        except NoSuchDay as wrong:
            raise Refusal(str(wrong), "Enter a date that this calendar has.", field="day") from None
        return OtherCalendar(key=key, name=self.name, shape=shape, shift=there - today)


class NewForm(OtherForm):
    shape: str


class RemovalForm(BaseModel):
    version: Version


@router.get("")
async def page(request: Request, seated: GmSeat, did: str = "") -> Response:
    """The list; with `from`, the form that adds a calendar of that shape."""
    start = request.query_params.get("from", "")
    return await _show(request, seated, Form(), start=start, notice=NOTICES.get(did, ""))


@router.post("")
async def add(request: Request, seated: GmSeat) -> Response:
    """Add a calendar. A repeated press finds it there."""
    form = fill(NewForm, await read(request))
    key = form.typed.get("shape")
    if key != OWN and key not in PRESETS:
        raise Refusal("Choose one of the calendars.", "Go back to the list of them.")
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            book = await books.read(session, seated.campaign.id)
            shape = shape_to_add(book, data.shape)
            assert shape is not None
            others = book.settings.others
            new = data.of(max((one.key for one in others), default=0) + 1, shape, book.today)
            if not any(new == one.model_copy(update={"key": new.key}) for one in others):
                if len(others) == MOST_OTHERS:
                    raise Refusal("There are three further calendars already.", "Remove one first.", field="name")
                await _keep(request, session, seated, (*others, new), data.version)
        return RedirectResponse(f"{seated.base}/calendar/others?did=added", 303)
    return await _show(request, seated, form, form.status, start=form.typed.get("shape"))


@router.post("/{other}")
async def change(request: Request, seated: GmSeat, other: int) -> Response:
    """Rename a calendar, or set the date that it writes for today."""
    form = fill(OtherForm, await read(request))
    async with sessions(request)() as session:
        _find(await books.read(session, seated.campaign.id), other)
    with form.refusing():
        data = form.checked()
        async with changing(request, seated.campaign.id) as session:
            book = await books.read(session, seated.campaign.id)
            there = _find(book, other)
            new = data.of(other, there.shape, book.today)
            changed = tuple(new if one.key == other else one for one in book.settings.others)
            await _keep(request, session, seated, changed, data.version)
        return RedirectResponse(f"{seated.base}/calendar/others?did=saved", 303)
    return await _show(request, seated, form, form.status, key=other)


@router.post("/{other}/remove")
async def remove(request: Request, seated: GmSeat, other: int) -> Response:
    """Remove a calendar; entries stay on their days."""
    form = fill(RemovalForm, await read(request))
    async with sessions(request)() as session:
        _find(await books.read(session, seated.campaign.id), other)
    with form.refusing():
        data = form.checked("Use the page's buttons.")
        async with changing(request, seated.campaign.id) as session:
            book = await books.read(session, seated.campaign.id)
            left = tuple(one for one in book.settings.others if one.key != other)
            await _keep(request, session, seated, left, data.version)
        return RedirectResponse(f"{seated.base}/calendar/others?did=removed", 303)
    return await _show(request, seated, Form(wrong=form.wrong, status=form.status), form.status)


def shape_to_add(book: CalendarState, key: str) -> Shape | None:
    """The shape of that key: a preset, or the campaign's own without its eras, to count other years."""
    return book.shape.model_copy(update={"eras": ()}) if key == OWN else PRESETS.get(key)


def _find(book: CalendarState, key: int) -> OtherCalendar:
    found = next((one for one in book.settings.others if one.key == key), None)
    if found is None:
        raise NotThere("This calendar was removed.", "You can add it again.")
    return found


async def _keep(
    request: Request, session: AsyncSession, seated: SeatSession, others: tuple[OtherCalendar, ...], version: int
) -> None:
    vault = request.app.state.runtime.vault
    await books.choose_others(session, vault, seated.campaign.id, others, version)


async def _show(
    request: Request,
    seated: SeatSession,
    form: Form[OtherForm] | Form[NewForm],
    status: int = 200,
    *,
    start: str = "",
    key: int = 0,
    notice: str = "",
) -> Response:
    """The page; `form` is that of the calendar `key`, or the one that adds a calendar with the shape `start`."""
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
    others = book.settings.others
    shape = shape_to_add(book, start)
    return render(
        request,
        "calendar/others.html",
        status,
        seated=seated,
        book=book,
        form=form,
        empty=Form(),
        key=key,
        wrong=form.faults.get("") or form.faults.get("shape") or (form.wrong if not (key or shape) else ""),
        notice=notice,
        others=[(one, one.count.date(book.today), months_of(one.shape), taste(one.shape)) for one in others],
        start=start,
        adding=shape,
        adding_date=Date(book.count.date(book.today).year, 1, 1),
        adding_months=months_of(shape) if shape is not None else (),
        adding_taste=taste(shape) if shape is not None else "",
        shapes=[
            (OWN, f"{book.shape.name}, as now, to count other years"),
            *((one, shape.name) for one, shape in PRESETS.items()),
        ],
        room=len(others) < MOST_OTHERS,
    )


def months_of(shape: Shape) -> list[tuple[str, str]]:
    return [(str(number), month.name) for number, month in enumerate(shape.months, start=1)]
