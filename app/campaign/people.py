"""The GMs' actions on members (remove, set a role, hand over), with the consequences for characters and seats."""

import uuid

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, presence, seating, seats, sheets
from app.db.lock_order import lock_row
from app.errors import Conflict, NotThere, NotYours
from app.models.people import Character, Invitation, Member, Role


async def present_name(session: AsyncSession, campaign_id: uuid.UUID, name: str, but: Member | None = None) -> None:
    """Raises Conflict where another present member has that name: they could not be told apart."""
    for member in await seats.members(session, campaign_id):
        if member.name.casefold() == name.casefold() and (but is None or member.id != but.id):
            raise Conflict(
                f"This campaign already has a player called {member.name}.",
                "Add something to tell you apart.",
                field="name",
            )


async def rename(session: AsyncSession, member: Member, name: str) -> None:
    """Renames a member; the handle stays the same, so that links and cookies still work."""
    await seats.hold(session, member.campaign_id)
    await present_name(session, member.campaign_id, name, but=member)
    await session.execute(
        update(Member)
        .where(Member.campaign_id == member.campaign_id, Member.id == member.id)
        .values(name=name)
        .execution_options(synchronize_session=False)
    )


async def hand_over(
    session: AsyncSession, campaign_id: uuid.UUID, character_id: uuid.UUID, to: Member | None, by: Member
) -> Character:
    """Gives a character to another member, or to the GMs (`to` None), with its seats in open scenes.

    Sealed envelopes remain: the new holder can replace them, but not read them. Only a GM or the owner may do this.
    """
    await seats.hold(session, campaign_id)
    if to is not None:
        to = await seats.now(session, to)
    await seating.lock_open_scenes(session, campaign_id)
    character = await lock_row(session, Character, (campaign_id, character_id))
    if character is None:
        raise NotThere("There is no such character in this campaign.")
    if by.role != Role.GM and character.owner_id != by.id:
        raise NotYours(f"You cannot hand over {character.name}.", "Ask a GM.")
    if to is not None and (to.role == Role.SPECTATOR or to.removed_at is not None):
        raise Conflict(f"{to.name} only watches.", "Make them a player first, on the people page.", field="to")
    new_owner = None if to is None else to.id
    if character.owner_id == new_owner:
        return character
    await sheets.give(session, character, to, by=by)
    await seating.follow_owners(session, campaign_id, {character.slug}, who=by.name)
    return character


async def remove(session: AsyncSession, member: Member, by: Member) -> None:
    """Removes a member: their browsers and links stop working, and their characters go to the GMs. Raises Conflict for
    the only GM."""
    await seats.hold(session, member.campaign_id)
    member = await seats.now(session, member)
    await _one_gm_left(session, member)
    await seating.lock_open_scenes(session, member.campaign_id)
    await let_go(session, member, who=by.name, by=by)


async def let_go(session: AsyncSession, member: Member, who: str, by: Member | None = None) -> None:
    """The second half of `remove`, for a caller who has locked the campaign's members and its open scenes."""
    member.removed_at = func.now()
    member.way_back = None
    await session.flush()
    await session.refresh(member)
    await seats.sign_out(session, member)
    await presence.forget(session, member)
    await _withdraw_invitations(session, member)
    await _to_the_gms(session, member, by, who)
    await seating.take_away(session, member.campaign_id, member, who=who)


async def set_role(session: AsyncSession, member: Member, role: Role, by: Member) -> None:
    """Makes a member a GM, a player or a spectator, whose characters go to the GMs. What a GM has invited to and nobody
    has used ends with the role. Raises Conflict for the only GM."""
    await seats.hold(session, member.campaign_id)
    member = await seats.now(session, member)
    if member.role == role:
        return
    if role != Role.GM:
        await _one_gm_left(session, member)
        await _withdraw_invitations(session, member)
    await seating.lock_open_scenes(session, member.campaign_id)
    member.role = role
    await session.flush()
    if role == Role.SPECTATOR:
        await _to_the_gms(session, member, by, by.name)
        await seating.take_away(session, member.campaign_id, member, who=by.name)
    await seating.seat_gms(session, member.campaign_id)


async def _withdraw_invitations(session: AsyncSession, member: Member) -> None:
    """Withdraws a GM's unused invitations: one that makes a GM would be a way back into the role."""
    await session.execute(
        update(Invitation)
        .where(
            Invitation.campaign_id == member.campaign_id,
            Invitation.made_by == member.id,
            Invitation.claimed_at.is_(None),
            Invitation.revoked_at.is_(None),
        )
        .values(revoked_at=func.now())
        .execution_options(synchronize_session=False)
    )


async def _to_the_gms(session: AsyncSession, member: Member, by: Member | None, who: str) -> None:
    """Gives all characters of a member to the GMs, with their seats in open scenes."""
    slugs = set[str]()
    for character in await characters.lock(session, member.campaign_id, Character.owner_id == member.id):
        await sheets.give(session, character, None, by=by)
        slugs.add(character.slug)
    await seating.follow_owners(session, member.campaign_id, slugs, who=who)


async def _one_gm_left(session: AsyncSession, member: Member) -> None:
    others = await session.scalar(
        select(func.count())
        .select_from(Member)
        .where(
            Member.campaign_id == member.campaign_id,
            Member.role == Role.GM,
            Member.removed_at.is_(None),
            Member.id != member.id,
        )
    )
    if member.role == Role.GM and not others:
        raise Conflict(f"{member.name} is the only GM.", "Make someone else a GM first.")
