"""Who is here, live: dots that outlast what a swap brings, and a phone that shows a new question by itself."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
WATCH_TALK = """() => { window.typing = []; new MutationObserver(() => {
  const field = document.getElementById('said');
  typing.push(document.activeElement === field && field.checkVisibility());
}).observe(document.documentElement, {attributeFilter: ['data-filming']}); }"""
CLOSED_STORAGE = """for (const store of ["localStorage", "sessionStorage"]) Object.defineProperty(window, store, {
  get() { throw new DOMException("denied", "SecurityError"); },
});"""
"""As where a browser lets a page set cookies, and store nothing else."""
NO_BEATS = "{ const real = setInterval; window.setInterval = (run, ms) => (ms === 30000 ? 0 : real(run, ms)); }"


def test_dots_outlast_swaps_and_a_question_comes_to_the_front(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    """Finds dots that are gone after a seal, a badge that counts wrong, a question behind the log of a phone, and one
    that comes while somebody types, and a talk that a reveal takes from whoever types there. Alice's page sends no sign
    by the clock: it learns of Bob when he seals. Bob's browser lets pages store nothing,
    and his page follows."""
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    phones = [browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) for _ in range(2)]
    phones[0].add_init_script(NO_BEATS)
    phones[1].add_init_script(CLOSED_STORAGE)
    alice, bob = (
        Seat(name, phone, server.url).enter(links[name]).open_scene()
        for name, phone in zip(("Alice", "Bob"), phones, strict=True)
    )
    alice.look_at("log")
    bob.look_at("talk")
    bob.page.locator("#said").fill("Wait")
    expect(alice.page.locator("#here")).to_have_text("2 here", timeout=PATIENCE)
    expect(bob.page.locator("#here")).to_have_text("3 here", timeout=PATIENCE)
    gm.page.locator("[name=description]").fill("Rain.")
    gm.page.locator('#asks button[value="seal"]').first.click()
    expect(bob.page.locator("#envelopes .presence.is-here")).to_have_count(3, timeout=PATIENCE)
    expect(alice.page.locator("#asks")).to_be_in_viewport(ratio=0.3)
    assert bob.page.url.endswith("#talk"), "he is typing"
    bob.page.locator("#said").blur()
    expect(bob.page.locator("#asks")).to_be_in_viewport(ratio=0.3)
    alice.plan("sword-goblin")
    alice.press()
    for seat in (alice, bob):
        expect(seat.page.get_by_label("Alice has sealed").first).to_be_visible(timeout=PATIENCE)
        expect(seat.page.locator("#envelopes .presence").first).to_be_attached()
    bob.plan("sword-goblin")
    bob.press()
    expect(alice.page.locator("#here")).to_have_text("3 here", timeout=PATIENCE)
    bob.look_at("talk")
    bob.page.locator("#said").fill("Well?")
    bob.page.evaluate(WATCH_TALK)
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.locator("#ask-first .go").click()
    bob.page.wait_for_function("() => typing.length > 1 && !('filming' in document.documentElement.dataset)")
    assert set(bob.page.evaluate("typing")) == {True}
    for seat in (gm, alice, bob):
        assert seat.wrong + seat.refused == []
        seat.context.close()
