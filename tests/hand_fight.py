"""A scene of Chronicle's on a real database, usually a fight whose ground is still to be laid: its campaign, its
players, somebody who watches."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, founding, seats
from app.crypto.vault import Vault
from app.engine.ruleset import GM, Brief, Seat
from app.models.people import Campaign, Member, Role
from app.rulesets import find
from app.rulesets.chronicle.gear import Carried
from app.rulesets.chronicle.sheets import Sheet, Skills
from app.table.opening import open_scene

PEOPLE = {
    "ella": Sheet(
        name="Ella", skills=Skills(control=5, fighting_mind=4, speed=5, strength=3), weapons=(Carried.of("sword"),)
    ),
    "morten": Sheet(
        name="Morten", skills=Skills(control=3, fighting_mind=3, speed=3, strength=4), weapons=(Carried.of("hammer"),)
    ),
}


@dataclass(frozen=True, slots=True)
class Laid:
    campaign: Campaign
    scene: uuid.UUID
    people: dict[str, Member]  # gm, one for each character, sam who watches


async def lay(
    session: AsyncSession,
    vault: Vault,
    sheets: Mapping[str, Sheet] = PEOPLE,
    given: Any = None,
    settings: Any = None,
    kind: str = "hand",
) -> Laid:
    """A fight before its ground is laid out; without people of the GM's the first character fights the others."""
    rules = find("chronicle")
    founded = await founding.found_campaign(session, "The Valley", rules.key, "GM", "test")
    people = {"gm": founded.member}
    for key, sheet in sheets.items():
        people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
        typed = rules.character.dump_python(sheet, mode="json")
        await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
    people["sam"] = await seats.add_member(session, founded.campaign, "Sam", Role.SPECTATOR)
    chairs = {Seat(key): (key,) for key in sheets} | {GM: ()}
    brief = Brief(kind=kind, title="At the ford", seats=chairs, given=given or {})
    scene = await open_scene(session, vault, founded.campaign.id, rules.key, brief, settings or {})
    return Laid(founded.campaign, scene, people)
