"""Scenes of every kind that a browser walks through, step by step, with everybody's page at each of them."""

import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from sqlalchemy import select
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.campaign import founding, seats, tokens
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.engine.ruleset import Step
from app.models.people import Campaign, Member, Role
from app.models.scenes import SeatHolder, StepRow
from app.play import decisions
from app.receipts.setup import STEP
from app.table import closing, gm_actions
from app.table.bus import PostgresBus
from app.table.runtime import Runtime
from tests.kinds import Kind, Rules, begin
from tests.server import KEY
from tests.ways import Way, luck_of, next_step, resolving


@dataclass
class Walk:
    """A campaign with a GM, Ann and Bea who play, and Sam who watches; each has a cookie for a browser."""

    portal: BlockingPortal
    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]
    cookies: dict[str, str]
    scene: uuid.UUID = field(init=False)
    way: Way | None = None
    closed: list[Step] = field(default_factory=list)

    def path(self, who: str) -> str:
        return f"/c/{self.campaign.slug}/{who}/scene/{self.scene}"

    def begin(self, rules: Rules, kind: Kind, **given: Any) -> None:
        """`given` is more than, or other than, what the sample scene starts from."""
        self.portal.call(self._begin, rules, kind, given)

    def follow(self, way: Way) -> None:
        """Begins the scene of a way, whose answers `close_step` gives from now on."""
        self.way = way
        self.portal.call(self._begin, *way.found, way.given)

    def close_step(self) -> bool:
        """Closes the first open step as if nobody were there, or as the way answers; False if the scene is over."""
        return self.portal.call(self._close_step)

    def asked(self) -> dict[str, set[str]]:
        """The kinds of ask that are open for each person."""
        return self.portal.call(self._asked)

    async def _begin(self, rules: Rules, kind: Kind, given: Mapping[str, Any]) -> None:
        async with self.runtime.sessions.begin() as session:
            where = session, self.runtime.vault, self.campaign, self.people
            more = (self.way.sheets, self.way.settings, self.way.kept) if self.way else ()
            self.scene = await begin(*where, rules, kind, given, *more)

    async def _close_step(self) -> bool:
        async with self.runtime.locked_scene(self.campaign.id, self.scene) as (session, live):
            rows = {row.key: row for row in await gm_actions.open_steps(session, live)}
            way, luck = self.way or Way(kind=live.kind.key, to=()), luck_of(self.way) if self.way else None
            step = next_step(way, [STEP.validate_python(row.spec) for row in rows.values()], self.closed)
            if step is None:
                return False
            if luck is not None:
                live.kind = resolving(way, luck, self.closed)
            done = await closing.close(session, live, rows[step.key], "gm")
            self.closed.append(step)
            return done

    async def _asked(self) -> dict[str, set[str]]:
        async with self.runtime.sessions.begin() as session:
            here = SeatHolder.campaign_id == self.campaign.id, SeatHolder.scene_id == self.scene
            holds = {(row.member_id, row.seat) for row in await session.scalars(select(SeatHolder).where(*here))}
            specs = await session.scalars(
                select(StepRow.spec).where(
                    StepRow.campaign_id == self.campaign.id, StepRow.scene_id == self.scene, StepRow.status == "open"
                )
            )
            asks = [ask for spec in specs for ask in STEP.validate_python(spec).asks]
        return {
            who: {ask.kind for ask in asks if (member.id, ask.seat) in holds} for who, member in self.people.items()
        }


@contextmanager
def walking(db_url: str) -> Iterator[Walk]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(_made(db_url)) as (runtime, *laid):
        yield Walk(portal, runtime, *laid)


@asynccontextmanager
async def _made(
    db_url: str,
) -> AsyncIterator[tuple[Runtime, Campaign, dict[str, Member], dict[str, str]]]:
    engine = make_engine(db_url)
    sessions = async_sessionmaker(engine, expire_on_commit=False)
    bus = PostgresBus(db_url)
    try:
        async with sessions.begin() as session:
            founded = await founding.found_campaign(session, "Every game", "whiskey", "GM", "test")
            people = {"gm": founded.member}
            for name, role in (("Ann", Role.PLAYER), ("Bea", Role.PLAYER), ("Sam", Role.SPECTATOR)):
                people[name.lower()] = await seats.add_member(session, founded.campaign, name, role)
            cookies = {who: tokens.fresh() for who in people}
            for who, member in people.items():
                await seats.sit_down(session, member, "test", cookies[who])
        yield Runtime(sessions, Vault([KEY]), bus, decisions.after), founded.campaign, people, cookies
    finally:
        await bus.close()
        await engine.dispose()
