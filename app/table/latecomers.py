"""Somebody comes in while a scene is being played: a seat, a claim on the sheet, and the rules' own welcome."""

import uuid
from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.models import Character, Member, Role
from app.engine.ruleset import Seat
from app.engine.tale import Telling
from app.table import acts, closing, recording
from app.table.envelopes import Refused, Stale
from app.table.live import Live
from app.table.models import Claim, SeatHolder, SeatRow


async def guests(session: AsyncSession, campaign: uuid.UUID, ruleset: str, here: Collection[str]) -> list[Character]:
    """Characters who could still come in: made for these rules, in no open scene, and not `here` as copies."""
    held = select(Claim.thing).where(Claim.campaign_id == campaign)
    rows = await session.scalars(
        select(Character)
        .where(
            Character.campaign_id == campaign,
            Character.ruleset == ruleset,
            Character.retired_at.is_(None),
            func.concat("character/", Character.slug).not_in(held),
        )
        .order_by(Character.name)
    )
    return [row for row in rows if row.slug not in here]


async def enter(session: AsyncSession, live: Live, who: Member, slug: str) -> None:
    """Seat a character in mid-scene; an open question may be withdrawn by it and asked anew, with the newcomer."""
    if live.row.status != "open":
        raise Stale("This scene is over.")
    here = {name for seat in live.seats for name in seat.characters}
    free = await guests(session, live.campaign, live.ruleset.key, here)
    character = next((one for one in free if one.slug == slug), None)
    if character is None:
        raise Refused("Choose a character who is in no scene, and is made for these rules.")
    if live.kind.enter is None:
        raise Refused("These rules let nobody in once the scene has begun.")
    session.add(Claim(campaign_id=live.campaign, thing=f"character/{slug}", scene_id=live.id))
    await _seat(session, live, character)
    telling = Telling(live.state, live.kind.apply, last=live.row.last_event)
    live.kind.enter(telling, Seat(slug), slug, live.ruleset.character.validate_python(character.sheet))
    closing.write_events(session, live, "", telling.told)
    await recording.entered(session, live, slug, telling.told)
    acts.notice(session, live, who, f"{character.name} comes in.")
    await closing.reconcile(session, live)


async def _seat(session: AsyncSession, live: Live, character: Character) -> None:
    last = max(seat.position for seat in live.seats)
    seat = SeatRow(
        campaign_id=live.campaign,
        scene_id=live.id,
        seat=character.slug,
        position=last + 1,
        name=character.name,
        role="player",
        characters=[character.slug],
    )
    session.add(seat)
    live.seats.append(seat)
    await session.flush()
    owners = [character.owner_id] if character.owner_id else await _gms(session, live)
    for owner in owners:
        session.add(SeatHolder(campaign_id=live.campaign, scene_id=live.id, seat=character.slug, member_id=owner))
    await session.flush()


async def _gms(session: AsyncSession, live: Live) -> list[uuid.UUID]:
    rows = await session.scalars(
        select(Member.id).where(
            Member.campaign_id == live.campaign, Member.role == Role.GM, Member.removed_at.is_(None)
        )
    )
    return list(rows)
