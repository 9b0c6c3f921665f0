"""Which scenes led to a scene and what came of it, as far as one member may know.

An entry that the end of a scene writes on the calendar remembers that scene. Every member may know of every scene, but
not of every entry: where a scene was opened from a secret entry, the chain ends for those who may not know of it.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CTE, ColumnElement, Uuid, and_, cast, func, literal, null, select, true, union_all
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.almanac import calendar_state as books
from app.almanac import visibility
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Occurrence
from app.models.almanac import Entry
from app.models.people import Member
from app.models.scenes import Scene

MOST_BACK = 12
"""The most scenes before one; also what ends a circle, which only an altered archive could have."""
MOST_AFTER = 12

Conditions = Sequence[ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Link:
    """A scene of a chain, or an entry that is not played yet (`scene` is None)."""

    title: str
    scene: uuid.UUID | None
    entry: uuid.UUID | None = None  # None: not on the calendar, as far as the member may know
    day: int | None = None  # the entry's first day
    on: str = ""  # that day in words, without its year
    inside: bool = False  # the scene was played inside the one before it


@dataclass(frozen=True, slots=True)
class Chain:
    """The scenes before a scene, the earliest first, and what came of it."""

    before: tuple[Link, ...] = ()
    after: tuple[Link, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.before or self.after)


@dataclass(frozen=True, slots=True)
class Ties:
    """What an entry follows from, "" if no scene wrote it, and the titles of what came of it."""

    follows: str = ""
    led_to: tuple[str, ...] = ()


async def chain_of(
    session: AsyncSession, member: Member, scene_id: uuid.UUID, *, inside: bool = False, over: bool
) -> Chain:
    """Returns a scene's chain; `inside` says that it is played inside another one, `over` asks for what came of it.

    By two small queries and, where something came before it, one that walks back; one more for what came of it.
    """
    campaign, book = member.campaign_id, await books.read(session, member.campaign_id)
    may = visibility.known_to(member, book)
    follows = select(Entry.id).where(
        Entry.campaign_id == campaign, Entry.scene_id == scene_id, visibility.FROM_SCENE.is_not(None), *may
    )
    back = inside or await session.scalar(follows.limit(1)) is not None
    before = await _before(session, campaign, scene_id, book, may) if back else ()
    return Chain(before[:-1], await _after(session, campaign, scene_id, book, may) if over else ())


async def chain_of_entry(session: AsyncSession, member: Member, book: CalendarState, one: Occurrence) -> Chain:
    """Returns the scenes that led to an entry that this member knows of and, if it was played, what came of it."""
    campaign, may = member.campaign_id, visibility.known_to(member, book)
    before = await _before(session, campaign, one.from_scene, book, may) if one.from_scene is not None else ()
    played = one.scene_id if one.state == "done" else None
    return Chain(before, await _after(session, campaign, played, book, may) if played is not None else ())


async def ties(
    session: AsyncSession, member: Member, book: CalendarState, some: Collection[Occurrence]
) -> Mapping[uuid.UUID, Ties]:
    """Returns what these entries follow from and, of those that are done, what came of them, by the entry's id; by at
    most one query each. Entries without either are missing."""
    follows = await _titles(session, member.campaign_id, {one.from_scene for one in some if one.from_scene is not None})
    played = {one.scene_id for one in some if one.scene_id is not None and one.state == "done"}
    led_to = await _led_to(session, member, book, played)
    found = {
        one.id: Ties(
            follows.get(one.from_scene, "") if one.from_scene is not None else "",
            led_to.get(one.scene_id, ()) if one.scene_id in played else (),
        )
        for one in some
    }
    return {key: one for key, one in found.items() if one.follows or one.led_to}


async def _before(
    session: AsyncSession, campaign: uuid.UUID, scene_id: uuid.UUID, book: CalendarState, may: Conditions
) -> tuple[Link, ...]:
    """The scenes that led to a scene, the earliest first, and itself."""
    back = _walk_back(campaign, scene_id, may)
    entry = _own_entry(campaign, back.c.id, may).lateral()
    rows = await session.execute(
        select(back.c.id, back.c.title, back.c.outer_id, entry.c.id.label("entry"), entry.c.day)
        .select_from(back.outerjoin(entry, true()))
        .order_by(back.c.steps)
    )
    found: dict[uuid.UUID, Link] = {}
    for row in rows:
        if row.id in found:
            break
        on = "" if row.day is None else book.count.day_name(row.day)
        found[row.id] = Link(row.title, row.id, row.entry, row.day, on, row.outer_id is not None)
    return tuple(reversed(found.values()))


def _walk_back(campaign: uuid.UUID, scene_id: uuid.UUID, may: Conditions) -> CTE:
    """The scene and those before it: of each the one around it, else the one from which its entry follows."""
    first = select(Scene.id, Scene.title, Scene.outer_id, literal(0).label("steps"))
    here = first.where(Scene.campaign_id == campaign, Scene.id == scene_id).cte("back", recursive=True)
    older, entry = aliased(Scene), _own_entry(campaign, here.c.id, may).subquery()
    origin = select(entry.c.from_scene).correlate(here).scalar_subquery()
    earlier = and_(older.campaign_id == campaign, older.id == func.coalesce(here.c.outer_id, origin))
    return here.union_all(
        select(older.id, older.title, older.outer_id, here.c.steps + 1)
        .join_from(here, older, earlier)
        .where(here.c.steps < MOST_BACK)
    )


def _own_entry(campaign: uuid.UUID, scene: ColumnElement[uuid.UUID], may: Conditions) -> Any:
    """The entry that a scene was opened from, if the member may know of it."""
    return (
        select(Entry.id, Entry.day, cast(visibility.FROM_SCENE, Uuid).label("from_scene"))
        .where(Entry.campaign_id == campaign, Entry.scene_id == scene, *may)
        .order_by(Entry.made_no)
        .limit(1)
        .correlate_except(Entry)
    )


async def _after(
    session: AsyncSession, campaign: uuid.UUID, scene_id: uuid.UUID, book: CalendarState, may: Conditions
) -> tuple[Link, ...]:
    """Scenes played inside it, then the entries that its end wrote, each with the scene it was played in."""
    inner = select(
        Scene.title,
        Scene.id.label("scene"),
        null().label("entry"),
        null().label("day"),
        literal(0).label("made_no"),
    ).where(Scene.campaign_id == campaign, Scene.outer_id == scene_id)
    left = select(Entry.title, Entry.scene_id, Entry.id, Entry.day, Entry.made_no).where(
        Entry.campaign_id == campaign, visibility.FROM_SCENE.in_([str(scene_id)]), Entry.state != "dropped", *may
    )
    both = union_all(inner, left).subquery()
    order = (both.c.day.nulls_first(), both.c.made_no)
    rows = await session.execute(select(both).order_by(*order).limit(MOST_AFTER))
    found: dict[uuid.UUID, Link] = {}
    for row in rows:
        on = "" if row.day is None else book.count.day_name(row.day)
        found.setdefault(row.scene or row.entry, Link(row.title, row.scene, row.entry, row.day, on, row.entry is None))
    return tuple(found.values())


async def _titles(session: AsyncSession, campaign: uuid.UUID, scenes: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    if not scenes:
        return {}
    found = select(Scene.id, Scene.title).where(Scene.campaign_id == campaign, Scene.id.in_(scenes))
    return {row.id: row.title for row in await session.execute(found)}


async def _led_to(
    session: AsyncSession, member: Member, book: CalendarState, scenes: Collection[uuid.UUID]
) -> dict[uuid.UUID, tuple[str, ...]]:
    if not scenes:
        return {}
    rows = await session.execute(
        select(visibility.FROM_SCENE.label("scene"), Entry.title)
        .where(
            Entry.campaign_id == member.campaign_id,
            visibility.FROM_SCENE.in_([str(one) for one in scenes]),
            Entry.state != "dropped",
            *visibility.known_to(member, book),
        )
        .order_by(Entry.day, Entry.made_no)
    )
    found: dict[uuid.UUID, tuple[str, ...]] = {}
    for scene, title in _different(rows):
        key = uuid.UUID(scene)
        found[key] = (*found.get(key, ()), title)
    return found


def _different(rows: Iterable[Any]) -> Iterable[tuple[str, str]]:
    """The legs of a long scene have one title."""
    return dict.fromkeys((row.scene, row.title) for row in rows)
