"""A look at a scene is a look at one moment, even if everything opens while it is being read."""

import asyncio

import pytest
from sqlalchemy import text

from app.table import envelopes
from app.table.envelopes import Submission
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from tests.table.table import sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


@pytest.mark.parametrize("table_name", ["seats", "seat_holders", "steps", "asks", "envelopes", "events", "lines"])
async def test_a_reveal_in_the_middle_of_a_look(runtime: Runtime, table_name: str) -> None:
    """The look is stopped before it reads one of the tables; meanwhile the last seal comes in."""
    table = await sit_down(runtime)
    await table.open(thief=False)
    await table.lay("ann", "r1/knock", {"times": 3})

    async def look() -> SceneSight:
        async with runtime.repeatable_read() as session:
            return await sight(session, runtime.vault, table.campaign, table.scene, table.people["sam"])

    async with runtime.locked_scene(table.campaign, table.scene) as (session, live):
        await session.execute(text(f"LOCK TABLE {table_name} IN ACCESS EXCLUSIVE MODE"))
        looking = asyncio.create_task(look())
        while not await session.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted AND database = "
            "(SELECT oid FROM pg_database WHERE datname = current_database())")):  # fmt: skip
            assert not looking.done(), "the look did not come by this table"
            await asyncio.sleep(0.01)
        last = Submission("r1/knock", "bea", [("times", "4")], 0, table.people["bea"].id, True)
        assert (await envelopes.lay(session, live, table.people["bea"].id, last)).closed
    seen = await looking
    shown = [chapter.step.key for chapter in seen.chapters]
    told = [event.event.kind for chapter in seen.chapters for event in chapter.events]
    before = (1, ["bell/0", "r1/knock"], [], [])
    after = (2, ["bell/0", "r2/knock"], ["r1/knock", "r1/roll"], ["knocked", "knocked", "rolled"])
    found = (seen.view.round, [step.key for step in seen.steps], shown, told)
    assert found in (before, after), "half before the reveal, half after it"
