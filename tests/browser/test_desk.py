"""The GM's desk in a real Chromium: two live battles and a vote from one page, at a computer and then on a phone.

It finds what no form over HTTP does: a desk that is not live, a column that hides its buttons, a nudge that does not
reach a player's page, and a browser whose clock is wrong.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.seats import Seat, axe, follow, overflow, shots_folder
from tests.server import Server

pytestmark = pytest.mark.browser

SIZES = {"GM": (1280, 800), "Alice": (390, 844)}
WRONG = {"GM": 300_000, "Alice": -300_000}
"""By how many milliseconds the clock of a person's machine is fast."""
OF_FIVE = re.compile(r"^(5:00|[34]:\d\d)$")  # what a clock of five minutes shows that is not five minutes wrong
SKEW = """((fast) => { const Real = Date, now = () => Real.now() + fast;
  globalThis.Date = class extends Real { constructor(...given) { super(...(given.length ? given : [now()])); }
    static now() { return now(); } }; })(%d)"""
CHANGED = "document.body.dispatchEvent(new CustomEvent('signet:changed'))"
CUT = """() => [...document.querySelectorAll('.desk-card button, .desk-card a, .panels a')].filter((one) => {
  const place = one.getBoundingClientRect(), room = one.closest('section').getBoundingClientRect();
  return one.checkVisibility() && (place.left < room.left - 1 || place.right > room.right + 1);
}).map((one) => one.textContent.trim())"""


@pytest.fixture
def table(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    seats = {}
    for name, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height})
        context.add_init_script(SKEW % WRONG[name])
        seats[name] = Seat(name, context, server.url).enter(links[name])
    yield seats
    for seat in seats.values():
        seat.context.close()
    assert [wrong for seat in seats.values() for wrong in seat.wrong] == []


def card(page: Page, title: str) -> Locator:
    return page.locator(".desk-card", has=page.get_by_role("heading", name=title))


def press(page: Page, title: str, button: str) -> None:
    """Press a button of a scene's card, and answer "yes" where the desk asks."""
    card(page, title).get_by_role("button", name=button).first.click()
    if button.startswith("Open now"):
        page.locator("dialog[open] button.go").click()


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    assert seat.page.evaluate(CUT) == [], "buttons inside their column"
    assert axe(seat.page) == []
    seat.both_shots(shots, name)


def held_back(page: Page, address: str, act: Callable[[], object]) -> Route:
    """Act, and hold the request back that this makes."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route), times=1)
    act()
    while not held:
        page.wait_for_timeout(10)
    return held[0]


def open_battle(gm: Seat, title: str) -> None:
    """A second battle from the form for a new scene, with copies of the heroes, two wolves and a bandit. All buttons
    are pressed before the first answer is there: if it is an error, they are forgotten; else none is lost."""
    follow(gm.page.get_by_role("link", name="Open another scene"))
    gm.page.get_by_label("Title").fill(title)
    opening = gm.page.get_by_role("button", name="Open the scene")
    add_wolf = gm.page.locator('button[value="add wolf"]').click
    wolf = held_back(gm.page, "**/scenes/new", add_wolf)
    opening.click(force=True)
    wolf.fulfill(status=400, body="")
    expect(gm.page.locator("[data-undelivered]")).to_contain_text("This was not saved")
    wolf = held_back(gm.page, "**/scenes/new", add_wolf)
    for foe in ("bandit", "wolf"):
        gm.page.locator(f'button[value="add {foe}"]').click(force=True)
    opening.click(force=True)
    wolf.continue_()
    gm.page.get_by_label("Play with copies of these").check()
    assert [gm.page.locator(f'[name="given.muster.{n}.count"]').input_value() for n in (0, 1)] == ["2", "1"]
    opening.click()
    gm.page.wait_for_url("**/scene/**")


def start_vote(gm: Seat) -> None:
    follow(gm.page.get_by_role("link", name="Start a vote"))
    gm.page.get_by_label("What is the question?").fill("Which way?")
    gm.page.get_by_label("The answers").fill("the pass\nthe ferry")
    gm.page.get_by_role("button", name="Start the vote").click()
    gm.page.wait_for_url("**/scene/**")


def test_the_desk_is_live_and_a_nudge_arrives(table: dict[str, Seat]) -> None:
    gm, alice = table["GM"], table["Alice"]
    desk = gm.page.url.rstrip("/") + "/desk"
    gm.page.goto(desk)
    start_vote(gm)
    gm.page.goto(desk)
    vote = card(gm.page, "Which way?")
    expect(vote.locator(".is-waiting")).to_be_visible()
    assert gm.page.evaluate(CUT) == [] and axe(gm.page) == []
    press(gm.page, "Which way?", "Nudge all")
    expect(vote).to_contain_text("nudged: ")
    follow(alice.page.get_by_role("link", name="Which way?").first)
    expect(alice.page.locator(".awaits")).to_contain_text("The GM is waiting for your seal")
    alice.page.locator(".ask").get_by_label("the ferry").check()
    alice.page.get_by_role("button", name="Seal my vote").click()
    expect(vote).to_contain_text("Sealed: Alice.")  # the desk is live
    press(gm.page, "Which way?", "Open now")
    expect(vote).to_have_count(0)
    expect(alice.page.locator("#log")).to_contain_text("the ferry")


@pytest.mark.nightly
def test_two_battles_and_a_vote_from_one_desk(table: dict[str, Seat], tmp_path: Path) -> None:
    shots, gm, alice = shots_folder(tmp_path), table["GM"], table["Alice"]
    page = gm.page
    desk = gm.page.url.rstrip("/") + "/desk"
    page.goto(desk)
    open_battle(gm, "The king’s ferry")
    page.goto(desk)
    start_vote(gm)
    page.goto(desk)
    expect(page.locator(".desk-card .is-waiting")).to_have_count(3)
    look(gm, shots, "desk")

    press(page, "The king’s ferry", "Pause")
    expect(card(page, "The king’s ferry")).to_contain_text("Paused by")
    press(page, "Which way?", "Nudge all")
    expect(card(page, "Which way?")).to_contain_text("nudged: ")
    card(page, "Which way?").get_by_text("Clock and seats").click()
    press(page, "Which way?", "set a limit of five minutes")
    clock = card(page, "Which way?").locator(".clock")
    expect(clock).to_have_text(OF_FIVE)
    follow(alice.page.get_by_role("link", name="Which way?").first)
    expect(alice.page.locator(".awaits")).to_contain_text("The GM is waiting for your seal")
    expect(alice.page.locator(".awaits .clock")).to_have_text(OF_FIVE)
    alice.page.locator(".ask").get_by_label("the ferry").check()
    alice.page.get_by_role("button", name="Seal my vote").click()
    expect(card(page, "Which way?")).to_contain_text("Sealed: Alice.")  # the desk is live

    keys = {"c": ("npcs", "New character"), "i": ("handouts", "Write a handout"), "n": ("notes", "Search all notes")}
    for key, (panel, words) in keys.items():
        page.keyboard.press(key)
        expect(page.locator("#beside")).to_contain_text(words)
        assert page.url.endswith(f"?panel={panel}"), "a reload shows it again"

    page.set_viewport_size({"width": 390, "height": 844})
    old = held_back(page, "**/desk/live?panel=notes", lambda: page.evaluate(CHANGED))
    with page.expect_event("requestfailed", lambda request: request == old.request):
        page.get_by_role("link", name="Log", exact=True).click()  # what was fetched before it cannot take its place
    expect(page.locator("#beside")).to_contain_text("paused")
    look(gm, shots, "desk-phone")
    press(page, "The king’s ferry", "Resume")
    expect(card(page, "The king’s ferry").locator(".is-waiting")).to_be_visible()
    press(page, "Which way?", "Open now")
    expect(card(page, "Which way?")).to_have_count(0)
    expect(page.locator("#beside")).to_contain_text("early")
    expect(alice.page.locator("#log")).to_contain_text("the ferry")
