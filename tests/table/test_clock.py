"""The clock that waits: whether anybody took part in a round decides whether the next one has a deadline."""

import pytest

from app.table import gm_actions, pauses
from app.table.reading import StepSight
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def test_the_clock_waits_after_a_round_in_which_nobody_took_part(table: Table) -> None:
    """Rounds opened and closed by the clock with nobody there; now the second waits until the GM starts it."""
    await table.open(seconds=600, rounds=9)

    async def after_time(number: int) -> StepSight:
        await table.age(f"r{number}/knock")
        await table.runtime.sweep()
        return next(step for step in (await table.sight("ann")).steps if step.key == f"r{number + 1}/knock")

    await table.lay("ann", "r1/knock", {"times": 1})
    assert (await after_time(1)).due_at is not None, "Ann was there"
    waits = await after_time(2)
    assert waits.due_at is None and waits.clock_waits, "nobody was"
    await table.act(pauses.pause)
    await table.act(pauses.go_on)
    assert (await table.sight("sam")).steps[-1].due_at is None, "a pause starts no clock"
    await table.act(gm_actions.give_time, "r3/knock", 600)
    assert (await table.sight("ann")).lines[-1].text == "Gm set a time limit of 10 minutes."
    await table.lay("bea", "r3/knock", {"times": 1}, ready=False, use_draft=True)
    assert (await after_time(3)).due_at is not None, "Bea left a draft to be used"
    await table.lay("cyd", "r4/steal", {"what": "a spoon"})
    assert (await after_time(4)).clock_waits, "a hidden seal is nobody's to notice"
    await table.act(gm_actions.open_now, "r5/knock")
    assert not (await table.sight("ann")).steps[-1].clock_waits, "the GM is there"
