"""The door for foreign data: one child, ended at its limits of time and memory, and with its parent."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import BadFile
from app.foreign.door import Busy, Door
from tests.foreign import jobs
from tests.foreign.jobs import job

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the system has no such limit")

PARENT = """
import asyncio
from app.foreign.door import Door
from tests.foreign import jobs

async def main():
    door = Door()
    print((await door.read(jobs.job(jobs.number), b"")).decode(), flush=True)
    await door.read(jobs.job(jobs.endless, seconds=600), b"")

asyncio.run(main())
"""


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    one = Door()
    yield one
    await one.close()


async def begun(door: Door) -> int:
    """Returns when a file is being read: the number of the process that reads."""
    while door.child is None or not door.busy:  # noqa: ASYNC110 - the door has no event for tests
        await asyncio.sleep(0)
    return door.child.process.pid


async def test_one_child_is_kept_whatever_a_file_says(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    assert door.child is None, "it starts with the first file"
    first = await door.read(job(jobs.number), b"")
    with pytest.raises(BadFile, match=r"^This is a kettle\. Choose a teapot\.$"):
        await door.read(job(jobs.refusing), b"")
    with caplog.at_level(logging.ERROR), pytest.raises(BadFile, match=r"could not read this test file.*Take another"):
        await door.read(job(jobs.failing), b"secret words")
    assert "KeyError" in caplog.text and "in failing" in caplog.text and "secret words" not in caplog.text
    with pytest.raises(BadFile, match="larger than 1,000 bytes"):
        await door.read(job(jobs.same), bytes(1001))
    assert await door.read(job(jobs.same), b"\x00\xff") == b"\x00\xff"
    assert await door.read(job(jobs.number), b"") == first


async def test_a_file_without_end_is_ended_before_the_next_one_is_read(door: Door) -> None:
    with pytest.raises(BadFile, match=r"takes too long to read\. Take another\."):
        await door.read(job(jobs.endless, seconds=0.5), b"")
    assert door.child is not None and door.child.process.returncode == -signal.SIGKILL and not door.busy
    assert await door.read(job(jobs.same), b"x") == b"x"


async def test_who_waits_too_long_or_behind_too_many_is_told(door: Door) -> None:
    door.longest_wait, door.most_waiting = 0, 1
    reading = asyncio.create_task(door.read(job(jobs.endless, seconds=600), b""))
    child = await begun(door)
    with pytest.raises(Busy, match="busy"):
        await door.read(job(jobs.same), b"")
    door.longest_wait = 600
    waiting = asyncio.create_task(door.read(job(jobs.number), b""))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await door.read(job(jobs.same), b"")
    reading.cancel()
    assert int(await waiting) != child, "a request that is cancelled ends its work"
    assert reading.cancelled()


async def test_closing_ends_whatever_runs(door: Door) -> None:
    reading = asyncio.create_task(door.read(job(jobs.endless, seconds=600), b""))
    await begun(door)
    waiting = asyncio.create_task(door.read(job(jobs.same), b""))
    await asyncio.sleep(0)
    await door.close()
    assert door.child is not None and door.child.process.returncode is not None
    with pytest.raises(BadFile):
        await reading
    with pytest.raises(Busy):
        await waiting
    with pytest.raises(Busy):
        await door.read(job(jobs.same), b"")


@ON_LINUX
async def test_memory_has_a_limit(door: Door) -> None:
    with pytest.raises(BadFile, match=r"takes too much memory to read\. Take another\."):
        await door.read(job(jobs.greedy), b"")
    assert door.child is not None and not door.child.running
    assert await door.read(job(jobs.same), b"x") == b"x"


async def test_a_child_that_ends_or_says_too_much_is_replaced(door: Door) -> None:
    for wrong in (job(jobs.dying), job(jobs.same, most_out=10)):
        with pytest.raises(BadFile, match="could not read this test file"):
            await door.read(wrong, bytes(100))
        assert await door.read(job(jobs.same), b"x") == b"x"
    assert door.child is not None
    door.child.process.kill()  # by the system, while it waits
    door.child.process.wait()
    assert await door.read(job(jobs.same), b"x") == b"x"


async def test_where_no_child_can_be_started_the_next_try_may_work(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/nowhere/python")
        for _ in range(2):
            with pytest.raises(Busy):
                await door.read(job(jobs.same), b"x")
    assert await door.read(job(jobs.same), b"x") == b"x"


async def test_the_child_has_no_secrets_and_writes_no_file(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNET_KEY", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    names = (await door.read(job(jobs.surroundings), b"")).decode().split("\n")
    assert "PATH" in names and not {"SIGNET_KEY", "DATABASE_URL"} & {*names}
    if sys.platform == "linux":
        with pytest.raises(BadFile):
            await door.read(job(jobs.writing), b"x")


@ON_LINUX
def test_a_child_ends_with_a_parent_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + 30
    while not _gone(child):
        assert time.monotonic() < until, "it goes on without its parent"
        os.sched_yield()


def _gone(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"  # nobody has asked how it ended
