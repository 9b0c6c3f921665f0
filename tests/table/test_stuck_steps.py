"""`signet close` with scenes in the house that nobody can read any more."""

import pytest
from sqlalchemy import text, update

from app.models.scenes import Scene, StepRow
from app.table.runtime import Runtime, retry_stuck
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KNOCK = "r1/knock"


async def _stuck(runtime: Runtime) -> Table:
    table = await sit_down(runtime)
    await table.open(thief=False, explode=True)
    await table.lay("ann", KNOCK, {"times": 66})
    await table.lay("bea", KNOCK, {"times": 4})
    return table


async def test_a_scene_that_cannot_be_read_holds_up_no_other(runtime: Runtime) -> None:
    old, foreign, good = [await _stuck(runtime) for _ in range(3)]
    async with good.runtime.locked_scene(good.campaign, good.scene) as (_, live):
        live.state.explode = False
        live.put_state()
    async with runtime.sessions.begin() as session:
        await session.execute(update(Scene).where(Scene.id == old.scene).values(rules_version="0"))
        await session.execute(update(Scene).where(Scene.id == foreign.scene).values(ruleset="chess"))
    found = await retry_stuck(runtime)
    assert sorted((one.closed, one.why) for one in found) == [
        (False, "This scene was opened with version 0 of Toy; this server has 1 and cannot continue it."),
        (False, "This server has no rules called “chess”."),
        (True, ""),
    ]
    assert {(one.title, one.key) for one in found} == {("At the door", KNOCK)}
    assert [one.closed for one in await retry_stuck(runtime)] == [False, False], "the third goes on"


async def test_a_clock_is_kept_though_another_scene_cannot_be_read(runtime: Runtime) -> None:
    foreign, good = await sit_down(runtime), await sit_down(runtime)
    for table in (foreign, good):
        await table.open(thief=False, seconds=600)
    past = text("clock_timestamp() - interval '1 second'")
    async with runtime.sessions.begin() as session:
        await session.execute(update(StepRow).where(StepRow.key == KNOCK).values(due_at=past))
        await session.execute(update(Scene).values(next_due_at=past))
        earlier = text("clock_timestamp() - interval '1 hour'")
        unreadable = update(Scene).where(Scene.id == foreign.scene)
        await session.execute(unreadable.values(ruleset="chess", next_due_at=earlier))
    assert await runtime.sweep() == 1
    assert [chapter.step.key for chapter in (await good.sight("sam")).chapters][:1] == [KNOCK]
