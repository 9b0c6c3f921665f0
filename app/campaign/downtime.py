"""The standing answers of a character's player to passing days: who heals, what rests, how they live (`Days.care`).

They are open to all who may read the sheet, hold until they are changed, and no scene locks them.
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
    """Whom a character's care may name, as far as the viewer may know: all they may read, and whoever it names now."""
    days = find(character.ruleset).days
    fields: dict[str, Any] = {} if days is None else days.care.json_schema()["properties"]
    named = {character.care.get(key) for key, field in fields.items() if field.get("x-from") == "characters"}
    readable = and_(true(), *character_visibility.knowing(viewer))
    return await characters.all_characters(session, viewer.campaign_id, or_(readable, Character.slug.in_(named)))


def mark(character: Character) -> str:
    """Changes whenever the care does: what a form brings back, so that of two writers the second is told."""
    said = json.dumps(character.care, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


async def settle(session: AsyncSession, character: Character, care: dict[str, Any], seen: str, by: Member) -> None:
    """Say how somebody spends their days from now on; `care` is what the ruleset's adapter dumps. For its player and
    GMs (`NotYours`). `Conflict` where it was changed since the page with `seen`; the same again is nothing new."""
    held = await characters.hold(session, character, by)
    if held.care == care:
        return
    if mark(held) != seen:
        raise Conflict(
            "This was changed from another page since you opened it.",
            "What you chose is still here. Compare it with what holds now, then save again.",
        )
    held.care = care
    await sheets.note(session, held, how="care", by=by)
