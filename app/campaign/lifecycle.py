"""The past of a character: scenes, passing days, edits of the sheet, and owners; newest first.

The result holds nothing that the member may not know, such as a happening that only GMs may see.
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
"""The ways to change a sheet."""

SHOWING = frozenset({"known to players", "known by name", "known to GMs only"})
"""Changes of what players may know of a GM's character; only GMs read that there were any."""


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """A happening on a day that passed."""

    day: int
    title: str
    text: str
    rule: str


@dataclass(slots=True)
class LifeStretch:
    """One part of a character's past: a scene, a movement of time, or a member's action."""

    how: str  # app.campaign.sheets.How; "scene" and "days" combine all changes by one scene or one movement of time
    at: datetime
    day: int | None = None
    by: str | None = None
    title: str = ""
    scene_id: uuid.UUID | None = None
    status: str = ""  # of the scene: open, over, abandoned
    changes: Changes = field(default_factory=dict)
    befell: list[LifeEvent] = field(default_factory=list)
    last_day: int | None = None  # of a movement of time
    told: bool = True  # False: there may have been changes that the viewer may not know


async def past(session: AsyncSession, character: Character, viewer: Member) -> list[LifeStretch]:
    """Returns what this member may know of the character's past, newest first, without time that was taken back.

    Only GMs see changes of the sheet from a time when the character was the GMs'; others see its scenes and owners.
    """
    rows = list(
        await session.scalars(
            select(SheetChange)
            .where(SheetChange.campaign_id == character.campaign_id, SheetChange.character_id == character.id)
            .order_by(SheetChange.id)
        )
    )
    gms = None if viewer.role == Role.GM else _of_gms(character, rows)
    if gms is not None:
        rows = [row for row in rows if row.how not in SHOWING and (row.how not in WRITTEN or not gms(row.at))]
    found = await _scenes(session, character, rows, gms)
    if gms is not None and character.owner_id is None:  # the rules of an open scene may hide who is in it
        found = [one for one in found if one.status != "open"]
    found += await _days(session, character, viewer, rows)
    names = await _names(session, character.campaign_id)
    for row in rows:
        if row.crossing_id is None and row.scene_id is None:
            by = None if row.member_id is None else names.get(row.member_id)
            found.append(LifeStretch(row.how, row.at, row.day, by, changes=row.changes))
    return sorted(found, key=lambda one: (one.at, one.last_day or one.day or 0))[::-1]


async def written_by(
    session: AsyncSession, scene_id: uuid.UUID, known: Sequence[Character], viewer: Member
) -> dict[uuid.UUID, Changes]:
    """Returns a scene's changes of sheets by character id, for those of the `known` characters that it changed and
    whose changes this member may read."""
    by_id = {one.id: one for one in known}
    rows: dict[uuid.UUID, list[SheetChange]] = {}
    for row in await session.scalars(
        select(SheetChange)
        .where(SheetChange.campaign_id == viewer.campaign_id, SheetChange.character_id.in_(by_id))
        .order_by(SheetChange.id)
    ):
        rows.setdefault(row.character_id, []).append(row)
    found = {}
    for key, mine in rows.items():
        secret = None if viewer.role == Role.GM else _of_gms(by_id[key], mine)
        changes = gathered(row for row in mine if row.scene_id == scene_id and not (secret and secret(row.at)))
        if changes:
            found[key] = changes
    return found


def _of_gms(character: Character, rows: Sequence[SheetChange]) -> Callable[[datetime], bool]:
    """Returns a function: whether the character was the GMs' at a moment. Changes from then remain the GMs' secret,
    even if a player owns it later."""
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
    """Returns every scene with the character, also as a copy, and its changes of the sheet."""
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
    """Whether this member may see something on the calendar: because it is for all, as a GM, or by name."""
    return seen_by == "all" or viewer.role == Role.GM or str(viewer.id) in viewers


def gathered(rows: Iterable[SheetChange]) -> Changes:
    """Combines several changes into one: the value before the first and after the last, unless they are equal."""
    found: Changes = {}
    for row in rows:
        for path, (old, new) in row.changes.items():
            found[path] = [found[path][0] if path in found else old, new]
    return {path: [old, new] for path, (old, new) in found.items() if old != new}


async def _names(session: AsyncSession, campaign_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """Returns the names of all members, past ones too."""
    rows = await session.execute(select(Member.id, Member.name).where(Member.campaign_id == campaign_id))
    return {row[0]: row[1] for row in rows}
