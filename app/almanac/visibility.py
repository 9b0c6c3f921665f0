"""Decides what a member may know of the calendar, and finds entries by days, spans and rules, never all of them."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, cast, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, array
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac.calendar_state import MOST_DAY, CalendarState
from app.calendar.order import place_in_day
from app.calendar.repeat import RULE, Rule, occurrences
from app.campaign import character_visibility
from app.models.almanac import Entry
from app.models.people import Member, Role

FROM_SCENE = Entry.data["from_scene"].astext
"""The id of the scene whose end wrote an entry; of a later leg, that of the first. None: a member wrote it."""

MOST_TIMES = 4000
"""The most occurrences of one entry in a query: more than ten years of every day."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of entries, which must match all parts; an empty part matches every entry."""

    kinds: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()  # slugs; an entry with any of them matches
    text: str = ""  # anywhere in title, text or place, in any case
    place: str = ""
    states: frozenset[str] = frozenset({"open", "paused", "done"})


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One occurrence of an entry, for one viewer. The last three fields are empty if the viewer may not edit it."""

    id: uuid.UUID
    made_no: int
    kind: str
    state: str
    title: str
    text: str
    place: str
    first: int  # day numbers of this occurrence
    last: int
    minute: int | None
    rule: Rule | None
    series_day: int  # the entry's own first day, which an edit form shows
    series_last: int | None
    people: tuple[str, ...]
    seen_by: str
    viewers: tuple[str, ...]
    author_id: uuid.UUID
    scene_id: uuid.UUID | None
    starts_at: datetime | None
    minutes: int | None
    mine: bool
    editable: bool
    version: int
    from_scene: uuid.UUID | None = None  # the scene whose end wrote it
    leg: int = 0  # the number of a long scene's leg; 0: it is the only one, or none
    standing: str = ""
    brief: dict[str, Any] | None = None
    data: dict[str, Any] | None = None

    @property
    def repeats(self) -> bool:
        return self.rule is not None

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The sort key: by day, then by CHR-CAL-11."""
        return (self.first, *place_in_day(self.kind, self.minute, self.made_no))


def may_edit(entry: Entry, member: Member) -> bool:
    """Whether a member may edit an entry: GMs edit all entries, players their own, spectators none."""
    return member.role == Role.GM or (member.role == Role.PLAYER and entry.author_id == member.id)


def occurrence(entry: Entry, member: Member, first: int, hidden: Collection[str]) -> Occurrence:
    """Returns an entry's occurrence on day `first` for a member who may know of it. `hidden`: slugs of characters that
    this member may not know of (app/campaign/character_visibility.py)."""
    editable = may_edit(entry, member)
    return Occurrence(
        id=entry.id,
        made_no=entry.made_no,
        kind=entry.kind,
        state=entry.state,
        title=entry.title,
        text=entry.text,
        place=entry.place,
        first=first,
        last=first + length(entry),
        minute=entry.minute,
        rule=None if entry.rule is None else RULE.validate_python(entry.rule),
        series_day=entry.day,
        series_last=entry.last_day,
        people=tuple(slug for slug in entry.people if slug not in hidden),
        seen_by=entry.seen_by,
        viewers=tuple(entry.viewers),
        author_id=entry.author_id,
        scene_id=entry.scene_id,
        starts_at=entry.starts_at,
        minutes=entry.minutes,
        mine=entry.author_id == member.id,
        editable=editable,
        version=entry.version,
        from_scene=from_scene(entry),
        leg=leg_of(entry, 0),
        standing=entry.standing if editable else "",
        brief=entry.brief if editable else None,
        data=entry.data if editable else None,
    )


def from_scene(entry: Entry) -> uuid.UUID | None:
    """Returns the id of the scene whose end wrote an entry."""
    found = entry.data.get("from_scene")
    return None if found is None else uuid.UUID(found)


def leg_of(entry: Entry, otherwise: int) -> int:
    """Returns the number of an entry among the legs of a long scene."""
    number = entry.data.get("leg")
    return number if entry.kind == "leg" and isinstance(number, int) else otherwise


def length(entry: Entry) -> int:
    """Returns the number of days after the first."""
    return 0 if entry.last_day is None else entry.last_day - entry.day


def known_to(member: Member, book: CalendarState) -> list[ColumnElement[bool]]:
    """Returns the conditions on entries that this member may know of: GMs all of them, authors always their own.

    The fog hides days beyond its edge; it does not hide sessions, which are dates of the real world.
    """
    if member.role == Role.GM:
        return []
    named = and_(Entry.seen_by == "named", Entry.viewers.contains([str(member.id)]))
    may = [or_(Entry.seen_by == "all", named, Entry.author_id == member.id)]
    if book.edge is not None:
        may.append(or_(Entry.day <= book.edge, Entry.kind == "session", Entry.author_id == member.id))
    return may


def beyond(entry: Entry, member: Member, book: CalendarState, day: int) -> bool:
    """Whether the fog hides this day of an entry from a member."""
    free = member.role == Role.GM or entry.kind == "session" or entry.author_id == member.id
    return book.edge is not None and day > book.edge and not free


def fitting(want: Filter | None, hidden: Collection[str]) -> list[ColumnElement[bool]]:
    """Returns the conditions on entries that match a filter, where `hidden` characters match no entry."""
    want = want or Filter()
    fits: list[ColumnElement[bool]] = [Entry.state.in_(sorted(want.states))]
    if want.kinds:
        fits.append(Entry.kind.in_(sorted(want.kinds)))
    if want.people:
        fits.append(with_any_of(want.people.difference(hidden)))
    if want.text.strip():
        words = _like(want.text)
        fits.append(or_(Entry.title.ilike(words), Entry.text.ilike(words), Entry.place.ilike(words)))
    if want.place.strip():
        fits.append(Entry.place.ilike(_like(want.place)))
    return fits


def with_any_of(slugs: Collection[str]) -> ColumnElement[bool]:
    """Returns the condition that an entry names at least one of these characters."""
    return Entry.people.has_any(cast(array(sorted(slugs)), ARRAY(Text)))  # type: ignore[attr-defined]


def _like(words: str) -> str:
    kept = words.strip()[:200].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{kept}%"


async def find_between(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, book: CalendarState, days: range, want: Filter | None
) -> list[Occurrence]:
    """Returns every occurrence in these days, in order; by three queries, each with an index of its own."""
    first, last = max(days.start, -MOST_DAY), min(days.stop - 1, MOST_DAY)
    if first > last:
        return []
    hidden = await character_visibility.hidden(session, member)
    may = [*known_to(member, book), *fitting(want, hidden)]
    once = select(Entry).where(Entry.campaign_id == campaign_id, Entry.rule.is_(None), *may)
    found = [
        occurrence(entry, member, entry.day, hidden)
        for entry in [
            *await _all(session, once.where(Entry.day >= first, Entry.day <= last)),
            *await _all(session, once.where(Entry.last_day >= first, Entry.day < first)),
        ]
    ]
    again = select(Entry).where(Entry.campaign_id == campaign_id, Entry.rule.is_not(None), Entry.day <= last, *may)
    for entry in await _all(session, again):
        found += [
            occurrence(entry, member, day, hidden)
            for day in falls(entry, book, first, last)
            if _seen(entry, member, book, day)
        ]
    return sorted(found, key=lambda one: one.order)


def _seen(entry: Entry, member: Member, book: CalendarState, day: int) -> bool:
    return not beyond(entry, member, book, day)


def falls(entry: Entry, book: CalendarState, first: int, last: int) -> Iterator[int]:
    """Yields the first day of each occurrence of a repeating entry that touches the days from `first` to `last`."""
    rule = RULE.validate_python(entry.rule)
    for number, day in enumerate(occurrences(rule, book.count, first - length(entry), last)):
        if number >= MOST_TIMES:
            return
        yield day


async def _all(session: AsyncSession, query: Select[Any]) -> Sequence[Entry]:
    return (await session.scalars(query.execution_options(populate_existing=True))).all()
