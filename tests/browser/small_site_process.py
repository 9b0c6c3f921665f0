"""The small site as a process, a page on it, and waiting for what it says of itself."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser.seats import PATIENCE
from tests.forking import program
from tests.server import ROOT, free_port


class Site:
    """The small site as a process that can be ended and started again on the same port."""

    def __init__(self, place: Path) -> None:
        self.port = free_port()
        self.log = place / "small-site.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    def start(self, text: str = "first") -> None:
        command = program("uvicorn", "tests.browser.small_site:app", "--port", str(self.port))
        command += ["--no-access-log", "--timeout-graceful-shutdown", "1"]
        with self.log.open("ab") as log:
            env = {**os.environ, "SITE_TEXT": text, "PYTHONPATH": str(ROOT)}
            self.process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        for _ in range(200):
            try:
                self.client.get("/awaits")
                return
            except httpx2.TransportError:
                time.sleep(0.05)
        raise RuntimeError(self.log.read_text())

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def set(self, **given: Any) -> dict[str, Any]:
        answer = self.client.post("/control", json=given)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def wait_for(check: Any) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while not check():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.03)


DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("small-site"))
    site.start()
    yield site
    site.stop()
    site.client.close()


@pytest.fixture
def site(running: Site) -> Site:
    """The site of this module as it began; the pages of earlier tests have left it."""
    running.set(anew=True, quiet=True)
    wait_for(lambda: not running.set(quiet=True)["streams"])
    return running


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """The page, open, with its stream connected and its first refresh behind it."""
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "SyntaxError" in message.text:
            wrong.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    seated(page, site)
    yield page
    context.close()
    assert wrong == []


def seated(page: Page, site: Site) -> None:
    with page.expect_response("**/live") as refreshed:
        page.goto(f"http://127.0.0.1:{site.port}/")
    refreshed.value.finished()
    page.evaluate(DRAWN)
