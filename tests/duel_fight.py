"""A duel laid out on a real database: its campaign, two players, somebody who watches, the first choice open."""

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
from app.rulesets.duel import samples
from app.rulesets.duel.sheets import Sheet
from app.table.opening import open_scene


@dataclass(frozen=True, slots=True)
class Laid:
    campaign: Campaign
    scene: uuid.UUID
    people: dict[str, Member]  # gm, one for each fighter, sam who watches

    def at(self, who: str) -> str:
        return f"/c/{self.campaign.slug}/{who}/scene/{self.scene}"


async def lay(
    session: AsyncSession,
    vault: Vault,
    sheets: Mapping[str, Sheet] | None = None,
    opponent: str = "",
    **settings: Any,
) -> Laid:
    """Mira and Tomo, or others, before their first choice; with `opponent` the first against somebody of the GM's."""
    rules = find("duel")
    pair, sample = samples.mira_and_tomo()
    given = sample.given
    assert isinstance(given, dict)
    founded = await founding.found_campaign(session, "The Old Gym", rules.key, "GM", "test")
    people = {"gm": founded.member}
    chairs: dict[Seat, tuple[str, ...]] = {}
    for key, sheet in (sheets or pair).items():
        people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
        typed = rules.character.dump_python(sheet, mode="json")
        row = await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
        if not (opponent and chairs):
            chairs[Seat(row.slug)] = (row.slug,)
    people["sam"] = await seats.add_member(session, founded.campaign, "Sam", Role.SPECTATOR)
    brief = Brief(
        kind="duel", title="After closing time", seats={**chairs, GM: ()}, given={**given, "opponent": opponent}
    )
    scene = await open_scene(session, vault, founded.campaign.id, rules.key, brief, settings)
    return Laid(founded.campaign, scene, people)
