"""Loads all that a movement of time depends on from the database."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy import and_, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac.calendar_state import CalendarState
from app.almanac.time_walk import CharacterDays, TimeItem, World
from app.calendar.repeat import RULE
from app.campaign import characters, promoting
from app.campaign.house_rules import days_of
from app.db.lock_order import locking
from app.engine.chance import Chance, SeededChance
from app.engine.ruleset import Ruleset
from app.models.almanac import Entry, Happening
from app.models.people import Campaign, Character
from app.receipts.luck import digest
from app.rulesets import find

WAITING = text("entries.state IN ('open', 'paused')")
"""Plain SQL, so that Postgres uses its partial index (ix_entries_waiting) in every query."""

STOPPING = text("entries.standing = 'stop'")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A world, and the rows that it was read from."""

    world: World
    entries: dict[uuid.UUID, Entry]
    people: dict[str, Character]


async def load(
    session: AsyncSession,
    campaign_id: uuid.UUID,
    book: CalendarState,
    to: int,
    root: bytes | None,
    *,
    lock: bool = False,
) -> Loaded:
    """Returns the world for a movement up to a day. Without `root` it has no luck and can only be foreseen.

    With `lock` the characters are locked until the transaction ends; the almanac's lock protects the entries.
    """
    campaign = await session.get_one(Campaign, campaign_id, populate_existing=True)
    people = await _people(session, campaign_id, lock=lock)
    held = await characters.in_scenes(session, campaign_id)
    settled = await promoting.settled(session, campaign_id, later=True)
    cast, lost = list[CharacterDays](), list[tuple[str, str]]()
    for row in people:
        has_no_successor = row.owner_id is not None and row.id not in settled
        ruleset = _rules(row.ruleset)
        days = None if ruleset is None else days_of(campaign, ruleset)
        if ruleset is None or days is None:
            lost += (
                [(row.slug, row.name)] if has_no_successor and row.slug not in held and promoting.is_dead(row) else []
            )
            continue
        try:
            sheet = ruleset.character.validate_python(row.sheet)
        except ValidationError:
            continue  # the rules have changed since; the character's page says so
        scene = held[row.slug].title if row.slug in held else ""
        cast.append(CharacterDays(row.slug, row.name, ruleset, days, sheet, row.care, scene, has_no_successor))
    entries = await _entries(session, campaign_id, book, to)
    items = [time_item(entry) for entry in entries]
    already = await _already(session, campaign_id, book.today, to)
    world = World(book, items, cast, already, _luck(root), lost)
    return Loaded(world, {entry.id: entry for entry in entries}, {row.slug: row for row in people})


def time_item(entry: Entry) -> TimeItem:
    """Returns an entry for the time walk."""
    resumes = entry.data.get("resumes") if entry.state == "paused" else None
    return TimeItem(
        id=entry.id,
        made_no=entry.made_no,
        kind=entry.kind,
        state=entry.state,
        title=entry.title,
        text=entry.text,
        due=entry.day if resumes is None else int(resumes),
        length=0 if entry.last_day is None else entry.last_day - entry.day,
        minute=entry.minute,
        rule=None if entry.rule is None else RULE.validate_python(entry.rule),
        standing=entry.standing,
        people=tuple(entry.people),
        seen_by=entry.seen_by,
        viewers=tuple(entry.viewers),
    )


async def _people(session: AsyncSession, campaign_id: uuid.UUID, *, lock: bool) -> Sequence[Character]:
    query = (
        select(Character)
        .where(Character.campaign_id == campaign_id, Character.retired_at.is_(None))
        .order_by(Character.id)
        .execution_options(populate_existing=True)
    )
    return (await session.scalars(locking(query) if lock else query)).all()


def _rules(key: str) -> Ruleset[Any, Any] | None:
    try:
        return find(key)
    except LookupError:
        return None


async def _entries(session: AsyncSession, campaign_id: uuid.UUID, book: CalendarState, to: int) -> Sequence[Entry]:
    """Returns open and paused entries up to `to`: from today on, repeating ones, and earlier ones that stop time."""
    coming = and_(Entry.day >= book.today, Entry.day <= to)
    rows = await session.scalars(
        select(Entry)
        .where(
            Entry.campaign_id == campaign_id,
            WAITING,
            or_(coming, and_(STOPPING, Entry.day <= to), and_(Entry.rule.is_not(None), Entry.day <= to)),
        )
        .order_by(Entry.made_no)
        .execution_options(populate_existing=True)
    )
    return rows.all()


async def _already(session: AsyncSession, campaign_id: uuid.UUID, first: int, last: int) -> set[tuple[str, int]]:
    rows = await session.execute(
        select(Happening.thing, Happening.day).where(
            Happening.campaign_id == campaign_id, Happening.day >= first, Happening.day <= last
        )
    )
    return {(row[0], row[1]) for row in rows}


def _luck(root: bytes | None) -> Callable[[str, int], Chance]:
    """Returns the luck by character and day: the same for any number of days at once, and after they are undone."""

    def of(slug: str, day: int) -> Chance:
        if root is None:
            raise LookupError("no luck was given to this world")
        seed = digest("signet-day-1", root, slug, day)
        return SeededChance(seed, digest("signet-day-veil-1", root, slug, day))

    return of
