"""What a campaign settles for steps that open, and what a GM's acts on single seats tell others."""

import pytest
from sqlalchemy import update

from app.campaign import step_openings
from app.campaign.sealing_shows import SETTING
from app.campaign.step_openings import GMS, Opening, key
from app.models.people import Campaign
from app.models.scenes import Scene
from app.table import awaited_seats, gm_actions
from app.table.runtime import Runtime
from app.table.scene_sight import StepSight
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def settle(table: Table, **openings: Opening) -> None:
    wanted = {key("toy", "door", phase): one for phase, one in openings.items()}
    async with table.runtime.sessions.begin() as session:
        await step_openings.change(session, table.campaign, wanted)


async def open_step(table: Table, who: str, step: str) -> StepSight:
    return next(one for one in (await table.sight(who)).steps if one.key == step)


async def test_a_campaigns_defaults_hold_for_steps_that_open_after_them(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await settle(table, knock=Opening(held=True, limit=0), steal=Opening(limit=3600), **{GMS: Opening(limit=60)})
    await table.open(seconds=600)
    knock, steal = await open_step(table, "gm", "r1/knock"), await open_step(table, "gm", "r1/steal")
    assert knock.held and knock.due_at is None and not knock.clock_waits, "no limit, and none that waits"
    assert not steal.held and steal.due_at is not None and steal.seconds == 3600
    await settle(table, knock=Opening())
    for who in ("ann", "bea"):
        await table.lay(who, "r1/knock", {"times": 1, "note": ""})
    seen = await table.sight("gm")
    assert (await open_step(table, "ann", "r1/knock")).held, "still, as it opened before the change"
    assert seen.may_open(next(one for one in seen.steps if one.key == "r1/knock"))
    await table.act(gm_actions.open_now, "r1/knock")
    fresh = await open_step(table, "gm", "r2/knock")
    assert not fresh.held and fresh.seconds == 600
    lines = [line.text for line in (await table.sight("sam")).lines]
    assert lines == ["Gm opened “Round 1”."], "not early: all had sealed"


async def test_a_clock_that_waits_remembers_the_campaigns_limit(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await settle(table, knock=Opening(limit=120))
    await table.open(thief=False)
    await table.age("r1/knock")
    await runtime.sweep()
    waiting = await open_step(table, "gm", "r2/knock")
    assert waiting.due_at is None and waiting.clock_waits and waiting.seconds == 120
    await table.act(gm_actions.give_time, "r2/knock", 120)
    await table.act(gm_actions.remove_limit, "r2/knock")
    assert not (await open_step(table, "gm", "r2/knock")).clock_waits, "a GM took it off"


async def test_where_seals_are_not_shown_a_gms_act_on_a_seat_tells_nobody_else(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    async with runtime.sessions.begin() as session:
        await session.execute(
            update(Campaign).where(Campaign.id == table.campaign).values(settings={SETTING: "nothing"})
        )
    await table.open(thief=False)
    await table.lay("ann", "r1/knock", {"times": 1, "note": "mine"})
    before, changes = await table.sight("sam"), await counted(table)
    await table.act(awaited_seats.nudge, "r1/knock")
    assert (await table.sight("bea")).nudged and not (await table.sight("ann")).nudged
    await table.act(awaited_seats.give_back, "r1/knock")
    await table.act(awaited_seats.go_without, "r1/knock", "bea")
    after = await table.sight("sam")
    assert (after.steps, after.lines, await counted(table)) == (before.steps, before.lines, changes)
    mine = (await table.sight("ann")).mine_now[0][1].mine
    assert mine is not None and not mine.ready and dict(mine.pairs)["note"] == "mine"


async def counted(table: Table) -> int:
    async with table.runtime.sessions() as session:
        scene = await session.get_one(Scene, (table.campaign, table.scene))
        return scene.changes
