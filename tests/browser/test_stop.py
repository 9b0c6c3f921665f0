"""The X-card in a real Chromium: who is on which page when somebody stops a scene, and what their page says next.

It finds what no form over HTTP does: a hint that reaches the scene's own page only, a bar that needs a reload or lies
under something, and a tab without a stream that never asks.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seats import Seat, axe, follow, overflow, shots_folder
from tests.browser.small_site_process import HIDE
from tests.browser.test_desk import start_vote
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
SIZES = {"GM": (1280, 800), "Alice": (390, 844), "Bob": (390, 844), "Sam": (1280, 800)}
SAYS = "Stop: Goblins in the woods is paused. Someone would like to stop here."
IN_VIEW = """bar => { const box = bar.getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && bar.contains(there); }"""
NO_LOCKS = "Object.defineProperty(navigator, 'locks', {value: {request: (name, how, then) => then(null)}})"
"""As in a browser whose other tabs have taken all streams."""


@pytest.fixture
def seats(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    found = {}
    for name, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height})
        found[name] = Seat(name, context, server.url).enter(links[name])
    yield found
    for seat in found.values():
        seat.context.close()
    assert [wrong for seat in found.values() for wrong in seat.wrong] == []


def beside(seat: Seat, address: str) -> Page:
    page = seat.context.new_page()
    page.goto(address)
    return page


def told(page: Page) -> None:
    """The page says so, on top, and nothing covers it."""
    bar = page.locator(".is-stop").first
    expect(bar).to_have_text(re.compile(re.escape(SAYS)))
    expect(page).to_have_title(re.compile(r"^\(!\) Stop · "))
    assert bar.evaluate(IN_VIEW), page.url


def test_a_stop_reaches_every_page_in_the_next_state_it_draws(
    browser: Browser, server: Server, seats: dict[str, Seat], tmp_path: Path
) -> None:
    gm, alice, bob, sam = (seats[name] for name in SIZES)
    shots = shots_folder(tmp_path)
    road = gm.page.url.split("?")[0].rstrip("/")
    start_vote(gm)
    alice.page.goto(gm.page.url.replace("/gm/", "/alice/"))  # a player in another scene
    gm.page.goto(f"{road}/desk")
    calendar = beside(gm, f"{road}/calendar")
    people = beside(gm, f"{road}/people")
    home = sam.page
    asks = sam.context.new_page()
    asks.add_init_script(NO_LOCKS)
    asks.goto(f"{home.url.split('?')[0]}calendar")
    asks.evaluate(HIDE, True)
    plain = browser.new_context(java_script_enabled=False, storage_state=sam.context.storage_state())
    scriptless = plain.new_page()
    scriptless.goto(f"{home.url.split('?')[0]}people")
    follow(bob.page.get_by_role("link", name="Goblins in the woods").first)
    looking = (gm.page, calendar, people, alice.page, home)
    for page in (*looking, asks, scriptless):
        expect(page.locator(".is-stop")).to_have_count(0)
    people.evaluate("scrollTo(0, document.body.scrollHeight)")

    bob.page.locator(".tabs button").click()
    bob.page.get_by_role("button", name="Stop the scene").click()
    expect(bob.page.locator("#awaits.is-stop")).to_contain_text("Someone would like to stop here.")
    for page in looking:
        told(page)
    expect(asks).to_have_title(re.compile(r"^\(!\) Stop · "))
    asks.evaluate(HIDE, False)
    told(asks)
    scriptless.reload()
    told(scriptless)
    first = gm.page.locator(".desk-card").first
    expect(first).to_contain_text("Stopped: someone would like to stop here")
    assert first.evaluate(IN_VIEW.replace("&& box.bottom <= innerHeight && bar.contains(there)", ""))
    pictures = ((gm, "stop-desk"), (alice, "stop-other-scene-phone"), (bob, "stop-own-phone"), (sam, "stop-home"))
    for seat, name in pictures:
        assert axe(seat.page) == [] and overflow(seat.page) == []
        seat.both_shots(shots, name)
    Seat("GM", gm.context, server.url, calendar).both_shots(shots, "stop-calendar")

    gm.page.locator(".desk-card").first.get_by_role("button", name="Resume the scene").click()
    gm.page.locator("dialog[open] button.go").click()
    for page in (*looking, asks, bob.page):
        expect(page.locator(".is-stop")).to_have_count(0)
        expect(page).not_to_have_title(re.compile("Stop"))
    plain.close()
