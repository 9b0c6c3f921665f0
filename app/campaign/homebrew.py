"""A campaign's homebrew: spells, foes and the like that its GMs add to a ruleset, which defines the kinds
(`Ruleset.homebrew`)."""

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
"""The limit on a campaign's items of one ruleset: those that players may read go into each of its scenes."""


async def rows(session: AsyncSession, campaign_id: uuid.UUID, ruleset: str) -> Sequence[HomebrewItem]:
    """Returns all items of one ruleset, by name."""
    found = await session.scalars(
        select(HomebrewItem).where(HomebrewItem.campaign_id == campaign_id, HomebrewItem.ruleset == ruleset)
    )
    return sorted(found, key=lambda row: (str(row.data.get("name", "")).casefold(), row.key))


async def get_item(session: AsyncSession, campaign_id: uuid.UUID, key: str) -> HomebrewItem:
    """Returns an item; raises NotThere where this campaign has none of that id."""
    found = await session.get(HomebrewItem, (campaign_id, key)) if _may_be(key) else None
    if found is None:
        raise NotThere("There is no such homebrew in this campaign.", "The homebrew page lists everything.")
    return found


def _may_be(key: str) -> bool:
    return key.startswith(OWN) and key.isascii() and key.isprintable() and len(key) <= 60


def read(kinds: Mapping[str, HomebrewKind], found: Sequence[HomebrewItem]) -> dict[str, dict[str, Any]]:
    """Returns the items as the ruleset's values, by kind and id, without those that no longer fit the rules."""
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
    """Returns the items for a scene, by kind and id: all items that players may read, and of other kinds those that its
    brief names."""
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
    """Adds an item under an id made from its name; returns the id. Raises Refusal where there are too many items or one
    of that name."""
    await seats.hold(session, campaign.id)
    there = await rows(session, campaign.id, ruleset.key)
    if len(there) >= MOST:
        raise Refusal(f"You already have {MOST} of these.", "Change or delete one of them.")
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
            raise Refusal(f"You already have one called “{row.data['name']}”.", "Choose another name.", field="name")
    for thing in own.book.values():
        if thing.name.casefold() == name.casefold():
            raise Refusal(f"The book already has one called “{thing.name}”.", "Choose another name.", field="name")


async def change(
    session: AsyncSession, campaign_id: uuid.UUID, key: str, seen: int, own: HomebrewKind, data: Mapping[str, Any]
) -> None:
    """Replaces an item's data; its id stays the same, even with a new name. Raises Conflict where it changed since
    version `seen`, and Refusal where the name is taken. Scenes that have begun keep the old data."""
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
            "Someone changed this after you opened the page.",
            "What you typed is still here. Compare, then save again.",
        )


async def remove(session: AsyncSession, row: HomebrewItem, ruleset: Ruleset[Any, Any], told: frozenset[str]) -> None:
    """Deletes an item. Raises Refusal where characters or items depend on it that the page did not list in `told`.
    Scenes that have begun keep it."""
    await seats.hold(session, row.campaign_id)
    missed = await missed_by(session, row, ruleset)
    if set(missed) - told:
        raise Refusal(
            f"{', '.join(missed.values())} {'uses' if len(missed) == 1 else 'use'} it.",
            "Press again to delete it anyway.",
        )
    await session.execute(
        delete(HomebrewItem).where(HomebrewItem.campaign_id == row.campaign_id, HomebrewItem.key == row.key)
    )


async def missed_by(session: AsyncSession, row: HomebrewItem, ruleset: Ruleset[Any, Any]) -> dict[str, str]:
    """Returns the names of all that refer to an item: characters by slug, items of other kinds by id."""
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
