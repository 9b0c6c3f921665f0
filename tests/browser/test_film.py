"""The film in a real Chromium, against a small real site: what it holds back, what ends it, and its keys."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seats import PATIENCE
from tests.browser.small_site_process import Site, page, running, seated, site

__all__ = ["page", "running", "site"]
pytestmark = pytest.mark.browser


def stopped(page: Page) -> None:
    """From now on time passes on the page only while `passes` waits, however slow the machine is."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))


def passes(page: Page, until: str, step: int = 20) -> int:
    """Let the page's time pass until that is so; its milliseconds."""
    for took in range(0, PATIENCE, step):
        if page.evaluate(f"Boolean({until})"):
            return took
        page.clock.run_for(step)
        page.wait_for_timeout(5)
    pytest.fail(f"it was not so in time: {until}")


BOARD = "document.querySelector('.table-side').textContent.trim()"


def test_a_film_holds_back_what_came_until_its_end(page: Page, site: Site) -> None:
    """Finds a word of the end that stands on the page before the film is over, frames out of order, a film that plays
    once more with the next refresh, and what was told of one's own that does not stay."""
    page.evaluate(
        """() => { window.boards = [];
        const look = () => {
          const now = [document.querySelector('.table-side').textContent.trim(), Boolean(document.getElementById('e7')),
            document.getElementById('text').textContent, 'filming' in document.documentElement.dataset];
          if (JSON.stringify(now) !== JSON.stringify(boards.at(-1))) boards.push(now);
        };
        new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
        look(); }"""
    )
    stopped(page)
    site.set(reveal="round-1", text="after the round")
    passes(page, f"{BOARD}.startsWith('met')")
    assert page.locator(".film [data-part=title]").text_content() == "Clash"
    site.set(text="in between", awaited="yes")
    took = passes(page, f"{BOARD}.startsWith('down')")
    assert page.locator(".film-mark").all_text_contents() == ["−4"]
    assert page.title() == "Small", "the title waits, too"
    took += passes(page, "!('filming' in document.documentElement.dataset)")
    assert took < 12_500
    seen = [(board[:4], told, text) for board, told, text, filming in page.evaluate("boards") if filming]
    assert list(dict.fromkeys(board for board, _, _ in seen))[-3:] == ["seal", "met", "down"]
    assert not any(told for _, told, _ in seen) and {text for _, _, text in seen} == {"first"}
    passes(page, "document.getElementById('text').textContent === 'in between'")
    assert page.title() == "(!) Small"
    assert page.locator("#on-board").text_content() == "the end"
    kept = page.locator(".film-card.is-kept")
    assert "Bob goes down" in (kept.text_content() or "") and kept.locator(".why").count() == 1
    site.set(text="afterwards")
    passes(page, "document.getElementById('text').textContent === 'afterwards'")
    assert site.set(quiet=True)["films_asked"] == ["round-1"]
    page.evaluate("document.getElementById('replay').click()")
    passes(page, f"{BOARD}.startsWith('met')")
    page.evaluate("document.querySelector('.film [data-part=skip]').click()")
    assert page.locator("#on-board").text_content() == "the end"


@pytest.mark.parametrize("how", ["key", "press", "form", "stop", "limit", "nothing"])
def test_what_ends_a_film_shows_the_end(page: Page, site: Site, how: str) -> None:
    if how in ("limit", "nothing"):
        site.set(film={"limit": "900", "nothing": "none"}[how], quiet=True)
    else:
        stopped(page)
    site.set(reveal="round-1")
    if how not in ("limit", "nothing"):
        passes(page, f"{BOARD}.startsWith('sealed')")
    if how == "key":
        page.keyboard.press("x")
    elif how == "press":
        page.mouse.click(5, 400)
    elif how == "form":
        page.evaluate("document.querySelector('#declare button').click()")
        passes(page, "document.getElementById('e7')")
    elif how == "stop":
        site.set(stops="1")
        passes(page, "document.getElementById('e7')")
    expect(page.locator("#e7")).to_be_attached()
    expect(page.locator("html:not([data-filming])")).to_be_attached()
    assert page.locator("#on-board").text_content() == "the end"


def test_a_film_is_stepped_by_hand(page: Page, site: Site) -> None:
    site.set(reveal="round-1")
    keys = page.locator(".film-keys")
    keys.get_by_role("button", name="Pause").click()
    board, count = page.locator(".table-side"), page.locator(".film [data-part=count]")
    while count.text_content() != "1 of 3":
        page.keyboard.press("ArrowLeft")
    keys.get_by_role("button", name="Next").click()
    expect(board).to_contain_text("met")
    page.keyboard.press("ArrowRight")
    expect(board).to_contain_text("down")
    keys.get_by_role("button", name="Back").click()
    expect(board).to_contain_text("met")
    keys.get_by_role("button", name="Speed").click()
    expect(keys.get_by_role("button", name="Speed")).to_have_text("2×")
    assert page.evaluate("localStorage['signet-film-speed']") == "2"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#e7")).to_be_attached()


def test_with_reduced_motion_there_is_no_film(browser: Browser, site: Site) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    seated(page, site)
    site.set(reveal="round-1")
    expect(page.locator("#e7")).to_be_attached()
    assert site.set(quiet=True)["films_asked"] == []
    context.close()
