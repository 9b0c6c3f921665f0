"""The one way to write a sheet: every change of it is noted with how it came about, so that a character has a past.

Whoever writes a sheet, in whatever room, calls `write`; what happens to a character besides its sheet (it changes
hands, is laid aside) goes through `note`. Read back by app/campaign/lifecycle.py.
"""

import uuid
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.almanac import Almanac
from app.models.base import new_id
from app.models.people import Character, Member, SheetChange

How = Literal[
    "made", "edited", "care", "scene", "days", "undone", "handed over", "retired", "taken up", "promoted", "grown"
]
"""How a change came about: by somebody's hand, by a scene's end, by passing days and by taking those back."""

Changes = dict[str, list[Any]]
"""Path in the sheet ("wounds.left-arm") -> [what it was, what it is]; lists are one value, None is not there."""


async def write(
    session: AsyncSession,
    character: Character,
    sheet: dict[str, Any],
    *,
    how: How,
    by: Member | None = None,
    scene: uuid.UUID | None = None,
    crossing: uuid.UUID | None = None,
    name: str | None = None,
) -> bool:
    """Give a character this sheet, count its version up and note what changed; False where nothing did.

    `character` is a row of this session that the caller has locked (`FOR UPDATE`), `sheet` what the ruleset's adapter
    dumps as JSON, whole: nothing of the old one stays by itself. `scene` or `crossing` is what did it, `by` whose hand.
    Time that is taken back writes the old sheet with `how="undone"` and the same `crossing`; both stay in the past.
    """
    changes = differences(character.sheet, sheet)
    if name is not None and name != character.name:
        changes.setdefault("name", [character.name, name])
        character.name = name
    if not changes and character.sheet == sheet:
        return False
    character.sheet, character.version = sheet, character.version + 1
    await note(session, character, how=how, by=by, scene=scene, crossing=crossing, changes=changes)
    return True


async def note(
    session: AsyncSession,
    character: Character,
    *,
    how: How,
    by: Member | None = None,
    scene: uuid.UUID | None = None,
    crossing: uuid.UUID | None = None,
    changes: Changes | None = None,
) -> None:
    """Add to a character's past without writing the sheet; dated with the campaign's day, where it has a calendar."""
    today = await session.scalar(select(Almanac.today).where(Almanac.campaign_id == character.campaign_id))
    session.add(
        SheetChange(
            campaign_id=character.campaign_id,
            id=new_id(),
            character_id=character.id,
            version=character.version,
            how=how,
            member_id=None if by is None else by.id,
            scene_id=scene,
            crossing_id=crossing,
            day=today,
            changes=changes or {},
        )
    )
    await session.flush()


async def give(
    session: AsyncSession,
    character: Character,
    to: Member | None,
    *,
    by: Member | None,
    how: Literal["handed over", "promoted"] = "handed over",
) -> None:
    """Make a character somebody's, or the GMs' (`to` None), and note whose it was. Chairs do not follow by this."""
    was = None
    if character.owner_id is not None:
        was = await session.scalar(
            select(Member.name).where(Member.campaign_id == character.campaign_id, Member.id == character.owner_id)
        )
    character.owner_id = None if to is None else to.id
    await note(session, character, how=how, by=by, changes={"owner": [was, None if to is None else to.name]})


def differences(old: object, new: object, path: str = "") -> Changes:
    """What differs between two sheets, by path; mappings are gone into, everything else is one value.

    >>> differences({"hp": 15, "wounds": {}}, {"hp": 8, "wounds": {"left-arm": "major"}})
    {'hp': [15, 8], 'wounds.left-arm': [None, 'major']}
    """
    if isinstance(old, dict) and isinstance(new, dict):
        found: Changes = {}
        for key in [*old, *(key for key in new if key not in old)]:
            found |= differences(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
        return found
    if isinstance(new, dict) and new and old is None:
        return differences({}, new, path)
    if isinstance(old, dict) and old and new is None:
        return differences(old, {}, path)
    return {} if old == new else {path: [old, new]}
