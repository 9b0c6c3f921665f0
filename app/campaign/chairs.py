"""What a change among people does to the chairs of scenes that are being played.

The scene is locked for it (`still`), so nobody reads a seal by sitting down while it is being laid: a seal laid before
the change has its old holder, one laid after it has the new.
"""

import uuid
from collections.abc import Collection

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.lock_order import locking
from app.engine.ruleset import GM
from app.models.base import new_id
from app.models.people import Character, Member, Role
from app.models.scenes import Line, Scene, SeatHolder, SeatRow


async def still(session: AsyncSession, campaign_id: uuid.UUID) -> list[uuid.UUID]:
    """Lock every open scene of the campaign, in one fixed order; returns their ids."""
    query = select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.status == "open").order_by(Scene.id)
    return list(await session.scalars(locking(query)))


async def follow_owners(session: AsyncSession, campaign_id: uuid.UUID, slugs: Collection[str], who: str) -> None:
    """Give the chairs of these characters to the owners they have now, or to the GMs where they have none."""
    owners = await _owners(session, campaign_id)
    for seat in await _player_seats(session, campaign_id, await still(session, campaign_id)):
        if set(seat.characters) & set(slugs):
            await _settle(session, seat, {owners.get(slug) for slug in seat.characters}, who)


async def take_away(session: AsyncSession, campaign_id: uuid.UUID, member: Member, who: str) -> None:
    """Take a member from every chair; one that is left empty falls to its characters' owners, else to the GMs. A chair
    without characters was the member's own voice: it stays empty, and silence answers for it."""
    owners = await _owners(session, campaign_id)
    for seat in await _player_seats(session, campaign_id, await still(session, campaign_id)):
        held = set(await session.scalars(select(SeatHolder.member_id).where(*_at(seat))))
        if member.id in held:
            left: set[uuid.UUID | None] = set(held - {member.id})
            await _settle(session, seat, left or {owners.get(slug) for slug in seat.characters} - {member.id}, who)
    await seat_gms(session, campaign_id)


async def give(session: AsyncSession, seat: SeatRow, to: Member | None, who: str) -> None:
    """Let one member alone hold this chair, or the GMs, in a scene that the caller has locked."""
    await _settle(session, seat, {None if to is None else to.id}, who)


async def seat_gms(session: AsyncSession, campaign_id: uuid.UUID) -> None:
    """Every GM, and nobody else, holds the GM's chair of every open scene."""
    scenes = await still(session, campaign_id)
    gms = await _gms(session, campaign_id)
    rows = await session.scalars(
        select(SeatRow).where(SeatRow.campaign_id == campaign_id, SeatRow.scene_id.in_(scenes), SeatRow.seat == GM)
    )
    for seat in rows.all():
        await _hold(session, seat, gms)


async def _settle(session: AsyncSession, seat: SeatRow, wanted: Collection[uuid.UUID | None], who: str) -> None:
    members = await session.scalars(
        select(Member).where(
            Member.campaign_id == seat.campaign_id,
            Member.id.in_([one for one in wanted if one is not None]),
            Member.removed_at.is_(None),
            Member.role != Role.SPECTATOR,
        )
    )
    sitting = {member.id: member.name for member in members}
    others = await _gms(session, seat.campaign_id) if seat.characters else set()
    if not await _hold(session, seat, set(sitting) or others):
        return
    names = " and ".join(sorted(sitting.values())) or ("the GM" if seat.characters else "nobody")
    session.add(
        Line(
            campaign_id=seat.campaign_id,
            scene_id=seat.scene_id,
            id=new_id(),
            kind="notice",
            who=who,
            text=f"{seat.name} is now played by {names}."
            if names != "nobody"
            else f"{seat.name} is gone from the table.",
        )
    )


async def _hold(session: AsyncSession, seat: SeatRow, wanted: set[uuid.UUID]) -> bool:
    """Let exactly these members hold the chair; those who held it before keep their `since`. Whether it changed."""
    held = set(await session.scalars(select(SeatHolder.member_id).where(*_at(seat))))
    if held - wanted:
        await session.execute(
            delete(SeatHolder)
            .where(*_at(seat), SeatHolder.member_id.in_(held - wanted))
            .execution_options(synchronize_session=False)
        )
    for member in wanted - held:
        session.add(SeatHolder(campaign_id=seat.campaign_id, scene_id=seat.scene_id, seat=seat.seat, member_id=member))
    await session.flush()
    return held != wanted


def _at(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return (
        SeatHolder.campaign_id == seat.campaign_id,
        SeatHolder.scene_id == seat.scene_id,
        SeatHolder.seat == seat.seat,
    )


async def _player_seats(session: AsyncSession, campaign_id: uuid.UUID, scenes: list[uuid.UUID]) -> list[SeatRow]:
    rows = await session.scalars(
        select(SeatRow)
        .where(SeatRow.campaign_id == campaign_id, SeatRow.scene_id.in_(scenes), SeatRow.seat != GM)
        .order_by(SeatRow.scene_id, SeatRow.position)
    )
    return list(rows)


async def _owners(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, uuid.UUID | None]:
    rows = await session.execute(select(Character.slug, Character.owner_id).where(Character.campaign_id == campaign_id))
    return {row[0]: row[1] for row in rows}


async def _gms(session: AsyncSession, campaign_id: uuid.UUID) -> set[uuid.UUID]:
    return set(
        await session.scalars(
            select(Member.id).where(
                Member.campaign_id == campaign_id, Member.role == Role.GM, Member.removed_at.is_(None)
            )
        )
    )
