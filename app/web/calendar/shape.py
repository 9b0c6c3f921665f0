"""The calendar's shape, for GMs: choose one, change every part of it, and preview what it does to dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Occurrence
from app.calendar.days import Date, Reckoning, reckoning
from app.calendar.presets import PRESETS
from app.calendar.repeat import WithMoon, upcoming
from app.calendar.shape import Shape
from app.engine.ruleset import Faults
from app.web.calendar import month as sheets
from app.web.calendar.month import DayContents, MonthSheet
from app.web.calendar.preset_cards import preset_cards
from app.web.calendar.shape_form import ParsedShape, ShapeDraft
from app.web.forms.reading import Form, read
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/shape")

AHEAD = 400  # days ahead in which the preview looks for entries
MOST_TOLD = 8


@dataclass(frozen=True, slots=True)
class Feast:
    name: str
    said: str
    days: int


@dataclass(frozen=True, slots=True)
class Sky:
    name: str
    phase: str
    full: str
    disc: sheets.Disc


@dataclass(frozen=True, slots=True)
class DateChange:
    """An entry's date, before and after the change."""

    title: str
    before: str
    after: str
    repeats: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a shape."""

    before: str
    after: str
    months: tuple[MonthSheet, ...]
    parts: tuple[sheets.SeasonPart, ...]
    feasts: tuple[Feast, ...]
    skies: tuple[Sky, ...]
    season: str
    next_season: str
    year: str
    told: tuple[DateChange, ...]


@router.get("")
async def page(request: Request, seated: GmSeat) -> Response:
    preset = PRESETS.get(request.query_params.get("from", ""))
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
    new = book.version == 1
    return await show(request, seated, ShapeDraft.of(preset or book.shape, book, by_date=new), version=book.version)


@router.post("")
async def change(request: Request, seated: GmSeat) -> Response:
    """Show the draft, add, remove or move rows, or save it, depending on the pressed button."""
    typed = await read(request)
    draft, what = ShapeDraft.typed(typed.pairs), typed.get("_do", "show")
    seen = typed.number("_version")
    if what not in ("show", "keep"):
        draft.act(what)
        return await show(request, seated, draft, version=seen)
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
    meant = draft.read(book)
    if what == "show" or meant.shape is None:
        return await show(request, seated, draft, 422 if meant.faults else 200, version=seen, faults=meant.faults)
    form: Form[Any] = Form(typed)
    with form.refusing():
        await _keep(request, seated, meant, meant.shape, book, seen)
        return RedirectResponse(f"{seated.base}/calendar?did=shaped", 303)
    return await show(request, seated, draft, form.status, version=book.version, faults=form.faults)


async def _keep(
    request: Request, seated: SeatSession, meant: ParsedShape, shape: Shape, book: CalendarState, seen: int
) -> None:
    vault, campaign = request.app.state.runtime.vault, seated.campaign.id
    async with changing(request, campaign) as session:
        now = await books.choose_shape(session, vault, campaign, shape, seen, meant.today)
        if meant.fog != book.fog:
            await books.choose_settings(session, vault, campaign, meant.fog, now.settings, now.version)


async def show(
    request: Request,
    seated: SeatSession,
    draft: ShapeDraft,
    status: int = 200,
    *,
    version: int,
    faults: Faults | None = None,
) -> Response:
    """The page with a draft and its preview; `faults` are shown at their fields."""
    async with sessions(request)() as session:
        book = await books.read(session, seated.campaign.id)
        days = (book.today, book.today + AHEAD)
        found = await entries.between(session, seated.campaign.id, seated.member, *days)
    meant = draft.read(book)
    preview = None if meant.shape is None else previewed(book, meant.shape, meant.today, found)
    context: dict[str, Any] = {
        "seated": seated,
        "book": book,
        "draft": draft,
        "version": version,
        "faults": faults or {},
        "preview": preview,
        "stops": meant.faults,
        "cards": preset_cards(),
        "month_names": [row.get("name") or f"month {n}" for n, row in enumerate(draft.rows["months"], start=1)],
        "weekday_names": [day.strip() for day in draft.get("weekdays").split("\n") if day.strip()],
    }
    return render(request, "calendar/shape.html", status, **context)


def previewed(book: CalendarState, shape: Shape, today: int, found: Sequence[Occurrence]) -> Preview:
    """The preview of a shape: today's date and the entries' dates under it."""
    count = reckoning(shape)
    date = count.date(today)
    lengths = count.lengths(date.year)
    months = tuple(one for one in sheets.chapter(count, date.month) if lengths[one - 1])
    laid = tuple(sheets.lay(count, date.year, one, DayContents(today=today)) for one in months)
    first, last = laid[0].days[0].number, laid[-1].days[-1].number
    seasons = list(islice(_seasons(count, today), 1))
    now = count.season(today)
    return Preview(
        before=book.count.said(book.today),
        after=count.said(today),
        months=laid,
        parts=sheets.band(count, first, last),
        feasts=tuple(islice(_feasts(count, today), 4)),
        skies=tuple(_sky(count, number, today) for number in range(len(shape.moons))),
        season=now.name if now is not None else "",
        next_season=seasons[0] if seasons else "",
        year=f"{count.year_length(date.year):,} days in {len([one for one in lengths if one])} parts",
        told=_told(book, count, found),
    )


def _told(book: CalendarState, count: Reckoning, found: Sequence[Occurrence]) -> tuple[DateChange, ...]:
    """A few entries, without sessions, each once, with their dates under both shapes."""
    told: dict[Any, DateChange] = {}
    for one in found:
        if one.kind != "session" and len(told) < MOST_TOLD:
            line = DateChange(one.title, book.count.said(one.first), count.said(one.first), one.repeats)
            told.setdefault(one.id, line)
    return tuple(told.values())


def _feasts(count: Reckoning, today: int) -> Any:
    year, end = count.date(today).year, today + 20 * 400
    while count.new_year(year) <= end:
        for month, length in enumerate(count.lengths(year), start=1):
            if length and count.shape.months[month - 1].between:
                number = count.number(Date(year, month, 1))
                if number >= today:
                    yield Feast(count.shape.months[month - 1].name, count.said(number), length)
        year = 1 if count.shape.skip_zero and year == -1 else year + 1


def _seasons(count: Reckoning, today: int) -> Any:
    year = count.date(today).year
    for _ in range(2):
        for season in sorted(count.shape.seasons, key=lambda one: (one.month, one.day)):
            number = count.number(Date(year, season.month + 1, season.day))
            if number > today:
                yield f"{season.name} begins on {count.said(number)}"
        year = 1 if count.shape.skip_zero and year == -1 else year + 1


def _sky(count: Reckoning, number: int, today: int) -> Sky:
    moon = count.shape.moons[number]
    full = upcoming(WithMoon(moon=number, start=today), count, today - 1, 1)
    said = count.said(full[0]) if full else ""
    return Sky(moon.name, count.phase(moon, today), said, sheets.disc(count, moon, today))
