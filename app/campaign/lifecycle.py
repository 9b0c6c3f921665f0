"""The past of a character: scenes, passing days, what hands did to the sheet, and whose it was; newest first.

One door: what a member may not know of (a happening on a day that was only for the GM) is not in what comes out.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.sheets import Changes
from app.models.almanac import Crossing, Happening
from app.models.people import Character, Member, Role, SheetChange
from app.models.scenes import Scene, SeatRow

WRITTEN = frozenset({"edited", "care", "scene", "days", "undone", "grown"})
"""Ways in which something came onto a sheet."""


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """One thing that a passing day did."""

    day: int
    title: str
    text: str
    rule: str


@dataclass(slots=True)
class LifeStretch:
    """One stretch of a character's life: a scene, a movement of time, or something somebody did."""

    how: str  # app.campaign.sheets.How; "scene" and "days" gather all that one scene or one movement of time did
    at: datetime
    day: int | None = None
    by: str | None = None
    title: str = ""
    scene_id: uuid.UUID | None = None
    status: str = ""  # of the scene: open, over, abandoned
    changes: Changes = field(default_factory=dict)
    befell: list[LifeEvent] = field(default_factory=list)
    last_day: int | None = None  # of a movement of time
    told: bool = True  # whether no changes means that there were none


async def past(session: AsyncSession, character: Character, viewer: Member) -> list[LifeStretch]:
    """What this member may know of the character's life, newest first. Time that was taken back left no trace.

    What was written on a sheet while it was the GMs' is the GMs' to know; others read of scenes and of whose they were.
    """
    rows = list(
        await session.scalars(
            select(SheetChange)
            .where(SheetChange.campaign_id == character.campaign_id, SheetChange.character_id == character.id)
            .order_by(SheetChange.id)
        )
    )
    gms = None if viewer.role == Role.GM else _of_gms(character, rows)
    rows = [row for row in rows if row.how not in WRITTEN or gms is None or not gms(row.at)]
    found = await _scenes(session, character, rows, gms)
    found += await _days(session, character, viewer, rows)
    names = await _names(session, character.campaign_id)
    for row in rows:
        if row.crossing_id is None and row.scene_id is None:
            by = None if row.member_id is None else names.get(row.member_id)
            found.append(LifeStretch(row.how, row.at, row.day, by, changes=row.changes))
    return sorted(found, key=lambda one: (one.at, one.last_day or one.day or 0))[::-1]


def _of_gms(character: Character, rows: Sequence[SheetChange]) -> Callable[[datetime], bool]:
    """Whether the character was the GMs' at a moment: what was written on it then stays theirs to know, also when it
    becomes a player's later."""
    gifts = [(row.at, *row.changes["owner"]) for row in rows if row.how not in WRITTEN and "owner" in row.changes]
    first = gifts[0][1] is None if gifts else character.owner_id is None

    def of(at: datetime) -> bool:
        return next((now is None for since, _, now in reversed(gifts) if since <= at), first)

    return of


async def _scenes(
    session: AsyncSession,
    character: Character,
    rows: Sequence[SheetChange],
    gms: Callable[[datetime], bool] | None,
) -> list[LifeStretch]:
    """Every scene the character sat in, also as a copy, and where one changed the sheet, what."""
    scenes = await session.scalars(
        select(Scene)
        .where(
            Scene.campaign_id == character.campaign_id,
            select(SeatRow.seat)
            .where(
                SeatRow.campaign_id == character.campaign_id,
                SeatRow.scene_id == Scene.id,
                SeatRow.characters.contains([character.slug]),
            )
            .exists(),
        )
        .order_by(Scene.id)
    )
    found = []
    for scene in scenes:
        at = scene.ended_at or scene.made_at
        wrote = [row for row in rows if row.scene_id == scene.id]
        found.append(
            LifeStretch(
                "scene",
                at,
                wrote[-1].day if wrote else None,
                title=scene.title,
                scene_id=scene.id,
                status=scene.status,
                changes=gathered(wrote),
                told=gms is None or not gms(at),
            )
        )
    return found


async def _days(
    session: AsyncSession, character: Character, viewer: Member, rows: Sequence[SheetChange]
) -> list[LifeStretch]:
    befell: dict[uuid.UUID, list[LifeEvent]] = {}
    happenings = await session.scalars(
        select(Happening)
        .where(Happening.campaign_id == character.campaign_id, Happening.people.contains([character.slug]))
        .order_by(Happening.day, Happening.number)
    )
    for one in happenings:
        if may_know(viewer, one.seen_by, one.viewers):
            befell.setdefault(one.crossing_id, []).append(LifeEvent(one.day, one.title, one.text, one.rule))
    wrote = {row.crossing_id for row in rows if row.crossing_id is not None}
    crossings = await session.scalars(
        select(Crossing).where(
            Crossing.campaign_id == character.campaign_id,
            Crossing.id.in_(wrote | befell.keys()),
            Crossing.undone_at.is_(None),
        )
    )
    return [
        LifeStretch(
            "days",
            crossing.at,
            crossing.from_day,
            changes=gathered(row for row in rows if row.crossing_id == crossing.id),
            befell=befell.get(crossing.id, []),
            last_day=crossing.to_day,
        )
        for crossing in crossings
    ]


def may_know(viewer: Member, seen_by: str, viewers: Sequence[str]) -> bool:
    """Whether something of the calendar is for this member's eyes: everybody's, a GM's, or named."""
    return seen_by == "all" or viewer.role == Role.GM or str(viewer.id) in viewers


def gathered(rows: Iterable[SheetChange]) -> Changes:
    """Several changes as one: what it was before the first, what it is after the last; what came and went is gone."""
    found: Changes = {}
    for row in rows:
        for path, (old, new) in row.changes.items():
            found[path] = [found[path][0] if path in found else old, new]
    return {path: [old, new] for path, (old, new) in found.items() if old != new}


async def _names(session: AsyncSession, campaign_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """Of everybody who ever was here."""
    rows = await session.execute(select(Member.id, Member.name).where(Member.campaign_id == campaign_id))
    return {row[0]: row[1] for row in rows}
