"""A campaign of Chronicle in which Ella and Morten each play their sample hero and Sam watches, each with a browser."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, founding, seats
from app.models.people import Campaign, Character, Member, Role
from app.rulesets import find
from app.rulesets.chronicle.sheets import Sheet
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page
from tests.web.seated_fight import sit


@dataclass
class Valley:
    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]
    seats: dict[str, Browser]

    def at(self, who: str, path: str) -> str:
        return f"/c/{self.campaign.slug}/{who}{path}"

    async def get(self, who: str, path: str) -> Page:
        return await self.seats[who].get(self.at(who, path))

    async def post(self, who: str, path: str, **typed: str) -> Page:
        return await self.seats[who].post(self.at(who, path), typed)

    async def create(self, session: AsyncSession, sheet: Sheet, owner: str = "") -> Character:
        """A character of that member's, or one of the GMs' people."""
        rules = find("chronicle")
        dumped = rules.character.dump_python(sheet, mode="json")
        player = self.people[owner] if owner else None
        return await characters.create(session, self.campaign, sheet.name, rules.key, dumped, player)


async def found(
    site: FastAPI,
    open_browser: Callable[[], Browser],
    heroes: dict[str, Sheet],
    more: Callable[[AsyncSession, Valley], Awaitable[object]],
) -> Valley:
    """`more`: what else is there before anybody sits down."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The Valley", "chronicle", "GM", "test")
        valley = Valley(runtime, founded.campaign, {"gm": founded.member}, {})
        for key, sheet in heroes.items():
            valley.people[key] = await seats.add_member(session, valley.campaign, sheet.name, Role.PLAYER)
            await valley.create(session, sheet, key)
        valley.people["sam"] = await seats.add_member(session, valley.campaign, "Sam", Role.SPECTATOR)
        await more(session, valley)
        valley.seats = await sit(session, open_browser, valley)
    return valley
