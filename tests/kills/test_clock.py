"""A worker whose clock is five minutes wrong changes nothing: the database's clock alone decides."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest
from sqlalchemy import func, select

from app.models.scenes import Envelope, StepRow
from tests.kills.cluster import Cluster
from tests.kills.fork_server import Nursery, Worker
from tests.kills.stage import DECLARE, ROAD, Stage
from tests.web.browser import Page

pytestmark = [pytest.mark.anyio, pytest.mark.embedded, pytest.mark.nightly]

WRONG = 300
SECONDS = 4
TIME = re.compile(r'data-due="([^"]+)"\s+data-now="([^"]+)"')


@pytest.fixture
async def stage(cluster: Cluster) -> AsyncIterator[Stage]:
    stage = await Stage.build(cluster.url)
    yield stage
    await stage.close()


def wrong_by(nursery: Nursery, seconds: int) -> Worker:
    return nursery.worker(SIGNET_CLOCK=str(seconds))


async def give_time(stage: Stage, worker: Worker, press_scene: object, seconds: int) -> None:
    path = f"{ROAD}/gm/scene/{press_scene}/act/time"
    answer = await stage.post(worker.url, "gm", path, [("step", DECLARE), ("seconds", str(seconds))])
    assert answer is not None and answer.status_code == 303


def told_time(page: Page) -> tuple[datetime, datetime]:
    """When the time is up and what time it is, by the page."""
    found = TIME.search(page.html)
    assert found is not None
    return datetime.fromisoformat(found[1]), datetime.fromisoformat(found[2])


async def test_the_process_clock_is_wrong_in_these_tests(stage: Stage, nursery: Nursery) -> None:
    """Else the others would prove nothing."""
    workers = [wrong_by(nursery, seconds) for seconds in (0, WRONG, -WRONG)]
    heard = []
    for _ in range(2):
        await asyncio.sleep(1.1)  # uvicorn makes its date anew each second, once it is up
        answers = [await stage.post(worker.url, "sam", "/nowhere", []) for worker in workers]
        heard = [parsedate_to_datetime(answer.headers["date"]) for answer in answers if answer is not None]
    assert abs((heard[1] - heard[0]).total_seconds() - WRONG) < 30
    assert abs((heard[2] - heard[0]).total_seconds() + WRONG) < 30
    for worker in workers:
        worker.end()


@pytest.mark.parametrize("ahead", [0, WRONG, -WRONG])
async def test_a_deadline_is_kept_by_the_databases_clock(stage: Stage, nursery: Nursery, ahead: int) -> None:
    worker = wrong_by(nursery, ahead)
    await stage.learn(worker.url)
    scene = (await stage.nearly_revealed()).scene
    await give_time(stage, worker, scene, SECONDS)
    due, now = told_time(await stage.page(worker.url, "alice", scene))
    assert timedelta(0) < due - now <= timedelta(seconds=SECONDS), "what the page's clock counts down from"
    until = time.monotonic() + SECONDS + 30
    while not (await stage.truth(scene)).closed:
        assert time.monotonic() < until, "nobody closed the step"
        await asyncio.sleep(0.05)
    async with stage.runtime.sessions() as session:
        step = await session.get(StepRow, (stage.campaign, scene, DECLARE))
    assert step is not None and step.closed_by == "due" and step.closed_at is not None
    assert timedelta(0) <= step.closed_at - due < timedelta(seconds=30), "by this worker, and not early"
    assert await stage.send(worker.url, stage.press("charlie", scene)) == 409, "the time was up"
    worker.end()


async def test_workers_whose_clocks_differ_tell_the_same(stage: Stage, nursery: Nursery) -> None:
    right, fast, slow = (wrong_by(nursery, seconds) for seconds in (0, WRONG, -WRONG))
    await stage.learn(right.url)
    scene = (await stage.nearly_revealed(but=("bob", "charlie"))).scene
    await give_time(stage, fast, scene, 120)
    await give_time(stage, slow, scene, 120)
    pages = [await stage.page(worker.url, "alice", scene) for worker in (right, fast, slow)]
    times = [told_time(page) for page in pages]
    assert len({due for due, _ in times}) == 1
    assert times[2][1] - times[0][1] < timedelta(seconds=10) and times[0][1] <= times[1][1] <= times[2][1]
    for number, worker in enumerate((fast, right, slow, fast, slow, right)):
        assert await stage.say(worker.url, "sam", scene, f"line {number}.") == 303
    page = await stage.page(slow.url, "alice", scene)
    assert re.findall(r"line (\d)\.", page.text) == list("012345"), "in the order in which it was said"
    assert await stage.send(slow.url, stage.press("bob", scene)) == 303
    async with stage.runtime.sessions() as session:
        laid = select(Envelope.laid_at, func.clock_timestamp()).filter_by(scene_id=scene, seat="bob", step_key=DECLARE)
        at, now = (await session.execute(laid)).one()
    assert timedelta(0) <= now - at < timedelta(seconds=30)
    sealed = f"Sealed at {at:%H:%M}"
    for worker in (right, fast, slow):
        assert sealed in (await stage.page(worker.url, "bob", scene)).text
    assert await stage.send(fast.url, stage.press("charlie", scene)) == 303
    assert (await stage.truth(scene)).closed
    await stage.receipts_hold(scene)
    for worker in (right, fast, slow):
        worker.end()
