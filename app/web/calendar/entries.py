"""Entries of the calendar: adding, showing, changing, cancelling, and replying to them."""

import uuid
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

from app.almanac import calendar_state as books
from app.almanac import entries, rsvp
from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.almanac.entries import EntryTyped
from app.almanac.visibility import Occurrence
from app.calendar.repeat import upcoming
from app.campaign import seats, tokens
from app.errors import NotYours, Refusal
from app.models.people import Role
from app.play.chain import chain_of_entry
from app.table import legs
from app.web.calendar import entry_form as forms
from app.web.calendar import words as said
from app.web.calendar.entry_form import EntryForm
from app.web.calendar.pages import CalendarPage, Number, date_query, day_number, desk_of, show_month
from app.web.calendar.quick_add import FIELD, QuickAdd, typed_on
from app.web.calendar.usual import UsualDurations, usual_of, worked_out
from app.web.calendar.words import CalendarQuery
from app.web.forms.entry_briefs import rules_of
from app.web.forms.moments import ZONES
from app.web.forms.reading import Form, TypedPairs, Version, fill, read, take
from app.web.http.seat_session import CurrentSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar/entries")

TIMES = 5


class Marking(BaseModel):
    """The new state of an entry, and the version that the page had shown."""

    version: Version
    state: Literal["open", "paused", "done", "dropped"] = "dropped"


class Picking(BaseModel):
    """A button beside an entry: its version as the page had shown it, and a day if it needs one, by number or date."""

    version: Version
    day: Annotated[int, Field(ge=-MOST_DAY, le=MOST_DAY)] = 0
    pick_day: Number = ""
    pick_month: Number = ""
    pick_year: Number = ""

    @property
    def picked(self) -> tuple[str, str, str] | None:
        """The year, month and day as typed; None if the day came by its number."""
        return (self.pick_year, self.pick_month, self.pick_day) if self.pick_day or self.pick_year else None


def picked_day(given: Picking, book: CalendarState) -> int:
    """The day's number. Raises `Refusal` if there is no such date."""
    if given.picked is None:
        return given.day
    found = date_query(book, *given.picked)
    if found.wrong:
        raise Refusal(found.wrong)
    return found.number


class Replying(BaseModel):
    answer: Literal["yes", "maybe", "no"]


@router.get("/new")
async def new(request: Request, seated: CurrentSeat, day: Number = "", who: Number = "", kind: Number = "") -> Response:
    """The form for a new entry, with a first day (by its number) and a character filled in."""
    _writes(seated)
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, CalendarQuery(seated.base))
    number = _number(day, desk.book.today)
    typed = forms.blank(desk.book, number, [who] if who in desk.names else [])
    typed = TypedPairs((*typed.pairs, ("kind", kind if kind in said.KINDS else "note")))
    return await _form(request, seated, desk, Form(typed))


@router.post("")
async def add(request: Request, seated: CurrentSeat) -> Response:
    """Add the entry, from the full form or the short one on a day of the month. If the preview of next times or the
    rest of the form was asked for, show the full form with what was typed."""
    _writes(seated)
    typed = await read(request)
    on = day_number(typed.get(FIELD))
    return await _take(request, seated, None, typed, on if FIELD in typed else None)


@router.get("/{entry_id}")
async def entry_page(
    request: Request,
    seated: CurrentSeat,
    entry_id: uuid.UUID,
    on: Annotated[str, Query(max_length=12)] = "",
    did: str = "",
) -> Response:
    """One entry, and the form that changes it for members who may."""
    return await show_entry(request, seated, entry_id, on=on, did=did)


@router.post("/{entry_id}/change")
async def change(request: Request, seated: CurrentSeat, entry_id: uuid.UUID) -> Response:
    _writes(seated)
    return await _take(request, seated, entry_id, await read(request))


@router.post("/{entry_id}/mark")
async def mark(request: Request, seated: CurrentSeat, entry_id: uuid.UUID) -> Response:
    """Cancel an entry, reopen it, pause it, or mark it as done."""
    _writes(seated)
    form = await take(request, Marking)
    with form.refusing():
        given, vault = form.checked("Use the page's buttons."), request.app.state.runtime.vault
        async with changing(request, seated.campaign.id) as session:
            await entries.mark(session, vault, seated.campaign.id, entry_id, given.version, given.state, seated.member)
        here = f"{seated.base}/calendar/entries/{entry_id}?did={given.state}"
        return RedirectResponse(back_to(seated, form.typed) or here, 303)
    return await show_entry(request, seated, entry_id, form.status, wrong=form.wrong)


def back_to(seated: SeatSession, typed: TypedPairs) -> str:
    """The page of a stop's three buttons, the GM's desk or the one where time passes; "" for buttons elsewhere."""
    return {"desk": f"{seated.base}/desk", "move": f"{seated.base}/calendar/move"}.get(typed.get("_page"), "")


@router.post("/{entry_id}/move")
async def move(request: Request, seated: CurrentSeat, entry_id: uuid.UUID) -> Response:
    """Move an entry to another day, from its own page or dragged there on the month, which fetches itself anew."""
    _writes(seated)
    dragged = bool(request.headers.get("HX-Request"))  # then a refusal is told above the month
    form, vault = await take(request, Picking), request.app.state.runtime.vault
    if dragged:
        request.scope["signet.typed"] = ()  # nothing was typed that the refusal would have to keep
    with nullcontext() if dragged else form.refusing():
        given = form.checked("Choose a day.")
        async with changing(request, seated.campaign.id) as session:
            day = picked_day(given, await books.read(session, seated.campaign.id))
            await entries.move(session, vault, seated.campaign.id, entry_id, given.version, day, seated.member)
        if dragged:
            return Response(status_code=204)
        return RedirectResponse(f"{seated.base}/calendar/entries/{entry_id}?did=moved", 303)
    picked = (form.typed.get("pick_year"), form.typed.get("pick_month"), form.typed.get("pick_day"))
    return await show_entry(request, seated, entry_id, form.status, wrong=form.wrong, picked=picked)


@router.post("/{entry_id}/reply")
async def reply(request: Request, seated: CurrentSeat, entry_id: uuid.UUID) -> Response:
    """Reply to an invitation with yes, maybe or no."""
    _writes(seated)
    form = await take(request, Replying)
    with form.refusing():
        given = form.checked("Press one of the three answers.")
        async with changing(request, seated.campaign.id) as session:
            await rsvp.answer(session, seated.campaign.id, seated.member, entry_id, given.answer)
        return RedirectResponse(f"{seated.base}/calendar/entries/{entry_id}?did=answered", 303)
    return await show_entry(request, seated, entry_id, form.status, wrong=form.wrong)


async def _take(
    request: Request, seated: SeatSession, entry_id: uuid.UUID | None, given: TypedPairs, on: int | None = None
) -> Response:
    """Handle a form that adds an entry or changes one; `on` is the day of the short form."""
    async with sessions(request)() as session:
        cal = given.get("_cal") if on is not None else ""
        desk = await desk_of(session, seated, CalendarQuery(seated.base, cal=cal))
        one = None
        if entry_id is not None:
            one = await entries.get_entry(session, seated.campaign.id, seated.member, entry_id)
            if not one.editable:
                raise NotYours("You cannot change this entry.", "Ask its author or a GM.")
    form = fill(EntryForm, given if on is None else typed_on(desk.book, on, given))
    act = form.typed.get("_act")
    if act == "more":
        form.faults.clear()  # the rest of the form is asked for, nothing is wrong yet
        return await _form(request, seated, desk, form)
    usual = usual_of(seated.campaign)
    if act == "usual" and usual is not None:
        form, usual = worked_out(form, desk.book, usual)
        return await _form(request, seated, desk, form, 422 if form.faults else 200, one=one, usual=usual)
    typed = forms.read(form, desk.book, one.brief if one is not None else None)
    if act == "times":
        skipped = "" if typed is None or typed.rule is None else said.skipped(typed.rule, desk.count)
        return await _form(request, seated, desk, form, one=one, times=_times(form, desk), skipped=skipped)
    with form.refusing(at=lambda field: "repeat" if field == "rule" else field):
        version = form.checked().version
        assert typed is not None
        saved = await _keep(request, seated, entry_id, typed, version, form.typed.get("_once"))
        if on is not None:
            date = desk.count.date(on)
            return RedirectResponse(desk.look.to("", year=date.year, month=date.month, did="added"), 303)
        return RedirectResponse(f"{seated.base}/calendar/entries/{saved}?did={'changed' if entry_id else 'added'}", 303)
    if on is not None:
        return await show_month(request, seated, desk.look, adding=QuickAdd(on, form))
    return await _form(request, seated, desk, form, form.status, one=one)


async def _keep(
    request: Request, seated: SeatSession, entry_id: uuid.UUID | None, typed: EntryTyped, version: int, once: str
) -> uuid.UUID:
    vault, campaign = request.app.state.runtime.vault, seated.campaign.id
    async with changing(request, campaign) as session:
        if entry_id is None:
            return (await entries.add(session, vault, campaign, seated.member, typed, once)).id
        return (await entries.change(session, vault, campaign, entry_id, version, typed, seated.member)).id


async def _form(
    request: Request,
    seated: SeatSession,
    desk: CalendarPage,
    form: Form[EntryForm],
    status: int = 200,
    *,
    one: Occurrence | None = None,
    times: Sequence[str] | None = None,
    skipped: str = "",
    usual: UsualDurations | None = None,
) -> Response:
    async with sessions(request)() as session:
        members = await seats.members(session, seated.campaign.id)
    context = desk.context(desk.book.today, "New calendar entry", "")
    context |= {"form": form, "one": one, "members": [who for who in members if who.role != Role.GM], "zones": ZONES}
    context |= {
        "times": times,
        "skipped": skipped,
        "usual": usual or usual_of(seated.campaign),
        "my_kinds": said.kinds_for(is_gm=seated.is_gm, now=one.kind if one is not None else ""),
        "nth_words": said.NTH,
    }
    context["once"] = form.typed.once or tokens.fresh()
    if one is not None:
        context |= {"title": one.title}
    return render(request, "calendar/form.html", status, **context)


async def show_entry(
    request: Request,
    seated: SeatSession,
    entry_id: uuid.UUID,
    status: int = 200,
    *,
    on: str = "",
    did: str = "",
    wrong: str = "",
    picked: tuple[str, str, str] | None = None,
) -> Response:
    """An entry's page; `picked` is the year, month and day typed for another date."""
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, CalendarQuery(seated.base))
        one = await entries.get_entry(session, seated.campaign.id, seated.member, entry_id)
        coming = await rsvp.who_comes(
            session, seated.campaign.id, seated.member, [one] if one.kind == "session" else []
        )
        members = await seats.members(session, seated.campaign.id)
        chain = await chain_of_entry(session, seated.member, desk.book, one)
        vault = request.app.state.runtime.vault
        goes_by_legs = one.scene_id is not None and await legs.are_in(session, vault, seated.campaign.id, one.scene_id)
    count, first, today = desk.book.count, _number(on, one.first), desk.book.today
    coming_days = upcoming(one.rule, count, today, TIMES) if one.rule is not None else []
    known = {str(who.id): who.name for who in members}
    context = desk.context(
        first,
        one.title,
        "",
        one=one,
        kind=said.kind_of(one),
        goes_by_legs=goes_by_legs,
        changeable=rules_of(one.brief) is not None,
        first=first,
        when=said.when(count, first, first + one.last - one.first),
        away=said.distance(first - today),
        hour=said.hour(desk.book.shape, one.minute) if one.minute is not None else "",
        repeats=said.repeats(one.rule, desk.book.shape) if one.rule is not None else "",
        skipped=said.skipped(one.rule, count) if one.rule is not None else "",
        next_times=[count.said(day) for day in coming_days] if one.series_day <= today else [],
        again=bool(coming_days),
        author=known.get(str(one.author_id), "a player who has left"),
        private=said.kept_from(one),
        viewers=[known[who] for who in one.viewers if who in known] if one.editable else [],
        coming=coming.get(one.id, []),
        names=desk.names,
        states=said.STATES,
        form=Form(forms.typed_of(one, desk.book)) if one.editable else Form(),
        wrong=wrong,
        notice=_notice(did),
    )
    context["self_address"] = f"{seated.base}/calendar/entries/{one.id}?on={first}"
    context |= {"members": [who for who in members if who.role != Role.GM], "zones": ZONES, "times": None}
    context |= {"usual": usual_of(seated.campaign), "before": chain.before, "after": chain.after}
    context |= {
        "my_kinds": said.kinds_for(is_gm=seated.is_gm, now=one.kind),
        "nth_words": said.NTH,
        "deciding": picked is not None,
    }
    context |= dict(zip(("typed_year", "typed_month", "typed_day"), picked or (), strict=False))
    return render(request, "calendar/entry.html", status, **context)


def _notice(did: str) -> str:
    return {
        "added": "Entry added.",
        "changed": "Entry saved.",
        "dropped": "Entry cancelled. Time ignores it, and the calendar hides it.",
        "open": "Entry reopened.",
        "paused": "Entry paused: other scenes can come first.",
        "done": "Marked as done.",
        "moved": "Entry moved. To undo that, move it back.",
        "answered": "Answer saved. You can change it at any time.",
    }.get(did, "")


def _times(form: Form[EntryForm], desk: CalendarPage) -> list[str]:
    """The next dates of the typed entry, in words; if there are none, the reason."""
    typed = forms.read(form, desk.book)
    if typed is None:
        return [next(iter(form.faults.values()), "")]
    if typed.rule is None:
        return [said.when(desk.book.count, typed.day, typed.last_day or typed.day)]
    days = entries.upcoming_of(typed.rule, desk.book, typed.day, TIMES)
    length = (typed.last_day or typed.day) - typed.day
    return [said.when(desk.book.count, day, day + length) for day in days] or ["Never in this calendar."]


def _number(text: str, otherwise: int) -> int:
    number = day_number(text)
    return number if number is not None and abs(number) < 390_000_000 else otherwise


def _writes(seated: SeatSession) -> None:
    if seated.role == Role.SPECTATOR:
        raise NotYours("Spectators cannot add calendar entries.", "Ask a GM to make you a player.")
