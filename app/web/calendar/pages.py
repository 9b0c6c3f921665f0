"""Pages that show the calendar: a month, a year, an agenda, one day, one character's time."""

import re
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import entries, history, rsvp, search, skies
from app.almanac.calendar_state import MOST_DAY, CalendarState, OtherCalendar
from app.almanac.history import DayRecord
from app.almanac.visibility import Occurrence
from app.calendar.days import Date, NoSuchDay, Reckoning
from app.calendar.weather import Weather
from app.campaign import character_visibility, names
from app.errors import NotThere
from app.models.people import Character, Role
from app.play import next_up
from app.play.chain import Ties, ties
from app.web.calendar import month as sheets
from app.web.calendar import words as said
from app.web.calendar.month import CalendarItem, Day, DayContents
from app.web.calendar.page_cache import cached
from app.web.calendar.preset_cards import preset_cards
from app.web.calendar.quick_add import QuickAdd, readers
from app.web.calendar.ways import month_name, ways_of_writing
from app.web.calendar.words import CalendarQuery, DayEventLine
from app.web.forms.reading import Form
from app.web.http.seat_session import CurrentSeat, SeatSession, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}/calendar")

AGENDA_DAYS = 60
MOST_IN_MONTH = 6  # lines for each month of a year
FARTHEST = MOST_DAY - 100_000  # of days that can be typed
MOST_LINES = 400  # most occurrences in an agenda or a character's time
NOTICES = {
    "added": "Entry added.",
    "changed": "Entry saved.",
    "dropped": "Entry cancelled. Anyone who can edit it can reopen it.",
    "opened": "Entry reopened.",
    "answered": "Answer saved.",
    "shaped": "Calendar saved.",
    "imported": "Calendar imported, with its entries.",
    "moved": "Time has passed.",
    "undone": "Undone. The date and everything the days changed are back to what they were.",
}


@dataclass(slots=True)
class CalendarPage:
    """The data that all pages of the calendar share, read once."""

    seated: SeatSession
    book: CalendarState
    look: CalendarQuery
    cast: Sequence[Character]
    names: dict[str, str]
    at: dict[str, object] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)  # the kinds on the page, for its legend
    other: OtherCalendar | None = None  # the further calendar in which the page is drawn
    tied: Mapping[uuid.UUID, Ties] = field(default_factory=dict)  # what entries follow from and led to

    @property
    def count(self) -> Reckoning:
        """The reckoning in which the page is drawn."""
        return self.book.count if self.other is None else self.other.count

    def contents(self, words: Sequence[CalendarItem] = (), adding: int | None = None) -> DayContents:
        main = None if self.other is None else self.book.count
        return DayContents(words, self.book.today, self.fog_from, adding, main)

    @property
    def fog_from(self) -> int | None:
        edge = self.book.edge
        return None if edge is None or self.seated.is_gm else edge + 1

    def told(self, happened: Sequence[DayRecord]) -> list[tuple[str, list[DayEventLine]]]:
        """The events of days, grouped by day."""
        rules = {one.slug: one.ruleset for one in self.cast}
        usual = str(self.seated.campaign.settings.get("ruleset", ""))
        under: dict[str, list[DayEventLine]] = {}
        for one in happened:
            book = next((rules[slug] for slug in one.people if slug in rules), usual)
            under.setdefault(self.book.count.said(one.day), []).append(said.day_event_line(one, book))
        return list(under.items())

    def words(self, some: Sequence[Occurrence]) -> list[CalendarItem]:
        self.shown |= {one.kind for one in some}
        return said.words(some, self.book, self.seated.base, self.names, self.tied)

    def folded(self, pairs: Iterable[tuple[Occurrence, CalendarItem]]) -> list[tuple[Occurrence, CalendarItem]]:
        return said.folded(pairs, self.book, self.seated.base)

    def context(self, number: int, title: str, path: str, **more: Any) -> dict[str, Any]:
        """The templates' shared context: `number` is the day that forms begin with."""
        date = self.count.date(number)
        context: dict[str, Any] = {
            "seated": self.seated,
            "book": self.book,
            "look": self.look,
            "cast": self.cast,
            "kinds": said.KINDS,
            "signs": said.SIGNS,
            "legend": [kind for kind in said.KINDS if kind in self.shown],
            "at": self.at,
            "title": title,
            "here_path": path,
            "can_write": self.seated.role != Role.SPECTATOR,
            "add_day": number,
            "typed_year": date.year,
            "typed_month": date.month,
            "typed_day": date.day,
            "wrong_date": "",
            "today_said": " · ".join(count.said(self.book.today) for count in self.book.counts),
            "count": self.count,
            "ways": ways_of_writing(self.book, self.look, path, number),
            "self_address": self.look.to(path, **self.at),
        }
        return context | more


Short = Annotated[str, Query(max_length=100)]


def looking(
    seated: CurrentSeat, kind: Short = "", who: Short = "", place: Short = "", q: Short = "", cal: Short = ""
) -> CalendarQuery:
    """The filters of an address. Unknown kinds, invalid slugs and NUL characters are dropped."""
    kind = kind if kind in said.KINDS else ""
    place, q = (" ".join(text.replace("\x00", " ").split()) for text in (place, q))
    return CalendarQuery(seated.base, kind, who if names.is_slug(who) else "", place, q, cal)


Looking = Annotated[CalendarQuery, Depends(looking)]
Number = Annotated[str, Query(max_length=12)]


def date_typed(year: Number = "", month: Number = "", day: Number = "") -> tuple[str, str, str]:
    return year, month, day


DateTyped = Annotated[tuple[str, str, str], Depends(date_typed)]
"""The date in an address: year, month and day."""


async def desk_of(session: AsyncSession, seated: SeatSession, look: CalendarQuery) -> CalendarPage:
    """The campaign's calendar and cast for one request."""
    cast = await character_visibility.known_characters(session, seated.member)
    book = await books.read(session, seated.campaign.id)
    other = next((one for one in book.settings.others if str(one.key) == look.cal), None)
    look = look if other is not None else replace(look, cal="")
    return CalendarPage(seated, book, look, cast, {one.slug: one.name for one in cast}, other=other)


@dataclass(frozen=True, slots=True)
class DateQuery:
    """A date in an address: its day number, and an error if the typed date is wrong."""

    number: int
    wrong: str = ""
    typed: tuple[str, str, str] = ("", "", "")


def date_query(book: CalendarState, year: str, month: str, day: str, count: Reckoning | None = None) -> DateQuery:
    """The typed date, of this reckoning or the campaign's own; today if none was typed or there is no such date."""
    if not (year or month or day):
        return DateQuery(book.today)
    typed = (year, month or "1", day or "1")
    try:
        numbers = [int(text) for text in typed]
    except ValueError:
        return DateQuery(book.today, "Enter day and year in digits.", typed)
    try:
        return DateQuery(sheets.typed_date(count or book.count, *numbers), "", typed)
    except NoSuchDay as wrong:
        return DateQuery(book.today, str(wrong), typed)


def day_number(text: str) -> int | None:
    """A day number in an address; None if there is none, or if it is out of the calendar's range."""
    number = int(text) if re.fullmatch(r"-?[0-9]{1,10}", text) else MOST_DAY
    return number if -MOST_DAY < number < MOST_DAY else None


@router.get("")
@cached
async def month(
    request: Request, seated: CurrentSeat, look: Looking, date_typed: DateTyped, did: Short = "", add: Number = ""
) -> Response:
    """A month; `add` is the number of a day to open the short form for a new entry on."""
    day = day_number(add) if seated.role != Role.SPECTATOR else None
    adding = QuickAdd(day, Form()) if day is not None and abs(day) <= FARTHEST else None
    return await show_month(request, seated, look, date_typed, did=did, adding=adding)


async def show_month(
    request: Request,
    seated: SeatSession,
    look: CalendarQuery,
    date_typed: tuple[str, str, str] = ("", "", ""),
    *,
    did: str = "",
    adding: QuickAdd | None = None,
) -> Response:
    """The month of the typed date, or of the day with the short form; with that form's status if it was refused."""
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, look)
        book, count, look = desk.book, desk.count, desk.look
        where = date_query(book, *date_typed, count) if adding is None else DateQuery(adding.day)
        date = count.date(where.number)
        lengths = count.lengths(date.year)
        months = tuple(one for one in sheets.chapter(count, date.month) if lengths[one - 1])
        first = count.number(Date(date.year, months[0], 1))
        last = count.number(Date(date.year, months[-1], lengths[months[-1] - 1]))
        found = await entries.between(session, seated.campaign.id, seated.member, first, last, look.want)
        desk.tied = await ties(session, seated.member, book, found)
        weather = await _weather(request, session, desk, {*range(first, last + 1), book.today})
        meetings = await rsvp.meetings(session, seated.campaign.id, seated.member, book)
        following = await next_up.proposed(session, seated.campaign.id, seated.member)
    on = desk.contents(desk.words(found), adding.day if adding is not None else None)
    named = sheets.named_month(count, months)
    desk.at = {"year": date.year, "month": named}
    before, after = (sheets.beside(count, date.year, named, step) for step in (-1, 1))
    season = book.count.season(first)
    anchor = book.today if not date_typed[2] and first <= book.today <= last else where.number
    fog = desk.fog_from
    context = desk.context(
        where.number if first <= where.number <= last else first,
        f"{count.shape.months[named - 1].name}, {count.year_name(date.year)}",
        "",
        sheets=[sheets.lay(count, date.year, one, on) for one in months],
        parts=sheets.band(book.count, first, last),
        moons=[sheets.disc(book.count, moon, book.today) for moon in book.shape.moons],
        season_words=f"{season.name.lower()} · " if season is not None else "",
        before=before and look.to("", year=before[0], month=before[1]),
        after=after and look.to("", year=after[0], month=after[1]),
        was=before and month_name(count, before[1]),
        will=after and month_name(count, after[1]),
        fogged=count.said(fog - 1) if fog is not None and fog <= last else "",
        meetings=[_meeting(desk, one) for one in meetings],
        next=following,
        next_when=book.count.said(following.day) if following is not None else "",
        notice=NOTICES.get(did, ""),
        adding=adding,
        readers=readers(book, where.number, is_gm=seated.is_gm),
        weather=weather,
        cards=preset_cards() if seated.is_gm and book.untouched else (),
        empty_form=Form(),
        ways=ways_of_writing(book, look, "", anchor),
    )
    if adding is not None:
        context["self_address"] = look.to("", add=adding.day)
    return _page(request, "calendar/month.html", context, where, adding.form.status if adding is not None else 200)


@router.get("/year")
@cached
async def year(request: Request, seated: CurrentSeat, look: Looking, date_typed: DateTyped) -> Response:
    """A year as a list of months, each with its entries."""
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, look)
        book, count, look = desk.book, desk.count, desk.look
        where = date_query(book, *date_typed, count)
        here = count.date(where.number).year
        first = count.new_year(here)
        last = first + count.year_length(here) - 1
        found = await entries.between(session, seated.campaign.id, seated.member, first, last, look.want)
    on = list(zip(found, desk.words(found), strict=True))
    months: list[dict[str, Any]] = []
    begins = first
    for number, length in enumerate(count.lengths(here), start=1):
        if not length:  # a month that only some years have
            continue
        ends = begins + length - 1
        inside = [item for _, item in desk.folded(pair for pair in on if begins <= max(pair[0].first, first) <= ends)]
        months.append(
            {
                "name": count.shape.months[number - 1].name,
                "festival": count.shape.months[number - 1].between,
                "days": length,
                "href": look.to("", year=here, month=number),
                "parts": sheets.band(book.count, begins, ends),
                "lines": [(count.date(max(one.first, first)).day, one) for one in inside[:MOST_IN_MONTH]],
                "more": len(inside) - MOST_IN_MONTH,
                "today": book.today - begins + 1 if begins <= book.today <= ends else 0,
                "past": ends < book.today,
                "fogged": desk.fog_from is not None and begins >= desk.fog_from,
            }
        )
        begins = ends + 1
    desk.at = {"year": here}
    before, after = (sheets.year_beside(count, here, step) for step in (-1, 1))
    context = desk.context(
        where.number,
        f"The year {count.year_name(here)}",
        "/year",
        months=months,
        before=None if before is None else look.to("/year", year=before),
        after=None if after is None else look.to("/year", year=after),
        was=None if before is None else count.year_name(before),
        will=None if after is None else count.year_name(after),
    )
    return _page(request, "calendar/year.html", context, where)


@router.get("/agenda")
@cached
async def agenda(request: Request, seated: CurrentSeat, look: Looking, date_typed: DateTyped) -> Response:
    """A list of entries from a day on; or, with search words, of all entries that match."""
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, look)
        book, count, look = desk.book, desk.count, desk.look
        where = date_query(book, *date_typed, count)
        first, more = where.number, False
        if look.q:
            found, more = await search.find(session, seated.campaign.id, seated.member, book, look.want)
        else:
            found = await entries.between(
                session, seated.campaign.id, seated.member, first, first + AGENDA_DAYS - 1, look.want
            )
        desk.tied = await ties(session, seated.member, book, found)
    lines = desk.folded(zip(found, desk.words(found), strict=True))
    desk.at = {"year": count.date(first).year, "month": count.date(first).month, "day": count.date(first).day}
    context = desk.context(
        first,
        f"Found: “{look.q}”" if look.q else f"From {count.said(first)}",
        "/agenda",
        days=_by_day(desk, lines[:MOST_LINES], None if look.q else first),
        first_said=count.said(first),
        last_said=count.said(first + AGENDA_DAYS - 1),
        span=AGENDA_DAYS,
        more=more or len(lines) > MOST_LINES,
        before=None if look.q else _agenda_at(desk, first - AGENDA_DAYS),
        after=None if look.q else _agenda_at(desk, first + AGENDA_DAYS),
        was="Earlier",
        will="Later",
    )
    return _page(request, "calendar/agenda.html", context, where)


@router.get("/day")
async def one_day(request: Request, seated: CurrentSeat, at: Number = "") -> Response:
    """Everything on one day; today without `at`."""
    asked_for = day_number(at)
    if asked_for is None and at:
        raise NotThere("That date is too far away.", "The calendar opens on today's date.")
    look = CalendarQuery(seated.base)
    async with sessions(request)() as session:
        desk = await desk_of(session, seated, look)
        number = desk.book.today if asked_for is None else asked_for
        found = await entries.between(session, seated.campaign.id, seated.member, number, number)
        desk.tied = await ties(session, seated.member, desk.book, found)
        did = await history.happened(session, seated.campaign.id, seated.member, number, number)
        weather = await _weather(request, session, desk, {number})
    count = desk.book.count
    date = count.date(number)
    desk.at = {"year": date.year, "month": date.month, "day": date.day}
    on = desk.contents(desk.words(found))
    season = count.season(number)
    context = desk.context(
        number,
        count.said(number),
        "",
        day=sheets.day_of(count, number, on, len(found)),
        shown=list(zip(found, desk.words(found), strict=True)),
        days=desk.told([one for one in did if one.rolls or one.text]),  # the rest is among the entries
        names=desk.names,
        moons=[sheets.disc(count, moon, number) for moon in desk.book.shape.moons],
        season=season.name if season is not None else "",
        weather=weather,
        away=said.distance(number - desk.book.today),
        before=f"{seated.base}/calendar/day?at={number - 1}",
        after=f"{seated.base}/calendar/day?at={number + 1}",
        was="Previous day",
        will="Next day",
    )
    context["self_address"] = f"{seated.base}/calendar/day?at={number}"
    return render(request, "calendar/day.html", **context)


@router.get("/of/{who}")
@cached
async def time_of(request: Request, seated: CurrentSeat, who: str) -> Response:
    """One character's time: the year behind, today, and the year ahead."""
    async with sessions(request)() as session:
        character = await character_visibility.find(session, seated.member, who)
        desk = await desk_of(session, seated, CalendarQuery(seated.base, who=character.slug))
        today, count = desk.book.today, desk.book.count
        length = count.year_length(count.date(today).year)
        found = await entries.between(
            session, seated.campaign.id, seated.member, today - length, today + length, desk.look.want
        )
    behind = [one for one in found if one.last < today][-MOST_LINES // 2 :]
    now = [one for one in found if one.first <= today <= one.last]
    ahead = [one for one in found if one.first > today][: MOST_LINES // 2]
    placed = [one for one in [*behind, *now] if one.place and one.state != "dropped"]
    context = desk.context(
        today,
        character.name,
        f"/of/{character.slug}",
        character=character,
        behind=_by_season(desk, behind),
        now=desk.words(now),
        ahead=_by_season(desk, ahead),
        place=placed[-1] if placed else None,
        since=count.said(min(placed[-1].last, today)) if placed else "",
        distance=said.distance,
    )
    context["self_address"] = f"{seated.base}/calendar/of/{character.slug}"
    return render(request, "calendar/person.html", **context)


async def _weather(
    request: Request, session: AsyncSession, desk: CalendarPage, days: Collection[int]
) -> Mapping[int, Weather]:
    """The weather of these days, as far as the reader may know it."""
    vault = request.app.state.runtime.vault
    return await skies.weather_by_day(session, vault, desk.seated.campaign.id, desk.seated.member, desk.book, days)


def _page(request: Request, template: str, context: dict[str, Any], where: DateQuery, status: int = 200) -> Response:
    """A page with the date form as typed; 422 if there is no such date."""
    if where.wrong:
        year, month, day = where.typed
        context |= {"wrong_date": where.wrong, "typed_year": year, "typed_month": month, "typed_day": day}
    return render(request, template, 422 if where.wrong else status, **context)


def _meeting(desk: CalendarPage, one: Occurrence) -> dict[str, Any]:
    href = f"{desk.seated.base}/calendar/entries/{one.id}?on={one.first}"
    return {"title": one.title, "starts_at": one.starts_at, "href": href, "in_world": desk.book.count.said(one.first)}


def _agenda_at(desk: CalendarPage, number: int) -> str | None:
    if not -FARTHEST < number < FARTHEST:
        return None
    date = desk.count.date(number)
    return desk.look.to("/agenda", year=date.year, month=date.month, day=date.day)


def _by_day(
    desk: CalendarPage, lines: Sequence[tuple[Occurrence, CalendarItem]], first: int | None
) -> list[tuple[Day, list[tuple[Occurrence, CalendarItem]]]]:
    """Occurrences by day; those that began before the first day are listed on it."""
    under: dict[int, list[tuple[Occurrence, CalendarItem]]] = {}
    for one, word in lines:
        under.setdefault(one.first if first is None else max(one.first, first), []).append((one, word))
    nothing = desk.contents()
    return [(sheets.day_of(desk.count, number, nothing), some) for number, some in sorted(under.items())]


def _by_season(
    desk: CalendarPage, found: Sequence[Occurrence]
) -> list[tuple[str, list[tuple[str, Occurrence, CalendarItem]]]]:
    """Occurrences by season, as "Spring, 412", in order; by year if the calendar has no seasons."""
    under: dict[str, list[tuple[str, Occurrence, CalendarItem]]] = {}
    count = desk.book.count
    for one, word in zip(found, desk.words(found), strict=True):
        season = count.season(one.first)
        year = count.year_name(count.date(one.first).year)
        title = f"{season.name}, {year}" if season is not None else year
        under.setdefault(title, []).append((count.said(one.first), one, word))
    return list(under.items())
