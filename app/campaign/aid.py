"""Who would die on the next day unless somebody comes, and the word on it: time stands still until it is said.

What somebody dies of, and who can come, the rules say (`Days.pleads`). A GM, the dying one's player, or the player of
somebody who can come says who does; that nobody comes is for the first two alone (CHR-HEA-10, -11).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, sheets
from app.campaign.models import Character, Member, Role
from app.campaign.refusal import NotYours, Taken
from app.engine.ruleset import Ruleset
from app.rulesets import find


@dataclass(frozen=True, slots=True)
class Dying:
    """Somebody who waits for aid, as one member may know and answer it."""

    character: Character
    text: str
    rule: str
    helpers: tuple[Character, ...]  # whom this member may send
    may_refuse: bool  # whether this member may say that nobody comes


async def dying(session: AsyncSession, by: Member, cast: Sequence[Character]) -> list[Dying]:
    """Everybody of the campaign's characters `cast` about whom this member has a word to say, in that order."""
    read = {one.slug: (one, *found) for one in cast if (found := _readable(one)) is not None}
    if not any(rules.days is not None and rules.days.waits(sheet) for _, rules, sheet in read.values()):
        return []
    held = await characters.in_scenes(session, by.campaign_id)
    return [one for slug in read if slug not in held and (one := _plea(slug, read, set(held), by)) is not None]


async def answer(session: AsyncSession, character: Character, helper: str, by: Member) -> None:
    """Say who comes to somebody's aid: the helper's slug, or nobody (""). `NotYours` where that is not this member's to
    say, `Taken` where it was settled meanwhile, or that one cannot come any more."""
    held = await session.get(
        Character, (character.campaign_id, character.id), with_for_update=True, populate_existing=True
    )
    cast = await characters.listed(session, character.campaign_id)
    asked = next((one for one in await dying(session, by, cast) if one.character.id == character.id), None)
    if held is None or asked is None:
        if not characters.editable_by(character, by):
            raise NotYours(f"{character.name} does not wait for aid from you.", "Your table's page shows who does.")
        raise Taken(f"{character.name} does not wait for aid any more.", "What holds now stands on the sheet.")
    if not helper and not asked.may_refuse:
        raise NotYours(f"{held.name} is not yours to give up.", "Say who comes, or leave it to the others.")
    if helper and helper not in {one.slug for one in asked.helpers}:
        raise Taken("That one cannot come.", "Choose one of those offered.")
    rules = find(held.ruleset)
    assert rules.days is not None
    sheet = rules.character.validate_python(held.sheet)
    sheet, care = rules.days.answered(sheet, rules.days.cared(held.care, sheet), helper)
    held.care = rules.days.care.dump_python(care, mode="json")
    dumped = {**held.sheet, **rules.character.dump_python(sheet, mode="json")}
    if not await sheets.write(session, held, dumped, how="care", by=by):
        await sheets.note(session, held, how="care", by=by)


def _readable(one: Character) -> tuple[Ruleset[Any, Any], Any] | None:
    """The rules and the sheet of somebody whom days may do something to."""
    if one.retired_at is not None:
        return None
    try:
        rules = find(one.ruleset)
        return None if rules.days is None else (rules, rules.character.validate_python(one.sheet))
    except (LookupError, ValidationError):
        return None


def _plea(
    slug: str, read: dict[str, tuple[Character, Ruleset[Any, Any], Any]], held: set[str], by: Member
) -> Dying | None:
    character, rules, sheet = read[slug]
    assert rules.days is not None
    if not rules.days.waits(sheet):
        return None
    beside = {one: its for one, (_, theirs, its) in read.items() if theirs.key == rules.key and one not in held}
    plea = rules.days.pleads(beside, slug, rules.days.cared(character.care, sheet))
    if plea is None:
        return None
    gm, own = by.role == Role.GM, characters.editable_by(character, by)
    able = [read[one][0] for one in plea.helpers]
    helpers = tuple(one for one in able if gm or (own and one.owner_id is not None) or one.owner_id == by.id)
    if not own and (character.owner_id is None or not helpers):
        return None
    return Dying(character, plea.text, plea.rule, helpers, own)
