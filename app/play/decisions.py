"""Calls decisions: a vote, an order, a roll, or the choice of the next scene, as scenes whose seats are members.

The pick of the cast is one too, by the campaign's own ruleset.

GMs may call decisions, and players if the campaign's settings allow it. The next scene is asked for once after each
scene.
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
from app.almanac.visibility import FROM_SCENE
from app.calendar.order import PLAYED
from app.campaign import character_visibility, names, seats, tokens
from app.crypto.vault import Vault
from app.engine.ruleset import GM, Brief, Ruleset, SceneKind, Seat
from app.errors import Conflict, NotThere, NotYours, Refusal
from app.models.almanac import Entry
from app.models.people import Campaign, Character, Member, Role
from app.models.scenes import Scene, SeatRow
from app.rulesets import find, games
from app.table.loaded_scene import LoadedScene
from app.table.opening import BadBrief, open_scene

log = logging.getLogger("signet.table")

RULES = "council"
MOST_TITLE = 120
ANYBODY, ALWAYS = "council_players", "council_next"
"""Keys in a campaign's settings: players may call decisions; the next scene is asked for at the end of every scene."""


def usual_settings(ruleset: str) -> dict[str, JsonValue]:
    """Returns the settings with which a new campaign of a ruleset begins. They are stored, so that a campaign keeps
    what it had when its rules change their mind."""
    return {ALWAYS: True} if asks_usually(ruleset) else {}


def asks_usually(ruleset: object) -> bool:
    """Whether new campaigns of the ruleset with this key ask for the next scene at the end of every scene."""
    return any(one.asks_next for one in games() if one.key == ruleset)


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
    """Opens a vote, an order or a roll for the players with these handles; `given["gm"]`: whether the GM takes part.

    The same `once` gives the same decision. Raises NotYours where `by` may not call it, NotThere for unknown players,
    and BadBrief where `given` is invalid. Returns the scene's id.
    """
    if not may_call(campaign, by):
        raise NotYours("In this campaign, only GMs can start votes, picks and rolls.", "Ask your GM to start one.")
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
    """Opens the pick of the cast by a game's rules, for the players with these handles; for GMs.

    The same `once` gives the same scene. Raises like `call`, and NotThere where the rules have no such pick. Returns
    the scene's id.
    """
    if by.role != Role.GM:
        raise NotYours("Only a GM can start picking the cast.", "Ask your GM to start it.")
    rules, kind = cast_draft(ruleset)
    scene = tokens.derive_id(once, f"draft/{campaign.id}")
    if await _there(session, campaign.id, scene):
        return scene
    people = await called(session, campaign.id, who)
    title = "Picking the cast"
    return await _open(session, vault, campaign.id, scene, kind.key, title, people, given, settings, rules=rules.key)


def cast_draft(rules: str) -> tuple[Ruleset[Any, Any], SceneKind[Any, Any, Any, Any, Any, Any]]:
    """Returns the ruleset with this key and its kind of scene for the pick; raises NotThere where there is none."""
    found = next((one for one in games() if one.key == rules), None)
    kind = next((kind for kind in found.kinds if kind.seats_are_people), None) if found else None
    if found is None or kind is None:
        raise NotThere("In these rules, you do not pick a cast.", "Make characters one by one.")
    return found, kind


def drafts_cast(campaign: Campaign) -> bool:
    """Whether the campaign's usual ruleset has a pick of the cast."""
    usual = campaign.settings.get("ruleset")
    return any(kind.seats_are_people for one in games() if one.key == usual for kind in one.kinds)


async def called(session: AsyncSession, campaign_id: uuid.UUID, who: Sequence[str]) -> dict[Seat, Member]:
    """Returns a seat for each of the players with these handles; raises NotThere (field `who`) for an unknown one."""
    players = [one for one in await seats.members(session, campaign_id) if one.role == Role.PLAYER]
    strange = set(who) - {one.handle for one in players}
    if strange:
        raise NotThere(f"There is no player “{sorted(strange)[0]}” here.", "Choose again.", field="who")
    return _chairs([one for one in players if one.handle in who])


def _by_seat(most: JsonValue, chairs: Mapping[str, Seat]) -> JsonValue:
    """Returns limits by seat from limits by handle, as a form has them."""
    return {chairs[one]: number for one, number in most.items() if one in chairs} if isinstance(most, dict) else {}


def _chairs(people: Sequence[Member]) -> dict[Seat, Member]:
    """Returns a seat for each member, named after the handle, with a number if that is the name of the GM's seat."""
    taken = {str(GM)}
    found: dict[Seat, Member] = {}
    for one in people:
        seat = names.free(one.handle, taken)
        taken.add(seat)
        found[Seat(seat)] = one
    return found


async def ask_next(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> uuid.UUID:
    """Asks the owners of a scene's characters for the next scene; returns the id of the decision, at most one a scene.

    Raises NotThere where there is no such scene, Conflict where it is not over, and Refusal where none of the
    campaign's characters was in it.
    """
    scene = await session.get(Scene, (campaign_id, scene_id))
    if scene is None or scene.ruleset == RULES:
        raise NotThere("There is no such scene in this campaign.")
    if scene.status != "over":
        raise Conflict("This scene is not over yet.", "Ask when it is over.")
    asked = next_id(scene_id)
    if await _there(session, campaign_id, asked):
        return asked
    people, chairs = await _people(session, campaign_id, scene_id)
    if not any(one["seat"] for one in people):
        raise Refusal("None of this campaign’s characters was in that scene.", "There is nobody to ask.")
    today = (await calendar_state.read(session, campaign_id)).today
    kind = find(scene.ruleset).kind(scene.kind).title
    given: dict[str, JsonValue] = {"purpose": scene.title[:MOST_TITLE], "today": today, "kind": kind}
    given["people"] = [dict(one) for one in people]
    title = f"What comes after {scene.title}"[:MOST_TITLE]
    return await _open(session, vault, campaign_id, asked, "next", title, chairs, given, {})


def next_id(scene_id: uuid.UUID) -> uuid.UUID:
    """Returns the id of the decision on the next scene: derived from the last scene's id, so that there is only one."""
    return uuid.uuid5(scene_id, "council/next")


async def after(session: AsyncSession, live: LoadedScene) -> None:
    """Asks for the next scene when a scene ends, if the campaign wants that, no other scene has waited for it, and it
    has not said itself what comes next. A refusal does not undo the end."""
    if live.row.ruleset == RULES:
        await _follow(session, live)
        return
    if live.row.outer_id is not None:
        return
    campaign = await session.get(Campaign, live.campaign)
    if campaign is None or not campaign.settings.get(ALWAYS) or await _is_settled(session, live):
        return
    live.touched.add("")
    try:
        async with session.begin_nested():
            await ask_next(session, live.vault, live.campaign, live.id)
    except BadBrief as error:
        log.error("scene %s: what comes next could not be asked (%s)", live.id, type(error).__name__)
    except Refusal:
        pass  # none of the campaign's characters was in it


async def _is_settled(session: AsyncSession, live: LoadedScene) -> bool:
    """Whether the end of a scene has put a scene on the calendar for each of its characters.

    CHR-CAL-02 marks one next scene for each character. The rules have just marked it, from what happened at the table:
    the owners would be asked for what is written already, and a seat that says nothing would add a second scene.
    """
    if live.row.status != "over":
        return True
    planned = [one for one in live.kind.outcome(live.state).entries if one.kind in PLAYED]
    if not planned:
        return False
    rows = await session.scalars(
        select(SeatRow).where(SeatRow.campaign_id == live.campaign, SeatRow.scene_id == live.id)
    )
    were = {slug for row in rows for slug in row.characters}
    cast = await session.scalars(
        select(Character.slug).where(
            Character.campaign_id == live.campaign, Character.slug.in_(were), Character.retired_at.is_(None)
        )
    )
    return set(cast) <= {slug for one in planned for slug in one.people}


async def _follow(session: AsyncSession, live: LoadedScene) -> None:
    """Lets the entries that the choice of a next scene has written follow from the scene that it was asked about, whose
    id only the decision's own id tells."""
    if live.kind.key != "next" or live.row.status != "over" or not live.kind.outcome(live.state).entries:
        return
    scenes = await session.scalars(select(Scene.id).where(Scene.campaign_id == live.campaign, Scene.ruleset != RULES))
    asked_about = next((one for one in scenes if next_id(one) == live.id), None)
    if asked_about is None:
        return
    written = await session.scalars(
        select(Entry).where(Entry.campaign_id == live.campaign, FROM_SCENE.in_([str(live.id)]))
    )
    for entry in written:
        entry.data = {**entry.data, "from_scene": str(asked_about)}


async def _people(
    session: AsyncSession, campaign_id: uuid.UUID, scene_id: uuid.UUID
) -> tuple[list[dict[str, JsonValue]], dict[Seat, Member]]:
    """Returns the characters for a next scene, those of the last one with the seat that answers for them, and the
    members by seat.

    Players read this list, so it has secret characters only if they were met or named to them.
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
    named = await character_visibility.public_names(session, campaign_id)
    there = [one for one in cast if one.slug in named or not one.secret]
    owners = {one.owner_id for one in there if one.slug in were}
    chairs = _chairs([member for key, member in members.items() if key in owners])
    seat_of = {member.id: seat for seat, member in chairs.items()}
    people: list[dict[str, JsonValue]] = [
        {
            "key": one.slug,
            "name": named[one.slug] if one.secret else one.name,
            "seat": _seat(one, seat_of) if one.slug in were else "",
        }
        for one in there
    ]
    return people, chairs


def _seat(character: Character, seat_of: Mapping[uuid.UUID, Seat]) -> str:
    """Returns the owner's seat; the GM's for characters that no player owns (COU-09)."""
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
    except IntegrityError:  # the same request arrived twice at once, and the other was first
        if not await _there(session, campaign_id, scene):
            raise
    return scene
