"""Characters: sheets that outlive scenes. A scene that is being played holds them; meanwhile nobody edits the sheet."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names, seats, sheets
from app.db.lock_order import lock_row, locking
from app.engine.ruleset import Dice
from app.errors import Conflict, NotThere, NotYours
from app.models.base import new_id
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Claim, Scene

DICE: TypeAdapter[tuple[Dice, ...]] = TypeAdapter(tuple[Dice, ...])
"""What a rolled character keeps of its dice."""

RESERVED = {"gm", "new", "roll"}
"""The GM's chair has the first name in every scene, the ways to a new sheet the others; no character may."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The open scene that holds a character."""

    scene_id: uuid.UUID
    title: str


async def create(
    session: AsyncSession,
    campaign: Campaign,
    name: str,
    ruleset: str,
    sheet: dict[str, Any],
    owner: Member | None,
    by: Member | None = None,
    *,
    character_id: uuid.UUID | None = None,
    dice: list[Any] | None = None,
) -> Character:
    """A new character; `sheet` is what the ruleset's adapter dumps. `owner` None: it is the GM's. `by`: who made it.

    With a `character_id` that is there already it is the one made then: a form sent twice makes one. `dice` is what it
    was rolled with.
    """
    await seats.hold(session, campaign.id)
    if character_id is not None:
        made = await session.scalar(
            select(Character).where(Character.campaign_id == campaign.id, Character.id == character_id)
        )
        if made is not None:
            return made
    owner_id = None if owner is None else owner.id
    where = (session, campaign.id, name, ruleset, sheet, owner_id)
    return await add(*where, by=by, character_id=character_id, dice=dice)


async def add(
    session: AsyncSession,
    campaign_id: uuid.UUID,
    name: str,
    ruleset: str,
    sheet: dict[str, Any],
    owner_id: uuid.UUID | None,
    *,
    by: Member | None = None,
    scene: uuid.UUID | None = None,
    character_id: uuid.UUID | None = None,
    dice: list[Any] | None = None,
) -> Character:
    """`create` for a scene's end, which may not lock the campaign's people any more.

    An address that somebody else takes at the same moment is theirs, and this one is counted up. That may wait for the
    other transaction, as a lock does; so whoever adds several holds the almanac first.
    """
    wanted = names.slug(name, "character")
    character = None
    while character is None:
        taken = await session.scalars(select(Character.slug).where(Character.campaign_id == campaign_id))
        character = await session.scalar(
            insert(Character)
            .values(
                campaign_id=campaign_id,
                id=character_id or new_id(),
                slug=names.free(wanted, {*taken, *RESERVED}),
                name=name,
                ruleset=ruleset,
                owner_id=owner_id,
                sheet=sheet,
                dice=dice,
            )
            .on_conflict_do_nothing(index_elements=[Character.campaign_id, Character.slug])
            .returning(Character)
        )
    await sheets.note(session, character, how="made", by=by, scene=scene)
    return character


async def edit(
    session: AsyncSession, character: Character, seen: int, name: str, sheet: dict[str, Any], by: Member
) -> Character:
    """Write a sheet anew. `Conflict` where a scene holds it, or somebody changed it since version `seen`."""
    held = await hold(session, character, by)
    holding = (await in_scenes(session, held.campaign_id)).get(held.slug)
    if holding is not None:
        raise Conflict(
            f"{held.name} is in the scene “{holding.title}” now, so the sheet is read-only.",
            "When the scene is over, the sheet can be changed again.",
        )
    if held.version != seen:
        raise Conflict(
            "The sheet was changed from another page since you opened this one.",
            "What you typed is still here. Compare it with the sheet as it is now, then save again.",
        )
    await sheets.write(session, held, sheet, how="edited", by=by, name=name)
    return held


async def retire(session: AsyncSession, character: Character, by: Member, *, retired: bool = True) -> Character:
    """Lay a character aside, or take it up again; nothing is ever deleted."""
    held = await hold(session, character, by)
    if held.slug in await in_scenes(session, held.campaign_id):
        raise Conflict(f"{held.name} is in a scene now.", "When the scene is over, you can lay the sheet aside.")
    if (held.retired_at is not None) != retired:
        held.retired_at = func.now() if retired else None
        await sheets.note(session, held, how="retired" if retired else "taken up", by=by)
        await session.refresh(held)
    return held


def editable_by(character: Character, member: Member) -> bool:
    """Whether this is the member's own sheet; GMs may write on all of them."""
    return member.role == Role.GM or (character.owner_id is not None and character.owner_id == member.id)


async def find(session: AsyncSession, campaign_id: uuid.UUID, slug: str, *only: ColumnElement[bool]) -> Character:
    """A character by its slug, whoever asks. Pages use app/campaign/character_visibility.py instead."""
    character = None
    if names.is_slug(slug):
        character = await session.scalar(
            select(Character).where(Character.campaign_id == campaign_id, Character.slug == slug, *only)
        )
    if character is None:
        raise NotThere("There is no such character in this campaign.", "The campaign's page lists those you can open.")
    return character


async def all_characters(
    session: AsyncSession, campaign_id: uuid.UUID, *only: ColumnElement[bool]
) -> Sequence[Character]:
    """All characters by name, retired ones last. Pages use app/campaign/character_visibility.py instead."""
    rows = await session.scalars(
        select(Character)
        .where(Character.campaign_id == campaign_id, *only)
        .order_by(Character.retired_at.isnot(None), func.lower(Character.name), Character.id)
    )
    return rows.all()


async def in_scenes(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, Holding]:
    """Which characters open scenes hold, by slug."""
    rows = await session.execute(
        select(Claim.thing, Scene.id, Scene.title)
        .join(Scene, (Scene.campaign_id == Claim.campaign_id) & (Scene.id == Claim.scene_id))
        .where(Claim.campaign_id == campaign_id, Claim.thing.startswith("character/"))
    )
    return {thing.removeprefix("character/"): Holding(scene, title) for thing, scene, title in rows}


async def lock(
    session: AsyncSession, campaign_id: uuid.UUID, *only: ColumnElement[bool], key_share: bool = False
) -> Sequence[Character]:
    """Lock all characters to which these conditions apply; returns them in the order in which they are locked."""
    query = select(Character).where(Character.campaign_id == campaign_id, *only).order_by(Character.id)
    return (await session.scalars(locking(query, key_share=key_share))).all()


async def hold(session: AsyncSession, character: Character, by: Member) -> Character:
    """Lock a character that this member may write on, as it is now; `NotThere`, `NotYours`."""
    held = await lock_row(session, Character, (character.campaign_id, character.id))
    if held is None:
        raise NotThere("There is no such character in this campaign.")
    if not editable_by(held, by):
        raise NotYours(f"{held.name}'s sheet is not yours to change.", "Ask its player or a GM.")
    return held
