"""Characters: sheets that outlive scenes. While an open scene holds a character, its sheet cannot be edited."""

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
"""The stored dice of a rolled character."""

RESERVED = {"gm", "new", "roll"}
"""Slugs that no character may have: the GM's seat in every scene, and the URLs for a new sheet."""


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
    """Makes a character. `sheet` is the dump of the ruleset's adapter; `owner` None: it is the GMs'; `by` made it;
    `dice` are the dice of a rolled sheet.

    Returns the existing character if there is one with `character_id`, so that a form sent twice makes only one.
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
    """Like `create`, but without locking the campaign's members; for the end of a scene, when that is too late.

    A slug that is taken at the same moment gets a number. That may wait for the other transaction, as a lock does, so
    callers who add several characters lock the almanac first.
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
    """Replaces name and sheet. Raises Conflict where a scene holds the character, or the sheet changed since version
    `seen`."""
    held = await hold(session, character, by)
    holding = (await in_scenes(session, held.campaign_id)).get(held.slug)
    if holding is not None:
        raise Conflict(
            f"{held.name} is in the scene “{holding.title}” now, so the sheet is read-only.",
            "You can change it when the scene is over.",
        )
    if held.version != seen:
        raise Conflict(
            "Someone changed this sheet after you opened this page.",
            "What you typed is still here. Compare it with the current sheet, then save again.",
        )
    await sheets.write(session, held, sheet, how="edited", by=by, name=name)
    return held


async def retire(session: AsyncSession, character: Character, by: Member, *, retired: bool = True) -> Character:
    """Retires a character or brings it back; characters are never deleted. Raises Conflict where a scene holds it."""
    held = await hold(session, character, by)
    if held.slug in await in_scenes(session, held.campaign_id):
        raise Conflict(f"{held.name} is in a scene now.", "You can retire the character when the scene is over.")
    if (held.retired_at is not None) != retired:
        held.retired_at = func.now() if retired else None
        await sheets.note(session, held, how="retired" if retired else "taken up", by=by)
        await session.refresh(held)
    return held


def editable_by(character: Character, member: Member) -> bool:
    """Whether this member may edit the character's sheet: its owner and GMs may."""
    return member.role == Role.GM or (character.owner_id is not None and character.owner_id == member.id)


async def find(session: AsyncSession, campaign_id: uuid.UUID, slug: str, *only: ColumnElement[bool]) -> Character:
    """Returns a character by its slug, for any viewer; raises NotThere where there is none. Pages use
    app/campaign/character_visibility.py instead."""
    character = None
    if names.is_slug(slug):
        character = await session.scalar(
            select(Character).where(Character.campaign_id == campaign_id, Character.slug == slug, *only)
        )
    if character is None:
        raise NotThere(
            "There is no such character in this campaign.", "The campaign's page lists the characters you can open."
        )
    return character


async def all_characters(
    session: AsyncSession, campaign_id: uuid.UUID, *only: ColumnElement[bool]
) -> Sequence[Character]:
    """Returns all characters by name, retired ones last. Pages use app/campaign/character_visibility.py instead."""
    rows = await session.scalars(
        select(Character)
        .where(Character.campaign_id == campaign_id, *only)
        .order_by(Character.retired_at.isnot(None), func.lower(Character.name), Character.id)
    )
    return rows.all()


async def in_scenes(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, Holding]:
    """Returns the open scenes that hold characters, by the character's slug."""
    rows = await session.execute(
        select(Claim.thing, Scene.id, Scene.title)
        .join(Scene, (Scene.campaign_id == Claim.campaign_id) & (Scene.id == Claim.scene_id))
        .where(Claim.campaign_id == campaign_id, Claim.thing.startswith("character/"))
    )
    return {thing.removeprefix("character/"): Holding(scene, title) for thing, scene, title in rows}


async def lock(
    session: AsyncSession, campaign_id: uuid.UUID, *only: ColumnElement[bool], key_share: bool = False
) -> Sequence[Character]:
    """Locks all characters that meet these conditions; returns them in the order of locking, which is by id."""
    query = select(Character).where(Character.campaign_id == campaign_id, *only).order_by(Character.id)
    return (await session.scalars(locking(query, key_share=key_share))).all()


async def hold(session: AsyncSession, character: Character, by: Member) -> Character:
    """Locks a character and returns it as it is now. Raises NotYours where this member may not edit it."""
    held = await lock_row(session, Character, (character.campaign_id, character.id))
    if held is None:
        raise NotThere("There is no such character in this campaign.")
    if not editable_by(held, by):
        raise NotYours(f"You cannot change {held.name}'s sheet.", "Ask its player or a GM.")
    return held
