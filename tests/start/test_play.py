"""`signet play` and `signet serve` from start to end, as real processes with real pages."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from app.db.engine import migrate
from app.ops.local_install import Household, listen
from app.settings import new_key
from tests.start.playing import ROOT, SIGNET, Playing, command, environment, free_port, playing

SEATS = ("GM", "Alice", "Bob", "Charlie", "Sam, who watches")


@pytest.fixture
def household(place: Path) -> Iterator[Household]:
    home = Household(place / "data")
    yield home
    if home.data.exists():
        home.stop()


@pytest.mark.embedded
def test_one_command_gives_a_table_with_a_link_for_each_seat(household: Household) -> None:
    with playing(household.data) as signet:
        landing, *links = signet.links
        assert len(links) == len(set(links)) == len(SEATS)
        for seat in SEATS:
            assert re.search(rf"^  {seat}$", signet.said, re.MULTILINE), signet.said
        with httpx2.Client(follow_redirects=True) as browser:
            for address in (landing, *links):
                page = browser.get(address)
                assert page.status_code == 200 and "<html" in page.text, address
        second = subprocess.run(
            command("play", "--data", household.data),
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (second.returncode, second.stdout) == (1, "")
        assert (
            f"already running in {household.data} (process {signet.process.pid}, {landing.rstrip('/')})"
            in second.stderr
        )

        began = time.monotonic()
        assert signet.end() == 0
        assert time.monotonic() - began < 15
        assert "Signet and its database have stopped." in signet.said
        assert "Traceback" not in signet.said
    assert household.embedded.status().state == "stopped"
    assert household.runner() is None
    log = household.log.read_text()
    assert re.search(r" info request GET /enter/\{slug\}/\{token\} 200 [0-9.]+ ms$", log, re.MULTILINE), log
    for link in links:
        assert link.rsplit("/", 1)[1] not in log


@pytest.mark.nightly
@pytest.mark.embedded
def test_it_survives_a_killed_app_and_a_killed_database(household: Household) -> None:
    with playing(household.data) as signet:
        landing = signet.links[0]
        first = household.embedded.status().pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        until = time.monotonic() + 15
        while household.embedded.status().state != "running" or household.embedded.status().pid == first:
            assert time.monotonic() < until, "the database did not come back"
            time.sleep(0.1)
        assert httpx2.get(landing, follow_redirects=True).status_code == 200
        signet.process.kill()
        signet.process.wait()
        assert household.embedded.status().state == "running", "a killed app leaves the database be"
        second = household.embedded.status().pid
        with playing(household.data) as again:
            assert household.embedded.status().pid == second
            assert again.end(signal.SIGTERM) == 0
    assert household.embedded.status().state == "stopped"


@pytest.mark.nightly
@pytest.mark.embedded
def test_a_taken_port_is_said_and_stop_ends_it_from_outside(household: Household) -> None:
    with listen("127.0.0.1", free_port()) as taken:
        port = taken.getsockname()[1]
        signet = Playing(household.data, port)
    assert f"Port {port} is in use, so Signet listens on " in signet.said
    told = json.loads((household.data / "playing").read_text())
    assert told["pid"] == signet.process.pid and told["address"] + "/" == signet.links[0]

    links = subprocess.run(
        command("links", "--data", household.data),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (fresh,) = re.findall(r"http://\S+", links)
    assert fresh.startswith(told["address"] + "/enter/")
    assert httpx2.get(fresh).status_code == 200
    assert httpx2.get(signet.links[1]).status_code != 200, "the GM's older link opens nothing any more"

    done = subprocess.run(
        command("stop", "--data", household.data),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "Signet and its database have stopped. Everything is saved.\n"
    out, _ = signet.process.communicate(timeout=10)
    assert signet.process.returncode == 0 and "Traceback" not in out
    assert household.embedded.status().state == "stopped"


@pytest.mark.nightly
def test_serve_answers_from_several_workers_and_ends_soon(empty_db_url: str, tmp_path: Path) -> None:
    migrate(empty_db_url)
    port = free_port()
    log = (tmp_path / "log").open("w+")
    call = [*SIGNET, "serve", "--workers", "2", "--port", str(port)]
    ours = environment(DATABASE_URL=empty_db_url, SIGNET_KEY=new_key())
    with log, subprocess.Popen(call, cwd=ROOT, env=ours, stdout=log, stderr=log) as server:
        try:
            until = time.monotonic() + 60
            while True:
                try:
                    assert httpx2.get(f"http://127.0.0.1:{port}/", follow_redirects=True).status_code == 200
                    break
                except httpx2.TransportError:
                    assert time.monotonic() < until and server.poll() is None, (tmp_path / "log").read_text()
                    time.sleep(0.1)
            workers = [
                child for child in psutil.Process(server.pid).children() if "spawn_main" in " ".join(child.cmdline())
            ]
            assert len(workers) == 2
            began = time.monotonic()
            server.terminate()
            server.wait(timeout=20)
            assert time.monotonic() - began < 15
            assert psutil.wait_procs(workers, timeout=5)[1] == []
        finally:
            server.kill()
    assert "Traceback" not in (tmp_path / "log").read_text()
