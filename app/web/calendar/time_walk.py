"""The GM's page for letting time pass: what lies ahead, one press to go there, what happened, and undoing it."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import advance, entries, history
from app.almanac import calendar_state as books
from app.almanac import undo as undo_steps
from app.almanac.advance import MOST_JUMP, Ahead
from app.almanac.calendar_state import MOST_DAY
from app.almanac.time_walk import Upcoming
from app.campaign import aid, promoting
from app.campaign.promoting import Bereaved
from app.crypto.vault import Vault
from app.errors import NotThere, Refusal
from app.models.almanac import Crossing, Entry
from app.models.people import Member
from app.play import next_up
from app.table import pauses
from app.table.runtime import Runtime, close_due
from app.web.calendar import words as said
from app.web.calendar.entries import Picking, back_to, picked_day, show_entry
from app.web.calendar.pages import CalendarPage, DateTyped, Number, date_query, day_number, desk_of
from app.web.calendar.words import CalendarQuery
from app.web.forms.reading import Form, Version, take
from app.web.http.seat_session import GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar")

FAR = 400  # days ahead in which the page looks for the next entry
DOES: Mapping[str, str] = {
    "runs": "happens automatically",
    "passes": "nothing happens",
    "stops": "time stops here",
    "lives": "rolled day by day",
    "held": "in a scene, so these days have no effect",
}


async def _allow(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, entry: uuid.UUID, seen: int, day: int, by: Member
) -> Entry:
    """Has the signature of the other decisions; ignores the day."""
    return await next_up.allow(session, vault, campaign, entry, seen, by)


Decision = Callable[[AsyncSession, Vault, uuid.UUID, uuid.UUID, int, int, Member], Awaitable[Entry]]
DECISIONS: Mapping[str, Decision] = {
    "put-off": entries.move,
    "allow": _allow,
    "pause": next_up.pause,
    "next-leg": next_up.next_leg,
}


class Moving(BaseModel):
    """The day to go to, and the version that the page had shown."""

    to: Annotated[int, Field(ge=-MOST_DAY, le=MOST_DAY)]
    version: Version
    request: Annotated[uuid.UUID, Field(alias="_once")]


@router.get("/move")
async def ahead(request: Request, seated: GmSeat, date_typed: DateTyped, to: Number = "") -> Response:
    """Choose a date and preview the time walk."""
    return await _desk(request, seated, to=to, typed=date_typed)


@router.post("/go")
async def move(request: Request, seated: GmSeat) -> Response:
    """Let time pass; redirects to the page of what happened."""
    form = await take(request, Moving)
    with form.refusing():
        given, vault = form.checked("Choose a day first."), request.app.state.runtime.vault
        async with changing(request, seated.campaign.id) as session:
            what = (given.to, given.version, given.request)
            crossing = await advance.advance(session, vault, seated.campaign.id, seated.member, *what)
        return RedirectResponse(f"{seated.base}/calendar/moved/{crossing.id}", 303)
    return await _desk(request, seated, form.status, to=str(form.data.to) if form.data else "", wrong=form.wrong)


@router.get("/moved/{crossing_id}")
async def moved(request: Request, seated: GmSeat, crossing_id: uuid.UUID, did: str = "") -> Response:
    """The events of one time walk, with their dice."""
    return await _moved(request, seated, crossing_id, did=did)


@router.post("/moved/{crossing_id}/undo")
async def undo(request: Request, seated: GmSeat, crossing_id: uuid.UUID) -> Response:
    """Undo a time walk."""
    form: Form[Any] = Form()
    with form.refusing():
        async with changing(request, seated.campaign.id) as session:
            await undo_steps.undo(
                session, request.app.state.runtime.vault, seated.campaign.id, crossing_id, seated.member
            )
        return RedirectResponse(f"{seated.base}/calendar/moved/{crossing_id}?did=undone", 303)
    return await _moved(request, seated, crossing_id, form.status, wrong=form.wrong)


@router.post("/entries/{entry_id}/open")
async def open_scene(request: Request, seated: GmSeat, entry_id: uuid.UUID) -> Response:
    """Open the scene of an entry: from its brief if it has one, else with the form for a new scene."""
    form, vault = await _given(request, seated, entry_id), request.app.state.runtime.vault
    async with sessions(request)() as session:
        one = await entries.get_entry(session, seated.campaign.id, seated.member, entry_id)
    if one.brief is None:
        return RedirectResponse(f"{seated.base}/scenes/new?entry={entry_id}", 303)
    with form.refusing():
        seen = form.checked().version
        async with changing(request, seated.campaign.id) as session:
            scene = await next_up.open_from(session, vault, seated.campaign.id, entry_id, seen, seated.member)
        return RedirectResponse(f"{seated.base}/scene/{scene}", 303)
    return await _desk(request, seated, form.status, wrong=form.wrong)


@router.post("/entries/{entry_id}/decide/{what}")
async def decide(request: Request, seated: GmSeat, entry_id: uuid.UUID, what: str) -> Response:
    """A GM's decision about an entry, with a day if needed: put it off, allow a double booking, pause a long scene
    until then, or write the next leg of a journey."""
    act = DECISIONS.get(what)
    if act is None:
        raise NotThere("That decision does not exist.", "Go back and use the page's buttons.")
    form, vault = await _given(request, seated, entry_id), request.app.state.runtime.vault
    given = form.checked()
    scene_id = await _scene_of(request, seated, entry_id) if what == "pause" else None
    with form.refusing():
        async with changing(request, seated.campaign.id) as session, AsyncExitStack() as locked:
            if scene_id is not None:
                await _stop_clocks(request, session, seated, scene_id, locked)
            day = picked_day(given, await books.read(session, seated.campaign.id))
            await act(session, vault, seated.campaign.id, entry_id, given.version, day, seated.member)
    if form.wrong:
        if given.picked is not None:
            return await show_entry(request, seated, entry_id, form.status, wrong=form.wrong, picked=given.picked)
        return await _desk(request, seated, form.status, wrong=form.wrong)
    return RedirectResponse(back_to(seated, form.typed) or f"{seated.base}/calendar/move?did=decided", 303)


async def _scene_of(request: Request, seated: SeatSession, entry_id: uuid.UUID) -> uuid.UUID | None:
    async with sessions(request)() as session:
        return (await entries.get_entry(session, seated.campaign.id, seated.member, entry_id)).scene_id


async def _stop_clocks(
    request: Request, session: AsyncSession, seated: SeatSession, scene: uuid.UUID, locked: AsyncExitStack
) -> None:
    """Pauses the entry's open scene at the table too, in the same transaction: both pause, or neither. The GM resumes
    it there when its day has come."""
    runtime: Runtime = request.app.state.runtime
    live = await locked.enter_async_context(runtime.joined(session, seated.campaign.id, scene))
    await close_due(session, live)
    if live.row.status == "open" and live.row.paused_at is None:
        await pauses.pause(session, live, seated.member, without_end=True)


async def _given(request: Request, seated: SeatSession, entry_id: uuid.UUID) -> Form[Picking]:
    async with sessions(request)() as session:
        await entries.get_entry(session, seated.campaign.id, seated.member, entry_id)
    form = await take(request, Picking)
    if form.data is None:
        raise Refusal("That is not one of this page's buttons.", "Go back, reload the page and try again.")
    return form


async def _desk(
    request: Request,
    seated: SeatSession,
    status: int = 200,
    *,
    to: str = "",
    typed: tuple[str, str, str] = ("", "", ""),
    wrong: str = "",
) -> Response:
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, CalendarQuery(seated.base))
        today, count = desk.book.today, desk.book.count
        wanted, wrong_date = _wanted(desk, to, typed)
        if wrong_date:
            status = 422
        nearest = await _nearest(session, seated, desk)
        if wanted is None:
            wanted = nearest[0] if nearest is not None else today + 1
        wanted = min(max(wanted, today + 1), today + MOST_JUMP, MOST_DAY)
        seen = await advance.preview(session, seated.campaign.id, seated.member, wanted)
        next_scene = await next_up.proposed(session, seated.campaign.id, seated.member)
        booked = await next_up.double_booked(session, seated.campaign.id, seated.member)
        last = await undo_steps.last(session, seated.campaign.id)
        stopping = await next_up.stopping(session, seated.campaign.id, seated.member, seen.stops)
        mourned = await _mourned(session, seated, seen) if any(one.kind == "successor" for one in seen.stops) else []
        waits_for_aid = await aid.dying(session, seated.member)
    context = desk.context(wanted, "Let time pass", "/move")
    context |= {
        "dying": waits_for_aid,
        "ahead": seen,
        "lines": _lines(desk, seen),
        "held_up": seen.to_day == today,
        "way_on": advance.way_on(seen.stops),
        "mourned": mourned,
        "stopping": stopping,
        "to_said": count.said(seen.to_day),
        "wanted_said": count.said(wanted),
        "nearest": nearest and (nearest[0], nearest[1], said.distance(nearest[0] - today)),
        "choices": [(today + 1, "One day"), (today + 7, "Seven days"), (today + 30, "Thirty days")],
        "wanted": wanted,
        "next": next_scene,
        "next_when": count.said(next_scene.day) if next_scene is not None else "",
        "booked": [(one, clash, other, count.said(clash.legal)) for one, clash, other in booked],
        "names": desk.names,
        "last": last,
        "wrong": wrong,
        "wrong_date": wrong_date,
        "once": str(uuid.uuid4()),
        "does": DOES,
        "said": count.said,
        "notice": {"decided": "Saved."}.get(request.query_params.get("did", ""), ""),
    }
    if wrong_date:
        context |= dict(zip(("typed_year", "typed_month", "typed_day"), typed, strict=True))
    return render(request, "calendar/move.html", status, **context)


async def _mourned(session: AsyncSession, seated: SeatSession, seen: Ahead) -> list[Bereaved]:
    """The dead characters without a successor for whom time waits, with the rules' suggestions."""
    slugs = {slug for stop in seen.stops if stop.kind == "successor" for slug in stop.people}
    found = await promoting.bereaved(session, seated.member)
    return [one for one in found if one.character.slug in slugs]


def _wanted(desk: CalendarPage, to: str, typed: tuple[str, str, str]) -> tuple[int | None, str]:
    """The requested day, by its number or by a date, and an error if the date is wrong."""
    if any(typed):
        found = date_query(desk.book, *typed)
        if found.wrong or found.number > desk.book.today:
            return found.number, found.wrong
        return None, "Time only moves forward. Choose a day after today."
    return day_number(to.strip()), ""


async def _nearest(session: AsyncSession, seated: SeatSession, desk: CalendarPage) -> tuple[int, str] | None:
    """The first day after today with an entry, and the entry's title."""
    today = desk.book.today
    for far in (40, FAR):
        found = await entries.between(session, seated.campaign.id, seated.member, today + 1, today + far)
        there = next((one for one in found if one.first > today and one.state != "done"), None)
        if there is not None:
            return there.first, there.title
    return None


def _lines(desk: CalendarPage, seen: Ahead) -> list[tuple[str, list[Upcoming]]]:
    """The lines of the preview, by day."""
    under: dict[str, list[Upcoming]] = {}
    for line in seen.lines:
        under.setdefault(said.when(desk.book.count, line.day, line.last), []).append(line)
    return list(under.items())


async def _moved(
    request: Request, seated: SeatSession, crossing_id: uuid.UUID, status: int = 200, *, did: str = "", wrong: str = ""
) -> Response:
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, CalendarQuery(seated.base))
        crossing = await session.scalar(
            select(Crossing).where(Crossing.campaign_id == seated.campaign.id, Crossing.id == crossing_id)
        )
        if crossing is None:
            raise NotThere("There is no record of that passage of time.", "The calendar shows the current day.")
        happened = await history.done_by(session, seated.campaign.id, crossing)
        last = await undo_steps.last(session, seated.campaign.id)
        is_last = last is not None and last.id == crossing.id
        hinders = await undo_steps.in_the_way(session, seated.campaign.id, crossing) if is_last else []
        noted = await undo_steps.noted(session, crossing)
        next_scene = await next_up.proposed(session, seated.campaign.id, seated.member)
    count = desk.book.count
    context = desk.context(crossing.to_day, "Time has passed" if crossing.undone_at is None else "Undone", "/move")
    context |= {
        "crossing": crossing,
        "from_said": count.said(crossing.from_day),
        "to_said": count.said(crossing.to_day),
        "wanted_said": count.said(crossing.wanted_day),
        "stops": crossing.before.get("stops", []),
        "days": desk.told(happened),
        "is_last": is_last,
        "hinders": hinders,
        "noted": [f"“{one.title}” ({count.said(one.day)})" for one in noted],
        "next": next_scene,
        "next_when": count.said(next_scene.day) if next_scene is not None else "",
        "wrong": wrong,
        "notice": "Undone. The date and everything the days changed are back to what they were."
        if did == "undone"
        else "",
    }
    return render(request, "calendar/moved.html", status, **context)
