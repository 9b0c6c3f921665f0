"""What is small or easily lost, as a person with a phone sees it: names, HP and letters on each board, the sheet's
handle, empty envelopes, the last round's lines, the legend; no text below 11 pixels; and a sheet on paper.

Each check counts what it looked at: where nothing is drawn, it fails.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.engines import Chromium
from tests.browser.seats import Seat, links_of, make_demo, shots_folder
from tests.browser.usual_round import AGAIN, answer, lay, play, sit
from tests.kinds import KINDS
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PAPER = (210 * 96 / 25.4, 297 * 96 / 25.4)
HAND = "chronicle-hand"
SCENES = {
    "whiskey": ("whiskey-battle", "Alice", "-declare-"),
    "duel": ("duel-duel", "Mira", "ask-"),
    "skirmish": ("skirmish-skirmish", "Sefton", "-declare-"),
    "arcana": ("arcana-fight", "Brom", "ask-"),
    HAND: (HAND, "Ann", "-act-"),
}
"""Each demo's scene, and a hand-to-hand fight: its kind, who has the phone, and what they are asked in the end."""
PIECES = {
    "whiskey": ("#board > svg .fighter", ".name", ".hp"),
    "duel": ("#board .fighter", "h2", ".bar b"),
    "skirmish": ("#board > svg .fighter", ".tag", ".tag"),
    "arcana": ("#board .people > .token:not(.is-dead)", ".name", None),
    HAND: ("#board svg .fighter", ".name", None),
}
"""On each board: a combatant, its name, its HP. Arcana has those of one's own in the name; hand to hand has none."""
ROUNDS_MARKS = "#board > svg :is(.intent, .clash-line, .clash, .hit, .stop, .free):not(.aims *)"
HEALTH = re.compile(r"\d|unhurt|hurt|bloodied|shaken|wounded|down|gone|out|dead")

SMALL = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  let looked = 0;
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    const said = walk.currentNode.data.trim();
    if (!said || one.closest("title, defs, option, noscript, script, style, .said, .skip")) continue;
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const box = (one.closest("text") ?? range).getBoundingClientRect(); // in a hidden drawing it has no size
    let size = parseFloat(getComputedStyle(one).fontSize);
    if (!size || box.width < 2 || box.height < 2) continue;
    const drawn = one.closest("text")?.getScreenCTM();
    if (drawn) size *= Math.hypot(drawn.c, drawn.d);
    looked += 1;
    const where = one.closest("[class]")?.outerHTML.slice(0, 80);
    if (size < 10.95) small.push(`${size.toFixed(1)} px: ${said.slice(0, 30)} (${where})`);
  }
  return [looked, small];
}"""
"""How many texts are seen, and those that are smaller than 11 pixels."""
NAMED = """([pieces, name, health]) => {
  const board = document.querySelector("#board").getBoundingClientRect();
  return [...document.querySelectorAll(pieces)].map((piece) => {
    const text = (of) => piece.querySelector(of)?.textContent.trim() ?? "";
    const boxes = [name, health].filter(Boolean).map((of) => piece.querySelector(of)).map((one) => {
      if (!one || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return right - left > 4 && left >= Math.max(0, board.left - 1) && right <= Math.min(innerWidth, board.right + 1)
        && top >= board.top - 1 && bottom <= board.bottom + 1 ? [left, top, right, bottom] : null;
    });
    return { said: text(name), health: health ? text(health) : "", boxes };
  });
}"""
"""For each combatant its name, its HP, and their boxes; null for what is not seen, or not within the board."""
LETTERS = """() => {
  const found = [];
  for (const token of document.querySelectorAll("#board .token:not(.legend *)")) {
    const letters = token.querySelector(":scope > text, .mark");
    const shape = [...token.querySelectorAll("circle, path, use")]
      .find((one) => !one.matches(".many, .touch, .face, .hp-all, .hp-left, .cross, .lying"));
    if (!letters || !shape || !letters.checkVisibility()) continue;
    const geometry = shape.matches("use") ? document.querySelector(`${shape.getAttribute("href")} > *`) : shape;
    const box = letters.getBoundingClientRect();
    const half = Math.hypot(letters.getScreenCTM().a, 0) * parseFloat(getComputedStyle(letters).fontSize) * 0.33;
    const middle = (box.top + box.bottom) / 2;
    const corners = [box.left, box.right].flatMap((x) => [middle - half, middle + half].map((y) => [x, y]));
    const inside = corners.every(([x, y]) => {
      const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      return geometry.isPointInFill(at);
    });
    found.push([letters.textContent, inside]);
  }
  return found;
}"""
"""The letters of each token, and whether they are inside its shape."""
HANDLE = """() => {
  const one = [...document.querySelectorAll(".grip a")].find((it) => it.checkVisibility());
  if (!one) return null;
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const corners = [[left + 1, top + 1], [right - 1, top + 1], [left + 1, bottom - 1], [right - 1, bottom - 1]];
  return [right - left, bottom - top, corners.every(([x, y]) => document.elementFromPoint(x, y) === one)];
}"""
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const part = (n) => ((n /= 255) <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const unsealed = ".envelope:not(.is-sealed, .is-opened) .outline, .emblem .seal-awaited .ring";
  return [...document.querySelectorAll(unsealed)].map((one) => {
    const { stroke, strokeOpacity, opacity } = getComputedStyle(one);
    const [dark, bright] = [paper, light(stroke)].sort((a, b) => a - b);
    return Number(strokeOpacity) * Number(opacity) < 1 ? 0 : (bright + 0.05) / (dark + 0.05);
  });
}"""
"""The contrast of each unsealed envelope's line, or ring, with the page."""
SIGNS = """() => {
  const legend = [...document.querySelectorAll("#board .legend li")];
  const used = (root) => [...root.querySelectorAll('use[href*="#sign-"]')].map((one) => one.getAttribute("href"));
  return {
    words: legend.filter((one) => one.checkVisibility()).map((one) => one.textContent.trim()),
    empty: legend.filter((one) => !one.querySelector("svg").innerHTML.trim() || !one.textContent.trim()).length,
    listed: [...new Set(legend.flatMap(used))].sort(),
    drawn: [...new Set([...document.querySelectorAll("#board > svg")].flatMap(used))].sort(),
  };
}"""
CHROME = """() => [...document.querySelectorAll("nav, button, form, input, select, textarea, .notice, footer, .top")]
  .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 60))"""


@dataclass
class Laid:
    """A scene in which a round was played and the next question is open to the one with the phone."""

    game: str
    seats: dict[str, Seat]  # by device and colour scheme
    path: str  # of the scene, below a member's pages


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    return shots_folder(tmp_path)


@pytest.fixture(params=SCENES)
def laid(request: pytest.FixtureRequest, browser: Browser, server: Server, db_url: str) -> Iterator[Laid]:
    game = request.param
    kind, holder, asked = SCENES[game]
    chosen = [(rules, one) for rules, one in KINDS if f"{rules.key}-{one.key}" == kind]
    links = links_of(db_url, lay, {}, chosen) if game == HAND else make_demo(db_url, game)
    links = {name: link for name, link in links.items() if name != "Sam"}
    table = Chromium(browser, **DESK)
    bases = sit(table, server.url, links)
    first = Seat(holder, browser.new_context(**PHONE, reduced_motion="reduce"), server.url).enter(links[holder])
    path = first.open_scene().scene.removeprefix(first.home)
    play(table, bases, path, AGAIN[kind])
    for _ in range(6):
        first.page.goto(first.scene)
        first.skip_film()
        if first.page.locator(f'#asks > .ask[id*="{asked}"]:not(.is-sealed)').count():
            break
        alone = first.page.locator("#asks > .ask:not(.is-sealed)").count() == 0
        for base in [bases["GM"]] + [
            base for name, base in bases.items() if name != "GM" and (name != holder or not alone)
        ]:
            answer(table, base + path)
    seats = {"phone": first}
    others = {
        "phone, dark": {**PHONE, "color_scheme": "dark"},
        "desk": DESK,
        "desk, dark": {**DESK, "color_scheme": "dark"},
    }
    for name, device in others.items():
        seats[name] = Seat(holder, browser.new_context(**device, reduced_motion="reduce"), server.url)
        seats[name].enter(links[holder])
        seats[name].page.goto(first.scene)
        seats[name].skip_film()
    yield Laid(game, seats, path)
    for seat in seats.values():
        seat.context.close()
    table.close()
    assert [wrong for seat in seats.values() for wrong in seat.wrong] == []


def test_a_board_says_who_is_who_on_every_screen(laid: Laid, shots: Path) -> None:
    phone = laid.seats["phone"]
    assert phone.page.locator("#asks > .ask:not(.is-sealed)").count(), "a question is open"
    for name, seat in laid.seats.items():
        if laid.game == "arcana":
            seat.page.wait_for_selector(".ground.is-live")
        seat.shot(shots, f"small-{laid.game}-{name.replace(', ', '-')}")
        looked, small = seat.page.evaluate(SMALL)
        assert looked > 20 and small == [], name
        contrasts = seat.page.evaluate(CONTRAST)
        assert contrasts and min(contrasts) >= 3, name
        letters = seat.page.evaluate(LETTERS)
        assert laid.game == "duel" or len(letters) >= 2
        assert [one for one, inside in letters if not inside] == [], name
    _names(phone.page, laid.game)
    _sheet(phone.page)
    _last_round(phone, laid)
    _legend(phone.page, laid.game)


def _names(page: Page, game: str) -> None:
    """Everybody's name and HP on the phone's board, and no two names over each other."""
    pieces, name, health = PIECES[game]
    found = page.evaluate(NAMED, [pieces, name, health])
    assert len(found) >= 2
    boxes = []
    for one in found:
        assert len(one["said"]) > 1 and None not in one["boxes"], one
        assert health is None or HEALTH.search(one["health"]), one
        boxes.append(one["boxes"][0])
    for number, (left, top, right, bottom) in enumerate(boxes):
        over = [
            b for b in boxes[:number] if left < b[2] - 2 and b[0] < right - 2 and top < b[3] - 4 and b[1] < bottom - 4
        ]
        assert over == [], found[number]["said"]


def _sheet(page: Page) -> None:
    """The "Your turn" link opens the sheet half high; its handle opens it whole, and back."""

    def top() -> float:
        return float(page.evaluate("document.querySelector('.dock').getBoundingClientRect().top / innerHeight"))

    page.locator('.tabs a[href="#board"]').click()
    page.locator("#awaits a").first.click()
    assert 0.3 < top() < 0.75, "half high"
    assert page.evaluate("document.querySelector('.stage').getBoundingClientRect().top / innerHeight") < top() - 0.1
    wide, high, whole = page.evaluate(HANDLE)
    assert wide >= 44 and high >= 44 and whole, (wide, high, whole)
    half = top()
    page.locator(".grip .larger").click()
    assert top() <= half and page.locator(".grip .larger").is_hidden()
    page.locator(".grip .smaller").click()
    assert top() == half


def _last_round(phone: Seat, laid: Laid) -> None:
    """The lines of the last round are gone while a question is open, and are there again in the replay."""
    shown = "(marks) => [...document.querySelectorAll(marks)].map((one) => Number(getComputedStyle(one).opacity))"
    drawn = phone.page.evaluate(shown, ROUNDS_MARKS)
    assert sum(drawn) == 0
    if laid.game in ("whiskey", "skirmish"):
        assert drawn, "they were drawn"
        phone.page.goto(f"{phone.scene}/replay?step=1")
        while not sum(phone.page.evaluate(shown, ROUNDS_MARKS)):
            phone.page.locator('a[rel="next"]').click()
            phone.page.wait_for_load_state()
        phone.page.goto(f"{phone.home}{laid.path}")


def _legend(page: Page, game: str) -> None:
    """It names the signs that this board draws, and no others."""
    page.locator("#board .legend summary").click()
    signs = page.evaluate(SIGNS)
    assert len(signs["words"]) >= 3 and not signs["empty"], signs
    assert signs["listed"] == signs["drawn"]
    assert game != "skirmish" or signs["drawn"], "the keep has cover, slow ground and danger"
    looked, small = page.evaluate(SMALL)
    assert looked > 20 and small == []


def test_no_text_of_other_pages_is_small(browser: Browser, server: Server, links: dict[str, str]) -> None:
    for device in (PHONE, DESK):
        alice = Seat("Alice", browser.new_context(**device), server.url).enter(links["Alice"])
        home = alice.page.url
        for address in (
            server.url + "/",
            home,
            f"{home}characters/alice",
            f"{home}people",
            f"{server.url}/rulebook/whiskey",
        ):
            alice.page.goto(address)
            looked, small = alice.page.evaluate(SMALL)
            assert looked > 10 and small == [], address
        alice.context.close()


@pytest.mark.parametrize(
    ("game", "who"),
    [("whiskey", "Alice"), ("duel", "Mira"), ("skirmish", "Maren"), ("arcana", "Isaura"), ("chronicle", "Ella")],
)
def test_a_printed_sheet_is_a_sheet(
    browser: Browser, server: Server, db_url: str, shots: Path, game: str, who: str
) -> None:
    seat = Seat(who, browser.new_context(**DESK), server.url).enter(make_demo(db_url, game)[who])
    seat.page.goto(f"{seat.page.url}characters/{seat.key}")
    printed = seat.page.pdf(format="A4", prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    assert 1 <= pages <= (2 if game == "chronicle" else 1)
    seat.page.emulate_media(media="print")
    seat.page.set_viewport_size({"width": round(PAPER[0]), "height": round(PAPER[1])})
    seat.shot(shots, f"print-{game}")
    assert seat.page.evaluate(CHROME) == []
    assert len(seat.page.evaluate("document.querySelector('.sheet, .arcana-sheet').innerText")) > 100
    looked, small = seat.page.evaluate(SMALL.replace("10.95", "9.9"))
    assert looked > 10 and small == [], "7.5 points on paper"
    seat.context.close()
