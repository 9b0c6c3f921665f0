"""Coming in while a scene is being played, in the very moment in which another scene takes the character."""

import asyncio

import pytest
from sqlalchemy import text

from app.errors import Refusal
from app.table import join_midscene
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.table.table import sit_down
from tests.toy import brief

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

WAITING = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted "
    "AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
)


async def test_of_a_newcomer_and_a_scene_that_want_the_same_character_one_is_told(runtime: Runtime) -> None:
    table = await sit_down(runtime)
    await table.open(thief=False, late=True)

    async with runtime.sessions.begin() as session:
        await open_scene(session, runtime.vault, table.campaign, "toy", brief(), held="fresh")
        coming = asyncio.create_task(table.act(join_midscene.enter, "cyd"))
        while not await session.scalar(text(WAITING)):
            assert not coming.done(), "the newcomer did not wait for the other scene"
            await asyncio.sleep(0.01)
    with pytest.raises(Refusal, match="not in another scene"):
        await coming
    assert "cyd" not in [seat.seat for seat in (await table.sight("gm")).seats]
