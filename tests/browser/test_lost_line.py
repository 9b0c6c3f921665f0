"""A press made offline, the last ten seconds, and faults that leave, in a real Chromium: no choice is lost."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
IN_VIEW = """part => { const { top, bottom, left } = part.getBoundingClientRect();
    return part.contains(document.elementFromPoint(left + 5, (top + bottom) / 2)); }"""


def begin(browser: Browser, server: Server, links: dict[str, str]) -> tuple[Seat, Seat]:
    """The GM, who has set the scene, and Alice, who is asked to declare, on a phone."""
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    alice = Seat("Alice", browser.new_context(**PHONE), server.url).enter(links["Alice"]).open_scene()
    gm.press(kind="scene")
    expect(alice.ask("declare")).to_be_visible(timeout=PATIENCE)
    return gm, alice


def press_offline(alice: Seat) -> None:
    alice.cut = True
    alice.context.set_offline(True)
    alice.ask("declare").locator('button[value="seal"]').last.click()
    line = alice.page.locator("[data-undelivered]")
    expect(line).to_have_text("This has not got through yet. It will be sent by itself when the line is back.")
    assert line.evaluate(IN_VIEW), "at the button, above everything"


def test_a_press_made_offline_is_sent_when_the_line_is_back(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    _, alice = begin(browser, server, links)
    alice.plan("sword-goblin", "shouts")
    press_offline(alice)
    alice.context.set_offline(False)
    expect(alice.ask("declare")).to_contain_text("Sealed at", timeout=PATIENCE)
    expect(alice.page.locator("#kept-text")).to_have_count(0)
    alice.context.close()


def test_a_press_that_comes_too_late_is_shown_in_words(browser: Browser, server: Server, links: dict[str, str]) -> None:
    gm, alice = begin(browser, server, links)
    alice.plan("sword-goblin", "shouts for help")
    press_offline(alice)
    gm.press()
    for name in ("Bob", "Charlie"):
        other = Seat(name, browser.new_context(), server.url).enter(links[name]).open_scene()
        other.press()
        other.context.close()
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.locator("dialog[open]").get_by_role("button", name="Open now").click()
    expect(gm.page.locator("#log")).to_contain_text("Round 1", timeout=PATIENCE)
    alice.context.set_offline(False)
    told = alice.page.locator(".scene-notice, #kept-text")
    expect(told).to_contain_text("shouts for help", timeout=PATIENCE)
    assert "sword-goblin" not in (told.text_content() or ""), "as the page had it"
    expect(alice.page.locator(".is-sealed")).to_have_count(0)
    gm.context.close()
    alice.context.close()


def test_a_changed_form_is_not_sent_by_itself(browser: Browser, server: Server, links: dict[str, str]) -> None:
    _, alice = begin(browser, server, links)
    alice.plan("sword-goblin", "shouts")
    press_offline(alice)
    alice.field("of.alice.rider_text").fill("whispers")
    alice.context.set_offline(False)
    expect(alice.page.locator("[data-undelivered]")).to_have_text(
        "This was not sent, since you changed it. Press again.", timeout=PATIENCE
    )
    alice.press()
    expect(alice.ask("declare")).to_contain_text("Sealed at")
    alice.context.close()


def test_in_the_last_ten_seconds_a_button_seals_what_stands(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    gm, alice = begin(browser, server, links)
    gm.page.get_by_role("button", name="Give it two minutes").click()
    expect(alice.page.locator("#awaits .clock")).to_be_visible(timeout=PATIENCE)
    alice.plan("sword-goblin", "shouts")
    alice.page.clock.install()
    alice.page.reload()  # what was chosen stays in this tab
    expect(alice.field("of.alice.attack")).to_have_value("sword-goblin")
    alice.look_at("log")
    expect(alice.page.locator(".last-call")).to_have_count(0)
    minutes, seconds = (alice.page.locator("#awaits .clock").text_content() or "").split(":")
    alice.page.clock.fast_forward(1000 * (60 * int(minutes) + int(seconds) - 8))
    last = alice.page.locator(".last-call")
    expect(last).to_be_visible()
    assert last.evaluate(IN_VIEW)
    alice.page.clock.resume()
    last.click()
    expect(alice.page.locator("#asks .is-sealed")).to_have_count(1, timeout=PATIENCE)
    expect(last).to_have_count(0)
    gm.context.close()
    alice.context.close()


def test_a_fault_leaves_when_its_field_is_changed(browser: Browser, server: Server, links: dict[str, str]) -> None:
    _, alice = begin(browser, server, links)
    alice.field("of.alice.intent").select_option("attack")
    alice.field("of.alice.attack").select_option("")
    alice.press()
    expect(alice.page.locator(".ask .fault")).to_have_count(1)
    expect(alice.page.locator(".scene-notice")).to_have_count(1)
    alice.field("of.alice.attack").select_option("sword-goblin")
    expect(alice.page.locator(".ask .fault")).to_have_count(0)
    expect(alice.page.locator(".scene-notice")).to_have_count(0)
    alice.press()
    expect(alice.ask("declare")).to_contain_text("Sealed at")
    alice.context.close()
