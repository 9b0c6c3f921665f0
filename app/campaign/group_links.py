"""The group link of a campaign: one link for a group chat. People who open it type a name and ask to join; a GM admits
or declines them.

The database holds a nonce and a hash. The token is derived from the nonce with the key of the envelopes, so that GMs
can see the link at any time, while a copy of the database shows it to nobody.
"""

import base64
import hmac
import os
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import heroes, names, seats, tokens
from app.crypto.vault import Vault
from app.engine.ruleset import Ruleset
from app.errors import Conflict, NotThere, Over
from app.models.base import new_id
from app.models.people import Campaign, Device, GroupLink, JoinRequest, Member, Role

LIFE = timedelta(days=14)
"""How long a request to join waits, and how long its row is kept."""

MOST_WAITING = 30
"""The most requests that wait in a campaign at a time, so that a leaked link cannot flood the GM's page."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request as the browser that made it sees it. `member` is set once the request is admitted."""

    campaign: Campaign
    request: JoinRequest
    member: Member | None


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that a GM has to answer. `hero_name` is the ready-made hero that the person chose, or empty."""

    id: uuid.UUID
    name: str
    hero_name: str


async def make(session: AsyncSession, vault: Vault, campaign: Campaign) -> str:
    """Returns the token of a new group link. The old one stops working, and people who still wait have to ask again."""
    await seats.hold(session, campaign.id)
    nonce = os.urandom(16)
    token = _token(vault.keys[0], campaign.id, nonce)
    row: dict[str, Any] = {"nonce": nonce, "token_hash": tokens.digest(token), "made_at": func.now()}
    made = insert(GroupLink).values(campaign_id=campaign.id, **row)
    await session.execute(made.on_conflict_do_update(index_elements=[GroupLink.campaign_id], set_=row))
    await _decline_waiting(session, campaign.id)
    return token


async def ensure(session: AsyncSession, vault: Vault, campaign: Campaign) -> None:
    """Makes the group link of a new campaign, unless it has one."""
    await seats.hold(session, campaign.id)
    if await _row(session, campaign.id) is None:
        await make(session, vault, campaign)


async def close(session: AsyncSession, campaign: Campaign) -> None:
    """Switches the group link off and declines the people who still wait."""
    await seats.hold(session, campaign.id)
    await session.execute(delete(GroupLink).where(GroupLink.campaign_id == campaign.id))
    await _decline_waiting(session, campaign.id)


async def token_for_gms(session: AsyncSession, vault: Vault, campaign: Campaign) -> str | None:
    """Returns the token of the group link for its GMs: None if it is off, "" if it was made with a key that is gone."""
    row = await _row(session, campaign.id)
    if row is None:
        return None
    made = (_token(key, campaign.id, row.nonce) for key in vault.keys)
    return next((token for token in made if hmac.compare_digest(tokens.digest(token), row.token_hash)), "")


def _token(key: bytes, campaign_id: uuid.UUID, nonce: bytes) -> str:
    raw = hmac.digest(key, b"signet-group-link-1\n" + campaign_id.bytes + nonce, "sha256")
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


async def _row(session: AsyncSession, campaign_id: uuid.UUID) -> GroupLink | None:
    return await session.get(GroupLink, campaign_id, populate_existing=True)


async def _decline_waiting(session: AsyncSession, campaign_id: uuid.UUID) -> None:
    await session.execute(
        update(JoinRequest)
        .where(JoinRequest.campaign_id == campaign_id, JoinRequest.status == "waiting")
        .values(status="declined", answered_at=func.now())
        .execution_options(synchronize_session=False)
    )


async def find(session: AsyncSession, slug: str, token: str) -> Campaign:
    """Returns the campaign of a group link without changing anything. Raises NotThere where the link does not work."""
    campaign = await seats.by_slug(session, slug) if tokens.well_formed(token) else None
    row = None if campaign is None else await _row(session, campaign.id)
    if campaign is None or row is None or not hmac.compare_digest(row.token_hash, tokens.digest(token)):
        raise NotThere(
            "This group link does not work. Part of it may be missing, or the GM has replaced it or switched it off.",
            "Ask your GM for the current link.",
        )
    return campaign


async def ask(
    session: AsyncSession, slug: str, token: str, name: str, hero: str, label: str, once: str | None = None
) -> tuple[JoinRequest, str]:
    """Asks to join, and returns the request with the secret for the cookie of the browser that waits.

    The same `once` gives the same request. Raises NotThere where the link does not work or there is no such `hero`, and
    Conflict where too many people wait already.
    """
    found = await find(session, slug, token)
    campaign = await seats.hold(session, found.id)
    await find(session, slug, token)  # it may have been replaced while this transaction waited
    secret, request_id = tokens.derive(once, f"waiting/{campaign.id}"), tokens.derive_id(once, "join-request")
    before = await session.get(JoinRequest, (campaign.id, request_id), populate_existing=True)
    if before is not None:
        return before, secret
    rules = heroes.usual_rules(campaign)
    await _remove_old(session, campaign.id)
    if await _count_waiting(session, campaign.id) >= MOST_WAITING:
        raise Conflict("Too many people are waiting to join.", "Ask your GM to answer them first, then try again.")
    request = JoinRequest(
        campaign_id=campaign.id,
        id=request_id,
        token_hash=tokens.digest(secret),
        link_hash=tokens.digest(personal_link(secret)),
        name=name,
        ruleset=heroes.ruleset_of(rules, hero).key if hero else "",
        hero=hero,
        label=label,
        status="waiting",
    )
    session.add(request)
    await session.flush()
    return request, secret


def personal_link(secret: str) -> str:
    """Returns the token of the personal link that belongs to a waiting browser's secret."""
    return tokens.derive(secret, "group-link/personal-link")


async def _remove_old(session: AsyncSession, campaign_id: uuid.UUID) -> None:
    """Names of people who were declined or never answered are not kept for ever."""
    old = (JoinRequest.campaign_id == campaign_id, JoinRequest.made_at < func.now() - LIFE)
    await session.execute(delete(JoinRequest).where(*old).execution_options(synchronize_session=False))


async def _count_waiting(session: AsyncSession, campaign_id: uuid.UUID) -> int:
    here = (JoinRequest.campaign_id == campaign_id, JoinRequest.status == "waiting")
    return await session.scalar(select(func.count()).select_from(JoinRequest).where(*here)) or 0


async def waiting(session: AsyncSession, campaign: Campaign) -> list[PendingRequest]:
    """Returns the requests that a GM has to answer, the first one first."""
    rows = await session.scalars(
        select(JoinRequest)
        .where(
            JoinRequest.campaign_id == campaign.id,
            JoinRequest.status == "waiting",
            JoinRequest.made_at > func.now() - LIFE,
        )
        .order_by(JoinRequest.made_at, JoinRequest.id)
    )
    return [PendingRequest(row.id, row.name, _hero_name(row)) for row in rows]


def _hero_name(request: JoinRequest) -> str:
    rules = _rules(request)
    return next((hero.name for hero in heroes.offered(rules) if hero.key == request.hero), "")


def _rules(request: JoinRequest) -> Ruleset[Any, Any] | None:
    return next((rules for rules in rulesets.games() if rules.key == request.ruleset), None)


async def state(session: AsyncSession, slug: str, secret: str) -> Waiting | None:
    """Returns the request of a waiting browser; None for an unknown secret, and for a seat that was left since."""
    campaign = await seats.by_slug(session, slug) if tokens.well_formed(secret) else None
    if campaign is None:
        return None
    mine = (JoinRequest.campaign_id == campaign.id, JoinRequest.token_hash == tokens.digest(secret))
    request = await session.scalar(select(JoinRequest).where(*mine, JoinRequest.made_at > func.now() - LIFE))
    if request is None or request.member_id is None:
        return None if request is None else Waiting(campaign, request, None)
    member = await session.get(Member, (campaign.id, request.member_id))
    here = (Device.campaign_id == campaign.id, Device.token_hash == request.token_hash, Device.revoked_at.is_(None))
    seated = await session.scalar(select(Device.id).where(*here))
    if member is None or member.removed_at is not None or seated is None:
        return None
    return Waiting(campaign, request, member)


async def admit(session: AsyncSession, campaign: Campaign, request_id: uuid.UUID) -> Member:
    """Makes a player of the person who asked, signed in on the browser that waits, with the hero that they chose.

    A name that is taken gets a number. A second press changes nothing; raises Over where the request was declined.
    """
    held = await seats.hold(session, campaign.id)
    request = await _of(session, held.id, request_id)
    if request.member_id is not None:
        return await seats.now(session, await session.get_one(Member, (held.id, request.member_id)))
    if request.status != "waiting":
        raise Over(f"{request.name} was declined before.", "They can open the group link again and ask once more.")
    taken = {member.name.lower() for member in await seats.members(session, held.id)}
    member = await seats.add_member(session, held, names.free_name(request.name, taken), Role.PLAYER)
    member.way_back = request.link_hash
    session.add(
        Device(
            campaign_id=held.id, id=new_id(), member_id=member.id, token_hash=request.token_hash, label=request.label
        )
    )
    request.status, request.member_id, request.answered_at = "admitted", member.id, func.now()
    await session.flush()
    rules = _rules(request)
    if rules is not None and request.hero in rules.heroes():
        await heroes.take(session, held, rules, request.hero, member, member)
    return member


async def decline(session: AsyncSession, campaign: Campaign, request_id: uuid.UUID) -> JoinRequest:
    """Declines a request. Raises Over where the person was admitted."""
    await seats.hold(session, campaign.id)
    request = await _of(session, campaign.id, request_id)
    if request.status == "admitted":
        raise Over(f"{request.name} has joined already.", "You can remove them on the people page.")
    if request.status == "waiting":
        request.status, request.answered_at = "declined", func.now()
    return request


async def _of(session: AsyncSession, campaign_id: uuid.UUID, request_id: uuid.UUID) -> JoinRequest:
    request = await session.get(JoinRequest, (campaign_id, request_id), populate_existing=True)
    if request is None:
        raise NotThere("There is no such request to join in this campaign.")
    return request
