"""SIGTERM while five hundred pages are open: the end comes soon, and no page hangs."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import httpx2
import psycopg
import pytest

from tests.kills.cluster import Cluster
from tests.kills.fork_server import Nursery
from tests.kills.stage import ROAD, Stage
from tests.server import ROOT, free_port

pytestmark = [pytest.mark.anyio, pytest.mark.embedded, pytest.mark.nightly]

STREAMS = 500
MOST = 20.0  # seconds; streams that were not ended would last for ever


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def listen(port: int, cookie: str, streams: list[Stream]) -> None:
    """A stream as a browser opens it, up to its first hint."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    streams.append((reader, writer))
    head = f"GET {ROAD}/alice/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: signet={cookie}\r\n\r\n"
    writer.write(head.encode())
    await reader.readuntil(b"data: changed")


@pytest.mark.parametrize("workers", [1, 2])
async def test_sigterm_with_five_hundred_streams(
    cluster: Cluster, nursery: Nursery, tmp_path: Path, workers: int
) -> None:
    stage = await Stage.build(cluster.url)
    teacher = nursery.worker()
    await stage.learn(teacher.url)
    teacher.end()
    port, log = free_port(), tmp_path / "serve.log"
    env = {**os.environ, **nursery.environment}
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--workers", str(workers)]
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=env, stdout=file, stderr=file)
    streams: list[Stream] = []
    try:
        origin = f"http://127.0.0.1:{port}"
        await _up(origin)
        press = await stage.nearly_revealed()
        for _ in range(STREAMS // 50):
            await asyncio.gather(*(listen(port, stage.cookies["alice"], streams) for _ in range(50)))
        sending = asyncio.create_task(stage.send(origin, press))
        await asyncio.sleep(0.02)  # the seal is on its way when the signal comes
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code = await asyncio.wait_for(process.wait(), 60)
        took = time.monotonic() - begun
        ends = await asyncio.gather(*(asyncio.wait_for(reader.read(), 30) for reader, _ in streams))
        assert len(ends) == STREAMS, "every page learned that its stream was over"
        answer, truth = await sending, await stage.truth(press.scene)
        assert answer is None or (answer == 303 and press.request in truth.seals)
        assert took < MOST, f"the end took {took:.1f} s"
        assert code in (0, -signal.SIGTERM), f"{code}:\n{log.read_text()[-2000:]}"
    finally:
        for _, writer in streams:
            writer.close()
        if process.returncode is None:
            process.kill()
            await process.wait()
        await stage.close()
    assert "Traceback" not in log.read_text()
    assert await _nobody_left(cluster), "connections to the database that outlived their process"


async def _up(origin: str) -> None:
    async with asyncio.timeout(60), httpx2.AsyncClient(base_url=origin, trust_env=False, verify=False) as http:
        while True:
            try:
                await http.get("/about", headers={"Connection": "close"})
                return
            except httpx2.TransportError:
                await asyncio.sleep(0.05)


async def _nobody_left(cluster: Cluster) -> bool:
    plain = cluster.url.replace("postgresql+psycopg://", "postgresql://")
    count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'signet' AND pid <> pg_backend_pid()"
    until = time.monotonic() + 30
    async with await psycopg.AsyncConnection.connect(plain, autocommit=True) as connection:
        while time.monotonic() < until:
            row = await (await connection.execute(count)).fetchone()
            if row == (0,):
                return True
            await asyncio.sleep(0.1)
    return False
