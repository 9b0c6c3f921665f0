"""Decides which of a campaign's characters a viewer may know; pages find and list characters only here.

Only GMs may read secret characters. Other members know the names of those that a GM has named to them, and of those in
scenes that are over. What a GM shows is set in app/campaign/library.py.
"""

import uuid
from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, func, not_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.campaign.characters import Holding
from app.engine.ruleset import GM
from app.models.people import Character, Member, Role
from app.models.scenes import Scene, SeatRow


def knowing(viewer: Member) -> list[ColumnElement[bool]]:
    """Returns the conditions on characters that this viewer may read."""
    return [] if viewer.role == Role.GM else [not_(Character.secret)]


async def find(session: AsyncSession, viewer: Member, slug: str) -> Character:
    """Returns a character that the viewer may read. Raises NotThere for all others, as if they did not exist."""
    return await characters.find(session, viewer.campaign_id, slug, *knowing(viewer))


async def known_characters(session: AsyncSession, viewer: Member) -> Sequence[Character]:
    """Returns all characters that the viewer may read, in the order of `characters.all_characters`."""
    return await characters.all_characters(session, viewer.campaign_id, *knowing(viewer))


async def hidden(session: AsyncSession, viewer: Member) -> frozenset[str]:
    """Returns the slugs of characters that the viewer may not read, so that lists of names can omit them."""
    mine = Character.campaign_id == viewer.campaign_id
    return frozenset(await session.scalars(select(Character.slug).where(mine, not_(and_(true(), *knowing(viewer))))))


async def met(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, str]:
    """Returns names of the characters in scenes that are over, by slug, as the latest such scene called them.

    Every member may read those scenes with all characters; in an open scene, a character may still be hidden.
    """
    rows = await session.execute(
        select(SeatRow.characters, SeatRow.name)
        .join(Scene, (Scene.campaign_id == SeatRow.campaign_id) & (Scene.id == SeatRow.scene_id))
        .where(SeatRow.campaign_id == campaign_id, SeatRow.seat != GM, Scene.status != "open")
        .order_by(Scene.ended_at, SeatRow.position)
    )
    found: dict[str, str] = {}
    for slugs, name in rows:
        names = [name] if len(slugs) == 1 else name.split(" and ")
        if len(names) == len(slugs):
            found |= dict(zip(slugs, names, strict=True))
    return found


async def told_names(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, str]:
    """Returns names of secret characters that a GM has told the players, by slug, in the order of names."""
    rows = await session.execute(
        select(Character.slug, Character.name)
        .where(Character.campaign_id == campaign_id, Character.secret, Character.shown == "name")
        .where(Character.retired_at.is_(None))
        .order_by(func.lower(Character.name), Character.id)
    )
    return {slug: name for slug, name in rows}


async def public_names(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, str]:
    """Returns names of secret characters that every member may know, by slug: of those met, and of those told."""
    return await met(session, campaign_id) | await told_names(session, campaign_id)


async def holdings(session: AsyncSession, viewer: Member) -> dict[str, Holding]:
    """Returns the open scenes that hold characters, by slug, as far as the viewer may know of it: where the GMs' own
    characters are, only GMs know, since the rules of a scene may hide them."""
    held = await characters.in_scenes(session, viewer.campaign_id)
    if viewer.role == Role.GM or not held:
        return held
    unowned = await session.scalars(
        select(Character.slug).where(Character.campaign_id == viewer.campaign_id, Character.owner_id.is_(None))
    )
    return {slug: held[slug] for slug in held.keys() - set(unowned)}


async def known_names(session: AsyncSession, viewer: Member) -> dict[str, str]:
    """Returns the names that the viewer knows, by slug: of all characters they may read, and of those only met or
    named."""
    names = {} if viewer.role == Role.GM else await public_names(session, viewer.campaign_id)
    return names | {one.slug: one.name for one in await known_characters(session, viewer)}
