"""A word between one seat of an open scene and the GMs: nobody else reads it or learns that it was said.

It is encrypted in a table of its own, never in `lines`. As with envelopes, whoever held the seat when it was said reads
it for as long as they hold the seat; a later holder does not.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.ruleset import GM
from app.errors import Refusal
from app.models.base import new_id
from app.models.people import Member, Role
from app.models.scenes import SeatHolder, SeatRow, Whisper
from app.table.gm_actions import must_run, readable
from app.table.loaded_scene import LoadedScene
from app.table.scene_sight import LineSight

# Built once, as in loaded_scene.py.
_ALL = (
    select(Whisper)
    .where(Whisper.campaign_id == bindparam("campaign"), Whisper.scene_id == bindparam("scene"))
    .order_by(Whisper.at.desc(), Whisper.id.desc())
    .limit(bindparam("most"))
)
_OF_HOLDER = _ALL.join(
    SeatHolder,
    (SeatHolder.campaign_id == Whisper.campaign_id)
    & (SeatHolder.scene_id == Whisper.scene_id)
    & (SeatHolder.seat == Whisper.seat)
    & (SeatHolder.since <= Whisper.at),
).where(SeatHolder.member_id == bindparam("member"))


async def whisper(session: AsyncSession, live: LoadedScene, who: Member, seat: str, words: str) -> None:
    """Adds a word to one seat: from a GM to its players, or from one of them to the GMs. Raises Conflict for a scene
    that is over, and Refusal for other seats, a seat that no player holds, and words that cannot be read."""
    must_run(live)
    chair = next((row for row in live.seats if row.seat == seat), None)
    if chair is None:
        raise Refusal("There is no such seat in this scene.", "Choose to whom you say it.")
    players = await _players(session, live, chair)
    by_gm = who.role == Role.GM
    if not by_gm and who.id not in players:
        raise Refusal("You can speak to the GM alone only from a seat of your own.")
    if by_gm and chair.role == "gm":
        raise Refusal("This is the GM's own seat.", "Choose a player's seat.")
    if not players:
        raise Refusal(f"No player has the seat of {chair.name}, so nobody would read it.")
    said = json.dumps({"by": "gm" if by_gm else "seat", "words": readable(words)}, ensure_ascii=False)
    one = Whisper(
        campaign_id=live.campaign,
        scene_id=live.id,
        seat=seat,
        id=new_id(),
        author=who.id,
        who=who.name,
        at=live.now,
    )
    one.box = live.vault.encrypt(said.encode(), _place(one))
    session.add(one)
    live.touched |= {seat, GM}
    live.touched_gms = True


async def heard(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, member: Member, most: int
) -> list[LineSight]:
    """Returns the last words of a scene that this member may read, the newest first."""
    query = _ALL
    given: dict[str, Any] = {"campaign": campaign, "scene": scene, "most": most}
    if member.role != Role.GM:
        query, given["member"] = _OF_HOLDER, member.id
    rows = list(await session.scalars(query, given))
    if not rows:
        return []
    names = await _seat_names(session, campaign, scene)
    return [_line(vault, names, one, member) for one in rows]


def _line(vault: Vault, names: Mapping[str, str], one: Whisper, member: Member) -> LineSight:
    said: dict[str, Any] = json.loads(vault.decrypt(one.box, _place(one)))
    mine = one.author == member.id
    return LineSight("whisper", one.who, said["words"], one.at, mine, one.seat, names[one.seat], said["by"] == "gm")


async def _seat_names(session: AsyncSession, campaign: uuid.UUID, scene: uuid.UUID) -> dict[str, str]:
    rows = await session.execute(
        select(SeatRow.seat, SeatRow.name).where(SeatRow.campaign_id == campaign, SeatRow.scene_id == scene)
    )
    return {seat: name for seat, name in rows}


async def _players(session: AsyncSession, live: LoadedScene, chair: SeatRow) -> set[uuid.UUID]:
    """Returns the holders of a player's seat who are no GMs and will read what is said now: a seat may be handed over
    while a word waits for the scene's lock."""
    rows = await session.scalars(
        select(SeatHolder.member_id)
        .join(Member, (Member.campaign_id == SeatHolder.campaign_id) & (Member.id == SeatHolder.member_id))
        .where(
            SeatHolder.campaign_id == live.campaign,
            SeatHolder.scene_id == live.id,
            SeatHolder.seat == chair.seat,
            SeatHolder.since <= live.now,
            Member.role != Role.GM,
        )
    )
    return set(rows) if chair.role != "gm" else set()


def _place(one: Whisper) -> str:
    return f"{one.campaign_id}/{one.scene_id}/whisper/{one.seat}/{one.id}"
