"""A Chromium for the tests that drive one: skipped with a reason where there is none, failing under CI=true."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.seats import PATIENCE, make_demo
from tests.selection import nightly
from tests.server import Server, servers

expect.set_options(timeout=PATIENCE)

ARGS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--autoplay-policy=no-user-gesture-required",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUICK = "chromium-headless-shell"
"""The same engine without the browser around it, which takes a third less time; by night the whole browser is used."""


def find_chromium() -> str | None:
    """The path of this machine's Chromium, the one at SIGNET_CHROMIUM before all others."""
    names = (*NAMES, QUICK) if nightly() else (QUICK, *NAMES)
    return os.environ.get("SIGNET_CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        reason = f"no Chromium here (looked for {', '.join(NAMES)}; SIGNET_CHROMIUM can name one)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    # One per module, and closed with it: while it runs, no other event loop can run in this thread.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def server(db_url: str, tmp_path: Path) -> Iterator[Server]:
    with servers(db_url, tmp_path) as running:
        yield running[0]


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    """The demo campaign's personal links, by first name: GM, Alice, Bob, Charlie, Sam (who watches)."""
    return make_demo(db_url)
