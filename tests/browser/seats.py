"""People at browsers: who sits where, what went wrong on their pages, and what they press."""

import asyncio
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect
from sqlalchemy.ext.asyncio import async_sessionmaker
from sqlalchemy.pool import NullPool

from app.campaign import seats
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.play.demo import USUAL, ensure_demo
from tests import shown
from tests.server import KEY

AXE = Path(__file__).parents[1] / "vendor" / "axe-core" / "4.14.1" / "axe.min.js"
RUN_AXE = """async rules => (await axe.run(document, {resultTypes: ['violations'],
    ...(rules.length && {runOnly: rules})})).violations
  .filter(v => ['serious', 'critical'].includes(v.impact))
  .map(v => v.id + ': ' + v.nodes.slice(0, 4).map(n => n.target.join(' ') + ' ' + n.failureSummary).join(' | '))"""
SHOTS = os.environ.get("SIGNET_SHOTS")  # a folder for pictures of pages; without it none are made
SEALED = re.compile(r"(?<!not )sealed")
"""On an envelope, which may also say "not sealed yet"."""
WATCH_FILM = """() => {
  window.early = new Set();
  window.films = 0;
  const state = () => ({
    asks: [...document.querySelectorAll("#asks .ask")].map((one) => one.id),
    lines: document.querySelectorAll("#log .events li").length,
    title: document.title,
    acts: document.querySelector(".turn > :not(.awaits)")?.textContent,
    ending: Boolean(document.getElementById("ending")),
  });
  let before = state();
  let on = false;
  const look = () => {
    const filming = "held" in document.documentElement.dataset;
    if (filming && !on) films += 1;
    const now = state();
    if (filming) for (const [name, value] of Object.entries(now)) {
      if (JSON.stringify(value) !== JSON.stringify(before[name])) early.add(`${name}: ${JSON.stringify(value)}`);
    } else before = now;
    on = filming;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Counts the films that a page plays for the first time, and keeps what of their end it shows meanwhile."""
PATIENCE = 30_000  # milliseconds; a machine that runs other things too is slow now and then


def make_demo(db_url: str, game: str = USUAL) -> dict[str, str]:
    """A demo campaign in this database: the path of each one's personal link, by first name."""

    async def make() -> list[tuple[str, str]]:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                return await ensure_demo(session, Vault([KEY]), game)
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        links = elsewhere.submit(asyncio.run, make()).result()
    return {re.split(r"\W", label)[0]: path for label, path in links}


def links_of(db_url: str, lay: Callable[..., Any], *given: Any, **more: Any) -> dict[str, str]:
    """A scene laid on this database: the path of each one's personal link, by the member's name."""

    async def make() -> dict[str, str]:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                laid = await lay(session, Vault([KEY]), *given, **more)
                return {
                    one.name: f"/enter/{laid.campaign.slug}/{await seats.make_link(session, one)}"
                    for one in laid.people.values()
                }
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        return elsewhere.submit(asyncio.run, make()).result()


class Seat:
    """One person, one tab."""

    def __init__(self, name: str, context: BrowserContext, origin: str, page: Page | None = None) -> None:
        self.name = name
        self.origin = origin
        self.context = context
        self.page = page or context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.refused: list[str] = []
        self.cut = False
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"{self.name}: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if "the server responded with a status of 4" in message.text:
            self.refused.append(message.text)  # a refusal is an answer; tests that want none look here
        elif not (self.cut and ("net::ERR_" in message.text or "Failed to fetch" in message.text)):
            self.wrong.append(f"{self.name}: {message.text} ({message.location.get('url')})")

    def enter(self, link: str) -> "Seat":
        """Sit down by the personal link."""
        self.page.goto(self.origin + link)
        self.page.locator("main form button").first.click()
        self.page.wait_for_url("**/c/**")
        return self

    def open_scene(self) -> "Seat":
        self.page.locator('main a[href*="/scene/"]').first.click()
        self.page.wait_for_selector("#live")
        self.page.wait_for_load_state()  # at its end an address with a fragment takes the focus once more
        return self

    @property
    def key(self) -> str:
        return self.name.lower()

    @property
    def scene(self) -> str:
        return self.page.url.split("#")[0].split("?")[0]

    @property
    def home(self) -> str:
        return self.scene.split("/scene/")[0] + "/"

    def source(self) -> str:
        """Everything the server would tell this seat now, and everything that is in the page."""
        answers = [self.fetch(self.scene + part) for part in ("", "/live")]
        return "\n".join([*answers, self.page.content()])

    def fetch(self, address: str) -> str:
        """What the server answers this seat, beside the page; on a line of its own, which no pause can have closed."""
        return self.context.request.get(address, headers={"Connection": "close"}).text()

    def ask(self, kind: str) -> Locator:
        """The card of what is asked of this seat, "declare" for example; not the GM's desk."""
        return self.page.locator(f'.ask[id^="ask-"][id*="-{kind}-"]').first

    def choose(self, name: str, value: str) -> None:
        """A radio button, by its label, as people do."""
        self.page.locator(f'#asks label:has([name="{name}"][value="{value}"])').click()

    def field(self, name: str) -> Locator:
        return self.page.locator(f'#asks [name="{name}"]')

    def plan(self, attack: str, rider: str = "") -> None:
        """Choose: attack that one, and perhaps try something besides."""
        self.look_at("asks")
        self.field(f"of.{self.key}.intent").select_option("attack")
        self.field(f"of.{self.key}.attack").select_option(attack)
        if rider:
            self.field(f"of.{self.key}.rider").select_option("text")
            self.field(f"of.{self.key}.rider_text").fill(rider)

    def press(self, act: str = "seal", kind: str = "declare") -> None:
        """Press a button of an ask."""
        self.look_at("asks")
        with self.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            self.ask(kind).locator(f'button[value="{act}"]').last.click()
        assert answered.value.status < 500

    def skip_film(self) -> None:
        """To the end of a film that plays, if one does."""
        skip = "document.querySelector('.film [data-part=skip]')?.click()"
        self.page.wait_for_function(f"() => {{ {skip}; return !('filming' in document.documentElement.dataset); }}")

    def envelope(self, who: str) -> Locator:
        """Somebody's envelope on this page."""
        return self.page.locator(".envelopes li").filter(has_text=re.compile(rf"^\s*{who}\b|{who}"))

    def look_at(self, part: str) -> None:
        """Bring a part of the table into view ("asks", "board", "log", "talk"); a wide window shows them all."""
        tab = self.page.locator(f'.tabs a[href="#{part}"]')
        if tab.is_visible():
            tab.click()

    def log(self) -> list[str]:
        """The log's lines as they read, without "Why?"."""
        texts = self.page.locator("#log .events li").all_text_contents()
        return [" ".join(text.replace("Why?", "").split()) for text in texts]

    def shot(self, shots: Path, name: str) -> None:
        """Checks the page for retired sentences; takes a picture of it, where pictures are asked for."""
        shown.check(f"{self.name} at {self.page.url}", self.page.content())
        if SHOTS is None:
            return
        shots.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=shots / f"{name}.png", full_page=True)

    def both_shots(self, shots: Path, name: str) -> None:
        """The same by day and in the dark."""
        if SHOTS is None:
            return
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.shot(shots, f"{name}-{scheme}")
        self.page.emulate_media(color_scheme=None)


def follow(link: Locator) -> None:
    """Presses a link and waits for the whole page behind it: a form that is pressed before the page's scripts are there
    is sent without them."""
    with link.page.expect_navigation():
        link.click()


def axe(page: Page, colours_only: bool = False) -> list[str]:
    """What axe finds serious or critical on the page; run by evaluate, so that the content policy stays on.

    Of a page that was looked at already, another colour scheme changes nothing but colours.
    """
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(RUN_AXE, ["color-contrast"] if colours_only else [])
    return found


def shots_folder(tmp: Path) -> Path:
    return Path(SHOTS or tmp / "shots")


def overflow(page: Page) -> Any:
    """How many pixels the page is wider than its window, and what sticks out."""
    return page.evaluate(
        """() => { const room = document.documentElement.clientWidth;
        const over = document.documentElement.scrollWidth - room;
        const wide = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > room + 1);
        return over <= 0 ? [] : [over, ...wide.slice(0, 5).map(e => e.outerHTML.slice(0, 120))]; }"""
    )


def wait(locator: Locator) -> None:
    """Wait until something is visible."""
    expect(locator.first).to_be_visible()
