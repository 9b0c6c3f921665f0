"""Answers that get lost: between the server and its reader, and between the database and the server."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import select

from app.failpoints import POINTS
from app.models.scenes import Envelope
from tests.kills.cluster import Cluster
from tests.kills.conftest import TIMES
from tests.kills.fork_server import Nursery
from tests.kills.holding import Held
from tests.kills.stage import DECLARE, Press, Stage
from tests.kills.wire import Loss, Wire
from tests.server import Proxy
from tests.web.browser import page_of

pytestmark = [pytest.mark.anyio, pytest.mark.embedded, pytest.mark.nightly]


@pytest.fixture
async def stage(cluster: Cluster, nursery: Nursery) -> AsyncIterator[Stage]:
    stage = await Stage.build(cluster.url)
    worker = nursery.worker()
    await stage.learn(worker.url)
    worker.end()
    yield stage
    await stage.close()


async def revisions(stage: Stage, scene: uuid.UUID, who: str) -> list[tuple[int, uuid.UUID]]:
    async with stage.runtime.sessions() as session:
        rows = await session.execute(
            select(Envelope.revision, Envelope.request_id)
            .filter_by(campaign_id=stage.campaign, scene_id=scene, step_key=DECLARE, seat=who)
            .order_by(Envelope.revision)
        )
        return [(revision, request) for revision, request in rows]


async def test_a_reply_that_is_lost_is_asked_for_again(stage: Stage, nursery: Nursery, tmp_path: Path) -> None:
    """The line breaks while the server works, at each point; the press is taken all the same, and only once."""
    for point in POINTS:
        held = Held.start(nursery, point, tmp_path)
        proxy = Proxy(held.worker.port).start()
        try:
            for _ in range(max(1, TIMES // 5)):
                await _cut_off(stage, held, proxy)
        finally:
            proxy.stop()
            held.worker.end()


async def _cut_off(stage: Stage, held: Held, proxy: Proxy) -> None:
    scene = (await stage.nearly_revealed(but=("bob", "charlie"))).scene
    first = stage.press("bob", scene, shout="first words")
    # Only the scene's last seal writes events, so this one breaks off the reveal itself.
    if held.point == "events-written":
        assert await stage.send(proxy.url, stage.press("charlie", scene)) == 303
    held.lay_pipes()
    sending = asyncio.create_task(stage.send(proxy.url, first))
    await held.reached()
    proxy.cut()
    held.go()
    assert await sending is None, "nobody was told"
    proxy.mend()
    assert await stage.send(proxy.url, first) == 303
    assert await revisions(stage, scene, "bob") == [(1, first.request)]
    if held.point == "events-written":
        assert (await stage.truth(scene)).closed
        return
    second = stage.press("bob", scene, revision=1, shout="second words")
    assert await stage.send(proxy.url, second) == 303
    after = [(1, first.request), (2, second.request)]
    assert await stage.send(proxy.url, first) == 303, "a press from before gets its own receipt"
    old_page = stage.press("bob", scene, revision=1, shout="words from an old page")
    assert await stage.send(proxy.url, old_page) == 409
    assert await revisions(stage, scene, "bob") == after, "and undoes nothing"
    assert await stage.send(proxy.url, stage.press("charlie", scene)) == 303
    shown = (await stage.page(proxy.url, "sam", scene)).text
    assert "second words" in shown and "first words" not in shown
    assert (await stage.truth(scene)).closed


@pytest.mark.parametrize("loss", ["the COMMIT", "its answer"])
async def test_a_commit_that_is_cut_is_called_neither_done_nor_undone(
    cluster: Cluster, stage: Stage, tmp_path: Path, loss: Loss
) -> None:
    wire = Wire(cluster.url)
    nursery = Nursery(wire.url, tmp_path / "workers.log")
    held = Held.start(nursery, "before-commit", tmp_path)
    try:
        for _ in range(TIMES):
            await _lose(stage, held, wire, loss)
        assert await stage.stuck_or_waiting() == []
    finally:
        nursery.close()
        wire.stop()


async def _lose(stage: Stage, held: Held, wire: Wire, loss: Loss) -> None:
    scene = (await stage.nearly_revealed()).scene
    press = stage.press("charlie", scene, shout=f"I shout {uuid.uuid4()}")
    held.lay_pipes()
    sending = asyncio.create_task(_answer(stage, held, press))
    await held.reached()
    wire.lose(loss)
    held.go()
    page = page_of(await sending)
    assert wire.lost.is_set()
    assert page.status == 503 and "so Signet can't tell whether this still went through" in page.text
    truth = await stage.truth(scene)
    assert truth.closed == (loss == "its answer"), "the page was right not to say"
    again = page.form("/lay")
    assert sorted(again.fields) == sorted(press.fields)
    assert await stage.send(held.worker.url, Press(scene, again.fields)) == 303
    after = await stage.truth(scene)
    assert after.closed and after.seals == {press.request: 1}
    assert not truth.closed or after.events == truth.events
    assert "opened together" in (await stage.page(held.worker.url, "charlie", scene)).text


async def _answer(stage: Stage, held: Held, press: Press) -> httpx2.Response:
    answer = await stage.post(held.worker.url, press.who, f"{press.path}/lay", press.fields)
    assert answer is not None
    return answer
