"""The next scene to play, double bookings, and whereabouts of characters: this module proposes, the GM decides."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, TextClause, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import entries, load_world, visibility
from app.almanac.calendar_state import CalendarState
from app.almanac.conflicts import Clash, clash_of, clashes
from app.almanac.entries import BriefTyped
from app.almanac.time_walk import TimeItem, Upcoming, next_of
from app.almanac.visibility import Occurrence
from app.calendar.order import PLAYED, place_in_day
from app.campaign import character_visibility
from app.crypto.vault import Vault
from app.engine.ruleset import Brief, Seat
from app.errors import Conflict, NotThere, NotYours
from app.models.almanac import Almanac, Entry
from app.models.people import Member, Role
from app.models.scenes import Scene
from app.table import legs
from app.table.opening import HeldCharacters, open_scene

MOST_SCENES = 400
"""The most entries that one query reads."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The scene that comes next, with the reason (CHR-CAL-03, CHR-CAL-04)."""

    scene: Occurrence
    why: str
    same_day: tuple[Occurrence, ...]  # the others of its date, in order
    playing: bool  # its scene is open at the table
    day: int  # the day on which it can be played: its own, or the first legal one (CHR-CAL-12)


@dataclass(frozen=True, slots=True)
class Where:
    """A character's last place, by the calendar."""

    place: str
    since: int
    title: str


async def proposed(session: AsyncSession, campaign_id: uuid.UUID, member: Member) -> Proposal | None:
    """Returns the earliest scene that waits, among those this member may know of; None if there is none.

    It may be on a later day: then time passes to its day first. A repeating scene is proposed on its next day. Scenes
    that need no decision (a plain journey, for example) are proposed only if there is no other.
    """
    book = await books.read(session, campaign_id)
    known = await _to_come(session, campaign_id, member, book)
    found = known and (await _to_come(session, campaign_id, member, book, load_world.STOPPING) or known)
    if not found:
        return None
    day, earliest = await _earliest(session, campaign_id, member, book, found, known)
    why = _why(earliest[0], day, book)
    if book.settings.order == "clocks" and not _playing(earliest[0]):
        due = [one for one in found if one.first <= book.today and one.people]
        if due:
            day, earliest, why = await _furthest_behind(session, campaign_id, member, book, due, known)
    first, *rest = earliest
    if rest:
        others = "Another scene has" if len(rest) == 1 else f"{len(rest)} other scenes have"
        why += f" {others} the same date; this one was added first."
    return Proposal(first, why, tuple(rest), _playing(first), day)


async def stopping(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, stops: Iterable[Upcoming]
) -> list[Occurrence]:
    """Returns the entries among what stops time, in its order; a GM plays, moves or skips each."""
    ids = dict.fromkeys(stop.entry_id for stop in stops if stop.entry_id is not None)
    return [await entries.get_entry(session, campaign_id, member, one) for one in ids]


async def double_booked(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member
) -> list[tuple[Occurrence, Clash, Occurrence | None]]:
    """Returns double bookings among scenes to come: the scene, the clash, and the other scene if there is one. A GM
    moves the scene to `Clash.legal`, its first legal day, by `entries.move`, or accepts the clash by `allow`."""
    book = await books.read(session, campaign_id)
    known = {one.id: one for one in await _to_come(session, campaign_id, member, book)}
    items, clocks = await _diary(session, campaign_id, member, book, known.values())
    allowed = await _allowed(session, campaign_id, set(known))
    return [
        (known[clash.item.id], clash, known[clash.other.id] if clash.other is not None else None)
        for clash in clashes(items, clocks)
        if clash.item.id not in allowed
    ]


async def whereabouts(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, slugs: Collection[str]
) -> dict[str, Where]:
    """Returns where these characters are, by slug: the place of their last entry up to today, except notes and such."""
    book = await books.read(session, campaign_id)
    left, found = set(slugs), dict[str, Where]()
    base = (
        select(Entry)
        .where(
            Entry.campaign_id == campaign_id,
            Entry.day <= book.today,
            Entry.rule.is_(None),
            Entry.place != "",
            Entry.state != "dropped",
            Entry.kind.not_in(("note", "holiday", "session")),
            *visibility.known_to(member, book),
        )
        .order_by(Entry.day.desc(), Entry.made_no.desc())
        .limit(MOST_SCENES)
    )
    while left:
        rows = (await session.scalars(base.where(visibility.with_any_of(left)))).all()
        for entry in rows:
            for slug in left & set(entry.people):
                found[slug] = Where(entry.place, entry.day, entry.title)
            left -= set(entry.people)
        if len(rows) < MOST_SCENES:
            break
    return found


async def open_from(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    by: Member,
    held: HeldCharacters = "wait",
) -> uuid.UUID:
    """Opens a scene from an entry's brief; returns its id. For GMs, on the entry's day or later.

    Raises Conflict where the entry cannot be played or has no brief, and InUse and BadBrief of app/table/opening.py.
    """
    almanac, entry = await _of_gm(session, vault, campaign_id, entry_id, seen_version, by)
    _playable(almanac, entry)
    if entry.brief is None:
        raise Conflict("This entry does not have a scene setup yet.", "Open it with the New scene form.")
    order = BriefTyped.model_validate(entry.brief).in_order(entry.people)
    seats = {Seat(seat): people for seat, people in order.seats.items()}
    brief = Brief(kind=order.kind, title=entry.title, seats=seats, given=order.given)
    scene = await open_scene(session, vault, campaign_id, order.ruleset, brief, order.settings, held, has_entry=True)
    await _linked(session, almanac, entry, scene)
    return scene


async def link(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    scene_id: uuid.UUID,
    by: Member,
) -> None:
    """Links an entry to a scene that the form for a new scene has opened in this transaction; for GMs."""
    almanac, entry = await _of_gm(session, vault, campaign_id, entry_id, seen_version, by)
    _playable(almanac, entry)
    if await session.scalar(select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.id == scene_id)) is None:
        raise NotThere("There is no such scene.")
    await _linked(session, almanac, entry, scene_id)


async def pause(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    resumes: int,
    by: Member,
) -> Entry:
    """Pauses a long scene until a day, to play another meanwhile (CHR-CAL-05); time stops on that day for it. Its
    clocks at the table are stopped by `pauses.pause`, in a transaction that locks the scene first."""
    almanac, entry = await _of_gm(session, vault, campaign_id, entry_id, seen_version, by)
    if resumes < max(almanac.today, entry.day):
        raise Conflict("That day is over.", "Choose today or a later day.", field="resumes")
    if entry.state not in ("open", "paused"):
        raise Conflict("This scene is over.", field="resumes")
    entry.state, entry.data = "paused", {**entry.data, "resumes": resumes}
    await entries.changed(session, almanac, entry)
    return entry


async def next_leg(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    day: int,
    by: Member,
) -> Entry:
    """Marks a leg as done and adds the next one at its own date (CHR-CAL-06), with the same people and brief."""
    almanac, entry = await _of_gm(session, vault, campaign_id, entry_id, seen_version, by)
    if entry.scene_id is not None and await legs.are_in(session, vault, campaign_id, entry.scene_id):
        raise Conflict("The next leg is added by itself when this one has been played.", field="day")
    if day < max(almanac.today, entry.day):
        raise Conflict("The next leg cannot start before this one.", "Choose a later day.", field="day")
    entry.state = "done"
    await entries.changed(session, almanac, entry)
    leg = entries.next_leg(almanac, entry, day, 1, by.id)
    if leg is None:
        raise Conflict("This calendar is full.", "Change an old entry instead.")
    await entries.write_entry(session, almanac, leg)
    return leg


async def allow(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, entry_id: uuid.UUID, seen_version: int, by: Member
) -> Entry:
    """Accepts a double booking, which is then no longer listed until the entry moves to another day."""
    almanac, entry = await _of_gm(session, vault, campaign_id, entry_id, seen_version, by)
    entry.data = {**entry.data, "allowed": entry.day}
    await entries.changed(session, almanac, entry)
    return entry


# ---- queries and reasons -----------------------------------------------------------------------------------------


async def _to_come(
    session: AsyncSession,
    campaign_id: uuid.UUID,
    member: Member,
    book: CalendarState,
    *only: ColumnElement[bool] | TextClause,
) -> list[Occurrence]:
    """Returns scenes that wait, in the order of their days; with those ahead at which time does not stop."""
    waiting = or_(and_(load_world.STOPPING, Entry.rule.is_(None)), Entry.day >= book.today, Entry.rule.is_not(None))
    rows = await session.scalars(
        select(Entry)
        .where(
            Entry.campaign_id == campaign_id,
            Entry.kind.in_(sorted(PLAYED)),
            load_world.WAITING,
            waiting,
            *only,
            *visibility.known_to(member, book),
        )
        .order_by(Entry.day, Entry.made_no)
        .limit(MOST_SCENES)
        .execution_options(populate_existing=True)
    )
    hidden = await character_visibility.hidden(session, member)
    found = []
    for entry in rows:
        item = load_world.time_item(entry)
        day = item.due if item.rule is None else next_of(item, book, book.today)
        if day is not None and not visibility.beyond(entry, member, book, day):
            found.append(replace(visibility.occurrence(entry, member, day, hidden), first=day, last=day + item.length))
    return sorted(found, key=lambda one: (one.first, *place_in_day(one.kind, one.minute, one.made_no)))


async def _earliest(
    session: AsyncSession,
    campaign_id: uuid.UUID,
    member: Member,
    book: CalendarState,
    found: Sequence[Occurrence],
    known: Sequence[Occurrence],
) -> tuple[int, list[Occurrence]]:
    """Returns the first day on which one of the `found` scenes can be played, and those that can be then, in order.

    A scene with a clash counts from its first legal day, unless a GM has accepted the clash (CHR-CAL-12). `known` are
    all scenes to come; `found` is in the order of days.
    """
    items, clocks = await _diary(session, campaign_id, member, book, known)
    due = {item.id: item for item in items}
    days, best = dict[uuid.UUID, int](), found[0].first
    for one in found:
        if days and one.first > best:
            break
        clash = None if _fixed(one) or one.id not in due else clash_of(due[one.id], items, clocks)
        if clash is not None and await _allowed(session, campaign_id, {one.id}):
            clash = None
        days[one.id] = one.first if clash is None else clash.legal
        best = min(days.values())
    return best, sorted((one for one in found if days.get(one.id) == best), key=lambda one: one.order[1:])


async def _furthest_behind(
    session: AsyncSession,
    campaign_id: uuid.UUID,
    member: Member,
    book: CalendarState,
    due: Sequence[Occurrence],
    known: Sequence[Occurrence],
) -> tuple[int, list[Occurrence], str]:
    """Like `_earliest`, among the due scenes of the character who was played longest ago, with the reason (CHR-CAL-03,
    "per-character clocks")."""
    _, clocks = await _diary(session, campaign_id, member, book, known)
    people = sorted({slug for one in due for slug in one.people})
    who = min(people, key=lambda slug: clocks.get(slug, -books.MOST_DAY))
    theirs = [one for one in due if who in one.people]
    day, scenes = await _earliest(session, campaign_id, member, book, theirs, known)
    if who not in clocks:
        return day, scenes, "One of its characters has not been in any scene yet."
    return day, scenes, f"One of its characters has waited longest, since {book.count.said(clocks[who])}."


async def _diary(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, book: CalendarState, known: Collection[Occurrence]
) -> tuple[list[TimeItem], Mapping[str, int]]:
    """Returns the scenes that have characters, and the clocks of these characters."""
    items = [_as_item(one) for one in known if one.people]
    slugs = {slug for one in items for slug in one.people}
    return items, await _clocks(session, campaign_id, slugs, visibility.known_to(member, book))


def _playing(one: Occurrence) -> bool:
    return one.scene_id is not None and one.state == "open"


def _fixed(one: Occurrence) -> bool:
    """Whether its day is fixed, because it is being played or repeats by a rule."""
    return _playing(one) or one.repeats


def _why(first: Occurrence, day: int, book: CalendarState) -> str:
    said = "today" if day == book.today else book.count.said(day)
    if day != first.first:
        return f"Next by date: {said}, the first day on which all its characters are free."
    if day < book.today:
        return f"It has been due since {said}."
    if first.state == "paused":
        return f"It was paused and resumes {said if said == 'today' else f'on {said}'}. Nothing else comes first."
    return f"Next by date: {said}."


def _as_item(one: Occurrence) -> TimeItem:
    return TimeItem(
        one.id, one.made_no, one.kind, one.state, one.title, one.text, one.first, one.last - one.first, one.minute,
        None, "stop", one.people, one.seen_by, one.viewers,
    )  # fmt: skip


async def _clocks(
    session: AsyncSession, campaign_id: uuid.UUID, slugs: set[str], may: Sequence[ColumnElement[bool]]
) -> Mapping[str, int]:
    """Returns the last day of each character's last scene (CHR-CAL-12), among those that the viewer may know of."""
    if not slugs:
        return {}
    rows = await session.execute(
        select(Entry.people, func.coalesce(Entry.last_day, Entry.day)).where(
            Entry.campaign_id == campaign_id,
            Entry.state == "done",
            Entry.kind.in_(sorted(PLAYED)),
            visibility.with_any_of(slugs),
            *may,
        )
    )
    clocks: dict[str, int] = {}
    for people, last in rows:
        for slug in slugs & set(people):
            clocks[slug] = max(last, clocks.get(slug, last))
    return clocks


async def _allowed(session: AsyncSession, campaign_id: uuid.UUID, ids: set[uuid.UUID]) -> set[uuid.UUID]:
    rows = await session.execute(
        select(Entry.id, Entry.day, Entry.data).where(Entry.campaign_id == campaign_id, Entry.id.in_(ids))
    )
    return {row[0] for row in rows if row[2].get("allowed") == row[1]}


async def _of_gm(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, entry_id: uuid.UUID, seen_version: int, by: Member
) -> tuple[Almanac, Entry]:
    if by.role != Role.GM:
        raise NotYours("Only a GM can decide that.", "Ask your GM.")
    return await entries.editable(session, vault, campaign_id, entry_id, seen_version, by)


def _playable(almanac: Almanac, entry: Entry) -> None:
    if entry.kind not in PLAYED:
        raise Conflict("This entry is neither a scene nor a journey leg.")
    if entry.rule is not None or entry.day > almanac.today:
        raise Conflict("Its day has not come yet.", "Let time pass to its day first.")
    if entry.state not in ("open", "paused") or entry.scene_id is not None:
        raise Conflict("This scene is already open.")


async def _linked(session: AsyncSession, almanac: Almanac, entry: Entry, scene: uuid.UUID) -> None:
    entry.scene_id, entry.state = scene, "open"
    await entries.changed(session, almanac, entry)
