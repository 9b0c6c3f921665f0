"""Promotes a GM's character to a player's (CHR-CHA-10): the player chooses it, and a GM confirms.

Ratings stay as they are, missing ones are rolled. `bereaved` lists dead characters that were not replaced. The choice
is due before the next day passes (CHR-CHA-11): time stops for it, unless the player or a GM puts it off (`put_off`).
"""

import os
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import character_visibility, characters, seating, seats, sheets
from app.campaign.characters import DICE
from app.db.lock_order import lock_row
from app.engine.chance import SeededChance
from app.errors import Conflict, NotThere, NotYours, Refusal
from app.models.base import new_id
from app.models.people import Character, Member, Promotion, Role
from app.models.scenes import SeatRow
from app.rulesets import find

LATER = "later"
"""The status of a row that is no proposal: the dead character's place may stay empty for now. It names it twice."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that waits for a GM."""

    id: uuid.UUID
    character: Character
    member: Member
    instead_of: Character | None
    name: str  # the character's, as the viewer knows it


@dataclass(frozen=True, slots=True)
class Offer:
    """A GM's character that a member may choose, with the name that this member knows."""

    id: uuid.UUID
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Bereaved:
    """A player's dead character, and the suggested replacement (None: the viewer knows none)."""

    character: Character
    suggested: Offer | None


def is_dead(character: Character) -> bool:
    """Whether the rules count this character as dead; False for a sheet that they cannot read."""
    try:
        rules = find(character.ruleset)
        return rules.dead(rules.character.validate_python(character.sheet))
    except (LookupError, ValidationError):
        return False


async def propose(
    session: AsyncSession, character: Character, to: Member, by: Member, instead_of: Character | None = None
) -> bool:
    """Proposes that a GM's character becomes `to`'s. Returns True if a GM proposed it, which confirms it at once.

    Players may propose only for themselves. A proposal replaces the member's earlier ones for the same character or for
    the same dead character.
    """
    await seats.hold(session, character.campaign_id)
    to = await seats.now(session, to)
    if by.role != Role.GM and to.id != by.id:
        raise NotYours("You can only ask for yourself.", "A GM can do it for others.")
    if to.role == Role.SPECTATOR:
        raise NotYours(f"{to.name} only watches.", "A GM can make them a player on the people page.")
    _free(character)  # whether a scene holds it is checked where a GM confirms, since a player must not learn that
    for one in await _open(session, character.campaign_id):
        same = one.character_id == character.id or (instead_of is not None and one.instead_of_id == instead_of.id)
        if one.member_id == to.id and same:
            one.status, one.answered_at = "withdrawn", func.now()
    row = Promotion(
        campaign_id=character.campaign_id,
        id=new_id(),
        character_id=character.id,
        member_id=to.id,
        instead_of_id=None if instead_of is None else instead_of.id,
        status="open",
    )
    session.add(row)
    await session.flush()
    if by.role != Role.GM:
        return False
    await confirm(session, character.campaign_id, row.id, by)
    return True


async def confirm(session: AsyncSession, campaign_id: uuid.UUID, promotion_id: uuid.UUID, by: Member) -> None:
    """Confirms a proposal and retires the dead character; only for GMs. Raises Conflict where the character is no
    longer free."""
    if by.role != Role.GM:
        raise NotYours("Only a GM can confirm this.")
    await seats.hold(session, campaign_id)
    row = await _one(session, campaign_id, promotion_id)
    to = await seats.now(session, await _member(session, campaign_id, row.member_id))
    await seating.lock_open_scenes(session, campaign_id)
    ids = [one for one in (row.character_id, row.instead_of_id) if one is not None]
    both = {one.id: one for one in await characters.lock(session, campaign_id, Character.id.in_(ids))}
    character = both[row.character_id]
    await _promotable(session, character)
    rules = find(character.ruleset)
    try:
        known = rules.character.validate_python(character.sheet)
    except ValidationError as wrong:
        raise Conflict(f"{character.name}'s sheet no longer fits its rules.", "Fix the sheet first.") from wrong
    sheet, dice = rules.promote(known, SeededChance(os.urandom(32), os.urandom(32)))
    dumped = rules.character.dump_python(sheet, mode="json")
    if dice:
        character.dice = DICE.dump_python(dice, mode="json")
    await sheets.write(session, character, {**character.sheet, **dumped}, how="promoted", by=by)
    await sheets.give(session, character, to, by=by, how="promoted")
    await seating.follow_owners(session, campaign_id, {character.slug}, who=by.name)
    row.status, row.answered_at = "confirmed", func.now()
    for other in await _open(session, campaign_id):
        if other.character_id == character.id and other.id != row.id:
            other.status, other.answered_at = "declined", func.now()
    if row.instead_of_id is not None:
        await _lay_aside(session, both[row.instead_of_id], by)
    await session.flush()


async def close(session: AsyncSession, campaign_id: uuid.UUID, promotion_id: uuid.UUID, by: Member) -> None:
    """Withdraws the member's own proposal, or declines another member's; only GMs may decline."""
    await seats.hold(session, campaign_id)
    row = await _one(session, campaign_id, promotion_id)
    if by.role != Role.GM and row.member_id != by.id:
        raise NotYours("You cannot withdraw this.")
    row.status, row.answered_at = "withdrawn" if row.member_id == by.id else "declined", func.now()
    await session.flush()


async def proposals(session: AsyncSession, viewer: Member) -> list[Proposal]:
    """Returns proposals that wait for a GM, oldest first: for GMs all of them, for others their own."""
    rows = await _open(session, viewer.campaign_id)
    if not rows:
        return []
    cast = {one.id: one for one in await characters.all_characters(session, viewer.campaign_id)}
    people = {one.id: one for one in await seats.members(session, viewer.campaign_id)}
    names = await character_visibility.known_names(session, viewer)
    found = []
    for row in rows:
        if row.member_id in people and (viewer.role == Role.GM or row.member_id == viewer.id):
            wanted = cast[row.character_id]
            instead_of = None if row.instead_of_id is None else cast[row.instead_of_id]
            name = names.get(wanted.slug, "a character from the story")
            found.append(Proposal(row.id, wanted, people[row.member_id], instead_of, name))
    return found


async def bereaved(session: AsyncSession, viewer: Member) -> list[Bereaved]:
    """Returns players' dead characters that are not retired and have no proposed or confirmed replacement."""
    cast = await character_visibility.known_characters(session, viewer)
    dead = [one for one in cast if one.owner_id is not None and one.retired_at is None and is_dead(one)]
    if not dead:
        return []
    answered = await settled(session, viewer.campaign_id)
    together = await _scenes(session, viewer.campaign_id)
    return [
        Bereaved(one, _suggested(one, await offered(session, viewer, one), together))
        for one in dead
        if one.id not in answered
    ]


async def settled(session: AsyncSession, campaign_id: uuid.UUID, *, later: bool = False) -> set[uuid.UUID]:
    """Returns ids of characters with a proposed or confirmed replacement; with `later` also of those put off."""
    statuses = ("open", "confirmed", LATER) if later else ("open", "confirmed")
    asked = await session.scalars(
        select(Promotion.instead_of_id).where(
            Promotion.campaign_id == campaign_id,
            Promotion.status.in_(statuses),
            Promotion.instead_of_id.is_not(None),
        )
    )
    return {one for one in asked if one is not None}


async def put_off(session: AsyncSession, dead: Character, by: Member, *, later: bool) -> None:
    """Allows time to pass before a dead character is replaced (`later`), or makes it stop again.

    It holds until the character is replaced. Raises NotYours for members other than its player and GMs.
    """
    await seats.hold(session, dead.campaign_id)
    held = await characters.hold(session, dead, by)
    if held.owner_id is None or not is_dead(held):
        raise Conflict(f"{held.name} does not need a successor.", "The page shows the current state.")
    rows = await session.scalars(
        select(Promotion).where(
            Promotion.campaign_id == held.campaign_id,
            Promotion.instead_of_id == held.id,
            Promotion.status == LATER,
        )
    )
    said = rows.all()
    if later and not said:
        same = {"character_id": held.id, "instead_of_id": held.id, "member_id": by.id}
        session.add(Promotion(campaign_id=held.campaign_id, id=new_id(), status=LATER, **same))
    elif not later:
        for row in said:
            row.status, row.answered_at = "withdrawn", func.now()
    await session.flush()


async def offered(session: AsyncSession, viewer: Member, dead: Character | None = None) -> list[Offer]:
    """Returns the GMs' characters that this member may choose: alive, not retired, and made for the rules of `dead`.
    GMs may choose any of them, other members only those that they know by name."""
    cast = await characters.all_characters(session, viewer.campaign_id)
    free = [one for one in cast if one.owner_id is None and one.retired_at is None and not is_dead(one)]
    if dead is not None:
        free = [one for one in free if one.ruleset == dead.ruleset]
    names = await character_visibility.known_names(session, viewer)
    return [Offer(one.id, one.slug, names[one.slug]) for one in free if one.slug in names]


async def chosen(session: AsyncSession, by: Member, slug: str, dead: Character | None = None) -> Character:
    """Returns the character that a member chose. Members who are no GM get the same Refusal for all not offered."""
    if by.role != Role.GM and slug not in {one.slug for one in await offered(session, by, dead)}:
        raise Refusal("Choose one of the options.", field="who")
    return await characters.find(session, by.campaign_id, slug)


def _suggested(dead: Character, offers: Sequence[Offer], together: dict[str, set[uuid.UUID]]) -> Offer | None:
    """Returns the offered character that shared the most scenes with the dead one; of equals the oldest."""
    shared = [(len(together.get(one.slug, set()) & together.get(dead.slug, set())), one) for one in offers]
    found = sorted((pair for pair in shared if pair[0]), key=lambda pair: (-pair[0], pair[1].id))
    return found[0][1] if found else None


async def _scenes(session: AsyncSession, campaign_id: uuid.UUID) -> dict[str, set[uuid.UUID]]:
    rows = await session.execute(select(SeatRow.scene_id, SeatRow.characters).where(SeatRow.campaign_id == campaign_id))
    found: dict[str, set[uuid.UUID]] = {}
    for scene, slugs in rows:
        for slug in slugs:
            found.setdefault(slug, set()).add(scene)
    return found


async def _promotable(session: AsyncSession, character: Character) -> None:
    _free(character)
    if character.slug in await characters.in_scenes(session, character.campaign_id):
        raise Conflict(f"{character.name} is in a scene now.", "Try again when the scene is over.")


def _free(character: Character) -> None:
    if character.owner_id is not None:
        raise Conflict(f"{character.name} is already a player's character.", "Their player can hand them over.")
    if character.retired_at is not None:
        raise Conflict(f"{character.name} is retired.", "A GM can bring the character back.")


async def _lay_aside(session: AsyncSession, dead: Character, by: Member) -> None:
    """Retires the dead character, unless an open scene holds it."""
    held = await characters.in_scenes(session, dead.campaign_id)
    if dead.retired_at is None and dead.slug not in held and is_dead(dead):
        dead.retired_at = func.now()
        await sheets.note(session, dead, how="retired", by=by)


async def _open(session: AsyncSession, campaign_id: uuid.UUID) -> list[Promotion]:
    rows = await session.scalars(
        select(Promotion)
        .where(Promotion.campaign_id == campaign_id, Promotion.status == "open")
        .order_by(Promotion.id)
        .execution_options(populate_existing=True)
    )
    return list(rows)


async def _one(session: AsyncSession, campaign_id: uuid.UUID, promotion_id: uuid.UUID) -> Promotion:
    row = await lock_row(session, Promotion, (campaign_id, promotion_id))
    if row is None:
        raise NotThere("There is no such request in this campaign.")
    if row.status != "open":
        raise Conflict("This has already been answered.", "The page shows the current state.")
    return row


async def _member(session: AsyncSession, campaign_id: uuid.UUID, member_id: uuid.UUID) -> Member:
    member = await session.get(Member, (campaign_id, member_id))
    if member is None:
        raise NotThere("The player who asked has left the campaign.")
    return member
