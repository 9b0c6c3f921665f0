"""All seal at the same instant, over two processes: each step is revealed exactly once, with every seal in it."""

import asyncio
import multiprocessing
import uuid
from multiprocessing.synchronize import Barrier
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import async_sessionmaker

import app.rulesets
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.engine.ruleset import Brief, Seat
from app.errors import Refusal
from app.models.base import new_id
from app.models.people import Character
from app.play import decisions
from app.table import envelopes
from app.table.bus import PostgresBus
from app.table.envelopes import Submission
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.selection import nightly
from tests.table.table import Table, sit_down
from tests.toy import TOY

pytestmark = [pytest.mark.anyio, pytest.mark.postgres, pytest.mark.usefixtures("toy")]

KEY = b"test key of thirty-two bytes, ok"
ROUNDS = 100 if nightly() else 12  # for each number of sealers
STEP = "r1/knock"
PROCESSES = multiprocessing.get_context("forkserver")  # forks of one that has loaded this module, not of this process
PROCESSES.set_forkserver_preload([__name__])


def _work(url: str, campaign: str, member: str, scenes: list[str], seats: list[str], start: Barrier, told: Any) -> None:
    """One worker process: seal for its seats in each scene, at the same instant as the other process does."""
    app.rulesets.RULESETS = (TOY,)
    told.put(asyncio.run(_seal_all(url, uuid.UUID(campaign), uuid.UUID(member), scenes, seats, start)))


async def _seal_all(
    url: str, campaign: uuid.UUID, member: uuid.UUID, scenes: list[str], seats: list[str], start: Barrier
) -> list[tuple[str, bool]]:
    engine = make_engine(url, pool_size=8)
    runtime = Runtime(
        async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), PostgresBus(url), decisions.after
    )
    results = []
    for scene in scenes:
        await asyncio.to_thread(start.wait, 60)
        receipts = await asyncio.gather(*(_seal(runtime, campaign, member, uuid.UUID(scene), seat) for seat in seats))
        results += [(scene, closed) for closed in receipts]
    await engine.dispose()
    return results


async def _seal(runtime: Runtime, campaign: uuid.UUID, member: uuid.UUID, scene: uuid.UUID, seat: str) -> bool:
    laid = Submission(STEP, seat, [("times", "3"), ("note", seat)], 0, uuid.uuid4(), True)
    async with runtime.locked_scene(campaign, scene) as (session, live):
        receipt = await envelopes.lay(session, live, member, laid)
    return receipt.closed


async def _scenes(table: Table, seats: list[str]) -> list[str]:
    """Open the scenes of one number of sealers; one member plays every seat, each scene has characters of its own."""
    made = []
    for _ in range(ROUNDS):
        tag = uuid.uuid4().hex[:6]
        async with table.runtime.sessions.begin() as session:
            for seat in seats:
                session.add(
                    Character(
                        campaign_id=table.campaign,
                        id=new_id(),
                        slug=f"{seat}-{tag}",
                        name=seat,
                        ruleset="toy",
                        owner_id=table.people["ann"].id,
                        sheet={"name": seat},
                    )
                )
            await session.flush()
            brief = Brief(kind="door", title="Race", seats={Seat(seat): (f"{seat}-{tag}",) for seat in seats})
            scene = await open_scene(
                session, table.runtime.vault, table.campaign, "toy", brief, {"rounds": 1}, held="fresh"
            )
            made.append(str(scene))
    return made


@pytest.mark.parametrize("sealers", [2, 4, 8])
async def test_of_many_last_sealers_one_reveals(runtime: Runtime, db_url: str, sealers: int) -> None:
    table = await sit_down(runtime)
    seats = [f"s{n}" for n in range(sealers)]
    scenes = await _scenes(table, seats)
    start, told = PROCESSES.Barrier(2), PROCESSES.Queue()
    member = str(table.people["ann"].id)
    workers = [
        PROCESSES.Process(target=_work, args=(db_url, str(table.campaign), member, scenes, mine, start, told))
        for mine in (seats[::2], seats[1::2])
    ]
    for worker in workers:
        worker.start()
    results = [result for _ in workers for result in await asyncio.to_thread(told.get, True, 120)]
    for worker in workers:
        worker.join(30)
        assert worker.exitcode == 0
    assert len(results) == ROUNDS * sealers, "every seal was acknowledged"
    closers = {scene: sum(closed for of, closed in results if of == scene) for scene in scenes}
    assert set(closers.values()) == {1}, "one seal of each round was the last"
    async with runtime.sessions() as session:
        counted = await session.execute(
            text(
                "SELECT count(*) FILTER (WHERE body->>'kind' = 'knocked'), count(DISTINCT body->>'note')"
                " FILTER (WHERE body->>'kind' = 'knocked') FROM events GROUP BY scene_id"
            )
        )
        assert [tuple(row) for row in counted] == [(sealers, sealers)] * ROUNDS
        open_steps = await session.scalar(
            text("SELECT count(*) FROM steps WHERE status IN ('open', 'stuck') AND key LIKE 'r%'")
        )
        assert open_steps == 0


async def test_the_same_press_ten_times_at_once_is_one_seal(runtime: Runtime, db_url: str) -> None:
    table = await sit_down(runtime)
    await table.open(thief=False)
    engine = make_engine(db_url, pool_size=10)
    busy = Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), runtime.bus, decisions.after)
    laid = Submission(STEP, "ann", [("times", "3")], 0, uuid.uuid4(), True)

    async def press() -> bytes:
        async with busy.locked_scene(table.campaign, table.scene) as (session, live):
            return (await envelopes.lay(session, live, table.people["ann"].id, laid)).commitment

    assert len(set(await asyncio.gather(*(press() for _ in range(10))))) == 1
    async with runtime.sessions() as session:
        assert await session.scalar(text("SELECT count(*) FROM envelopes")) == 1
    await engine.dispose()


async def test_sealing_and_taking_back_at_the_moment_of_the_reveal(runtime: Runtime, db_url: str) -> None:
    """Ann takes back while Bea seals: either Ann was in time and nothing opens, or she is told that she was not."""
    table = await sit_down(runtime)
    engine = make_engine(db_url, pool_size=4)
    busy = Runtime(async_sessionmaker(engine, expire_on_commit=False), Vault([KEY]), runtime.bus, decisions.after)
    table.runtime = busy
    outcomes = set()
    for _ in range(ROUNDS // 3):
        await table.open(thief=False, held="copy")
        table.seen.clear()
        await table.lay("ann", STEP, {"times": 3})
        back, sealed = await asyncio.gather(
            table.take_back("ann", STEP), table.lay("bea", STEP, {"times": 4}), return_exceptions=True
        )
        opened = bool((await table.sight("sam")).chapters)
        assert opened == isinstance(back, Refusal), "a seal that was taken back in time is not opened"
        assert not isinstance(sealed, BaseException) and sealed.closed == opened
        outcomes.add(opened)
    assert outcomes <= {True, False}
    await engine.dispose()
