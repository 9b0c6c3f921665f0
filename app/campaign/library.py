"""The GMs' library: their own characters by folder, across scenes, and what players may know of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, finding, sheets
from app.campaign.characters import Holding
from app.errors import Conflict, NotYours, Refusal
from app.models.people import Character, Member, Role

KnownTo = Literal["known", "name", "gm"]
"""What players may know of a GMs' character: all that they may read of one another's, its name, or nothing."""

SHOWN: tuple[KnownTo, ...] = get_args(KnownTo)
_RECORDED: dict[KnownTo, sheets.How] = {
    "known": "known to players",
    "name": "known by name",
    "gm": "known to GMs only",
}


@dataclass(frozen=True, slots=True)
class Shelved:
    """A character of the library, with the open scene that holds it."""

    character: Character
    holding: Holding | None


@dataclass(frozen=True, slots=True)
class Folder:
    """Characters of one folder by name; `name` "" for those in none."""

    name: str
    characters: tuple[Shelved, ...]


async def folders(session: AsyncSession, by: Member, find: str = "") -> list[Folder]:
    """Returns the GMs' characters by folder, those in none first, without retired ones; with `find` those that have all
    its words in their name or in their folder's. Raises NotYours unless for a GM."""
    _gm(by)
    held = await characters.in_scenes(session, by.campaign_id)
    wanted = finding.words(find)
    found: dict[str, list[Shelved]] = {}
    for one in await characters.all_characters(
        session, by.campaign_id, Character.owner_id.is_(None), Character.retired_at.is_(None)
    ):
        if finding.has(wanted, one.name, one.folder):
            found.setdefault(one.folder, []).append(Shelved(one, held.get(one.slug)))
    return [Folder(name, tuple(found[name])) for name in sorted(found, key=lambda name: (finding.fold(name), name))]


async def folder_names(session: AsyncSession, by: Member) -> Sequence[str]:
    """Returns the names of all folders. Raises NotYours unless for a GM."""
    _gm(by)
    rows = await session.scalars(
        select(Character.folder)
        .where(Character.campaign_id == by.campaign_id, Character.folder != "")
        .group_by(Character.folder)
        .order_by(func.lower(Character.folder))
    )
    return rows.all()


async def move(session: AsyncSession, character: Character, folder: str, by: Member) -> None:
    """Puts a character into a folder, "" for none. A folder is there as long as a character is in it, and one that
    differs only in case or accents is the same. Raises NotYours unless for a GM."""
    known = {finding.fold(name): name for name in await folder_names(session, by)}
    held = await _own(session, character, by)
    held.folder = known.get(finding.fold(folder), folder)


async def show(session: AsyncSession, character: Character, shown: str, by: Member) -> None:
    """Sets what players may know of a character, and records it. Raises Conflict for a player's character, whom all
    may read, Refusal for a text that is none of `SHOWN`, and NotYours unless for a GM."""
    wanted = next((one for one in SHOWN if one == shown), None)
    if wanted is None:
        raise Refusal("Choose one of the options.", field="shown")
    held = await _own(session, character, by)
    if held.shown != wanted:
        held.shown = wanted
        await sheets.note(session, held, how=_RECORDED[wanted], by=by)


async def _own(session: AsyncSession, character: Character, by: Member) -> Character:
    _gm(by)
    held = await characters.hold(session, character, by)
    if held.owner_id is not None:
        raise Conflict(f"{held.name} is a player's character now, so everyone can read the sheet.")
    return held


def _gm(member: Member) -> None:
    if member.role != Role.GM:
        raise NotYours("Only GMs can use this list.")
