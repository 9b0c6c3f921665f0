"""Every page for everybody: five tabs in one browser, small windows, keyboards, axe, and forms that were too late."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.seats import PATIENCE, SEALED, SHOTS, Seat, axe, overflow, shots_folder, wait
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SMALL = {"width": 360, "height": 740}


def test_five_seats_in_five_tabs_of_one_browser_stay_live(
    browser: Browser, server: Server, links: dict[str, str]
) -> None:
    profile = browser.new_context()
    gm, alice, bob, charlie, sam = seats = [
        Seat(name, profile, server.url).enter(links[name]).open_scene()
        for name in ("GM", "Alice", "Bob", "Charlie", "Sam")
    ]
    gm.press(kind="scene")
    for player in (alice, bob, charlie):
        wait(player.ask("declare"))
    for player in (alice, bob, charlie, gm):
        if player is not gm:
            player.plan("sword-goblin")
        player.press()
        for other in seats:
            if other is not player and player is not gm:
                wait(other.envelope(player.name).filter(has_text=SEALED))
    for seat in seats:
        wait(seat.page.locator("#log .events li"))
        assert seat.log() == gm.log()
    assert sam.page.locator(".ask").count() == 0
    sam.page.locator("#said").fill("Well fought!")
    sam.page.get_by_role("button", name="Send").click()
    for seat in seats:
        expect(seat.page.locator(".talk")).to_contain_text("Well fought!")
    fetched = "async ([path, patience]) => (await fetch(path, {signal: AbortSignal.timeout(patience)})).status"
    assert gm.page.evaluate(fetched, [gm.home, PATIENCE]) == 200, "a request does not wait for the streams of five tabs"
    assert [wrong for seat in seats for wrong in seat.wrong + seat.refused] == []
    profile.close()


class Inspector:
    """Looks at pages as somebody with a small window, and somebody with a screen reader, would."""

    def __init__(self, shots: Path) -> None:
        self.shots = shots
        self.found: list[str] = []
        self.looked: set[str] = set()

    def look(self, page: Page, name: str, dark: bool = False) -> None:
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.set_viewport_size(SMALL)
        self.found += [f"{name}: {fault}" for fault in axe(page, colours_only=name in self.looked)]
        self.looked.add(name)
        if over := overflow(page):
            self.found.append(f"{name}: {over[0]} px wider than a window of {SMALL['width']}: {over[1:]}")
        if SHOTS:
            self.shots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.shots / f"page-{name}{'-dark' if dark else ''}.png", full_page=True)

    def seated(self, page: Page, address: str, name: str, dark: bool = False) -> None:
        page.goto(address)
        self.look(page, name, dark)


def test_all_pages_pass_axe_and_fit_a_small_window(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    inspector = Inspector(shots_folder(tmp_path))
    gm = Seat("GM", browser.new_context(), server.url)
    alice = Seat("Alice", browser.new_context(), server.url)
    seated = inspector.seated
    for address, name in (
        ("/", "landing"),
        ("/new", "new"),
        ("/about", "about"),
        ("/credits", "credits"),
        ("/code", "code"),
        ("/nowhere", "404"),
    ):
        seated(gm.page, server.url + address, name)
    seated(alice.page, server.url + links["Alice"], "enter")
    seated(alice.page, server.url + "/c/the-goblin-road/gm/", "closed")
    gm.enter(links["GM"]).open_scene()
    alice.enter(links["Alice"]).open_scene()
    inspector.look(gm.page, "gm-scene", dark=True)
    gm.press(kind="scene")
    wait(alice.ask("declare"))
    inspector.look(alice.page, "declare")
    inspector.look(alice.page, "declare", dark=True)
    inspector.look(gm.page, "desk")
    alice.plan("", "sings")
    alice.press()
    inspector.look(alice.page, "declare-faults")
    alice.plan("sword-goblin")
    alice.press()
    inspector.look(alice.page, "sealed", dark=True)
    gm.press()
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.locator("#ask-first").get_by_role("button", name="Open now").click()
    inspector.look(alice.page, "revealed")
    alice.look_at("log")
    wait(alice.page.locator("#log .events li"))
    inspector.look(alice.page, "revealed-log")
    inspector.look(alice.page, "revealed", dark=True)
    why = alice.page.locator("#log a.why").last.get_attribute("href")
    seated(alice.page, f"{server.url}{why}", "why")
    seated(alice.page, alice_home := f"{server.url}/c/the-goblin-road/alice/", "home-player")
    seated(alice.page, f"{alice_home}characters/alice", "sheet")
    seated(alice.page, f"{alice_home}you", "you")
    seated(gm.page, home := f"{server.url}/c/the-goblin-road/gm/", "home-gm")
    for path in ("people", "scenes/new", "characters/new", "characters/alice/edit"):
        seated(gm.page, home + path, path.replace("/", "-"))
    gm.page.goto(f"{home}people")
    gm.page.locator('form[action$="/people/invite"] button').last.click()
    inspector.look(gm.page, "people-invited")
    join = gm.page.locator("#invitation-link").input_value()
    seated(alice.page, server.url + "/join/" + join.split("/join/")[1], "join")
    seated(alice.page, f"{server.url}/rulebook/whiskey", "rulebook")
    seated(alice.page, f"{server.url}/rulebook/whiskey", "rulebook", dark=True)
    gm.context.close()
    alice.context.close()
    assert inspector.found == []
    assert gm.wrong + alice.wrong == []


LOW = ((844, 390), (390, 410), (320, 256), (320, 200))
"""A phone on its side, one above its keyboard, and a laptop at 400 %."""
SOON = "{ const real = setTimeout; window.setTimeout = (run, ms, ...on) => real(run, ms === 8000 ? 0 : ms, ...on); }"
COVERED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  if (one === document.body || !box.width) return null;
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const seen = [box.top + 2, y, box.bottom - 2].map(at => document.elementFromPoint(x, at));
  const free = seen.some(top => top && (one.contains(top) || top.contains(one) || top.control === one));
  return free ? null : one.outerHTML.slice(0, 90);
}"""
FIXED = """() => [...document.querySelectorAll('body *')]
  .filter(one => ['sticky', 'fixed'].includes(getComputedStyle(one).position) && one.checkVisibility())
  .map(one => one.getBoundingClientRect()).filter(box => box.top < innerHeight && box.bottom > 0)
  .reduce((sum, box) => sum + Math.min(box.bottom, innerHeight) - Math.max(box.top, 0), 0) / innerHeight"""


def test_in_a_low_window_what_has_the_focus_is_in_view(browser: Browser, server: Server, links: dict[str, str]) -> None:
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    alice = Seat("Alice", browser.new_context(reduced_motion="reduce"), server.url).enter(links["Alice"]).open_scene()
    gm.press(kind="scene")
    wait(alice.ask("declare"))
    wrong = []
    for width, height in LOW:
        alice.page.set_viewport_size({"width": width, "height": height})
        alice.page.goto(alice.scene)
        for _ in range(70):
            alice.page.keyboard.press("Tab")
            if covered := alice.page.evaluate(COVERED):
                wrong.append(f"{width} x {height}: {covered}")
        if (share := alice.page.evaluate(FIXED)) > 0.5:
            wrong.append(f"{width} x {height}: {share:.0%} of the window never moves")
    assert wrong == []
    for seat in (gm, alice):
        seat.context.close()


def test_a_keyboard_is_enough_and_what_is_late_is_kept(browser: Browser, server: Server, links: dict[str, str]) -> None:
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    profile = browser.new_context()
    alice = Seat("Alice", profile, server.url).enter(links["Alice"]).open_scene()
    gm.press(kind="scene")
    wait(alice.ask("declare"))
    keys = alice.page.keyboard
    _tab_to(alice.page, "[name='of.alice.attack']")
    keys.press("ArrowDown")
    _tab_to(alice.page, "button[value='seal']")
    keys.press("Enter")
    expect(alice.ask("declare")).to_contain_text("Sealed at")
    assert alice.field("of.alice.attack").input_value() == "sword-goblin"
    _two_tabs_of_one_seat(alice, Seat("Alice", profile, server.url), gm)
    gm.context.close()
    profile.close()
    assert gm.wrong + alice.wrong == []


def test_a_press_that_is_not_answered_says_so(browser: Browser, server: Server, links: dict[str, str]) -> None:
    """A server that is slow, or a line that is: nobody has to guess whether the press was one."""
    context, held = browser.new_context(), list[Route]()
    context.add_init_script(SOON)
    gm = Seat("GM", context, server.url).enter(links["GM"]).open_scene()
    gm.page.route("**/lay", lambda route: held.append(route))
    line = gm.page.locator("[data-undelivered]")
    gm.page.locator('#asks button[value="seal"]').first.click()
    expect(line).to_have_text("Signet has not answered yet. This is still being sent.")
    held[0].continue_()
    expect(gm.page.locator("#asks form[aria-busy]")).to_have_count(0)
    expect(line).to_have_count(0)
    gm.context.close()


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no way to {selector} by the Tab key")


def _two_tabs_of_one_seat(first: Seat, second: Seat, gm: Seat) -> None:
    """A form that is older than what lies on the table is refused, and loses nothing that was typed."""
    second.page.goto(first.scene)
    expect(second.ask("declare")).to_contain_text("Sealed at")
    second.page.route("**/live", lambda route: route.abort())  # this tab hears of nothing any more
    second.page.route("**/stream", lambda route: route.abort())
    second.cut = True
    second.page.locator(".ask details summary").first.click()
    second.plan("old-axe", "a word that must not be lost")
    first.press("take_back")
    second.press()
    expect(second.page.locator(".scene-notice")).to_be_visible()
    assert second.refused, "it was answered with 409"
    assert second.field("of.alice.rider_text").input_value() == "a word that must not be lost"
    second.press()
    expect(second.ask("declare")).to_contain_text("Sealed at")
    expect(gm.envelope("Alice")).to_contain_text("sealed")
    assert second.wrong == []
