"""Pages in forced colours, in a window as of 400 %, and on paper: what colour or a large screen alone would tell is
still told."""

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.rulesets import find
from tests.browser import usual_round
from tests.browser.engines import Chromium
from tests.browser.planned_year import planned
from tests.browser.seats import PATIENCE, SHOTS, Seat, links_of, overflow, shots_folder, wait
from tests.browser.usual_round import AGAIN, AT_REST
from tests.duel_fight import lay
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

STYLES = """([what, names]) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility())
  .map((one) => names.map((name) => getComputedStyle(one)[name]))"""
SYSTEM = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; color: CanvasText; background: Canvas";
  const {color, backgroundColor} = getComputedStyle(probe);
  probe.remove();
  return [color, backgroundColor];
}"""
HEAD_AND_BARS = """() => {
  scrollTo(0, document.documentElement.scrollHeight / 2);
  return [...document.querySelectorAll(".top, .awaits, .tabs, .on-top")].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .reduce((sum, box) => sum + Math.max(Math.min(box.bottom, innerHeight) - Math.max(box.top, 0), 0), 0) / innerHeight;
}"""
"""The share of the window that the head and the bars take where somebody has scrolled to the middle of the page."""
CUT = """() => {
  const lines = [...document.querySelectorAll("#log .events li")].filter((one) => one.checkVisibility());
  return lines.length ? lines.filter((one) => {
    const box = one.getBoundingClientRect();
    for (let up = one.parentElement; up; up = up.parentElement) {
      const pane = up.getBoundingClientRect();
      if (getComputedStyle(up).overflowY !== "visible" && (box.top < pane.top - 1 || box.bottom > pane.bottom + 1))
        return true;
    }
    return false;
  }).map((one) => one.textContent) : ["no line of the log is shown"];
}"""
"""The lines of the log that paper would cut off."""
ON_SCREEN_ONLY = ".tabs, .talk, .asks, [data-film-play], .top nav, .awaits"
MARGIN = 14 / 25.4 * 72  # points


@pytest.fixture
def forced(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(forced_colors="active", reduced_motion="reduce")
    yield context
    context.close()


def styles(page: Page, what: str, *names: str) -> list[list[str]]:
    """These computed styles of each visible element; there must be one."""
    found: list[list[str]] = page.evaluate(STYLES, [what, names])
    assert found, f"no {what} is visible"
    return found


def only(page: Page, what: str, *names: str) -> list[str]:
    """The computed styles that all these elements have in common."""
    kinds = {tuple(one) for one in styles(page, what, *names)}
    assert len(kinds) == 1, f"{what}: {kinds}"
    return [*kinds.pop()]


def duellist(name: str, context: BrowserContext, server: Server, links: dict[str, str]) -> Seat:
    return Seat(name, context, server.url).enter(links[name]).open_scene()


def tap(seat: Seat, name: str, value: str) -> None:
    card = seat.page.locator(f'.dock .ask:not(.is-sealed) button[name="{name}"][value="{value}"]')
    with seat.page.expect_response(lambda answer: answer.request.method == "POST"):
        card.click()


def test_a_duel_in_forced_colours(
    browser: Browser, server: Server, db_url: str, forced: BrowserContext, tmp_path: Path
) -> None:
    """Finds a track without boxes, halves and a die that look like the rest of it, and a seal that is not seen."""
    links = links_of(db_url, lay)
    mira = duellist("Mira", forced, server, links)
    tomo = duellist("Tomo", browser.new_context(), server, links)
    page = mira.page
    text, canvas = page.evaluate(SYSTEM)
    assert text != canvas
    tap(tomo, "half", "low")
    tomo.page.goto(tomo.home)
    wait(page.get_by_label("Tomo has sealed"))
    mira.shot(shots_folder(tmp_path), "forced-duel-sealed")
    assert only(page, ".seal .wax", "stroke", "fill") == [text, canvas]
    assert only(page, ".seal .letters", "fill") == [text]
    tap(mira, "half", "high")
    tap(mira, "action", "guard")
    tomo.open_scene()
    tap(tomo, "action", "jab")
    wait(page.locator(".track .is-at b"))
    page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    mira.shot(shots_folder(tmp_path), "forced-duel-track")
    sides = [only(page, f".track .side-{one}:not(.is-at)", "borderTopStyle", "borderTopWidth") for one in "ab"]
    assert sides[0] != sides[1]
    assert all(style != "none" and float(width.removesuffix("px")) > 0 for style, width in sides)
    assert only(page, ".track .is-at b", "backgroundColor") != [canvas]
    assert mira.wrong + tomo.wrong == []
    tomo.context.close()


def test_a_battle_in_forced_colours_in_a_small_window_and_on_paper(
    browser: Browser, server: Server, links: dict[str, str], forced: BrowserContext, tmp_path: Path
) -> None:
    """Finds dots that are drawn alike, an envelope without lines, a head that fills a window of 320 x 200, a log that
    paper cuts off or covers with what can only be pressed, and a name that a printed story says twice."""
    gm = Seat("GM", browser.new_context(), server.url).enter(links["GM"]).open_scene()
    alice = Seat("Alice", forced, server.url).enter(links["Alice"]).open_scene()
    page = alice.page
    gm.press(kind="scene")
    wait(alice.ask("declare"))
    expect(page.locator("#envelopes .presence.is-here")).to_have_count(2, timeout=PATIENCE)
    text, canvas = page.evaluate(SYSTEM)
    assert only(page, "#envelopes .presence.is-here", "backgroundColor", "borderTopColor") == [text, text]
    assert only(page, "#envelopes .presence.is-offline", "backgroundColor") not in ([text], [canvas])
    assert only(page, "#envelopes .envelope .outline", "stroke", "strokeOpacity") == [text, "1"]
    alice.plan("sword-goblin")
    alice.press()
    gm.press()
    gm.page.get_by_role("button", name="Open now").click()
    gm.page.locator("#ask-first .go").click()
    wait(page.locator("#log .events li"))
    page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    alice.shot(shots_folder(tmp_path), "forced-battle")
    page.set_viewport_size({"width": 320, "height": 200})
    page.goto(alice.scene)
    alice.shot(shots_folder(tmp_path), "forced-battle-small")
    assert overflow(page) == []
    assert page.evaluate(HEAD_AND_BARS) < 0.5
    page.emulate_media(media="print", forced_colors="none")
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        alice.shot(shots_folder(tmp_path), f"print-battle-{width}")
        assert page.evaluate(CUT) == []
        assert page.evaluate(STYLES, [ON_SCREEN_ONLY, ["className"]]) == []
    page.goto(f"{alice.scene}/story")
    alice.shot(shots_folder(tmp_path), "print-story")
    cast = page.locator(".story .cast").inner_text()
    assert [cast.count(name) for name in ("Alice", "Bob", "Charlie")] == [1, 1, 1]
    assert gm.wrong + alice.wrong == []
    gm.context.close()


def test_arrows_in_forced_colours(browser: Browser, server: Server, db_url: str, tmp_path: Path) -> None:
    """Finds arrows of two sides that are drawn alike."""
    rules = find("chronicle")
    scenes: dict[str, uuid.UUID] = {}
    links = links_of(db_url, usual_round.lay, scenes, [(rules, rules.kind("hand"))])
    table = Chromium(browser, viewport={"width": 1280, "height": 800}, forced_colors="active")
    ((name, scene),) = scenes.items()
    usual_round.play(table, usual_round.sit(table, server.url, links), f"scene/{scene}", AGAIN[name])
    table.wait(AT_REST)
    if SHOTS:
        table.shot(shots_folder(tmp_path) / "forced-hand.png")
    ours, theirs = (only(table.page, f".board .intent.side-{one}", "stroke") for one in "ab")
    assert ours != theirs
    assert table.complaints() == []
    table.close()


def test_a_printed_month_keeps_a_margin(browser: Browser, server: Server, db_url: str, links: dict[str, str]) -> None:
    """Measured by the places of its links on the paper."""
    slug = planned(db_url)
    alice = Seat("Alice", browser.new_context(), server.url).enter(links["Alice"])
    alice.page.goto(f"{server.url}/c/{slug}/alice/calendar")
    paper = alice.page.pdf(format="A4")
    boxes = [[float(one) for one in found.split()] for found in re.findall(rb"/Rect\s*\[([^]]+)\]", paper)]
    (_, _, width, height) = (float(one) for one in re.findall(rb"/MediaBox\s*\[([^]]+)\]", paper)[0].split())
    left, low, right, high = (list(one) for one in zip(*boxes, strict=True))
    assert len(boxes) > 10
    assert min(left) >= MARGIN - 1 and max(right) <= width - MARGIN + 1
    assert min(low) >= MARGIN - 1 and max(high) <= height - MARGIN + 1
    alice.context.close()
