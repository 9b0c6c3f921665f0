"""Importing a calendar: preview what would be imported and what would not, then import it in one go."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.entries import EntryTyped, State
from app.calendar.days import reckoning
from app.calendar.imports import ForeignEntry, Imported, as_bytes, restored
from app.errors import BadFile
from app.foreign.door import Busy, Door, Job
from app.web.calendar.shape import previewed
from app.web.forms.reading import MOST_FILE, Form, read_file
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/shape/import")

MOST_SHOWN = 12
CALENDAR = Job(
    "calendar file",
    "Remove repeating events or leap days and try again.",
    as_bytes,
    restored,
    most_in=4 * MOST_FILE,  # a megabyte of characters
    most_out=16 * MOST_FILE,
    seconds=10,
)


@dataclass(frozen=True, slots=True)
class CalendarUpload:
    """A file's text, from either field, and its conversion."""

    text: str = ""
    version: int = 0
    imported: Imported | None = None
    wrong: str = ""


@router.get("")
async def page(request: Request, seated: GmSeat) -> Response:
    return await _show(request, seated, CalendarUpload())


@router.post("")
async def bring(request: Request, seated: GmSeat) -> Response:
    """Without "take", the preview. With it, imports the calendar, its date and its entries, all or none."""
    typed, uploaded = await read_file(request, "file")
    seen, text = typed.number("_version"), uploaded or typed.get("text")
    try:
        sent = CalendarUpload(text, seen, await _converted(request, text))
    except BadFile as wrong:
        return await _show(request, seated, CalendarUpload(text, seen, None, str(wrong)), 422)
    except Busy as busy:
        return await _show(request, seated, CalendarUpload(text, seen, None, busy.text), busy.status)
    if typed.get("_do") != "take" or sent.imported is None:
        return await _show(request, seated, sent)
    form: Form[Any] = Form(typed)
    with form.refusing():
        await _take(request, seated, sent.imported, seen)
        return RedirectResponse(f"{seated.base}/calendar?did=imported", 303)
    return await _show(request, seated, CalendarUpload(text, 0, sent.imported, form.wrong), form.status)


async def _converted(request: Request, text: str) -> Imported:
    door: Door = request.app.state.door
    return await door.read(CALENDAR, text.encode("utf-8", "replace"))


async def _take(request: Request, seated: SeatSession, imported: Imported, seen: int) -> None:
    """Checks the version that the preview had shown, so that a repeated press imports once."""
    vault, campaign = request.app.state.runtime.vault, seated.campaign.id
    async with changing(request, campaign) as session:
        await books.choose_shape(session, vault, campaign, imported.shape, seen, imported.today)
        several = [(_typed(one), _state(one)) for one in imported.entries]
        await entries.add_all(session, vault, campaign, seated.member, several)


def _state(one: ForeignEntry) -> State:
    return "done" if one.done else "open"


def _typed(one: ForeignEntry) -> EntryTyped:
    return EntryTyped(
        kind=one.kind,  # type: ignore[arg-type]
        title=one.title,
        text=one.text,
        place=one.place,
        day=one.day,
        last_day=one.last_day,
        minute=one.minute,
        rule=one.rule,
        seen_by="gm" if one.hidden else "all",
        standing=one.standing,
        starts_at=one.starts_at,
        minutes=one.minutes,
    )


async def _show(request: Request, seated: SeatSession, sent: CalendarUpload, status: int = 200) -> Response:
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
    imported = sent.imported
    context: dict[str, Any] = {"seated": seated, "book": book, "sent": sent, "imported": imported, "preview": None}
    if imported is not None:
        context["preview"] = previewed(book, imported.shape, imported.today, [])
        context["count"] = reckoning(imported.shape)
        context["some"] = imported.entries[:MOST_SHOWN]
    return render(request, "calendar/import.html", status, **context)
