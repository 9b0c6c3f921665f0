"""What is asked of a person lies in one view with the board, in every kind of scene, on laptops and on phones."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from app.rulesets import find
from tests.browser.seats import SHOTS
from tests.browser.walk import Walk, walking
from tests.server import Server
from tests.ways import WAYS, Way, name_of

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LAPTOPS = ((1280, 800), (1366, 768), (1920, 1080))
PHONES = ((390, 844), (360, 640))
LEAST_BOARD, LEAST_BOARD_ON_A_PHONE = 0.4, 0.3  # of the window
PEOPLE = ("gm", "ann", "bea")
PARTS = """() => {
  const shown = part => part.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && !part.closest('.said, [aria-hidden=true], .envelope, .grip');
  const clipped = part => {
    const box = part.getBoundingClientRect(), panes = [new DOMRect(0, 0, innerWidth, innerHeight)];
    for (let up = part.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY !== 'visible') panes.push(up.getBoundingClientRect());
    }
    // A row that stays in view, over what scrolls below it; a page of a plan that has none hides it.
    const acts = [...part.closest('form')?.querySelectorAll('.acts') ?? []].find(shown);
    if (acts && !acts.contains(part) && box.bottom > acts.getBoundingClientRect().top + 1) return true;
    return box.width && panes.some(pane => box.top < pane.top - 1 || box.bottom > pane.bottom + 1
      || box.left < pane.left - 1 || box.right > pane.right + 1);
  };
  const all = names => [...document.querySelectorAll(names)].filter(shown);
  const name = part => part.outerHTML.slice(0, 110);
  const stage = document.querySelector('.stage').getBoundingClientRect();
  const told = document.querySelector('.table-side:has(.in-words) .situation');  // part of a board of words
  const words = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement, drawn = part.closest('svg') && part.getScreenCTM?.();
    if (!walker.currentNode.textContent.trim() || !shown(part)) continue;
    const size = parseFloat(getComputedStyle(part).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    if (size < (part.closest('#board') ? 10.95 : 15.9)) words.push(`${size.toFixed(1)} px: ${name(part)}`);
  }
  const fields = all('.dock .ask :is(select, input, textarea, button)');
  return {
    clipped: fields.filter(clipped).map(name),
    buttons: all('.dock .ask .go').filter(clipped).map(name),
    top: all('#awaits').filter(clipped).map(name),
    words,
    targets: all('main :is(button, select, input, textarea, summary)').filter(part => {
      const [own, label] = [part, part.closest('label')].map(one => one?.getBoundingClientRect().height ?? 0);
      return own && Math.max(own, label) < 43.5;
    }).map(name),
    over: document.documentElement.scrollWidth - innerWidth,
    board: stage.width * (stage.height + (told?.offsetHeight ?? 0)) / innerWidth / innerHeight,
  };
}"""


OPENED = "number => { document.querySelectorAll('#anytime > details')[number].open = true; location.hash = '#asks'; }"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


FIELDS = """() => [...document.querySelectorAll('#asks .declare :is(select, input, textarea)')]
  .filter(one => one.name && !one.name.startsWith('_') && one.checkVisibility({visibilityProperty: true}))
  .map(one => one.name)"""


def measured(page: Page) -> dict[str, Any]:
    """The parts of the page, once the board has taken its new size."""
    page.evaluate(DRAWN)
    parts: dict[str, Any] = page.evaluate(PARTS)
    return parts


@pytest.fixture
def walk(db_url: str) -> Iterator[Walk]:
    with walking(db_url) as begun:
        yield begun


def taken(page: Page, name: str) -> None:
    """A picture of the window in either theme, if SIGNET_SHOTS names a folder for it."""
    if not SHOTS:
        return
    size = page.viewport_size
    assert size is not None
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.screenshot(path=Path(SHOTS) / f"{name}-{size['width']}x{size['height']}-{theme}.png")


def faults(page: Page, name: str) -> list[str]:
    """What a person at this page would have to scroll for, or could not read or press."""
    found = []
    for width, height in LAPTOPS:
        page.set_viewport_size({"width": width, "height": height})
        parts = measured(page)
        wrong = [*parts["clipped"], *parts["words"], *parts["targets"], *parts["top"]]
        taken(page, name)
        if parts["board"] < LEAST_BOARD:
            wrong.append(f"the board has {parts['board']:.2f} of the window")
        found += [f"{width} x {height}: {one}" for one in wrong]
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("location.hash = '#asks'")
        parts = measured(page)
        wrong = [*parts["buttons"], *parts["words"], *parts["targets"], *parts["top"]]
        if parts["over"] > 0:
            wrong.append(f"the page is {parts['over']} px wider than the window")
        taken(page, f"{name}-asks")
        page.locator('.tabs a[href="#board"]').click()
        if measured(page)["board"] < LEAST_BOARD_ON_A_PHONE:
            wrong.append("the board is not one tap away")
        taken(page, f"{name}-board")
        found += [f"{width} x {height}: {one}" for one in wrong]
    return found


def words_and_targets(page: Page, name: str) -> list[str]:
    """What nobody could read or press on this page, whatever has to be scrolled for."""
    found = []
    for width, height in (LAPTOPS[0], PHONES[1]):
        page.set_viewport_size({"width": width, "height": height})
        parts = measured(page)
        taken(page, name)
        found += [f"{width} x {height}: {one}" for one in (*parts["words"], *parts["targets"])]
        if parts["over"] > 0:
            found.append(f"{width} x {height}: the page is {parts['over']} px wider than the window")
    return found


def seen_by_a_gm(gm: BrowserContext, page: Page, at: str) -> list[str]:
    """What differs from a player's form where a GM looks at it: another field in view, or a script that fails."""
    seats = set(page.locator("#asks [name=_seat]").evaluate_all("all => all.map(one => one.value)"))
    if len(seats) != 1:
        return []
    own, failed = page.evaluate(FIELDS), list[str]()
    tab = gm.new_page()
    tab.on("pageerror", lambda error: failed.append(str(error)))
    tab.goto(f"{at}/as/{seats.pop()}")
    seen = tab.evaluate(FIELDS) if tab.locator("#asks .ask").count() else own  # a hidden ask is not shown to GMs
    tab.close()
    return failed + ([] if seen == own else [f"a GM sees {seen} instead of {own}"])


def visit(
    browser: Browser, server: Server, walk: Walk, name: str, steps: int, wanted: Iterable[str] | None = None
) -> list[str]:
    """The faults of each page on which somebody is asked for something, or one of `wanted`, that was not looked at
    before."""
    pages, seen, found = {}, set(), []
    for who in PEOPLE:
        context = browser.new_context(reduced_motion="reduce")
        at = f"{server.url}/c/{walk.campaign.slug}/{who}"
        context.add_cookies([{"name": "signet", "value": walk.cookies[who], "url": at}])
        pages[who] = context.new_page()
    for _ in range(steps):
        asked = walk.asked()
        for who, page in pages.items():
            asks = {(who == "gm", ask) for ask in asked[who] if wanted is None or ask in wanted}
            if asks <= seen:
                continue
            seen |= asks
            page.goto(server.url + walk.path(who))
            at = f"{name}-{who}-{'-'.join(sorted(ask for _, ask in asks))}"
            differs = seen_by_a_gm(pages["gm"].context, page, server.url + walk.path("gm")) if who != "gm" else []
            found += [f"{who}, {sorted(asked[who])}, {one}" for one in (*differs, *faults(page, at))]
            for number in range(page.locator("#anytime > details").count()):
                page.evaluate(OPENED, number)
                found += [f"{who}, at any time, {one}" for one in words_and_targets(page, f"{at}-anytime-{number}")]
            page.set_viewport_size({"width": 1280, "height": 800})
        if not walk.close_step():
            break
    for page in pages.values():
        page.context.close()
    missed = set(wanted or ()) - {ask for _, ask in seen}
    assert not missed, f"nobody was asked {missed}"
    return found


@pytest.mark.parametrize("way", WAYS, ids=name_of)
def test_every_question_is_in_view(browser: Browser, server: Server, walk: Walk, way: Way) -> None:
    """Finds a question, a choice or a button below the fold or clipped, words too small to read, a board too small."""
    walk.follow(way)
    assert "\n".join(visit(browser, server, walk, f"{way.kind}-{WAYS.index(way)}", way.closings, way.to)) == ""


@pytest.mark.parametrize("key", ["whiskey", "arcana"])
def test_twelve_fighters_are_in_view(browser: Browser, server: Server, walk: Walk, key: str) -> None:
    """Finds rows of the GM's people that push the button out of view, and names that shrink with their number."""
    rules = find(key)
    assert rules.demo is not None
    sample = rules.demo.set_up()[1]
    assert isinstance(sample.given, dict)
    foes: Any = sample.given["foes"]
    crowd = [{**foes[n % 3], "key": f"foe-{n}", "name": f"Goblin {n}", "guards": ""} for n in range(9)]
    for one, place in zip(crowd, range(9), strict=True):
        one.pop("guards")
        if "place" in one:
            one |= {"place": f"{22 + place % 3 * 2},{6 + place // 3 * 4}", "habit": "nearest"}
    walk.begin(rules, rules.kind(sample.kind), foes=crowd)
    assert "\n".join(visit(browser, server, walk, f"{key}-twelve", 2)) == ""
