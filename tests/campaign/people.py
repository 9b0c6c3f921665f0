"""A small campaign for tests: a GM, and whoever they invite."""

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.campaign import founding, inviting
from app.campaign.seats import NewSeat
from app.models.people import Role

Sessions = async_sessionmaker[AsyncSession]


async def found(sessions: Sessions, title: str = "The Goblin Road", gm: str = "Gerda") -> NewSeat:
    async with sessions.begin() as session:
        return await founding.found_campaign(session, title, "toy", gm, "Firefox on Linux")


async def invite(sessions: Sessions, gm: NewSeat, role: Role = Role.PLAYER, **more: object) -> str:
    async with sessions.begin() as session:
        return (await inviting.invite(session, gm.campaign, gm.member, role, **more))[1]  # type: ignore[arg-type]


async def join(sessions: Sessions, gm: NewSeat, name: str, role: Role = Role.PLAYER) -> NewSeat:
    token = await invite(sessions, gm, role)
    async with sessions.begin() as session:
        return await inviting.claim(session, gm.campaign.slug, token, name, "Chromium on Android")
