"""The standing answers of a character's player for passing days: who heals, what rests, how they live (`Days.care`).

All who may read the sheet may read them. They last until they are changed, and no scene locks them.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, or_, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import character_visibility, characters, sheets
from app.errors import Conflict
from app.models.people import Character, Member
from app.rulesets import find


async def company(session: AsyncSession, viewer: Member, character: Character) -> Sequence[Character]:
    """Returns the characters that a character's care may name: all that the viewer may read, and those it names now."""
    days = find(character.ruleset).days
    fields: dict[str, Any] = {} if days is None else days.care.json_schema()["properties"]
    named = {character.care.get(key) for key, field in fields.items() if field.get("x-from") == "characters"}
    readable = and_(true(), *character_visibility.knowing(viewer))
    return await characters.all_characters(session, viewer.campaign_id, or_(readable, Character.slug.in_(named)))


def mark(character: Character) -> str:
    """Returns a hash of the care, which a form sends back, so that the second of two writers gets a Conflict."""
    said = json.dumps(character.care, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


async def settle(session: AsyncSession, character: Character, care: dict[str, Any], seen: str, by: Member) -> None:
    """Sets a character's care, as the ruleset's adapter dumps it. Raises NotYours for members other than its player and
    GMs, and Conflict where another care was set since `seen`, the `mark` on the page."""
    held = await characters.hold(session, character, by)
    if held.care == care:
        return
    if mark(held) != seen:
        raise Conflict(
            "Someone changed this after you opened the page.",
            "Your choices are still here. Compare them with the current ones, then save again.",
        )
    held.care = care
    await sheets.note(session, held, how="care", by=by)
