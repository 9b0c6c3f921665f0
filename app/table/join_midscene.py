"""Lets a character join a scene that is being played: a seat, a claim on the sheet, and the rules' own events."""

import uuid
from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seating
from app.engine.log import Recorder
from app.engine.ruleset import Seat
from app.errors import Conflict, Refusal
from app.models.people import Character, Member
from app.models.scenes import Claim
from app.receipts import chain
from app.table import closing, gm_actions, recording
from app.table.loaded_scene import LoadedScene


async def guests(session: AsyncSession, campaign: uuid.UUID, ruleset: str, here: Collection[str]) -> list[Character]:
    """Returns characters who could join: made for these rules, in no open scene, and not `here` as copies."""
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


async def enter(session: AsyncSession, live: LoadedScene, who: Member, slug: str) -> None:
    """Seats a character in mid-scene; the rules may withdraw an open step and open it again with the new seat."""
    if live.row.status != "open":
        raise Conflict("This scene is over.")
    if live.kind.enter is None:
        raise Refusal("In these rules, nobody can join a scene that has started.")
    await seating.lock_characters(session, live.campaign, [slug])
    here = {name for seat in live.seats for name in seat.characters}
    free = await guests(session, live.campaign, live.ruleset.key, here)
    character = next((one for one in free if one.slug == slug), None)
    if character is None:
        raise Refusal("Choose a character who is made for these rules and not in another scene.")
    if await seating.claim(session, live.row, [f"character/{slug}"]):
        raise Refusal(f"{character.name} has just joined another scene.")
    last = max(seat.position for seat in live.seats)
    live.seats.append(seating.new_seat(live.row, slug, last + 1, character.name, [slug]))
    await seating.add(session, live.seats[-1:])
    recorder = Recorder(live.state, live.kind.apply, last=live.row.last_event)
    sheet = live.ruleset.character.validate_python(character.sheet)
    live.kind.enter(recorder, Seat(slug), slug, sheet)
    closing.write_events(session, live, "", recorder.events)
    written = chain.canonical(live.ruleset.character.dump_python(sheet, mode="json"))
    await recording.entered(session, live, recording.Newcomer(slug, character.name, written), recorder.events)
    gm_actions.notice(session, live, who, f"{character.name} comes in.")
    await closing.reconcile(session, live)
