"""Who would die on the next day unless somebody comes, and the word on it: time stands still until it is said.

What somebody dies of, and who can come, the rules say (`Days.pleads`). A GM, the dying one's player, or the player of
somebody who can come says who does; that nobody comes is for the first two alone (CHR-HEA-10, -11).
"""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, sheets
from app.campaign.house_rules import days_of
from app.db.lock_order import lock_row
from app.engine.ruleset import Days, Ruleset
from app.errors import Conflict, NotYours
from app.models.people import Campaign, Character, Member, Role
from app.rulesets import find


@dataclass(frozen=True, slots=True)
class Dying:
    """Somebody who waits for aid, as one member may know and answer it."""

    character: Character
    text: str
    rule: str
    helpers: tuple[Character, ...]  # whom this member may send
    may_refuse: bool  # whether this member may say that nobody comes


async def dying(session: AsyncSession, by: Member) -> list[Dying]:
    """Everybody of the campaign's characters about whom this member has a word to say, in the order of lists."""
    cast = await characters.all_characters(session, by.campaign_id)
    campaign = await session.get_one(Campaign, by.campaign_id)
    read = {one.slug: found for one in cast if (found := _readable(campaign, one)) is not None}
    if not any(one.days.waits(one.sheet) for one in read.values()):
        return []
    held = await characters.in_scenes(session, by.campaign_id)
    return [one for slug in read if slug not in held and (one := _plea(slug, read, set(held), by)) is not None]


async def answer(session: AsyncSession, character: Character, helper: str, by: Member) -> None:
    """Say who comes to somebody's aid: the helper's slug, or nobody (""). `NotYours` where that is not this member's to
    say, `Conflict` where it was settled meanwhile, or that one cannot come any more."""
    held = await lock_row(session, Character, (character.campaign_id, character.id))
    asked = next((one for one in await dying(session, by) if one.character.id == character.id), None)
    if held is None or asked is None:
        if not characters.editable_by(character, by):
            raise NotYours(f"{character.name} does not wait for aid from you.", "Your table's page shows who does.")
        raise Conflict(f"{character.name} does not wait for aid any more.", "What holds now stands on the sheet.")
    if not helper and not asked.may_refuse:
        raise NotYours(f"{held.name} is not yours to give up.", "Say who comes, or leave it to the others.")
    if helper and helper not in {one.slug for one in asked.helpers}:
        raise Conflict("That one cannot come.", "Choose one of those offered.")
    one = _readable(await session.get_one(Campaign, by.campaign_id), held)
    assert one is not None
    sheet, care = one.days.answered(one.sheet, one.days.cared(held.care, one.sheet), helper)
    held.care = one.days.care.dump_python(care, mode="json")
    dumped = {**held.sheet, **one.rules.character.dump_python(sheet, mode="json")}
    if not await sheets.write(session, held, dumped, how="care", by=by):
        await sheets.note(session, held, how="care", by=by)


@dataclass(frozen=True, slots=True)
class _Living:
    """Somebody whom days may do something to."""

    character: Character
    rules: Ruleset[Any, Any]
    days: Days[Any]
    sheet: Any


def _readable(campaign: Campaign, one: Character) -> _Living | None:
    if one.retired_at is not None:
        return None
    try:
        rules = find(one.ruleset)
        days = days_of(campaign, rules)
        return None if days is None else _Living(one, rules, days, rules.character.validate_python(one.sheet))
    except (LookupError, ValidationError):
        return None


def _plea(slug: str, read: dict[str, _Living], held: set[str], by: Member) -> Dying | None:
    one = read[slug]
    character, days = one.character, one.days
    if not days.waits(one.sheet):
        return None
    beside = {key: its.sheet for key, its in read.items() if its.rules.key == one.rules.key and key not in held}
    plea = days.pleads(beside, slug, days.cared(character.care, one.sheet))
    if plea is None:
        return None
    gm, own = by.role == Role.GM, characters.editable_by(character, by)
    able = [read[helper].character for helper in plea.helpers]
    helpers = tuple(it for it in able if gm or (own and it.owner_id is not None) or it.owner_id == by.id)
    if not own and (character.owner_id is None or not helpers):
        return None
    return Dying(character, plea.text, plea.rule, helpers, own)
