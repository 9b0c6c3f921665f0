"""Safety tools at real browsers: somebody stops the scene with a thumb, everybody's page says so, nobody's says who."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import Server

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}


def test_a_thumb_stops_the_scene_and_every_page_says_so_alike(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    contexts = {"GM": browser.new_context(), "Alice": phone, "Bob": browser.new_context(java_script_enabled=False)}
    gm, alice, bob = (Seat(name, context, server.url) for name, context in contexts.items())
    for seat in (gm, alice, bob):
        seat.enter(links[seat.name]).open_scene()
    gm.press(kind="scene")
    expect(alice.ask("declare")).to_be_visible(timeout=PATIENCE)
    alice.plan("sword-goblin", "thinks aloud")
    alice.page.locator(".tabs button").tap()
    card = alice.page.locator("#stop-here")
    expect(card).to_be_visible()
    alice.both_shots(shots, "stop-asked-phone")
    assert axe(alice.page) == [] and overflow(alice.page) == []
    card.get_by_role("button", name="No, go on").tap()
    expect(card).to_be_hidden()
    expect(gm.page.locator("#stopped")).to_have_count(0)
    alice.page.locator(".tabs button").tap()
    card.get_by_role("button", name="Stop here, for everybody").tap()
    for seat in (alice, gm):
        expect(seat.page.locator("#stopped")).to_contain_text("Somebody would like to stop here", timeout=PATIENCE)
        expect(seat.page.locator("#awaits")).to_contain_text("Somebody would like to stop here")
        assert axe(seat.page) == [] and overflow(seat.page) == []
    assert alice.field("of.alice.rider_text").input_value() == "thinks aloud", "what was typed stays"
    assert "Alice" not in alice.page.locator("#stopped").inner_text() + gm.page.locator("#stopped").inner_text()
    alice.both_shots(shots, "stopped-phone")
    gm.both_shots(shots, "stopped-desk")
    gm.page.locator("#stopped").get_by_role("button", name="Go on with the scene").click()
    expect(alice.page.locator("#stopped")).to_have_count(0, timeout=PATIENCE)
    # Without scripts: a popover needs none.
    bob.page.reload()
    bob.page.locator(".stop-mark").click()
    bob.shot(shots, "stop-asked-without-scripts")
    bob.page.get_by_role("button", name="Stop here, for everybody").click()
    expect(bob.page.locator("#stopped")).to_be_visible()
    expect(gm.page.locator("#stopped")).to_be_visible(timeout=PATIENCE)
    assert gm.wrong == alice.wrong == []
