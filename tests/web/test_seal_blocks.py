"""A seal answers with the blocks that it changes, and so does a look after a hint: put into an open page at their
places, they make it the page that is fetched whole."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from app.table.loaded_scene import read
from app.table.reading import AskSight, StepSight
from app.web.http.page_cache import NOW, REQUEST
from tests.kinds import KINDS, Kind, Rules
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.test_every_page import Evening, evening

__all__ = ["evening"]
pytestmark = pytest.mark.anyio

BLOCK = re.compile(r'<hx-partial hx-target="#([^"]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL)
LATER = re.compile(
    r'<button class="plain" type="button" hx-get="[^"]*/live"\s*hx-select="#([\w-]+) form.declare".*?</button>',
    re.DOTALL,
)
RECEIPT = re.compile(r"<div data-receipt='[^']*' data-receipts=\"[^\"]*\"></div>")
SHOWN = re.compile(r'data-shown="([^"]*)"')
APART = {"battle", "fight", "hand", "throw"}
"""Kinds of scenes whose pages show seals in the row of envelopes alone, so that blocks are enough."""
EACH_COMMIT = {"battle", "duel"}
"""One kind whose blocks stand apart, and one whose page is fetched whole."""
SEALED = [
    pytest.param(rules, kind, id=kind.key, marks=() if kind.key in EACH_COMMIT else pytest.mark.nightly)
    for rules, kind in KINDS
]


def put(page: str, blocks: str) -> str:
    """The page after htmx has put the blocks of an answer into it; each block has its place."""
    for where, what in BLOCK.findall(blocks):
        found = re.search(rf'<(\w+)\b[^>]*\sid="{where}"', page)
        assert found, f"the page has no place for {where}"
        page = page[: found.start()] + what + page[_end(page, found.start(), found[1]) :]
    assert not BLOCK.sub("", blocks).strip(), "words that belong nowhere"
    return page


def _end(page: str, begin: int, tag: str) -> int:
    depth = 0
    for one in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(page, begin):
        depth += -1 if one[1] else 1
        if not depth:
            return one.end()
    raise AssertionError(f"<{tag}> has no end")


def unfolded(page: str, whole: str) -> str:
    """The page with the forms of sealed asks, which are fetched when somebody unfolds them."""
    for later in LATER.finditer(page):
        form = re.search(rf'id="{later[1]}".*?(<form class="declare".*?</form>)', whole, re.DOTALL)
        assert form, "the page has no form for what was sealed"
        page = page.replace(later[0], form[1])
    return page


def plain(html: str) -> str:
    """Without the hour, the ids of presses, white space round tags, and the receipt of a seal that opened its step,
    which stays until the part is fetched whole."""
    html = RECEIPT.sub("", html)
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", re.sub(r"\s+", " ", REQUEST.sub("", NOW.sub("", html))))


@dataclass
class Open:
    """The scene's page, open in a browser with scripts."""

    browser: Browser
    at: str
    html: str = ""
    blocks: int = 0  # answers that were not the whole part

    @property
    def said(self) -> dict[str, str]:
        shown = SHOWN.search(self.html)
        return {"HX-Request": "true", **({"Signet-Shown": shown[1]} if shown and shown[1] else {})}

    async def whole(self) -> str:
        answer = await self.browser.get(f"{self.at}/live", **{"HX-Request": "true"})
        assert answer.status == 200
        return answer.html

    def take(self, answer: str) -> None:
        if "<hx-partial" in answer:
            self.blocks += 1
            self.html = put(self.html, answer)
        else:
            self.html = answer

    async def look(self) -> None:
        """After a hint; then it shows what a page shows that is fetched whole."""
        answer = await self.browser.get(f"{self.at}/live", **self.said)
        self.take(answer.html)
        whole = await self.whole()
        assert plain(self.html) == plain(whole), f"{self.at}: the page shows something else than a whole one"

    async def press(self, ask: dict[str, str], pairs: list[tuple[str, str]], act: str) -> bool:
        """Lays words for an ask, and puts the answer in. Returns whether they were taken."""
        form = [*pairs, *ask.items(), ("_act", act), ("_request", str(uuid.uuid4()))]
        said = {**self.said, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}
        answer = await self.browser.post(f"{self.at}/lay", form, **said)
        if answer.status != 200:
            assert answer.status in (409, 422), answer.text
            return False
        self.take(answer.html)
        if "<hx-partial" in answer.html:
            self.html = unfolded(self.html, await self.whole())
            assert plain(self.html) == plain(await self.whole()), act
        return True


def to_answer(step: StepSight, ask: AskSight) -> bool:
    return step.status == "open" and step.pace != "whenever" and ask.is_mine and not ask.first_stands


async def open_pages(evening: Evening) -> dict[str, Open]:
    found = {}
    for who, browser in evening.browsers.items():
        page = Open(browser, f"/c/{evening.campaign.slug}/{who}/scene/{evening.scene}")
        page.html = await page.whole()
        found[who] = page
    return found


def typed(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """A declaration as fields of a form."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from typed(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from typed(inner, f"{name}.{number}" if isinstance(inner, dict) else f"{name}[]")
    elif value not in (None, False):
        yield name, "yes" if value is True else str(value)


async def default(evening: Evening, step: str, seat: str) -> list[tuple[str, str]]:
    """What the rules let an absent seat say."""
    async with evening.runtime.repeatable_read() as session:
        live = await read(session, evening.runtime.vault, evening.campaign.id, evening.scene)
    ask = next(ask for one in live.kind.steps(live.state) if one.key == step for ask in one.asks if ask.seat == seat)
    says = live.kind.default(live.kind.view(live.state, live.viewer(ask.seat)), ask)
    pairs = typed(live.kind.declaration.dump_python(says, mode="json"))
    return [(name, value) for name, value in pairs if name != "ask"]


async def seal_once(evening: Evening, pages: dict[str, Open], who: str) -> int:
    """A member's first ask is drafted, sealed, taken back and sealed, and each page looks after each press. Returns how
    many were taken."""
    seen = await evening.sight(who)
    asked = [(step.key, ask.seat) for step in seen.steps for ask in step.asks if to_answer(step, ask)]
    taken = 0
    for step, seat in asked[:1]:
        pairs = await default(evening, step, seat)
        for act in ("draft", "seal", "take_back", "seal"):
            mine = [one.mine for at in (await evening.sight(who)).steps if at.key == step for one in at.asks
                    if one.seat == seat]  # fmt: skip
            if not mine:  # the seal has opened the step
                break
            ask = {"_step": step, "_seat": seat, "_revision": str(mine[0].revision if mine[0] else 0)}
            if not await pages[who].press(ask, pairs, act):
                break
            taken += 1
            for page in pages.values():
                await page.look()
    return taken


@pytest.mark.parametrize("rules, kind", SEALED)
async def test_blocks_make_the_page_that_is_fetched_whole(evening: Evening, rules: Rules, kind: Kind) -> None:
    """Finds whatever a page shows of seals outside the blocks, in any kind of scene and for every role."""
    await evening.begin(rules, kind)
    sealed = 0
    pages = await open_pages(evening)
    for _ in range(4 if nightly() else 1):
        if (await evening.sight("sam")).status != "open":
            break
        for who in ("ann", "bea", "gm"):
            sealed += await seal_once(evening, pages, who)
        await evening.play(1)
        for page in pages.values():
            await page.look()
    if kind.key in APART:
        assert sealed and [who for who, page in pages.items() if not page.blocks] == [], "these never got blocks alone"
