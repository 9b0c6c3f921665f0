"""Adds, changes and reads the entries on a campaign's calendar, as far as each member may.

Changes lock the almanac's row, so that no entry changes while time passes.
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import visibility as seeing
from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.almanac.visibility import Filter, Occurrence
from app.calendar.order import PLAYED
from app.calendar.repeat import RULE, Rule, upcoming
from app.campaign import character_visibility, tokens
from app.crypto.vault import Vault
from app.db.lock_order import locking
from app.errors import Conflict, NotThere, NotYours
from app.models.almanac import Almanac, Entry
from app.models.people import Character, Member, Role

Kind = Literal[
    "scene", "leg", "arrival", "completion", "healing", "reckoning", "event", "holiday", "note", "session"
]  # app.calendar.order.KINDS
State = Literal["open", "paused", "done", "dropped"]
OF_TIME = frozenset({"healing", "reckoning"})
"""Kinds that passing time writes; among members only GMs may write them."""

SILENT = frozenset({"note", "holiday", "session"})
"""Kinds that do nothing when time passes: writing one does not prevent taking time back."""

MOST_SPAN = 100_000
MOST_ENTRIES = 50_000

Day = Annotated[int, Field(ge=-MOST_DAY, le=MOST_DAY)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
Slug = Annotated[str, StringConstraints(min_length=1, max_length=80)]


class BriefTyped(BaseModel):
    """A scene's brief as it is stored on the calendar: `app.engine.ruleset.Brief` with its ruleset and settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ruleset: Slug
    kind: Slug
    seats: Annotated[dict[Slug, tuple[Slug, ...]], Field(max_length=60)] = {}
    given: JsonValue = None
    settings: dict[str, JsonValue] = {}

    def in_order(self, people: Sequence[str]) -> Self:
        """Returns the brief with its seats in the order of an entry's people: what is stored forgets theirs, and in
        some rules the first of several decides."""
        place = {slug: number for number, slug in enumerate(people)}
        first = {seat: min((place.get(one, len(place)) for one in who), default=0) for seat, who in self.seats.items()}
        return self.model_copy(
            update={"seats": {seat: self.seats[seat] for seat in sorted(first, key=first.__getitem__)}}
        )


class EntryTyped(BaseModel):
    """A member's input for an entry. `standing` None: the usual answer for the kind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind = "note"
    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)] = ""
    place: Line = ""
    day: Day
    last_day: Day | None = None
    minute: Annotated[int, Field(ge=0, lt=1_000_000)] | None = None
    rule: Rule | None = None
    people: Annotated[tuple[Slug, ...], Field(max_length=200)] = ()
    seen_by: Literal["all", "named", "gm"] = "all"
    viewers: Annotated[tuple[uuid.UUID, ...], Field(max_length=200)] = ()
    standing: Literal["stop", "pass"] | None = None
    brief: BriefTyped | None = None
    starts_at: datetime | None = None
    minutes: Annotated[int, Field(ge=1, le=100_000)] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.last_day is not None and self.last_day < self.day:
            raise ValueError("The end is before the start.")
        if self.last_day is not None and self.last_day - self.day > MOST_SPAN:
            raise ValueError(
                f"An entry can last at most {MOST_SPAN:,} days. Add separate entries for its start and end."
            )
        if self.kind == "session" and self.starts_at is None:
            raise ValueError("A session needs a real-world date.")
        if self.starts_at is not None and self.starts_at.tzinfo is None:
            raise ValueError("A session's time needs a time zone.")
        return self


async def add(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    by: Member,
    typed: EntryTyped,
    once: str | None = None,
    from_scene: uuid.UUID | None = None,
) -> Entry:
    """Adds an entry to the calendar. Raises NotYours for spectators, and errors with the field where it is invalid.
    `from_scene`: the scene whose end writes it.

    The same `once` with the same words returns the same entry; with other words it adds another, so that words typed
    after going back to a sent form are not lost."""
    if by.role == Role.SPECTATOR:
        raise NotYours("Spectators cannot add calendar entries.", "Ask a GM to make you a player.")
    almanac = await books.hold(session, vault, campaign_id)
    key = tokens.derive_id(once, f"entry/{campaign_id}/{by.id}/{typed.model_dump_json()}")
    known = await session.get(Entry, (campaign_id, key)) if once else None
    if known is not None:
        return known
    if almanac.made >= MOST_ENTRIES:
        raise Conflict(f"This calendar is full: it has had {MOST_ENTRIES:,} entries.", "Change an old one instead.")
    entry = _new(almanac, key, by.id)
    if from_scene is not None:
        entry.data = {"from_scene": str(from_scene)}
    await _write(session, almanac, entry, typed, by)
    session.add(entry)
    await session.flush()
    return entry


async def add_all(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, by: Member, several: Sequence[tuple[EntryTyped, State]]
) -> None:
    """Adds many entries of a GM to the calendar, in their order, each with its state; they name no people. Raises
    Conflict where they do not all fit."""
    almanac = await books.hold(session, vault, campaign_id)
    if almanac.made + len(several) > MOST_ENTRIES:
        raise Conflict(
            f"That is too many: this calendar has had {almanac.made:,} entries, and {MOST_ENTRIES:,} are the most.",
            "Import a file with fewer.",
        )
    book = books.of(almanac)
    for typed, state in several:
        entry = _new(almanac, uuid.uuid4(), by.id)
        _fill(almanac, book, entry, typed, by, frozenset())
        entry.state = state
        session.add(entry)
    await session.flush()


async def change(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    typed: EntryTyped,
    by: Member,
) -> Entry:
    """Replaces an entry's content. Raises Conflict where it changed since `seen_version`; NotYours; NotThere."""
    almanac, entry = await editable(session, vault, campaign_id, entry_id, seen_version, by)
    await _write(session, almanac, entry, typed, by)
    await changed(session, almanac, entry, counted=True)
    return entry


async def drop(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, entry_id: uuid.UUID, seen_version: int, by: Member
) -> Entry:
    """Drops an entry: pages show it only with a filter for dropped ones, and it does nothing when time passes."""
    return await mark(session, vault, campaign_id, entry_id, seen_version, "dropped", by)


async def mark(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    state: State,
    by: Member,
) -> Entry:
    """Sets an entry's state: done elsewhere, paused for now, dropped, or open again. Raises like `editable`."""
    almanac, entry = await editable(session, vault, campaign_id, entry_id, seen_version, by)
    if entry.state != state:
        entry.state = state
        await changed(session, almanac, entry)
    return entry


async def move(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    day: int,
    by: Member,
) -> Entry:
    """Moves an entry to another day with the same length; of a paused one, the day on which it continues. This is also
    the proposed answer to a double booking. Raises like `editable`, and Conflict for an entry that repeats."""
    again = "Look at it again, then move it."
    almanac, entry = await editable(session, vault, campaign_id, entry_id, seen_version, by, again)
    if entry.rule is not None:
        raise Conflict(
            f"“{entry.title}” repeats, so it cannot be moved on one day alone.",
            "Open it and change its first day under “Edit entry”: all its days follow.",
            field="day",
        )
    if not -MOST_DAY <= day <= MOST_DAY - seeing.length(entry):
        raise Conflict("That day is too far away.", "Choose a nearer date.", field="day")
    if entry.state == "paused":  # it has begun on its day; only the day on which it continues moves
        if day < max(almanac.today, entry.day):
            raise Conflict("That day is over.", "Choose today or a later day.", field="day")
        entry.data = {**entry.data, "resumes": day}
    else:
        if entry.last_day is not None:
            entry.last_day += day - entry.day
        entry.day = day
    await changed(session, almanac, entry)
    return entry


async def get_entry(session: AsyncSession, campaign_id: uuid.UUID, member: Member, entry_id: uuid.UUID) -> Occurrence:
    """Returns an entry by its id, on its first day. Raises NotThere where this member may not know of it."""
    book = await books.read(session, campaign_id)
    may = seeing.known_to(member, book)
    entry = await session.scalar(select(Entry).where(Entry.campaign_id == campaign_id, Entry.id == entry_id, *may))
    if entry is None:
        raise _none()
    return seeing.occurrence(entry, member, entry.day, await character_visibility.hidden(session, member))


async def between(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, first: int, last: int, want: Filter | None = None
) -> list[Occurrence]:
    """Returns the occurrences that this member may know of on the days `first` to `last`, by first day, then in the
    order of CHR-CAL-11. The fog hides occurrences of later days."""
    book = await books.read(session, campaign_id)
    return await seeing.find_between(session, campaign_id, member, book, range(first, last + 1), want)


def upcoming_of(rule: Rule, book: CalendarState, day: int, most: int = 5) -> list[int]:
    """Returns the next first days of an entry that begins on `day` and repeats by `rule`; for the preview of a form."""
    return upcoming(rule.model_copy(update={"start": day}), book.count, day - 1, most)


async def editable(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    entry_id: uuid.UUID,
    seen_version: int,
    by: Member,
    hint: str = "What you typed is still here. Compare it with the current entry, then save again.",
) -> tuple[Almanac, Entry]:
    """Locks the almanac and an entry that this member may change, and returns both. Raises NotThere where the member
    may not know of it, NotYours where they may not edit it, and Conflict, with this hint, where it changed since
    `seen_version`."""
    almanac = await books.hold(session, vault, campaign_id)
    may = seeing.known_to(by, books.of(almanac))
    wanted = select(Entry).where(Entry.campaign_id == campaign_id, Entry.id == entry_id, *may)
    entry = await session.scalar(locking(wanted))
    if entry is None:
        raise _none()
    if not seeing.may_edit(entry, by):
        raise NotYours("You cannot change this entry.", "Ask its author or a GM.")
    if entry.version != seen_version:
        raise Conflict("Someone changed this entry after you opened this page.", hint)
    return almanac, entry


def blank_entry(almanac: Almanac, author: uuid.UUID) -> Entry | None:
    """Returns an empty entry, for `write_entry` once it is filled in; None if the calendar is full."""
    return None if almanac.made >= MOST_ENTRIES else _new(almanac, uuid.uuid4(), author)


def next_leg(almanac: Almanac, entry: Entry, day: int, further: int, author: uuid.UUID) -> Entry | None:
    """Returns the leg that is so many legs `further` than an entry, for `write_entry`: on its own day, with the same
    content, known to the same members (CHR-CAL-06). None if the calendar is full."""
    leg = blank_entry(almanac, author)
    if leg is None:
        return None
    for name in ("title", "text", "place", "minute", "people", "seen_by", "viewers", "standing", "brief"):
        setattr(leg, name, getattr(entry, name))
    leg.kind, leg.day = "leg", day
    first = entry.data.get("leg_of", str(entry.id))
    leg.data = {"leg_of": first, "leg": seeing.leg_of(entry, 1) + further}
    if "from_scene" in entry.data:
        leg.data["from_scene"] = entry.data["from_scene"]
    return leg


async def write_entry(session: AsyncSession, almanac: Almanac, entry: Entry) -> None:
    """Writes a new entry to the calendar; the almanac must be locked."""
    _count(almanac, entry, silent=False)
    session.add(entry)
    await session.flush()


def _new(almanac: Almanac, key: uuid.UUID, author: uuid.UUID) -> Entry:
    almanac.made += 1
    return Entry(campaign_id=almanac.campaign_id, id=key, made_no=almanac.made, state="open", author_id=author, data={})


async def _write(session: AsyncSession, almanac: Almanac, entry: Entry, typed: EntryTyped, by: Member) -> None:
    hidden = await character_visibility.hidden(session, by)
    await _there(session, entry.campaign_id, typed, hidden)
    _fill(almanac, books.of(almanac), entry, typed, by, hidden)


def _fill(
    almanac: Almanac, book: CalendarState, entry: Entry, typed: EntryTyped, by: Member, hidden: Collection[str]
) -> None:
    """Gives an entry its content; `hidden` are the characters that its author may not know. Raises NotYours and
    Conflict."""
    if by.role != Role.GM and typed.kind in OF_TIME and entry.kind != typed.kind:
        raise NotYours("Only a GM can add that kind of entry.", "Choose another kind.", field="kind")
    day, rule = typed.day, typed.rule
    if rule is not None:
        if typed.kind == "session" and not (entry.kind == "session" and entry.rule is not None):
            raise Conflict(
                "A session has one real-world date, so it cannot repeat.",
                "Choose “No” here, and add a session for each evening.",
                field="rule",
            )
        rule = rule.model_copy(update={"start": typed.day})
        falls = upcoming(rule, book.count, typed.day - 1, 1)
        if not falls:
            raise Conflict(
                "That date never comes up in this calendar.", "Choose another way of repeating.", field="rule"
            )
        day = falls[0]
    silent = entry.kind is None or _silent(entry)
    entry.kind, entry.title, entry.text, entry.place = typed.kind, typed.title, typed.text, typed.place
    entry.day = day
    more = 0 if typed.last_day is None else typed.last_day - typed.day
    entry.last_day = day + more if more else None
    entry.minute = typed.minute
    entry.rule = None if rule is None else RULE.dump_python(rule, mode="json")
    unseen = [slug for slug in entry.people or () if slug in hidden]  # the form did not list them, so they remain
    entry.people = list(dict.fromkeys([*typed.people, *unseen]))
    entry.seen_by = typed.seen_by
    entry.viewers = [str(viewer) for viewer in dict.fromkeys(typed.viewers)] if typed.seen_by == "named" else []
    entry.standing = typed.standing or ("stop" if typed.kind in PLAYED else "pass")
    entry.brief = None if typed.brief is None else typed.brief.model_dump(mode="json")
    entry.starts_at, entry.minutes = typed.starts_at, typed.minutes
    _count(almanac, entry, silent=silent)


async def changed(session: AsyncSession, almanac: Almanac, entry: Entry, *, counted: bool = False) -> None:
    """Counts a member's change of an entry, and writes it; the caller must have locked the almanac."""
    if not counted:
        _count(almanac, entry)
    entry.version += 1
    entry.changed_at = func.clock_timestamp()
    await session.flush()
    await session.refresh(entry, ["changed_at"])


def _silent(entry: Entry) -> bool:
    """Whether passing time does nothing with an entry, so that no movement of time has changed it."""
    return entry.kind in SILENT and entry.standing == "pass"


def _count(almanac: Almanac, entry: Entry, *, silent: bool = True) -> None:
    """Counts a change that prevents taking time back: of an entry that is not silent before and after."""
    if not (silent and _silent(entry)):
        almanac.touched += 1
        entry.touched = almanac.touched


async def _there(session: AsyncSession, campaign_id: uuid.UUID, typed: EntryTyped, hidden: Collection[str]) -> None:
    """Raises NotThere where an entry names people not in the campaign, or characters hidden from its author."""
    people = await session.scalars(
        select(Character.slug).where(Character.campaign_id == campaign_id, Character.slug.in_(set(typed.people)))
    )
    missing = sorted(set(typed.people) - set(people).difference(hidden))
    if missing:
        raise NotThere(f"There is no character “{missing[0]}” in this campaign.", field="people")
    if typed.seen_by == "named" and typed.viewers:
        await _present(session, campaign_id, typed.viewers)


async def _present(session: AsyncSession, campaign_id: uuid.UUID, viewers: Collection[uuid.UUID]) -> None:
    here = await session.scalars(
        select(Member.id).where(
            Member.campaign_id == campaign_id, Member.id.in_(set(viewers)), Member.removed_at.is_(None)
        )
    )
    if set(viewers) - set(here):
        raise NotThere("One of the people you chose has left the campaign.", "Choose again.", field="viewers")


def _none() -> NotThere:
    return NotThere("There is no such entry on the calendar.", "It may have been cancelled. Reload the month.")
