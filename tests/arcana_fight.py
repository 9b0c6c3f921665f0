"""A wizards' fight on a real database: three players with a wizard each, the GM with a troll and an imp, a watcher."""

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
from app.rulesets.arcana.sheet.sheets import Attributes, Sheet
from app.table.opening import open_scene

NOVICE: dict[str, Any] = dict.fromkeys(("malediction", "restoration", "illusion", "transmutation"), "novice")
PEOPLE = {
    "ada": Sheet(
        name="Ada",
        attributes=Attributes(INT=14, POW=14, FIN=12),
        proficient=("hexes", "wand", "Speed"),
        schools=NOVICE,
        spells=("spark_volley", "force_push", "mend", "stun_bolt", "kindle", "stone_skin", "wail"),
    ),
    "ben": Sheet(
        name="Ben",
        attributes=Attributes(ATH=15, FIN=13),
        proficient=("Strength", "brutish", "Speed"),
        schools=NOVICE,
        spells=("spark_volley", "trip", "mend"),
        weapons=("wand", "club"),
    ),
    "cleo": Sheet(
        name="Cleo",
        attributes=Attributes(SPR=15, PER=14),
        proficient=("wand", "Observation", "Willpower"),
        schools=NOVICE,
        spells=("mend", "hush", "muddle", "floating_shield"),
    ),
}
FOES: Mapping[str, Any] = {
    "foes": [
        {"key": "troll", "name": "Troll", "foe": "troll", "habit": "nearest"},
        {"key": "imp", "name": "Imp", "foe": "imp", "habit": "nearest"},
    ]
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
    given: Mapping[str, Any] | None = None,
    settings: Any = None,
) -> Laid:
    """A fight whose first cycle is declared now. `given` says more than, or other than, the two foes: {"lay_out":
    "yes"} to begin with the ground, {"foes": [...]}, {"at": {"ada": "4,4"}}, {"covers": {"4,4": "half"}}.
    """
    rules = find("arcana")
    founded = await founding.found_campaign(session, "The Tower", rules.key, "GM", "test")
    people = {"gm": founded.member}
    for key, sheet in sheets.items():
        people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
        typed = rules.character.dump_python(sheet, mode="json")
        await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
    people["sam"] = await seats.add_member(session, founded.campaign, "Sam", Role.SPECTATOR)
    chairs = {Seat(key): (key,) for key in sheets} | {GM: ()}
    fight = {"lay_out": "no", "description": "A broken gate, and something behind it.", **FOES, **(given or {})}
    brief = Brief(kind="fight", title="At the broken gate", seats=chairs, given=fight)
    scene = await open_scene(session, vault, founded.campaign.id, rules.key, brief, settings or {})
    return Laid(founded.campaign, scene, people)
