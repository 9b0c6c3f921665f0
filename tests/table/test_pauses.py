"""Pauses that end, and deadlines that are moments: what the machine of test_machine.py does not look at."""

from datetime import UTC, datetime, timedelta

import pytest

from app.errors import NotThere, Refusal
from app.table import gm_actions, pauses
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def test_a_pause_that_is_over_gives_each_clock_what_was_left(table: Table) -> None:
    await table.open(seconds=600)
    await table.act(pauses.pause)
    await table.lay("ann", "r1/knock", {"times": 1})
    await table.paused_for(71)
    assert await table.runtime.sweep() == 0 and (await table.sight("ann")).paused
    await table.paused_for(2)
    assert await table.runtime.sweep() == 1
    seen = await table.sight("bea")
    due = next(step.due_at for step in seen.steps if step.key == "r1/knock")
    assert not seen.paused and due is not None and timedelta(seconds=500) < due - seen.now <= timedelta(seconds=600)
    assert seen.lines[-1].text == "The pause ended by itself after three days. A GM can pause again."


async def test_a_stop_has_no_end_and_neither_has_a_pause_by_the_calendar(table: Table) -> None:
    await table.open(seconds=600)
    await table.act(pauses.pause)
    assert (await table.sight("ann")).paused_until is not None
    async with table.runtime.locked_scene(table.campaign, table.scene) as (session, live):
        await pauses.stop_here(session, live)
    await table.paused_for(1000)
    assert await table.runtime.sweep() == 0
    seen = await table.sight("ann")
    assert seen.stopped and seen.paused_until is None and seen.resume_vote is None
    await table.act(pauses.go_on)
    async with table.runtime.locked_scene(table.campaign, table.scene) as (session, live):
        await pauses.pause(session, live, table.people["gm"], without_end=True)
    await table.paused_for(1000)
    assert await table.runtime.sweep() == 0 and (await table.sight("ann")).resume_vote is None


async def test_most_of_the_players_end_a_pause_after_a_day(table: Table) -> None:
    await table.open(thief=True)
    await table.act(pauses.pause)
    with pytest.raises(Refusal, match="lasted a day"):
        await table.act(pauses.vote_to_resume, who="ann")
    await table.paused_for(25)
    for nobody in ("gm", "sam"):
        with pytest.raises(NotThere):
            await table.act(pauses.vote_to_resume, who=nobody)
    assert not await table.act(pauses.vote_to_resume, who="ann")
    seen = await table.sight("ann")
    assert seen.resume_vote is not None and (seen.resume_vote.votes, seen.resume_vote.may_vote) == (1, False)
    other = (await table.sight("bea")).resume_vote
    assert other is not None and other.may_vote and other.seats == 3
    assert await table.act(pauses.vote_to_resume, who="bea")
    assert not (await table.sight("cyd")).paused


async def test_a_fixed_deadline_keeps_its_hour(table: Table) -> None:
    """The next deadline is a day after the last one, though all were in ten hours early; removing it ends that."""
    await table.open(seconds=86_400, thief=False, rounds=9)
    eight = datetime.now(UTC) + timedelta(hours=10)
    await table.act(gm_actions.set_deadline, "r1/knock", eight)
    for who in ("ann", "bea"):
        await table.lay(who, "r1/knock", {"times": 1})
    second = next(step for step in (await table.sight("ann")).steps if step.key == "r2/knock")
    assert second.due_at == eight + timedelta(days=1)
    await table.act(gm_actions.remove_limit, "r2/knock")
    assert next(step.due_at for step in (await table.sight("ann")).steps if step.key == "r2/knock") is None
    for who in ("ann", "bea"):
        await table.lay(who, "r2/knock", {"times": 1})
    third = next(step for step in (await table.sight("ann")).steps if step.key == "r3/knock")
    assert third.due_at is not None and third.due_at < eight + timedelta(days=1)
    for wrong in (datetime.now(UTC) - timedelta(minutes=1), datetime.now(UTC) + timedelta(days=31)):
        with pytest.raises(Refusal, match=r"later one|earlier moment"):
            await table.act(gm_actions.set_deadline, "r3/knock", wrong)
