"""Calling a decision: a vote, a draft, a roll, or the question what comes next, as a scene whose seats are people.

The draft of a cast is one too, though the campaign's own rules know how it goes.

Who may: the campaign's GMs, and its players where its settings say so. What comes next is asked once for each scene.
"""

import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import character_visibility, names, seats, tokens
from app.crypto.vault import Vault
from app.engine.ruleset import GM, Brief, Ruleset, SceneKind, Seat
from app.errors import Conflict, NotThere, NotYours, Refusal
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Scene, SeatRow
from app.rulesets import find, games
from app.table.loaded_scene import LoadedScene
from app.table.opening import BadBrief, open_scene

log = logging.getLogger("signet.table")

RULES = "council"
MOST_TITLE = 120
ANYBODY, ALWAYS = "council_players", "council_next"
"""Names in a campaign's settings: players may call decisions; what comes next is asked at the end of every scene."""


def may_call(campaign: Campaign, member: Member) -> bool:
    return member.role == Role.GM or (member.role == Role.PLAYER and bool(campaign.settings.get(ANYBODY)))


async def call(
    session: AsyncSession,
    vault: Vault,
    campaign: Campaign,
    by: Member,
    kind: str,
    who: Sequence[str],
    given: Mapping[str, JsonValue],
    settings: Mapping[str, Any],
    once: str | None = None,
) -> uuid.UUID:
    """Open a vote, an order or a roll for the players with these handles; `given["gm"]` says whether the GM takes part.

    The same `once` again is the same decision. `NotYours`, `NotThere`, and `BadBrief` in words where something is wrong
    with what was given.
    """
    if not may_call(campaign, by):
        raise NotYours("Decisions are called by the GM of this campaign.", "Ask them to put it.")
    scene = tokens.derive_id(once, f"council/{campaign.id}/{kind}")
    if await _there(session, campaign.id, scene):
        return scene
    people = await called(session, campaign.id, who)
    title = str(given.get("purpose", ""))[:MOST_TITLE]
    chairs = {one.handle: seat for seat, one in people.items()}
    given = {**given, "most": _by_seat(given.get("most"), chairs)} if "most" in given else given
    return await _open(session, vault, campaign.id, scene, kind, title, people, given, settings)


async def draft(
    session: AsyncSession,
    vault: Vault,
    campaign: Campaign,
    by: Member,
    ruleset: str,
    who: Sequence[str],
    given: Mapping[str, JsonValue],
    settings: Mapping[str, Any],
    once: str | None = None,
) -> uuid.UUID:
    """Open the draft of the cast by a game's rules, for the players with these handles; for GMs.

    The same `once` again is the same draft. Refusals as with `call`; `NotThere` where the rules have no such draft.
    """
    if by.role != Role.GM:
        raise NotYours("A draft of the cast is begun by the GM.", "Ask them to begin it.")
    rules, kind = cast_draft(ruleset)
    scene = tokens.derive_id(once, f"draft/{campaign.id}")
    if await _there(session, campaign.id, scene):
        return scene
    people = await called(session, campaign.id, who)
    title = "The draft of the cast"
    return await _open(session, vault, campaign.id, scene, kind.key, title, people, given, settings, rules=rules.key)


def cast_draft(rules: str) -> tuple[Ruleset[Any, Any], SceneKind[Any, Any, Any, Any, Any, Any]]:
    """How a cast is drafted by these rules; `NotThere` where they know nothing of it."""
    found = next((one for one in games() if one.key == rules), None)
    kind = next((kind for kind in found.kinds if kind.seats_are_people), None) if found else None
    if found is None or kind is None:
        raise NotThere("By these rules a cast is not drafted.", "Characters are made one by one.")
    return found, kind


def drafts_cast(campaign: Campaign) -> bool:
    """Whether the campaign's usual rules know how a cast is drafted."""
    usual = campaign.settings.get("ruleset")
    return any(kind.seats_are_people for one in games() if one.key == usual for kind in one.kinds)


async def called(session: AsyncSession, campaign_id: uuid.UUID, who: Sequence[str]) -> dict[Seat, Member]:
    """A seat for each of the players with these handles; `NotThere` at the field `who` for strangers."""
    players = [one for one in await seats.members(session, campaign_id) if one.role == Role.PLAYER]
    strange = set(who) - {one.handle for one in players}
    if strange:
        raise NotThere(f"There is no player “{sorted(strange)[0]}” here.", "Choose anew.", field="who")
    return _chairs([one for one in players if one.handle in who])


def _by_seat(most: JsonValue, chairs: Mapping[str, Seat]) -> JsonValue:
    """Limits by handle, as a form has them, by the seats that these people take."""
    return {chairs[one]: number for one, number in most.items() if one in chairs} if isinstance(most, dict) else {}


def _chairs(people: Sequence[Member]) -> dict[Seat, Member]:
    """A seat for each, named after the handle; who is called like the GM's chair gets a number behind it."""
    taken = {str(GM)}
    found: dict[Seat, Member] = {}
    for one in people:
        seat = names.free(one.handle, taken)
        taken.add(seat)
        found[Seat(seat)] = one
    return found


async def ask_next(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> uuid.UUID:
    """Ask the owners of a scene's characters what comes next; asked before, it is the same question.

    `NotThere` and `Refusal` where the scene is not over, or nobody of it has an owner here.
    """
    scene = await session.get(Scene, (campaign_id, scene_id))
    if scene is None or scene.ruleset == RULES:
        raise NotThere("There is no such scene in this campaign.")
    if scene.status != "over":
        raise Conflict("This scene is not over yet.", "Ask when it is.")
    asked = next_id(scene_id)
    if await _there(session, campaign_id, asked):
        return asked
    people, chairs = await _people(session, campaign_id, scene_id)
    if not any(one["seat"] for one in people):
        raise Refusal("Nobody of this campaign’s characters was in that scene.", "There is nothing to ask.")
    today = (await calendar_state.read(session, campaign_id)).today
    kind = find(scene.ruleset).kind(scene.kind).title
    given: dict[str, JsonValue] = {"purpose": scene.title[:MOST_TITLE], "today": today, "kind": kind}
    given["people"] = [dict(one) for one in people]
    title = f"What comes after {scene.title}"[:MOST_TITLE]
    return await _open(session, vault, campaign_id, asked, "next", title, chairs, given, {})


def next_id(scene_id: uuid.UUID) -> uuid.UUID:
    """The scene in which it is asked what comes after a scene: known beforehand, so that there is never a second."""
    return uuid.uuid5(scene_id, "council/next")


async def after(session: AsyncSession, live: LoadedScene) -> None:
    """What a scene's end brings with it where the campaign wants that; never a reason for the end itself to fail."""
    campaign = await session.get(Campaign, live.campaign)
    if campaign is None or not campaign.settings.get(ALWAYS) or live.row.ruleset == RULES:
        return
    live.touched.add("")
    try:
        async with session.begin_nested():
            await ask_next(session, live.vault, live.campaign, live.id)
    except BadBrief as error:
        log.error("scene %s: what comes next could not be asked (%s)", live.id, type(error).__name__)
    except Refusal:
        pass  # nobody of it has a next scene


async def _people(
    session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID
) -> tuple[list[dict[str, JsonValue]], dict[Seat, Member]]:
    """Everybody who could be in a next scene, those of the last one with the seat that marks for them.

    All who play read this list, so of the GMs' people it names those whom they met, as the last scene named them.
    """
    rows = await session.scalars(
        select(SeatRow).where(SeatRow.campaign_id == campaign_id, SeatRow.scene_id == scene_id)
    )
    were = {slug for row in rows for slug in row.characters}
    cast = await session.scalars(
        select(Character)
        .where(Character.campaign_id == campaign_id, Character.retired_at.is_(None))
        .order_by(Character.made_at, Character.slug)
    )
    members = {one.id: one for one in await seats.members(session, campaign_id) if one.role == Role.PLAYER}
    met = await character_visibility.met(session, campaign_id)
    there = [one for one in cast if one.slug in met or not one.secret]
    owners = {one.owner_id for one in there if one.slug in were}
    chairs = _chairs([member for key, member in members.items() if key in owners])
    seat_of = {member.id: seat for seat, member in chairs.items()}
    people: list[dict[str, JsonValue]] = [
        {
            "key": one.slug,
            "name": met[one.slug] if one.secret else one.name,
            "seat": _seat(one, seat_of) if one.slug in were else "",
        }
        for one in there
    ]
    return people, chairs


def _seat(character: Character, seat_of: Mapping[uuid.UUID, Seat]) -> str:
    """The owner's; the GM's for those whom no player owns (COU-09)."""
    return GM if character.owner_id is None else seat_of.get(character.owner_id, GM)


async def _there(session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> bool:
    return (
        await session.scalar(select(Scene.id).where(Scene.campaign_id == campaign_id, Scene.id == scene_id))
    ) is not None


async def _open(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    scene: uuid.UUID,
    kind: str,
    title: str,
    people: Mapping[Seat, Member],
    given: Mapping[str, JsonValue],
    settings: Mapping[str, Any],
    rules: str = RULES,
) -> uuid.UUID:
    brief = Brief(kind=kind, title=title, seats={**dict.fromkeys(people, ()), GM: ()}, given=dict(given))
    try:
        async with session.begin_nested():
            await open_scene(session, vault, campaign_id, rules, brief, settings, people=people, scene=scene)
    except IntegrityError:  # the same press arrived twice at once, and the other was first
        if not await _there(session, campaign_id, scene):
            raise
    return scene
