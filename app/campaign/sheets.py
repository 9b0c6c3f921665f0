"""The only way to write a sheet: every change is recorded with its cause, so that a character has a past.

Every room writes sheets by `write`, and records other changes of a character (a new owner, retirement) by `note`.
app/campaign/lifecycle.py reads the records.
"""

import uuid
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.almanac import Almanac
from app.models.base import new_id
from app.models.people import Character, Member, SheetChange

How = Literal[
    "made",
    "edited",
    "care",
    "scene",
    "days",
    "undone",
    "handed over",
    "retired",
    "taken up",
    "promoted",
    "grown",
    "known to players",
    "known by name",
    "known to GMs only",
]
"""The cause of a change: a member's action, the end of a scene, passing days, or taking those back."""

Changes = dict[str, list[Any]]
"""Path in the sheet ("wounds.left-arm") -> [old value, new value]; a list is one value, None means missing."""


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
    """Replaces a character's sheet, raises its version and records the changes; returns False if there are none.

    The caller must have locked `character` in this session (`FOR UPDATE`). `sheet` is the complete JSON dump of the
    ruleset's adapter. `scene` or `crossing` is the cause, `by` the acting member. Time that is taken back writes the
    old sheet with `how="undone"` and the same `crossing`; both records remain.
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
    """Adds a record to a character's past without writing the sheet, dated by the campaign's calendar if it has one."""
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
    """Gives a character to a member, or to the GMs (`to` None), and records both owners. Its seats do not change."""
    was = None
    if character.owner_id is not None:
        was = await session.scalar(
            select(Member.name).where(Member.campaign_id == character.campaign_id, Member.id == character.owner_id)
        )
    character.owner_id = None if to is None else to.id
    await note(session, character, how=how, by=by, changes={"owner": [was, None if to is None else to.name]})


def differences(old: object, new: object, path: str = "") -> Changes:
    """Returns the differences between two sheets, by path; mappings are compared by key, other values as a whole.

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
