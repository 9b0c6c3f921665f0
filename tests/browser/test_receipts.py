"""Seals that a browser makes: over plain http, after a lost answer, when two repeat it, and when the server cheats."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.receipts import luck
from tests.browser.conftest import ARGS, find_chromium
from tests.browser.seats import PATIENCE, Seat
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture
def home_network(browser: Browser, server: Server) -> Iterator[tuple[Browser, str]]:
    """A browser for which the server is a name on plain http, where crypto.subtle does not exist."""
    rules = "--host-resolver-rules=MAP table.example 127.0.0.1"
    other = browser.browser_type.launch(executable_path=find_chromium(), args=[*ARGS, rules])
    yield other, f"http://table.example:{server.port}"
    other.close()


def begin(browser: Browser, origin: str, links: dict[str, str]) -> tuple[Seat, Seat]:
    """The GM, who has set the scene, and Alice, who is asked to declare."""
    gm, alice = (Seat(name, browser.new_context(), origin) for name in ("GM", "Alice"))
    for seat in (gm, alice):
        seat.enter(links[seat.name]).open_scene()
    gm.press(kind="scene")
    expect(alice.ask("declare")).to_be_visible(timeout=PATIENCE)
    return gm, alice


def posted(page: Page, press: Any) -> dict[str, str]:
    """What a press sends, last value of each name."""
    from urllib.parse import parse_qsl

    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/lay")) as sent:
        press()
    body = sent.value.post_data or ""
    if "form-data" in sent.value.headers.get("content-type", ""):
        return dict(re.findall(r'name="([^"]+)"\r\n\r\n(.*?)\r\n--', body, flags=re.DOTALL))
    return dict(parse_qsl(body, keep_blank_values=True))


def lost(page: Page, press: Any) -> dict[str, str]:
    """What a press sends into a line that is cut, once the line has dropped it."""
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        return posted(page, press)


def button(seat: Seat, act: str = "seal") -> Any:
    return seat.ask("declare").locator(f'button[value="{act}"]').last


def test_over_plain_http_the_browser_makes_the_very_seal_that_the_rules_of_fairness_say(
    home_network: tuple[Browser, str], links: dict[str, str]
) -> None:
    browser, origin = home_network
    _, alice = begin(browser, origin, links)
    assert alice.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
    alice.plan("sword-goblin", "crie « À l’aide » ☂ e\u0301")
    place = json.loads(alice.ask("declare").locator("form[data-seal]").get_attribute("data-seal") or "")
    sent = posted(alice.page, lambda: button(alice).click())
    expect(alice.ask("declare")).to_contain_text("Sealed at")
    where = (place["campaign"], place["scene"], place["step"], "alice", "declare")
    made = luck.seal(*where, bytes.fromhex(sent["_salt"]), sent["_words"])
    assert made.commitment.hex() == sent["_wax"] and "é" in sent["_words"] and len(sent["_salt"]) == 64
    receipt = json.loads(alice.page.locator("[data-receipt]").get_attribute("data-receipt") or "")
    assert receipt["wax"] == sent["_wax"] and receipt["revision"] == 1
    kept = alice.page.evaluate("Object.entries(localStorage).filter(([name]) => name.startsWith('signet-receipts'))")
    assert sent["_wax"] in kept[0][1] and sent["_salt"] not in str(kept) and "aide" not in str(kept)
    alice.page.locator(".receipt summary").click()
    expect(alice.page.locator(".receipt")).to_contain_text("Your browser made this seal")
    alice.page.get_by_role("button", name="Take it back").click()
    expect(alice.ask("declare")).to_contain_text("This is a draft, not a seal.")
    text = alice.page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('signet-receipts'))[1]")
    notes = [note for note in json.loads(text) if not note.get("draft")]  # quiet drafts have notes of their own
    assert [(note["revision"], note.get("taken", False)) for note in notes] == [(1, False), (2, True)]
    assert alice.wrong == []


def test_a_repeated_press_is_the_same_seal_and_a_changed_one_is_another(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    _, alice = begin(browser, server.url, links)
    alice.cut = True
    alice.plan("sword-goblin", "shouts")
    alice.page.route("**/lay", lambda route: route.abort())
    first = lost(alice.page, lambda: button(alice).click())
    expect(alice.page.locator("[data-undelivered]")).to_be_visible()
    again = lost(alice.page, lambda: button(alice).click())
    assert [again[name] for name in ("_request", "_salt", "_wax")] == [
        first[name] for name in ("_request", "_salt", "_wax")
    ]
    expect(alice.page.locator("[data-undelivered]")).to_be_visible()
    alice.field("of.alice.rider_text").fill("whispers")
    other = lost(alice.page, lambda: button(alice).click())
    assert all(other[name] != first[name] for name in ("_request", "_salt", "_wax", "_words"))
    alice.page.unroute("**/lay")
    alice.press()
    expect(alice.ask("declare")).to_contain_text("Sealed at")
    alice.page.locator("summary", has_text="View or change it").click()
    assert alice.field("of.alice.rider_text").input_value() == "whispers"


def test_a_server_that_shows_another_seal_is_denounced(browser: Browser, server: Server, links: dict[str, str]) -> None:
    _, alice = begin(browser, server.url, links)
    alice.plan("sword-goblin")
    alice.page.route("**/lay", _cheat)
    alice.press()
    expect(alice.page.locator("[data-mismatch]")).to_contain_text("a different seal from the one your browser made")
    refreshed = "document.body.dispatchEvent(new CustomEvent('signet:changed'))"
    alice.page.evaluate(f"document.querySelector('[data-mismatch]').remove(); {refreshed}")
    expect(alice.page.locator("[data-mismatch]")).to_be_visible()  # though the server shows the true one again


def _cheat(route: Route) -> None:
    answer = route.fetch()
    forged = re.sub(r'("wax": ")[0-9a-f]{64}', r"\g<1>" + "ab" * 32, answer.text())
    route.fulfill(response=answer, body=forged)
