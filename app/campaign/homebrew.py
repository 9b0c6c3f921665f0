"""What a campaign's GMs add to the book of its rules: spells, foes. Each ruleset says which kinds there are (`own`)."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import names, seats
from app.engine.ruleset import OWN, Brief, HomebrewKind, Ruleset
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Campaign, Character, HomebrewItem

MOST = 200
"""Own things of a campaign: every one that players may read goes into each of its scenes."""


async def rows(session: AsyncSession, campaign_id: uuid.UUID, ruleset: str) -> Sequence[HomebrewItem]:
    """All of one ruleset, by name."""
    found = await session.scalars(
        select(HomebrewItem).where(HomebrewItem.campaign_id == campaign_id, HomebrewItem.ruleset == ruleset)
    )
    return sorted(found, key=lambda row: (str(row.data.get("name", "")).casefold(), row.key))


async def get_item(session: AsyncSession, campaign_id: uuid.UUID, key: str) -> HomebrewItem:
    """`NotThere` where this campaign has none of that id."""
    found = await session.get(HomebrewItem, (campaign_id, key)) if _may_be(key) else None
    if found is None:
        raise NotThere("There is no such thing among your own.", "The page of your own things lists all of them.")
    return found


def _may_be(key: str) -> bool:
    return key.startswith(OWN) and key.isascii() and key.isprintable() and len(key) <= 60


def read(kinds: Mapping[str, HomebrewKind], found: Sequence[HomebrewItem]) -> dict[str, dict[str, Any]]:
    """The things by kind and id. One that no longer fits the rules, since they changed, is left out."""
    things: dict[str, dict[str, Any]] = {kind: {} for kind in kinds}
    for row in found:
        try:
            things[row.kind][row.key] = kinds[row.kind].adapter.validate_python(row.data)
        except (KeyError, ValidationError):
            continue
    return things


async def of_scene(
    session: AsyncSession, campaign_id: uuid.UUID, ruleset: Ruleset[Any, Any], brief: Brief
) -> dict[str, dict[str, Any]]:
    """What a scene takes along: all that everybody may read, and of the rest what its brief names."""
    if not ruleset.homebrew:
        return {}
    things = read(ruleset.homebrew, await rows(session, campaign_id, ruleset.key))
    for kind, own in ruleset.homebrew.items():
        if own.scene is not None:
            named = own.scene(brief, things[kind])
            things[kind] = {key: thing for key, thing in things[kind].items() if key in named}
    return things


async def add(
    session: AsyncSession, campaign: Campaign, ruleset: Ruleset[Any, Any], kind: str, data: Mapping[str, Any]
) -> str:
    """Put something new into the book, under an id made of its name; returns that. `Refusal` where there are too many
    or one of that name."""
    await seats.hold(session, campaign.id)
    there = await rows(session, campaign.id, ruleset.key)
    if len(there) >= MOST:
        raise Refusal(f"There are {MOST} of your own already.", "Change or delete one of them.")
    _unlike(there, kind, ruleset.homebrew[kind], str(data["name"]))
    taken = await session.scalars(select(HomebrewItem.key).where(HomebrewItem.campaign_id == campaign.id))
    wanted = names.free(names.slug(str(data["name"]), "thing"), {_plain(key) for key in taken})
    key = f"{OWN}{wanted.replace('-', '_')}"
    row = HomebrewItem(
        campaign_id=campaign.id, key=key, ruleset=ruleset.key, kind=kind, data={**data, "id": key}, version=1
    )
    session.add(row)
    await session.flush()
    return key


def _plain(key: str) -> str:
    return key.removeprefix(OWN).replace("_", "-")


def _unlike(there: Sequence[HomebrewItem], kind: str, own: HomebrewKind, name: str, but: str = "") -> None:
    for row in there:
        if row.kind == kind and row.key != but and str(row.data["name"]).casefold() == name.casefold():
            raise Refusal(f"You have one called “{row.data['name']}” already.", "Choose another name.", field="name")
    for thing in own.book.values():
        if thing.name.casefold() == name.casefold():
            raise Refusal(f"The book has one called “{thing.name}” already.", "Choose another name.", field="name")


async def change(
    session: AsyncSession, campaign_id: uuid.UUID, key: str, seen: int, own: HomebrewKind, data: Mapping[str, Any]
) -> None:
    """Write one anew; its id stays, whatever it is called now. `Conflict` where somebody did so since version `seen`.
    Scenes that have begun keep it as it was."""
    await seats.hold(session, campaign_id)
    was = await get_item(session, campaign_id, key)
    _unlike(await rows(session, campaign_id, was.ruleset), was.kind, own, str(data["name"]), but=key)
    done = await session.scalar(
        update(HomebrewItem)
        .where(HomebrewItem.campaign_id == campaign_id, HomebrewItem.key == key, HomebrewItem.version == seen)
        .values(data={**data, "id": key}, version=seen + 1)
        .returning(HomebrewItem.version)
        .execution_options(synchronize_session=False)
    )
    if done is None:
        raise Conflict(
            "Somebody changed this since you opened the page.",
            "What you typed is still here. Compare, then save again.",
        )


async def remove(session: AsyncSession, row: HomebrewItem, ruleset: Ruleset[Any, Any], told: frozenset[str]) -> None:
    """Delete one. `Refusal` where somebody would miss it whom the page had not `told` of. Scenes that have begun keep
    it."""
    await seats.hold(session, row.campaign_id)
    missed = await missed_by(session, row, ruleset)
    if set(missed) - told:
        raise Refusal(f"{', '.join(missed.values())} would miss it.", "Press again if it is to go all the same.")
    await session.execute(
        delete(HomebrewItem).where(HomebrewItem.campaign_id == row.campaign_id, HomebrewItem.key == row.key)
    )


async def missed_by(session: AsyncSession, row: HomebrewItem, ruleset: Ruleset[Any, Any]) -> dict[str, str]:
    """Who names it: characters by slug, other own things by id, each with its name."""
    own = ruleset.homebrew[row.kind]
    found: dict[str, str] = {}
    cast = await session.scalars(
        select(Character)
        .where(Character.campaign_id == row.campaign_id, Character.ruleset == row.ruleset)
        .order_by(Character.name, Character.slug)
    )
    for character in cast:
        try:
            sheet = ruleset.character.validate_python(character.sheet)
        except ValidationError:
            continue
        if row.key in own.within(sheet):
            found[character.slug] = character.name
    for kind, things in read(ruleset.homebrew, await rows(session, row.campaign_id, row.ruleset)).items():
        for key, thing in things.items():
            if kind != row.kind and row.key in own.within(thing):
                found[key] = thing.name
    return found
