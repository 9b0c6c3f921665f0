"""A GM's evening in a real Chromium: a scene prepared beforehand, opened in one press, with reinforcements that hide
first, and its end. It finds what single pages do not: a step that leads nowhere, or a newcomer that players see early.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.seats import Seat, axe, follow, overflow, shots_folder
from tests.browser.test_desk import card, press
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SIZES = {"GM": (1280, 800), "Alice": (390, 844)}
TITLE = "The old stone bridge"


@pytest.fixture
def table(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    seats = {}
    for name, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height})
        seats[name] = Seat(name, context, server.url).enter(links[name])
    yield seats
    for seat in seats.values():
        seat.context.close()
    assert [wrong for seat in seats.values() for wrong in seat.wrong] == []


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == [] and axe(seat.page) == []
    seat.both_shots(shots, name)


def prepare(page: Page) -> None:
    follow(page.get_by_role("link", name="Open another scene"))
    page.get_by_label("Title").fill(TITLE)
    page.locator('button[value="add bandit"]').click()
    page.get_by_label("Ask for declarations at once").check()
    page.get_by_role("button", name="Save for later").click()
    expect(page.locator("#prepared")).to_contain_text(TITLE)


def abandon(page: Page) -> None:
    """The demo's own battle, so that its heroes are free."""
    follow(page.get_by_role("link", name="set the scene").first)
    page.locator("#drawer > summary").click()
    page.get_by_role("button", name="Abandon the scene").click()
    page.locator("dialog[open] button.go").click()
    expect(page.locator("#ending")).to_contain_text("abandoned")


def vital(page: Page, name: str) -> Locator:
    return card(page, TITLE).locator(".vitals li", has=page.get_by_text(name, exact=True))


def test_a_prepared_scene_gets_reinforcements_and_ends(table: dict[str, Seat], tmp_path: Path) -> None:
    shots, gm, alice = shots_folder(tmp_path), table["GM"], table["Alice"]
    page = gm.page
    desk = page.url.rstrip("/") + "/desk"
    page.goto(desk)
    prepare(page)
    abandon(page)
    page.goto(desk)
    look(gm, shots, "evening-1-prepared")
    page.locator("#prepared").get_by_role("button", name=f"Open {TITLE}").click()
    expect(card(page, TITLE)).to_contain_text("Declarations")
    expect(page.locator("#prepared")).to_have_count(0)

    alice.page.reload()
    alice.open_scene()
    follow(card(page, TITLE).get_by_role("link", name="Add foes"))
    page.locator('button[value="add ogre"]').click()
    page.get_by_label("hidden from the players").check()
    look(gm, shots, "evening-2-reinforcements")
    page.get_by_role("button", name="Add them").click()
    expect(vital(page, "Ogre A")).to_contain_text("hidden")
    assert "Ogre" not in alice.source(), "nobody but the GM knows of it"
    vital(page, "Ogre A").locator("summary").click()
    press(page, TITLE, "Bring into sight")
    expect(vital(page, "Ogre A")).not_to_contain_text("hidden")
    expect(alice.page.locator("#board")).to_contain_text("Ogre")  # her page is live

    press(page, TITLE, "Seal all as suggested")
    follow(card(page, TITLE).get_by_role("link", name=TITLE))
    ender = page.locator("details.whenever").last
    ender.locator("summary").first.click()
    ender.locator('[name="what"]').select_option("end")
    ender.locator('[name="reason"]').fill("The lantern goes out.")
    ender.locator('button[value="seal"]').click()
    for seat in (gm, alice):
        expect(seat.page.locator("#ending")).to_contain_text(re.compile("Nothing on the character sheets has changed"))
        expect(seat.page.locator("#ending")).to_contain_text("Ogre")
    look(alice, shots, "evening-3-over-phone")
