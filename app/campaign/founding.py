"""Creates, renames and lists campaigns."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names, seats, tokens
from app.campaign.sealing_shows import SETTING, SealingShows, chosen
from app.campaign.seats import NewSeat
from app.errors import Conflict
from app.models.people import Campaign, Device, Member, Role

SANDBOXES = ("tutorial", "practice")
"""The settings that mark campaigns for one player, whose GM is played by the computer."""


async def found_campaign(
    session: AsyncSession,
    title: str,
    ruleset: str,
    gm_name: str,
    label: str,
    once: str | None = None,
    invitation: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> NewSeat:
    """Creates a campaign, with these settings beside its ruleset, and signs its GM in on this browser. Only the result
    holds the personal link.

    The same `once` gives the same campaign and the same secrets while that browser is signed in. An `invitation` makes
    only one campaign. Raises Conflict where the form or the invitation was used by another browser.
    """
    campaign_id = tokens.derive_id(invitation or once, "campaign")
    token = tokens.derive(once, "cookie")
    made = await _insert(session, campaign_id, title, {**(settings or {}), "ruleset": ruleset})
    if not made:
        return await _again(session, await seats.hold(session, campaign_id), token, once, invitation)
    campaign = await seats.hold(session, campaign_id)
    gm = await seats.add_member(session, campaign, gm_name, Role.GM)
    device = await seats.sit_down(session, gm, label, token)
    link = await seats.make_link(session, gm, once)
    return NewSeat(campaign, gm, device, token, link)


async def _insert(session: AsyncSession, campaign_id: object, title: str, settings: Mapping[str, Any]) -> bool:
    """Whether the campaign is new. Of two that want the same address at once, the later one gets the next number."""
    wanted = names.slug(title, "campaign")
    while True:
        taken = await session.scalars(select(Campaign.slug).where(Campaign.slug.startswith(wanted[:30])))
        row = {
            "id": campaign_id,
            "slug": names.free(wanted, set(taken)),
            "title": title,
            "about": "",
            "settings": dict(settings),
            "demo": False,
        }
        inserted = await session.scalar(insert(Campaign).values(row).on_conflict_do_nothing().returning(Campaign.id))
        if inserted is not None:
            return True
        if await session.scalar(select(Campaign.id).where(Campaign.id == campaign_id)) is not None:
            return False


async def _again(
    session: AsyncSession, campaign: Campaign, token: str, once: str | None, invitation: str | None
) -> NewSeat:
    found = await session.execute(
        select(Member, Device)
        .join(Device, (Device.campaign_id == Member.campaign_id) & (Device.member_id == Member.id))
        .where(
            Device.campaign_id == campaign.id,
            Device.token_hash == tokens.digest(token),
            Device.revoked_at.is_(None),
            Member.removed_at.is_(None),
        )
    )
    row = found.one_or_none()
    if row is None:
        if invitation:
            raise Conflict(
                "This invitation was used: its campaign was created.", "Use your personal link to get into it."
            )
        raise Conflict(
            "This form was sent before, and its campaign was created.", "Use your personal link to get back to it."
        )
    member, device = row[0], row[1]
    link = tokens.derive(once, f"link/{campaign.id}/{member.id}")
    known = member.way_back == tokens.digest(link)
    return NewSeat(campaign, member, device.id, token, link if known else None)


async def change(
    session: AsyncSession, campaign: Campaign, title: str, about: str, ruleset: str, shows: SealingShows | None
) -> None:
    """Changes a campaign's title, description, usual ruleset and what sealing shows (None: as it was); its address
    stays the same."""
    held = await seats.hold(session, campaign.id)
    held.title, held.about = title, about
    held.settings = {**held.settings, "ruleset": ruleset, SETTING: shows or chosen(held.settings)}


async def campaigns(session: AsyncSession) -> Sequence[tuple[Campaign, Member]]:
    """Returns every campaign with each of its GMs, oldest first; for the operator of the server, not for pages."""
    rows = await session.execute(
        select(Campaign, Member)
        .join(Member, Member.campaign_id == Campaign.id)
        .where(Member.role == Role.GM, Member.removed_at.is_(None))
        .order_by(Campaign.made_at, Campaign.id, Member.joined_at, Member.id)
    )
    return [(row[0], row[1]) for row in rows]
