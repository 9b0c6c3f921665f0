"""How many presses it takes from "create campaign" to the first sealed declaration, as people press: typing is free.

No other test counts. Each press is one click or tap; choosing in a list is two, one to open it and one to pick.
"""

import re
import time

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.seats import PATIENCE, axe, overflow
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

MOST_FOR_THE_GM = 8
MOST_FOR_A_PLAYER = 6


class Hands:
    """A person at a page, with the number of their presses."""

    def __init__(self, browser: Browser, width: int, height: int) -> None:
        context = browser.new_context(viewport={"width": width, "height": height}, permissions=["clipboard-write"])
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.presses = 0

    def press(self, what: Locator) -> None:
        what.click()
        self.presses += 1

    def pick(self, what: Locator, value: str) -> None:
        what.select_option(value)
        self.presses += 2

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)


def slowly(route: Route) -> None:
    time.sleep(3)
    route.continue_()


def test_few_presses_lead_to_the_first_seal(browser: Browser, server: Server) -> None:
    """By one group link two players on phones are in, and no page on the way only says that something is done."""
    gm, alice, bob = Hands(browser, 1280, 800), Hands(browser, 390, 844), Hands(browser, 360, 640)
    gm.page.goto(f"{server.url}/new")
    gm.page.get_by_label("What is it called?").fill("The Goblin Road")
    gm.page.get_by_label("Your name at the table").fill("Gerda")
    gm.press(gm.button("Create campaign"))
    copy = gm.page.locator('[data-copy="#group-link"]')
    gm.press(copy)
    expect(copy).to_contain_text("Copied")
    link = gm.page.get_by_label("The group link").input_value()
    assert re.fullmatch(rf"{server.url}/group/the-goblin-road/[\w-]{{43}}", link)
    for player, name in ((alice, "Alice"), (bob, "Bob")):
        player.page.goto(link)
        assert overflow(player.page) == []
        player.page.get_by_label("Your name at the table").fill(name)
        player.press(player.page.get_by_role("button", name=f"Play {name}"))
        expect(player.page.get_by_role("heading", name="Waiting for the GM")).to_be_visible()
    alice.page.route("**/group/the-goblin-road", slowly)  # the page asks again meanwhile, and must not load twice
    for name in ("Alice", "Bob"):
        with gm.page.expect_response("**/admit"):
            gm.press(gm.button(f"Let {name} in"))
    for player, name in ((alice, "alice"), (bob, "bob")):
        player.page.wait_for_url(f"**/c/the-goblin-road/{name}/**")
    assert axe(alice.page) == [] and overflow(alice.page) == []
    gm.press(gm.page.get_by_role("link", name="Open the first scene"))
    gm.press(gm.page.locator('button[value="add sword-goblin"]'))
    expect(gm.page.get_by_label("Sword goblin", exact=True)).to_have_value("1")
    gm.press(gm.button("Open the scene"))
    expect(gm.page.get_by_role("heading", name="Battle 1")).to_be_visible()
    for player, name in ((alice, "alice"), (bob, "bob")):
        player.press(player.page.locator(".awaits a").first)
        player.pick(player.page.locator(f'#asks [name="of.{name}.attack"]'), "sword-goblin")
        player.press(player.page.locator('#asks button[value="seal"]').last)
    expect(alice.page.locator(".envelopes")).to_contain_text("Bob")
    gm.press(gm.page.locator('.ask[id*="-declare-"] button[value="seal"]').last)
    for person in (gm, alice, bob):
        expect(person.page.locator("#log .events li").first).to_be_attached()
    presses = {"gm": gm.presses, "alice": alice.presses, "bob": bob.presses}
    assert gm.presses <= MOST_FOR_THE_GM and max(alice.presses, bob.presses) <= MOST_FOR_A_PLAYER, presses
    for person in (gm, alice, bob):
        person.page.context.close()
