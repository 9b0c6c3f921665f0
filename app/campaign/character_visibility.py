"""Which of a campaign's characters a viewer may know: the one place where pages find and list them.

The GMs' people are the GMs' alone. Scenes show of them what their rules show, and the name stays known from there.
"""

import uuid
from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, not_, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.engine.ruleset import GM
from app.models.people import Character, Member, Role
from app.models.scenes import Scene, SeatRow


def knowing(viewer: Member) -> list[ColumnElement[bool]]:
    """What a character must fulfil so that this viewer may read it."""
    return [] if viewer.role == Role.GM else [not_(Character.secret)]


async def find(session: AsyncSession, viewer: Member, slug: str) -> Character:
    """A character that the viewer may read; for all others `NotThere`, as if there were none of that name."""
    return await characters.find(session, viewer.campaign_id, slug, *knowing(viewer))


async def known_characters(session: AsyncSession, viewer: Member) -> Sequence[Character]:
    """All that the viewer may read, in the order of `characters.listed`."""
    return await characters.all_characters(session, viewer.campaign_id, *knowing(viewer))


async def hidden(session: AsyncSession, viewer: Member) -> frozenset[str]:
    """The slugs of all that the viewer may not know of; lists that name people leave these out."""
    mine = Character.campaign_id == viewer.campaign_id
    return frozenset(await session.scalars(select(Character.slug).where(mine, not_(and_(true(), *knowing(viewer))))))


async def met(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, str]:
    """Who sat in a scene that is over, by slug, under the name that the last such scene had for them.

    Every member may read those scenes with everybody in them; before a scene is over, somebody may still be hidden.
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


async def known_names(session: AsyncSession, viewer: Member) -> dict[str, str]:
    """Whom the viewer can call by name, by slug: all they may read, and those whom they only met."""
    names = {} if viewer.role == Role.GM else await met(session, viewer.campaign_id)
    return names | {one.slug: one.name for one in await known_characters(session, viewer)}
