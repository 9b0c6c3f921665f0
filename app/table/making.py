"""Characters that a scene makes: each is owned by whoever holds its seat as the scene ends."""

import uuid
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import book
from app.campaign import characters
from app.engine.ruleset import Made
from app.models.people import Member
from app.models.scenes import SeatHolder
from app.table.live import Live


async def make(session: AsyncSession, live: Live, made: Sequence[Made]) -> None:
    """Make them in their order; their seats keep them from now on, so that this scene is the first of their lives.

    The scene is locked, the campaign's people are not and may not be any more: two drafts that end at once wait for
    each other at the almanac, and an address that is taken meanwhile is counted up (characters.add).
    """
    if not made:
        return
    await book.hold(session, live.vault, live.campaign)
    owners = await _owners(session, live)
    for one in made:
        seat = next(chair for chair in live.seats if chair.seat == one.seat)
        where = (live.campaign, one.name, live.ruleset.key, dict(one.sheet), owners.get(one.seat))
        character = await characters.add(session, *where, scene=live.id)
        seat.characters = [*seat.characters, character.slug]
    await session.flush()


async def _owners(session: AsyncSession, live: Live) -> dict[str, uuid.UUID]:
    """Who holds a seat alone; what several hold, or nobody any more, is the GMs'."""
    rows = await session.execute(
        select(SeatHolder.seat, SeatHolder.member_id)
        .join(Member, (Member.campaign_id == SeatHolder.campaign_id) & (Member.id == SeatHolder.member_id))
        .where(SeatHolder.campaign_id == live.campaign, SeatHolder.scene_id == live.id, Member.removed_at.is_(None))
    )
    held: dict[str, list[uuid.UUID]] = {}
    for seat, member in rows:
        held.setdefault(seat, []).append(member)
    return {seat: members[0] for seat, members in held.items() if len(members) == 1}
