"""A small campaign for tests: a GM, and whoever they invite."""

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.campaign import founding, inviting
from app.campaign.seats import Seated
from app.models.people import Role

Sessions = async_sessionmaker[AsyncSession]


async def found(sessions: Sessions, title: str = "The Goblin Road", gm: str = "Gerda") -> Seated:
    async with sessions.begin() as session:
        return await founding.found(session, title, "toy", gm, "Firefox on Linux")


async def invite(sessions: Sessions, gm: Seated, role: Role = Role.PLAYER, **more: object) -> str:
    async with sessions.begin() as session:
        return (await inviting.invite(session, gm.campaign, gm.member, role, **more))[1]  # type: ignore[arg-type]


async def join(sessions: Sessions, gm: Seated, name: str, role: Role = Role.PLAYER) -> Seated:
    token = await invite(sessions, gm, role)
    async with sessions.begin() as session:
        return await inviting.claim(session, gm.campaign.slug, token, name, "Chromium on Android")
