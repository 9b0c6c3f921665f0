"""Invitations: a link that lets one person join once, with a name and no account.

To look at an invitation changes nothing, so a chat that fetches its preview does not use it up.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, seating, seats, sheets, tokens
from app.campaign.people import let_go, present_name
from app.campaign.seats import NewSeat
from app.errors import Conflict, NotThere, Over
from app.models.people import Campaign, Character, Device, Invitation, Member, Role

LIFE = timedelta(days=14)
MOST_LISTED, LAST_USED = 100, 10
AGAIN = timedelta(minutes=10)
"""How long the form that claimed an invitation gets the same answer again (after a double press or a reload)."""


@dataclass(frozen=True, slots=True)
class Sight:
    """An invitation as a person with its link sees it. `state` is open, claimed, over or revoked."""

    campaign: Campaign
    invitation: Invitation
    state: str
    inviter: str
    claimer: Member | None
    characters: tuple[str, ...]


async def invite(
    session: AsyncSession,
    campaign: Campaign,
    by: Member,
    role: Role,
    for_name: str = "",
    characters: Sequence[uuid.UUID] = (),
    replaces: Member | None = None,
    once: str | None = None,
) -> tuple[Invitation, str]:
    """Returns a new invitation and its link's token, which is stored only as a hash.

    With `replaces`, the new member takes over that member's characters and seats, and that member is removed. It makes
    a new member on purpose: if it gave access to the old one, a GM could claim it and read what is sealed there. The
    same `once` gives the same invitation; raises Conflict where a new link was made for it.
    """
    await seats.hold(session, campaign.id)
    token, invitation_id = tokens.derive(once, "invitation"), tokens.derive_id(once, "invitation-id")
    before = await session.get(Invitation, (campaign.id, invitation_id))
    if before is not None:
        if before.token_hash != tokens.digest(token):
            raise Conflict("This invitation already exists and has a newer link.", "Make a new link if you need one.")
        return before, token
    free = await _free_characters(session, campaign.id, characters)
    invitation = Invitation(
        campaign_id=campaign.id,
        id=invitation_id,
        token_hash=tokens.digest(token),
        role=replaces.role if replaces is not None else role,
        characters=[str(character.id) for character in free],
        for_name=for_name,
        replaces_id=None if replaces is None else replaces.id,
        made_by=by.id,
        expires_at=func.now() + LIFE,
    )
    session.add(invitation)
    await session.flush()
    return invitation, token


async def _free_characters(
    session: AsyncSession, campaign_id: uuid.UUID, wanted: Sequence[uuid.UUID]
) -> list[Character]:
    rows = await session.scalars(
        select(Character)
        .where(Character.campaign_id == campaign_id, Character.id.in_(wanted), Character.retired_at.is_(None))
        .order_by(Character.name)
    )
    found = list(rows)
    if len(found) != len(set(wanted)):
        raise NotThere("One of these characters is not in this campaign.", field="characters")
    for character in found:
        if character.owner_id is not None:
            raise Conflict(
                f"{character.name} already belongs to a player.", "Hand it over instead.", field="characters"
            )
    return found


async def renew(
    session: AsyncSession, campaign: Campaign, invitation_id: uuid.UUID, once: str | None = None
) -> tuple[Invitation, str]:
    """Returns an unclaimed invitation with a new link, valid for the full time again; the old link stops working.
    Raises Over where it was claimed."""
    await seats.hold(session, campaign.id)
    invitation = await _of(session, campaign.id, invitation_id)
    if invitation.claimed_at is not None:
        raise Over("This invitation was used.", "Make a new one for the next person.")
    token = tokens.derive(once, f"renew/{invitation.id}")
    invitation.token_hash = tokens.digest(token)
    invitation.expires_at = func.now() + LIFE
    invitation.revoked_at = None
    await session.flush()
    return invitation, token


async def revoke(session: AsyncSession, campaign: Campaign, invitation_id: uuid.UUID) -> Invitation:
    """Withdraws an invitation; its link stops working. Raises Over where it was claimed."""
    await seats.hold(session, campaign.id)
    invitation = await _of(session, campaign.id, invitation_id)
    if invitation.claimed_at is not None:
        raise Over("This invitation was used.", "You can remove the player on the people page.")
    invitation.revoked_at = func.now()
    return invitation


async def _of(session: AsyncSession, campaign_id: uuid.UUID, invitation_id: uuid.UUID) -> Invitation:
    invitation = await session.get(Invitation, (campaign_id, invitation_id), populate_existing=True)
    if invitation is None:
        raise NotThere("There is no such invitation in this campaign.")
    return invitation


async def preview(session: AsyncSession, slug: str, token: str) -> Sight:
    """Returns the invitation of a link without changing it. Raises NotThere where there is none."""
    campaign = await seats.by_slug(session, slug) if tokens.well_formed(token) else None
    invitation = None
    if campaign is not None:
        theirs = (Invitation.campaign_id == campaign.id, Invitation.token_hash == tokens.digest(token))
        invitation = await session.scalar(select(Invitation).where(*theirs))
    if campaign is None or invitation is None:
        raise NotThere(
            "This invitation does not work. Part of the link may be missing, or the GM has made a newer one.",
            "Ask your GM for a new link.",
        )
    return await _sight(session, campaign, invitation)


async def invitations(session: AsyncSession, campaign: Campaign) -> list[Sight]:
    """Returns a campaign's invitations for its GMs, without withdrawn ones: first all unused, then the last used."""
    waiting = (Invitation.campaign_id == campaign.id, Invitation.revoked_at.is_(None))
    newest = (Invitation.made_at.desc(), Invitation.id.desc())
    unused = await session.scalars(
        select(Invitation).where(*waiting, Invitation.claimed_at.is_(None)).order_by(*newest).limit(MOST_LISTED)
    )
    used = await session.scalars(
        select(Invitation).where(*waiting, Invitation.claimed_at.isnot(None)).order_by(*newest).limit(LAST_USED)
    )
    return await _sights(session, campaign, [*unused.all(), *used.all()])


async def _sight(session: AsyncSession, campaign: Campaign, invitation: Invitation) -> Sight:
    return (await _sights(session, campaign, [invitation]))[0]


async def _sights(session: AsyncSession, campaign: Campaign, invitations: Sequence[Invitation]) -> list[Sight]:
    now = await session.scalar(select(func.now()))
    people = await session.scalars(select(Member).where(Member.campaign_id == campaign.id))
    known = {one.id: one for one in people}
    characters = await session.scalars(
        select(Character).where(Character.campaign_id == campaign.id).order_by(func.lower(Character.name))
    )
    cast = characters.all()
    return [
        Sight(
            campaign,
            invitation,
            _state(invitation, now),
            known[invitation.made_by].name if invitation.made_by in known else "The GM",
            None if invitation.claimed_by is None else known.get(invitation.claimed_by),
            tuple(character.name for character in cast if _promised(invitation, character)),
        )
        for invitation in invitations
    ]


def _state(invitation: Invitation, now: datetime | None) -> str:
    if invitation.claimed_at is not None:
        return "claimed"
    if invitation.revoked_at is not None:
        return "revoked"
    return "over" if now is not None and invitation.expires_at <= now else "open"


def _promised(invitation: Invitation, character: Character) -> bool:
    """Whether the member who claims this will get the character, as far as is known now."""
    if str(character.id) in invitation.characters:
        return True
    leaving = invitation.replaces_id
    return invitation.claimed_at is None and leaving is not None and character.owner_id == leaving


async def claim(
    session: AsyncSession, slug: str, token: str, name: str, label: str, once: str | None = None
) -> NewSeat:
    """Claims an invitation: makes a new member of that name, in this browser, with a personal link.

    Only one claim succeeds; others raise Over or Conflict with the reason. The form that succeeded gets the same answer
    again for ten minutes.
    """
    before = await preview(session, slug, token)
    campaign = await seats.hold(session, before.campaign.id)
    invitation = await _of(session, campaign.id, before.invitation.id)
    sight = await _sight(session, campaign, invitation)
    cookie = tokens.derive(once, f"cookie/{invitation.id}")
    if sight.state == "claimed":
        return await _again(session, sight, cookie, once)
    if invitation.token_hash != tokens.digest(token):
        raise Over("A newer link was made for this invitation.", "Ask your GM for it.")
    if sight.state != "open":
        what = "has expired" if sight.state == "over" else "was withdrawn"
        raise Over(f"This invitation {what}.", "Ask your GM for a new one.")
    return await _sit(session, campaign, invitation, name, label, cookie, once)


async def _sit(
    session: AsyncSession,
    campaign: Campaign,
    invitation: Invitation,
    name: str,
    label: str,
    cookie: str,
    once: str | None,
) -> NewSeat:
    leaving = None
    if invitation.replaces_id is not None:
        leaving = await session.get(Member, (campaign.id, invitation.replaces_id))
    await present_name(session, campaign.id, name, but=leaving)
    await seating.lock_open_scenes(session, campaign.id)
    member = await seats.add_member(session, campaign, name, invitation.role)
    await _hand(session, invitation, member, leaving)
    if leaving is not None and leaving.removed_at is None:
        await let_go(session, leaving, who=member.name)
    if member.role == Role.GM:
        await seating.seat_gms(session, campaign.id)
    invitation.claimed_by, invitation.claimed_at = member.id, func.now()
    device = await seats.sit_down(session, member, label, cookie)
    link = await seats.make_link(session, member, once)
    return NewSeat(campaign, member, device, cookie, link)


async def _hand(session: AsyncSession, invitation: Invitation, member: Member, leaving: Member | None) -> None:
    """Gives the member the promised characters that still have no owner, and all characters of the leaving member."""
    mine = Character.owner_id.is_(None) & Character.id.in_([uuid.UUID(one) for one in invitation.characters])
    if leaving is not None:
        mine = mine | (Character.owner_id == leaving.id)
    slugs = []
    for character in await characters.lock(session, member.campaign_id, mine):
        await sheets.give(session, character, member, by=member)
        slugs.append(character.slug)
    await session.flush()
    await seating.follow_owners(session, member.campaign_id, slugs, who=member.name)


async def _again(session: AsyncSession, sight: Sight, cookie: str, once: str | None) -> NewSeat:
    campaign, invitation = sight.campaign, sight.invitation
    found = await session.execute(
        select(Member, Device)
        .join(Device, (Device.campaign_id == Member.campaign_id) & (Device.member_id == Member.id))
        .where(
            Member.campaign_id == campaign.id,
            Member.id == invitation.claimed_by,
            Member.removed_at.is_(None),
            Device.token_hash == tokens.digest(cookie),
            Device.revoked_at.is_(None),
            Device.made_at > func.now() - AGAIN,
        )
    )
    row = found.one_or_none()
    if row is None:
        raise Conflict(
            f"{sight.claimer.name if sight.claimer else 'Someone'} has joined with this invitation already.",
            "If that was you, open your personal link, or enter a code from the device you joined on. "
            "If not, ask your GM for another invitation.",
        )
    member, device = row[0], row[1]
    link = tokens.derive(once, f"link/{campaign.id}/{member.id}")
    known = member.way_back == tokens.digest(link)
    return NewSeat(campaign, member, device.id, cookie, link if known else None)
