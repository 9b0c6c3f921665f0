"""The figures of a real `signet serve`: what they count, that all workers are in them, and that nobody is."""

import asyncio
import re
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import psutil
import pytest
from prometheus_client.parser import text_string_to_metric_families

from app import rulesets
from app.cli import _in_session
from app.crypto.vault import Vault
from app.db.engine import migrate
from app.main import create_app
from app.play.demo import ensure_demo
from app.settings import Settings, new_key, read_keys
from app.web.http.access import METHODS
from tests.start.playing import ROOT, SIGNET, environment, free_port
from tests.web.browser import Browser
from tests.web.role_matrix import VERDICTS

HOME = "/c/the-goblin-road"


class Site:
    def __init__(self, url: str, place: Path, workers: int) -> None:
        self.port, self.metrics = free_port(), _free()
        self.log = place / "log"
        self.key = new_key()
        migrate(url)
        made = _in_session(url, lambda session: ensure_demo(session, Vault(read_keys(self.key, "it"))))
        self.tokens = {label.split()[0].strip(","): link.rsplit("/", 1)[1] for label, link in made}
        ours = environment(DATABASE_URL=url, SIGNET_KEY=self.key, SIGNET_METRICS=f"127.0.0.1:{self.metrics}")
        call = [*SIGNET, "serve", "--port", str(self.port), "--workers", str(workers)]
        with self.log.open("w") as file:
            self.process = subprocess.Popen(call, cwd=ROOT, env=ours, stdout=file, stderr=file)
        self.workers = workers

    def wait(self) -> None:
        until = time.monotonic() + 60
        while True:
            try:
                if httpx2.get(f"http://127.0.0.1:{self.port}/health/ready", timeout=10).status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            assert time.monotonic() < until and self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def told(self) -> str:
        return httpx2.get(f"http://127.0.0.1:{self.metrics}/metrics").text

    def figure(self, name: str, **labels: str) -> float:
        """The sum of the samples with this name and these labels."""
        found = [
            sample.value
            for family in text_string_to_metric_families(self.told())
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        ]
        return sum(found)

    def until(self, name: str, wanted: float, seconds: float = 60) -> None:
        self._wait(name, lambda have: have == wanted, f"not {wanted}", seconds)

    def until_some(self, name: str, seconds: float = 60) -> None:
        """For what happens beside the requests: a hint is sent after its answer, and arrives later."""
        self._wait(name, lambda have: have > 0, "as before", seconds)

    def _wait(self, name: str, right: Callable[[float], bool], wrong: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not right(have := self.figure(name)):
            assert time.monotonic() < deadline, f"{name} is {have}, {wrong}\n{self.told()}"
            time.sleep(0.1)


def _free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(url: str, place: Path, workers: int = 2) -> Iterator[Site]:
    site = Site(url, place, workers)
    try:
        site.wait()
        yield site
    finally:
        alive = site.process.poll() is None
        children = psutil.Process(site.process.pid).children(recursive=True) if alive else []
        site.process.terminate()
        try:
            site.process.wait(20)
        finally:
            site.process.kill()
            site.process.wait()
            for child in children:
                if child.is_running():
                    child.kill()


@pytest.mark.nightly
def test_what_is_counted_over_all_workers_and_that_no_name_is_in_it(empty_db_url: str, tmp_path: Path) -> None:
    with serving(empty_db_url, tmp_path) as site:
        secret = asyncio.run(_play(site))
        assert site.figure("signet_seals_total", ruleset="whiskey", how="seal") == 4
        assert site.figure("signet_seals_total", how="draft") == 1
        assert site.figure("signet_reveals_total", ruleset="whiskey", by="all") == 1
        assert site.figure("signet_step_close_seconds_count") == site.figure("signet_reveals_total")
        lay = "/c/{slug}/{handle}/scene/{scene_id}/lay"
        assert site.figure("signet_requests_total", route=lay, status="422") == 1
        site.until_some("signet_hint_lag_seconds_count")
        assert site.figure("signet_hint_lag_seconds_sum") < 5
        assert site.figure("signet_pool_most") == 2 * 20
        site.until("signet_pool_in_use", 0)
        assert (site.figure("signet_database_up"), site.figure("signet_stuck_steps")) == (1, 0)
        text = site.told()
        for word in (secret, *site.tokens.values(), "goblin-road", "alice", "Alice"):
            assert word not in text
        _only_fixed_labels(text)
    assert "Traceback" not in site.log.read_text()


@pytest.mark.nightly
def test_streams_are_counted_and_a_dead_workers_are_not(empty_db_url: str, tmp_path: Path) -> None:
    with serving(empty_db_url, tmp_path) as site:
        asyncio.run(_hold_streams(site))
        site.until("signet_streams", 0)


async def _hold_streams(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{site.port}", timeout=30) as http:
        browser = Browser(http)
        await _sit(site, browser, "Alice")
        streams = [asyncio.create_task(_listen(browser)) for _ in range(12)]
        await asyncio.to_thread(site.until, "signet_streams", 12)
        workers = [
            one for one in psutil.Process(site.process.pid).children() if "spawn_main" in " ".join(one.cmdline())
        ]
        assert len(workers) == 2
        workers[0].suspend()
        await asyncio.sleep(1)  # the supervisor asks it twice a second whether it lives, and now waits for the answer
        workers[0].kill()
        deadline = time.monotonic() + 20
        while (counted := await asyncio.to_thread(site.figure, "signet_streams")) != sum(
            not one.done() for one in streams
        ):
            assert time.monotonic() < deadline, f"{counted} counted: {streams}"
            await asyncio.sleep(0.1)
        for one in streams:
            one.cancel()
        await asyncio.gather(*streams, return_exceptions=True)


async def _listen(browser: Browser) -> None:
    async with browser.http.stream("GET", f"{HOME}/alice/stream", headers={"Sec-Fetch-Site": "same-origin"}) as stream:
        assert stream.status_code == 200
        async for _ in stream.aiter_lines():
            pass


async def _sit(site: Site, browser: Browser, name: str) -> None:
    page = await browser.post(f"{HOME}/{name.lower()}/enter", {"_token": site.tokens[name]})
    assert page.status == 200, page.text


async def _play(site: Site) -> str:
    """The GM sets the scene, which opens; the players seal, Bob after a refusal and a draft; the goblins do not yet."""
    secret = uuid.uuid4().hex
    seen: dict[str, int] = {}

    async def lay(name: str, step: str, act: str, words: dict[str, str], status: int = 200) -> None:
        control = {"_step": step, "_seat": name.lower(), "_request": str(uuid.uuid4()), "_act": act}
        page = await browsers[name].post(
            f"{HOME}/{name.lower()}{scene[0]}/lay", {**control, "_revision": str(seen.get(name, 0)), **words}
        )
        assert page.status == status, page.text
        seen[name] = seen.get(name, 0) + (status == 200)

    def stand(name: str, intent: str = "stand") -> dict[str, str]:
        who = name.lower()
        return {f"of.{who}.intent": intent, f"of.{who}.rider": "text", f"of.{who}.rider_text": secret}

    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{site.port}", timeout=30) as http:
        browsers = dict.fromkeys(("GM", "Alice", "Bob", "Charlie"), Browser(http))
        for name, browser in browsers.items():
            await _sit(site, browser, name)
        home = (await browsers["GM"].get(f"{HOME}/gm/")).html
        scene = re.search(r"/scene/[0-9a-f-]{36}", home)
        assert scene
        streams = [asyncio.create_task(_listen(browsers["Alice"])) for _ in range(4)]
        await asyncio.to_thread(site.until, "signet_streams", 4)
        await lay("GM", "r1/scene", "seal", {})
        await lay("Bob", "r1/declare", "seal", stand("Bob", "attack"), 422)
        await lay("Bob", "r1/declare", "draft", stand("Bob"))
        for name in ("Alice", "Charlie", "Bob"):
            await lay(name, "r1/declare", "seal", stand(name))
        for one in streams:
            one.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
    return secret


def _only_fixed_labels(text: str) -> None:
    routes = {path for _, path in VERDICTS} | {"an unknown address", "/static"}
    fixed: dict[str, set[str]] = {
        "ruleset": {one.key for one in rulesets.RULESETS},
        "how": {"seal", "draft", "take_back"},
        "by": {"all", "due", "gm", "itself"},
        "route": routes,
        "method": {*METHODS, "another method"},
    }
    seen: set[str] = set()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            for label, value in sample.labels.items():
                seen.add(label)
                if label in fixed:
                    assert value in fixed[label], (sample.name, label, value)
                else:
                    assert label in ("le", "status") and re.fullmatch(r"[0-9.]+(e-\d+)?|\+Inf", value), (label, value)
    assert set(fixed) <= seen


def test_nothing_is_counted_unless_asked_for() -> None:
    told = "from app.observability import metrics; metrics.sealed('x', 'seal'); metrics.answered('GET', '/', 200); "
    told += "import sys; print(metrics.counting(), 'prometheus_client' in sys.modules)"
    for more in ({}, {"PROMETHEUS_MULTIPROC_DIR": "/nowhere"}, {"SIGNET_METRICS": "127.0.0.1:1"}):
        done = subprocess.run(
            [sys.executable, "-c", told], cwd=ROOT, env=environment(**more), capture_output=True, text=True, check=True
        )
        assert done.stdout == "False False\n"


@pytest.mark.parametrize("wrong", ["9420", ":9420", "here:", "here:0", "here:70000", "here:port"])
def test_an_address_that_is_none_is_told(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.errors import UserError
    from app.settings import load

    monkeypatch.setenv("SIGNET_METRICS", wrong)
    with pytest.raises(UserError, match="SIGNET_METRICS: must be an address with a port"):
        load()
    assert Settings(metrics="[::1]:9420").metrics_address == ("::1", 9420)
    assert create_app(Settings(metrics="127.0.0.1:9420"))
