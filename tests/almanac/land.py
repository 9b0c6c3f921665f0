"""A small campaign with a calendar, for tests: a GM, two players and a spectator."""

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.almanac import entries
from app.almanac.entries import EntryTyped, Kind
from app.almanac.models import Entry
from app.almanac.shown import Filter, Shown
from app.campaign.models import Campaign, Member, Role
from app.table.vault import Vault
from tests.campaign.people import found, join

Sessions = async_sessionmaker[AsyncSession]


@dataclass
class Land:
    sessions: Sessions
    vault: Vault
    campaign: Campaign
    gm: Member
    ann: Member
    bea: Member
    watcher: Member

    @property
    def id(self) -> uuid.UUID:
        return self.campaign.id

    async def add(self, by: Member, kind: Kind, title: str, day: int, **more: Any) -> Entry:
        async with self.sessions.begin() as session:
            typed = EntryTyped(kind=kind, title=title, day=day, **more)
            return await entries.add(session, self.vault, self.id, by, typed)

    async def between(self, member: Member, first: int, last: int, want: Filter | None = None) -> list[Shown]:
        async with self.sessions() as session:
            return await entries.between(session, self.id, member, first, last, want)

    async def titles(self, member: Member, first: int, last: int, want: Filter | None = None) -> list[str]:
        return [one.title for one in await self.between(member, first, last, want)]


async def settle(sessions: Sessions, vault: Vault) -> Land:
    gm = await found(sessions)
    ann, bea = await join(sessions, gm, "Ann"), await join(sessions, gm, "Bea")
    watcher = await join(sessions, gm, "Wim", Role.SPECTATOR)
    return Land(sessions, vault, gm.campaign, gm.member, ann.member, bea.member, watcher.member)
