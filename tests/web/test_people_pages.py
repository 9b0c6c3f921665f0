"""People's pages over HTTP: from the first campaign to the last device, with and without the right to."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]


async def found(browser: Browser, title: str = "The Goblin Road", name: str = "Gerda") -> Page:
    return await browser.send(await browser.get("/new"), "/new", {"title": title, "name": name})


async def invite(gm: Browser, base: str = "/c/the-goblin-road/gerda", **typed: str) -> str:
    page = await gm.send(await gm.get(f"{base}/people"), "/people/invite", typed)
    assert page.status == 200, page.text
    return urlsplit(page.values["invitation-link"]).path


async def join(browser: Browser, path: str, name: str) -> Page:
    return await browser.send(await browser.get(path), "", {"name": name})


async def test_from_a_new_campaign_to_two_at_the_table(open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    kept = await found(gm)
    assert kept.status == 200 and "Your campaign stands" in kept.text
    assert re.fullmatch(r"http://signet.test/enter/the-goblin-road/[\w-]{43}", kept.values["way-back"])
    home = await gm.get("/c/the-goblin-road/gerda/")
    assert home.status == 200 and "What comes next" in home.text
    path = await invite(gm, for_name="Alice")
    seated = await join(alice, path, "Alice")
    assert seated.status == 200 and "You are seated, Alice" in seated.text
    home = await alice.get("/c/the-goblin-road/alice/")
    assert home.status == 200 and "No scene yet" in home.text and "Gerda" in home.text
