"""Moves time: one transaction writes all happenings of the days. app/almanac/undo.py takes it back."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import failpoints
from app.almanac import calendar_state as books
from app.almanac import load_world, undo
from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.almanac.history import ROLLS
from app.almanac.load_world import Loaded
from app.almanac.time_walk import (
    DayOutcome,
    Journey,
    OpenEntry,
    RulesFailed,
    SheetAfterDay,
    Upcoming,
    foresee,
    next_of,
    run,
)
from app.calendar.repeat import RULE
from app.campaign import sheets
from app.crypto.vault import Vault
from app.errors import Conflict, NotYours
from app.models.almanac import Almanac, Crossing, Entry, Happening
from app.models.base import new_id
from app.models.people import Member, Role

PLAY = "Play it, move it to another day, or let time pass over it."
WAYS = {
    "successor": "Choose the next character, or decide later.",
    "aid": "Choose who helps them, or send no one.",
}
"""Advice on stops of time, by kind; `PLAY` for entries on the calendar."""

MOST_JUMP = 50_000
"""The most days of one movement: more than a century."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """A preview of a movement to `wanted`: all that lies ahead, and where time would stop for a decision."""

    from_day: int
    to_day: int
    wanted: int
    lines: Sequence[Upcoming]
    stops: Sequence[Upcoming]
    version: int  # of the almanac, for `advance`


async def preview(session: AsyncSession, campaign_id: uuid.UUID, by: Member, to: int) -> Ahead:
    """Returns all that is due between today and a day, without hiding anything. Nothing is locked, rolled or written.
    Raises NotYours unless for a GM, and Conflict where the day is past or too far away."""
    _gm(by)
    book = await books.read(session, campaign_id)
    _reachable(book, to)
    loaded = await load_world.load(session, campaign_id, book, to, None)
    journey, lines = foresee(loaded.world, to)
    return Ahead(book.today, journey.to_day, to, lines, journey.stops, book.version)


async def advance(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    by: Member,
    to: int,
    seen_version: int,
    request_id: uuid.UUID,
) -> Crossing:
    """Lets time pass up to a day, or to the first that needs a decision; returns the movement.

    The same `request_id` returns the same movement, even if it was taken back meanwhile. Raises NotYours unless for a
    GM, and Conflict where the almanac changed since `seen_version`, something of today or earlier waits for a decision,
    or the rules fail.
    """
    _gm(by)
    almanac = await books.hold(session, vault, campaign_id)
    again = await session.scalar(
        select(Crossing).where(Crossing.campaign_id == campaign_id, Crossing.request_id == request_id)
    )
    if again is not None:
        return again
    books.unchanged(almanac, seen_version)
    book = books.of(almanac)
    _reachable(book, to)
    root = vault.decrypt(almanac.root, books.root_place(campaign_id))
    loaded = await load_world.load(session, campaign_id, book, to, root, lock=True)
    try:
        journey = run(loaded.world, to)
    except RulesFailed as stumbled:
        raise Conflict(
            str(stumbled), "No time has passed. Correct that sheet or retire the character, then try again."
        ) from None
    if journey.to_day == book.today:
        raise Conflict(_held_up(journey.stops), way_on(journey.stops), field="to")
    failpoints.hit("days-run")
    before = await undo.before(session, almanac)
    crossing = await _crossing(session, almanac, by, journey, request_id)
    before |= await _Writing(session, almanac, crossing, loaded, by).all(journey)
    before |= {"stops": [_kept(stop) for stop in journey.stops], "enough": journey.enough}
    almanac.today = journey.to_day
    almanac.version += 1
    almanac.changed_at = func.clock_timestamp()
    await session.flush()
    crossing.before = before | await undo.after(session, campaign_id)
    await session.flush()
    failpoints.hit("days-written")
    return crossing


async def _crossing(
    session: AsyncSession, almanac: Almanac, by: Member, journey: Journey, request_id: uuid.UUID
) -> Crossing:
    number = await session.scalar(select(func.max(Crossing.number)).where(Crossing.campaign_id == almanac.campaign_id))
    crossing = Crossing(
        campaign_id=almanac.campaign_id,
        id=new_id(),
        number=(number or 0) + 1,
        from_day=journey.from_day,
        to_day=journey.to_day,
        wanted_day=journey.wanted,
        member_id=by.id,
        request_id=request_id,
        before={},
    )
    session.add(crossing)
    await session.flush()
    return crossing


class _Writing:
    """Writes the acts of a journey in order, and remembers the old values of each row."""

    def __init__(self, session: AsyncSession, almanac: Almanac, crossing: Crossing, loaded: Loaded, by: Member) -> None:
        self.session, self.almanac, self.crossing, self.loaded, self.by = session, almanac, crossing, loaded, by
        self.entries: dict[str, dict[str, Any]] = {}
        self.made: list[str] = []
        self.sheets: dict[str, Any] = {}
        self.number = 0

    async def all(self, journey: Journey) -> dict[str, Any]:
        for act in journey.acts:
            match act:
                case DayOutcome():
                    self._ran(act)
                case OpenEntry():
                    self._opens(act)
                case SheetAfterDay():
                    await self._lived(act)
        await self.session.flush()
        return {"entries": self.entries, "made_entries": self.made, "sheets": self.sheets}

    def _ran(self, ran: DayOutcome) -> None:
        self.number += 1
        seen_by, viewers = self._known_to(ran)
        self.session.add(
            Happening(
                campaign_id=self.almanac.campaign_id,
                id=new_id(),
                crossing_id=self.crossing.id,
                number=self.number,
                day=ran.day,
                thing=ran.thing,
                kind=ran.kind,
                title=ran.title,
                text=ran.text,
                rule=ran.rule,
                rolls=ROLLS.dump_python(ran.rolls, mode="json"),
                people=list(ran.people),
                seen_by=seen_by,
                viewers=viewers,
            )
        )
        if ran.entry is not None and ran.entry.rule is None:
            self._change(self.loaded.entries[ran.entry.id]).state = "done"
        if ran.marks:
            more = {"people": list(ran.people), "seen_by": seen_by, "viewers": viewers}
            self._make(ran.day, "healing", ran.mark, ran.text, "done", more)

    def _known_to(self, ran: DayOutcome) -> tuple[str, list[str]]:
        """Returns `seen_by` and `viewers`: those who may know of the entry, and its author. For happenings without an
        entry: only GMs if a secret character is among the people, else all."""
        if ran.entry is None:
            secret = any(self.loaded.people[slug].secret for slug in ran.people)
            return ("gm", []) if secret else ("all", [])
        if ran.seen_by == "all":
            return "all", []
        author = str(self.loaded.entries[ran.entry.id].author_id)
        return "named", list(dict.fromkeys([*ran.viewers, author]))

    def _opens(self, opens: OpenEntry) -> None:
        if opens.of is None:
            self._make(opens.day, "reckoning", opens.title, "", "open", {"standing": "stop"})
            return
        series = self._change(self.loaded.entries[opens.of.id])
        length = series.last_day - series.day if series.last_day is not None else None
        like = {
            name: getattr(series, name)
            for name in ("place", "minute", "people", "seen_by", "viewers", "author_id", "standing", "brief")
        }
        like |= {"last_day": None if length is None else opens.day + length, "data": {"of": str(series.id)}}
        self._make(opens.day, series.kind, series.title, series.text, "open", like)
        following = next_of(load_world.time_item(series), books.of(self.almanac), opens.day)
        if following is None:
            series.state = "done"
            return
        series.rule = RULE.dump_python(
            RULE.validate_python(series.rule).model_copy(update={"start": following}), mode="json"
        )
        series.day = following
        series.last_day = None if length is None else following + length

    async def _lived(self, lived: SheetAfterDay) -> None:
        row = self.loaded.people[lived.slug]
        self.sheets.setdefault(lived.slug, row.sheet)
        self.almanac.today = lived.day  # so that the record in the character's past has this date
        await sheets.write(
            self.session, row, {**row.sheet, **lived.sheet}, how="days", by=self.by, crossing=self.crossing.id
        )

    def _change(self, entry: Entry) -> Entry:
        """Returns an entry that is about to change, after storing its old values once."""
        kept = {name: getattr(entry, name) for name in undo.MOVED}
        if self.entries.setdefault(str(entry.id), kept) is kept:
            entry.version += 1
            entry.changed_at = func.clock_timestamp()
        return entry

    def _make(self, day: int, kind: str, title: str, text: str, state: str, more: dict[str, Any]) -> None:
        self.almanac.made += 1
        made: dict[str, Any] = {
            "author_id": self.by.id,
            "standing": "pass",
            "place": "",
            "data": {},
            **more,
        }
        entry = Entry(
            campaign_id=self.almanac.campaign_id,
            id=new_id(),
            made_no=self.almanac.made,
            day=day,
            kind=kind,
            title=title,
            text=text,
            state=state,
            **made,
        )
        self.session.add(entry)
        self.made.append(str(entry.id))


def _kept(stop: Upcoming) -> dict[str, Any]:
    return asdict(stop) | {"entry_id": None if stop.entry_id is None else str(stop.entry_id)}


def _held_up(stops: Sequence[Upcoming]) -> str:
    named = [f"“{stop.title}”" for stop in stops[:3]]
    more = f" and {len(stops) - 3} more" if len(stops) > 3 else ""
    return f"Time cannot pass yet: {', '.join(named)}{more} {'needs' if len(stops) == 1 else 'need'} a decision first."


def way_on(stops: Sequence[Upcoming]) -> str:
    """Returns the advice on these stops."""
    kinds = {WAYS.get(stop.kind, PLAY) for stop in stops}
    return " ".join(way for way in (PLAY, *WAYS.values()) if way in kinds)


def _gm(by: Member) -> None:
    if by.role != Role.GM:
        raise NotYours(
            "Only a GM can let time pass.", "Ask your GM. You can add what you are waiting for to the calendar."
        )


def _reachable(book: CalendarState, to: int) -> None:
    if to <= book.today:
        raise Conflict("Time only moves forward.", "Choose a day after today, or undo the last step.", field="to")
    if to > min(book.today + MOST_JUMP, MOST_DAY):
        raise Conflict(f"That is more than {MOST_JUMP:,} days ahead.", "Go there in several steps.", field="to")
