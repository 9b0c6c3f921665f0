"""Aid for characters who would die on the next day without it: time stops until a member decides who helps.

The rules name the cause and the possible helpers (`Days.pleads`). A GM, the dying character's player, or a possible
helper's player decides who helps; only the first two may decide that no helper comes (CHR-HEA-10, -11).
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
    """A character who needs aid, as one member may know and answer it."""

    character: Character
    text: str
    rule: str
    helpers: tuple[Character, ...]  # those that this member may choose
    may_refuse: bool  # whether this member may decide that no helper comes


async def dying(session: AsyncSession, by: Member) -> list[Dying]:
    """Returns the dying characters whose aid this member may decide on, in the order of `characters.all_characters`."""
    cast = await characters.all_characters(session, by.campaign_id)
    campaign = await session.get_one(Campaign, by.campaign_id)
    read = {one.slug: found for one in cast if (found := _readable(campaign, one)) is not None}
    if not any(one.days.waits(one.sheet) for one in read.values()):
        return []
    held = await characters.in_scenes(session, by.campaign_id)
    return [one for slug in read if slug not in held and (one := _plea(slug, read, set(held), by)) is not None]


async def answer(session: AsyncSession, character: Character, helper: str, by: Member) -> None:
    """Sets the helper of a dying character by slug; "": no helper comes. Raises NotYours where this member may not
    decide it, and Conflict where it was decided meanwhile or the helper can no longer come."""
    held = await lock_row(session, Character, (character.campaign_id, character.id))
    asked = next((one for one in await dying(session, by) if one.character.id == character.id), None)
    if held is None or asked is None:
        if not characters.editable_by(character, by):
            raise NotYours(
                f"You cannot decide who helps {character.name}.", "Your campaign's page shows who needs you."
            )
        raise Conflict(f"{character.name} no longer needs help.", "See the sheet for the current state.")
    if not helper and not asked.may_refuse:
        raise NotYours(
            f"Only the player of {held.name}, or a GM, can decide to send no one.",
            "Choose who helps, or leave it to the others.",
        )
    if helper and helper not in {one.slug for one in asked.helpers}:
        raise Conflict("That character cannot help.", "Choose one of the options.")
    one = _readable(await session.get_one(Campaign, by.campaign_id), held)
    assert one is not None
    sheet, care = one.days.answered(one.sheet, one.days.cared(held.care, one.sheet), helper)
    held.care = one.days.care.dump_python(care, mode="json")
    dumped = {**held.sheet, **one.rules.character.dump_python(sheet, mode="json")}
    if not await sheets.write(session, held, dumped, how="care", by=by):
        await sheets.note(session, held, how="care", by=by)


@dataclass(frozen=True, slots=True)
class _Living:
    """A character that passing days may affect."""

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
