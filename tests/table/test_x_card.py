"""The X-card stops the scene for all with one hint; tests/web/test_x_card.py asks who could be found out."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import make_url, select

from app.errors import Conflict, Refusal
from app.models.scenes import Line, Scene
from app.table import gm_actions, pauses
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down
from tests.web.browser import Browser

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

PEOPLE = ("ann", "bea", "cyd", "gm", "sam")
PATIENCE = 30  # seconds
Open = Callable[[], Browser]


async def stop(table: Table) -> bool:
    async with table.runtime.locked_scene(table.campaign, table.scene) as (session, live):
        return await pauses.stop_here(session, live)


async def test_it_stops_every_clock_and_goes_on_with_what_was_left(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    assert await stop(table) and not await stop(table), "a second press changes nothing"
    for who in PEOPLE:
        seen = await table.sight(who)
        assert seen.stopped and seen.paused and not any(step.due_at for step in seen.steps)
    await table.lay("ann", "r1/knock", {"times": 1, "note": ""})
    await table.lay("bea", "r1/knock", {"times": 2, "note": ""})
    seen = await table.sight("sam")
    assert [step.status for step in seen.steps if step.key == "r1/knock"] == ["open"], "nothing opens meanwhile"
    with pytest.raises(Refusal, match="paused"):
        await table.act(gm_actions.open_now, "r1/knock")
    with pytest.raises(Conflict):
        await table.act(pauses.pause)
    await table.act(pauses.go_on)
    seen = await table.sight("sam")
    assert not seen.stopped and not seen.paused and "r1/knock" in [chapter.step.key for chapter in seen.chapters]
    assert await stop(table), "anybody may press again"


async def test_it_says_more_than_the_pause_it_falls_into(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open()
    await table.act(pauses.pause)
    assert await stop(table)
    assert (await table.sight("bea")).stopped
    await table.act(gm_actions.leave)
    with pytest.raises(Refusal, match="over"):
        await stop(table)
    assert not (await table.sight("bea")).stopped, "a scene that was broken off is no longer stopped"


async def test_it_leaves_no_line_and_no_hour(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open(seconds=600)
    await stop(table)
    async with runtime.sessions() as session:
        assert list(await session.scalars(select(Line).where(Line.campaign_id == table.campaign))) == []
        scene = await session.get_one(Scene, (table.campaign, table.scene))
    assert scene.paused_at is not None
    assert scene.paused_at.astimezone(UTC) == datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


async def test_everybody_is_told_with_one_hint_and_nobody_alone(runtime: Runtime, db_url: str) -> None:
    """Hints are sent after the commit and in order, so a hint of our own says when all before it have been heard."""
    table = await sit_down(runtime)
    await table.open()
    plain = make_url(db_url).set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(plain, autocommit=True) as connection:
        await connection.execute("LISTEN signet")
        async with aclosing(connection.notifies()) as notices:

            async def heard(until: str) -> list[str]:
                async with runtime.sessions.begin() as session:
                    await runtime.bus.publish(session, table.campaign, until)
                found: list[str] = []
                async with asyncio.timeout(PATIENCE):
                    while not (found and found[-1].endswith(until)):
                        found.append((await anext(notices)).payload)
                return found[:-1]

            await heard("opened")
            await stop(table)
            told = await heard("stopped")
            await stop(table)
            assert await heard("again") == []
    assert len(told) == 1, told
    assert not [one for one in table.people.values() if str(one.id) in told[0]]
