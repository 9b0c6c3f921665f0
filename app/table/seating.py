"""How characters come to a scene, at its beginning and later: locked, claimed, and seated with who holds the seat."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.engine.ruleset import GM, Seat
from app.models.people import Character, Member, Role
from app.models.scenes import Claim, SeatHolder, SeatRow
from app.table.live import Live


async def lock(session: AsyncSession, campaign: uuid.UUID, slugs: Iterable[str]) -> dict[str, Character]:
    """Those of these characters that there are, locked until the transaction ends: a sheet is either changed before a
    scene reads it, or not before the scene is over, and of two scenes that want it one comes first."""
    rows = await characters.lock(session, campaign, Character.slug.in_(list(slugs)), key_share=True)
    return {row.slug: row for row in rows}


async def claim(session: AsyncSession, live: Live, things: Collection[str]) -> set[str]:
    """Claim characters and memories for a scene; returns those that another scene holds.

    The primary key makes a claim exclusive: of two scenes opened at once, the later finds the thing taken.
    """
    if not things:
        return set()
    values = [{"campaign_id": live.campaign, "thing": thing, "scene_id": live.id} for thing in things]
    done = await session.scalars(insert(Claim).values(values).on_conflict_do_nothing().returning(Claim.thing))
    return set(things) - set(done)


async def seat(
    session: AsyncSession,
    live: Live,
    rows: Sequence[SeatRow],
    characters: Mapping[str, Character],
    people: Mapping[Seat, Member] | None = None,
) -> None:
    """Put seats down. Each is held by the owners of its characters, by all GMs where nobody owns them, or by whom
    `people` names for it."""
    gms = await session.scalars(
        select(Member.id).where(
            Member.campaign_id == live.campaign, Member.role == Role.GM, Member.removed_at.is_(None)
        )
    )
    holders: dict[str, set[uuid.UUID]] = {GM: set(gms)}
    for row in rows:
        if people and (member := people.get(Seat(row.seat))):
            holders[row.seat] = {member.id}
        elif row.seat != GM:
            owners = {characters[slug].owner_id for slug in row.characters}
            holders[row.seat] = {owner for owner in owners if owner is not None} or holders[GM]
        session.add(row)
    await session.flush()
    for row in rows:
        for holder in holders[row.seat]:
            session.add(SeatHolder(campaign_id=live.campaign, scene_id=live.id, seat=row.seat, member_id=holder))
    await session.flush()
