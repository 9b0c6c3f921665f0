"""A small campaign with a calendar, for tests: a GM, two players and a spectator."""

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.almanac import advance, entries, history
from app.almanac import calendar_state as books
from app.almanac import undo as undo_steps
from app.almanac.advance import Ahead
from app.almanac.calendar_state import AlmanacSettings
from app.almanac.entries import EntryTyped, Kind
from app.almanac.visibility import Filter, Occurrence
from app.calendar.repeat import EveryDays, OnDate
from app.campaign import characters
from app.crypto.vault import Vault
from app.engine.ruleset import Brief, Seat
from app.models import metadata
from app.models.almanac import Crossing, Entry
from app.models.people import Campaign, Member, Role
from app.table import gm_actions
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.campaign.people import found, join

Sessions = async_sessionmaker[AsyncSession]
Contents = dict[str, list[tuple[Any, ...]]]


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

    async def between(self, member: Member, first: int, last: int, want: Filter | None = None) -> list[Occurrence]:
        async with self.sessions() as session:
            return await entries.between(session, self.id, member, first, last, want)

    async def titles(self, member: Member, first: int, last: int, want: Filter | None = None) -> list[str]:
        return [one.title for one in await self.between(member, first, last, want)]

    async def person(self, name: str, care: dict[str, Any] | None = None, *, npc: bool = False, **sheet: Any) -> None:
        async with self.sessions.begin() as session:
            owner = None if npc else self.ann
            row = await characters.create(session, self.campaign, name, "toy", {"name": name, **sheet}, owner)
            row.care = care or {}

    async def choose(self, **settings: Any) -> None:
        async with self.sessions.begin() as session:
            book = await books.read(session, self.id)
            given = AlmanacSettings(**settings)
            await books.choose_settings(session, self.vault, self.id, book.fog, given, book.version)

    async def preview(self, to: int) -> Ahead:
        async with self.sessions() as session:
            return await advance.preview(session, self.id, self.gm, to)

    async def move(self, to: int, press: uuid.UUID | None = None, seen: int | None = None) -> Crossing:
        async with self.sessions.begin() as session:
            version = (await books.read(session, self.id)).version if seen is None else seen
        async with self.sessions.begin() as session:
            return await advance.advance(session, self.vault, self.id, self.gm, to, version, press or uuid.uuid4())

    async def undo(self, crossing: Crossing) -> Crossing:
        async with self.sessions.begin() as session:
            return await undo_steps.undo(session, self.vault, self.id, crossing.id, self.gm)

    async def happened(self, member: Member | None = None) -> list[tuple[int, str, str]]:
        async with self.sessions() as session:
            told = await history.happened(session, self.id, member or self.gm, -10_000, 10_000)
        return [(one.day, one.title, one.kind) for one in told]

    async def open_scene(self, slug: str) -> uuid.UUID:
        brief = Brief(kind="door", title="At the door", seats={Seat(slug): (slug,)})
        async with self.sessions.begin() as session:
            return await open_scene(session, self.vault, self.id, "toy", brief, {"honest": True})

    async def leave(self, scene: uuid.UUID, runtime: Runtime) -> None:
        async with runtime.locked_scene(self.id, scene) as (session, live):
            await gm_actions.leave(session, live, self.gm)

    async def fill(self) -> None:
        """A month in which much lies: people who heal, works, journeys, what repeats, notes, secrets."""
        await self.person("Ella", bruises=4, care={"helper": "bob"})
        await self.person("Bob", bruises=2)
        await self.person("Cid", bruises=3, care={"rest": True})
        await self.choose(turn_month=1, turn_day=20)
        add = self.add
        await add(self.gm, "completion", "wall", 7, text="of the keep")
        await add(self.ann, "arrival", "ship", 7, people=("ella",), seen_by="named", viewers=(self.bea.id,))
        await add(self.gm, "event", "plot", 12, seen_by="gm")
        await add(self.gm, "event", "rent", 2, rule=EveryDays(days=9))
        await add(self.gm, "holiday", "new month", 0, rule=OnDate(day=1))
        await add(self.gm, "scene", "haggling", 15, standing="pass", people=("bob",))
        await add(self.bea, "note", "remember", 16)
        await add(self.gm, "scene", "council", 35, rule=EveryDays(days=20))
        await add(self.gm, "scene", "far away", 90)

    async def contents(self, *, ids: bool = True) -> Contents:
        """Every row of every table, without what only counts or tells the hour, and movements themselves.

        A character's past is left out too: time that was taken back stays in it, as what happened at the table.
        """
        without = {"version", "changed_at", "touched"} | (set() if ids else {"id", "made_at", "crossing_id", "number"})
        return await self._rows({"crossings", "sheet_changes"}, without)

    async def everything(self) -> Contents:
        """Every row of every table as it is."""
        return await self._rows(set(), set())

    async def _rows(self, no_tables: set[str], no_columns: set[str]) -> Contents:
        found: Contents = {}
        async with self.sessions() as session:
            for table in metadata.sorted_tables:
                if table.name not in no_tables:
                    columns = [column for column in table.c if column.name not in no_columns]
                    rows = await session.execute(select(*columns))
                    found[table.name] = sorted((tuple(row) for row in rows), key=repr)
        return found


async def settle(sessions: Sessions, vault: Vault) -> Land:
    gm = await found(sessions)
    ann, bea = await join(sessions, gm, "Ann"), await join(sessions, gm, "Bea")
    watcher = await join(sessions, gm, "Wim", Role.SPECTATOR)
    return Land(sessions, vault, gm.campaign, gm.member, ann.member, bea.member, watcher.member)
