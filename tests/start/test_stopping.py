"""Stopping while foreign files are read: whatever their child processes work on, a server ends in seconds."""

import asyncio
import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import httpx2
import pytest

from app.db.engine import migrate
from app.settings import new_key
from tests.server import servers
from tests.start.playing import ROOT, SIGNET, environment, free_port, playing
from tests.web.browser import Browser

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")]

FILE = '{"calendar": {"months": [{"name": "Sedge", "numberOfDays": 30}]}}'
IN_SECONDS = 15
FILES = 6


def children(place: Path) -> list[int]:
    """The child processes of the servers whose TEMP is this place; of the environment, children get that."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if b"app.foreign.child" in said[0] and b"TEMP=%s\0" % os.fsencode(place) in said[1] + b"\0":
            found.append(int(process.name))
    return found


def waits(child: int) -> bool:
    """Whether an order waits in the pipe of a child that does not move."""
    pipe = os.open(f"/proc/{child}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
    try:
        unread: int = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]
        return unread > 0
    finally:
        os.close(pipe)


async def bring(base: str, cookies: httpx2.Cookies, at: str) -> int:
    """Sends the file over a connection of its own; returns the answer's status, 0 if the server ends first."""
    said = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
    async with httpx2.AsyncClient(base_url=base, cookies=cookies, timeout=60, trust_env=False) as client:
        try:
            return (await client.post(at, data={"_do": "show", "text": FILE}, headers=said)).status_code
        except httpx2.TransportError:
            return 0


async def stand_still(base: str, place: Path, workers: int) -> list[asyncio.Task[int]]:
    """Has each worker's child stand still in front of a file: no limit of its own could end it. Returns the requests
    for the files."""
    async with httpx2.AsyncClient(base_url=base, trust_env=False) as client:
        gm = Browser(client)
        home = await gm.send(await gm.get("/new"), "/new", {"title": "Stopping", "name": "Gerda"})
        at = f"{home.path.rstrip('/')}/calendar/shape/import"
        while len(children(place)) < workers:
            assert await bring(base, client.cookies, at) == 200
        for child in children(place):
            os.kill(child, signal.SIGSTOP)
        asked = [asyncio.create_task(bring(base, client.cookies, at)) for _ in range(FILES)]
        while not any(waits(child) for child in children(place)):
            await bring(base, httpx2.Cookies(), "/health/live")  # it answers meanwhile
        return asked


async def ends(process: "subprocess.Popen[bytes] | subprocess.Popen[str]", place: Path, number: int) -> None:
    process.send_signal(number)
    begun = time.monotonic()
    await asyncio.to_thread(process.wait, 60)
    assert time.monotonic() - begun < IN_SECONDS and children(place) == []


async def test_a_server_stops_while_six_files_are_read(db_url: str, tmp_path: Path) -> None:
    with servers(db_url, tmp_path, TEMP=str(tmp_path), SIGNET_FOUNDING="anyone") as [server]:
        asked = await stand_still(server.url, tmp_path, 1)
        assert server.process is not None
        await ends(server.process, tmp_path, signal.SIGTERM)
        assert 200 not in await asyncio.gather(*asked)


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", [1, 2])
async def test_serve_stops_while_six_files_are_read(
    empty_db_url: str, tmp_path: Path, workers: int, number: int
) -> None:
    migrate(empty_db_url)
    port = free_port()
    ours = environment(DATABASE_URL=empty_db_url, SIGNET_KEY=new_key(), SIGNET_FOUNDING="anyone", TEMP=str(tmp_path))
    call = [*SIGNET, "serve", "--port", str(port), "--workers", str(workers)]
    with (tmp_path / "log").open("w") as log:
        run = subprocess.Popen(call, cwd=ROOT, env=ours, stdout=log, stderr=log)  # noqa: ASYNC220
        try:
            base, until = f"http://127.0.0.1:{port}", time.monotonic() + 60
            while (await asyncio.to_thread(_status, f"{base}/health/live")) != 200:
                assert time.monotonic() < until and run.poll() is None, (tmp_path / "log").read_text()
            asked = await stand_still(base, tmp_path, workers)
            await ends(run, tmp_path, number)
            assert 200 not in await asyncio.gather(*asked)
        finally:
            run.kill()
            await asyncio.to_thread(run.wait)


@pytest.mark.nightly
@pytest.mark.embedded
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_play_stops_while_six_files_are_read(
    place: Path, tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMP", str(tmp_path))
    with playing(place / "data") as signet:
        asked = await stand_still(signet.links[0].partition("/enter")[0].rstrip("/"), tmp_path, 1)
        await ends(signet.process, tmp_path, number)
        await asyncio.gather(*asked)


def _status(address: str) -> int:
    try:
        return httpx2.get(address, trust_env=False).status_code
    except httpx2.TransportError:
        return 0
