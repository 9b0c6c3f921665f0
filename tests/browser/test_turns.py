"""The bar on top and the keyboard, live: what a hint brings to pages elsewhere, and where the focus goes."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import SEALED, Seat
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PHONE = {"width": 360, "height": 640}
FOCUS = "document.activeElement.id || document.activeElement.name || document.activeElement.tagName"
IN_VIEW = "part => { const box = part.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"


def test_a_turn_reaches_every_page_and_the_keyboard_what_comes_next(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    """Finds a bar that waits for a reload, stands under other things or scrolls away; a focus lost to the page; one
    that a hint takes away from somebody who types."""
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    phone = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    alice = Seat("Alice", phone, server.url).enter(links["Alice"])
    alice.page.goto(f"{alice.page.url.split('?')[0]}characters/alice")
    expect(alice.page.locator("#turns")).to_have_attribute("data-awaited", "no")
    alice.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")

    gm.page.locator("[name=description]").fill("Rain.")
    gm.page.locator('#asks button[value="seal"]').first.focus()
    gm.page.keyboard.press("Enter")
    expect(gm.ask("declare")).to_be_visible()
    assert gm.page.evaluate("document.activeElement.closest('.ask').id.includes('-declare-')"), gm.page.evaluate(FOCUS)
    expect(gm.page.locator("#announce")).to_contain_text("Your turn: declare for your side")
    gm.page.get_by_role("button", name="Give it two minutes").click()

    bar = alice.page.locator("#turns .awaits")
    expect(bar).to_contain_text("Your turn: declare for Alice")
    expect(alice.page).to_have_title(re.compile(r"^\(!\) Alice"))
    expect(bar.locator(".clock")).to_have_text(re.compile(r"^(2:00|1:[0-5]\d)$"))
    before = bar.locator(".clock").text_content() or ""
    expect(bar.locator(".clock")).not_to_have_text(before)
    alice.cut = True
    phone.set_offline(True)
    for part in (bar, alice.page.locator("#connection")):
        expect(part).to_be_visible()
        assert part.evaluate(IN_VIEW), "it is on top, wherever the page has been scrolled to"
    phone.set_offline(False)
    expect(alice.page.locator("#connection")).to_be_hidden()
    alice.page.touchscreen.tap(180, 44)  # anywhere on the bar
    alice.page.wait_for_url("**/scene/*#ask-*")

    alice.plan("sword-goblin")
    alice.page.locator('#asks button[value="seal"]').first.focus()
    alice.page.keyboard.press("Enter")
    expect(alice.page.locator("#asks .is-sealed")).to_be_visible()
    assert alice.page.evaluate(FOCUS) == "awaits"
    alice.look_at("talk")
    alice.page.locator("#said").first.focus()
    gm.page.locator('#asks button[value="seal"]').first.click()
    expect(alice.envelope("GM").filter(has_text=SEALED)).to_have_count(1)
    assert alice.page.evaluate(FOCUS) == "said"
    for seat in (gm, alice):
        seat.context.close()
        assert seat.wrong == []
