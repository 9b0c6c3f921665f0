"""Pieces of a page that its browser has are not sent again, and what the browser puts together is the whole page.

The bound of issue 42: after a seal that opens nothing a page receives at most 6 kB, for 449 hexes and 18 units."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI
from markupsafe import Markup

from app.rulesets.chronicle.mass.sample import DEMO
from app.web.drawing.page_fragments import PIECE, kept_element, without
from tests.hand_fight import lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated
from tests.web.test_seal_blocks import Open, plain, unfolded

pytestmark = pytest.mark.anyio

SEAL = 6_000  # bytes of an answer to a seal, or after one
CLOSING = 40_000  # of an answer with a closed step, whose log grows; without pieces it is 52 to 96 kB
AJAX = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}


@dataclass
class Keeping(Open):
    """A page that keeps its pieces as static/js/swaps.js does."""

    pieces: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> dict[str, str]:
        return {
            **super().said,
            "Signet-Kept": " ".join(name for name, _ in PIECE.findall(self.html) if name in self.pieces),
        }

    def take(self, answer: str) -> None:
        super().take(self.filled(answer))

    def filled(self, text: str) -> str:
        whole, last = "", 0
        for found in PIECE.finditer(text):
            is_empty = text.startswith("</", found.end())
            piece = self.pieces.pop(found[1]) if is_empty else text[found.end() : found.end() + int(found[2])]
            self.pieces[found[1]] = piece
            whole += text[last : found.end()] + (piece if is_empty else "")
            last = found.end()
        return whole + text[last:]


@dataclass
class Battle:
    table: Fight
    pages: dict[str, Keeping]

    async def answer(self, who: str, **typed: str) -> str:
        """What a member is asked first is sealed as it stands; returns the answer, which stands in their page."""
        kind = (await self.table.asked(who))[0]
        form = await self.table.form(who, kind)
        over = {name.replace("__", "."): value for name, value in typed.items()}
        fields = [(name, value) for name, value in form.fields if name not in {*over, "_act"}]
        page = self.pages[who]
        got = await page.browser.post(form.action, [*fields, *over.items(), ("_act", "seal")], **page.said, **AJAX)
        assert got.status == 200, got.text
        page.take(got.html)
        return got.html

    async def look(self, who: str) -> str:
        page = self.pages[who]
        got = await page.browser.get(f"{page.at}/live", **page.said)
        page.take(got.html)
        return got.html

    async def is_whole(self, who: str) -> bool:
        page, whole = self.pages[who], await self.pages[who].whole()
        return plain(unfolded(page.html, whole)) == plain(whole)


@pytest.fixture
async def battle(site: FastAPI, open_browser: Callable[[], Browser]) -> Battle:
    sheets, brief = DEMO.set_up()
    given: Any = brief.given
    table = await seated(
        site, open_browser, lay, sheets=sheets, given=given, settings={"mass_seconds": 3600}, kind="mass"
    )
    pages = {who: Keeping(browser, table.at.format(who=who)) for who, browser in table.browsers.items()}
    for page in pages.values():
        page.take(await page.whole())
    return Battle(table, pages)


async def test_a_seal_and_a_closed_step_send_little(battle: Battle) -> None:
    sent = dict[str, list[int]]()
    for who, kind in (("anselm", "closing"), ("ella", "closing")):
        sent.setdefault(kind, []).append(len((await battle.answer(who)).encode()))
        for other in battle.pages:
            sent[kind].append(len((await battle.look(other)).encode()))
    for _ in range(2):  # intents and quick units are asked of both
        for who, kind in (("ella", "own seal"), ("anselm", "closing")):
            sent.setdefault(kind, []).append(len((await battle.answer(who)).encode()))
            for other in battle.pages:
                kind = kind if kind == "closing" else "other’s seal"
                sent.setdefault(kind, []).append(len((await battle.look(other)).encode()))
                assert await battle.is_whole(other), (who, other)
    page = battle.pages["anselm"].html
    assert page.count("data-piece=") >= 17 and page.count("\n") > 449 / 20
    assert len(sent["own seal"]) == 2 and max(sent["own seal"]) <= SEAL, sent
    assert max(sent["other’s seal"]) <= SEAL, sent
    assert max(sent["closing"]) <= CLOSING, sent


async def test_a_kept_page_is_whole_for_a_tab_that_has_nothing(battle: Battle) -> None:
    """The answer to a tab with pieces comes from the same cache, and is emptied on its way only."""
    await battle.answer("anselm")
    full = await battle.pages["sam"].whole()
    lean = (await battle.look("sam")).strip()
    again = await battle.pages["sam"].whole()
    assert len(lean) < len(full) / 2
    assert plain(again) == plain(full) == plain(battle.pages["sam"].html)
    page = await battle.table.page("sam")
    assert page.html.count("data-piece=") == full.count("data-piece=") and 'class="ground" d="M' in page.html


async def test_a_field_that_is_chosen_anew_arrives(battle: Battle) -> None:
    before = re.findall(r'<path class="ground" d="[^"]*"/>.*', battle.pages["ella"].html)
    desk = await battle.table.form("gm", "desk")
    fields = [(n, v) for n, v in desk.fields if n not in ("what", "reason", "_act")]
    typed = [("what", "field"), ("reason", "It was too steep."), ("_act", "seal")]
    assert (await battle.table.browsers["gm"].post(desk.action, [*fields, *typed])).status == 200
    for who in ("ella", "anselm", "gm", "sam"):
        await battle.look(who)
    asked = {who: await battle.table.asked(who) for who in ("gm", "ella", "anselm")}
    chooser = next(who for who, kinds in asked.items() if "field" in kinds)
    form = await battle.table.form(chooser, "field")
    await battle.table.send(chooser, form, field="ford")
    for who in ("ella", "anselm", "gm", "sam"):
        await battle.look(who)
        assert await battle.is_whole(who), who
    after = re.findall(r'<path class="ground" d="[^"]*"/>.*', battle.pages["ella"].html)
    assert before and after and before != after


def test_a_piece_is_left_out_by_its_name_and_sent_once() -> None:
    inner = Markup("<path d='M0 0l14 8 14-8'/> for a wood and a wall")
    piece = str(kept_element("g", caller=lambda: inner, data_at="K9"))
    found = PIECE.search(piece)
    assert found and piece == f'<g data-at="K9"{found[0]}{inner}</g>' and int(found[2]) == len(inner)
    empty = f'<g data-at="K9"{found[0]}</g>'
    assert without(f"a{piece}b{piece}c", {found[1]}) == f"a{empty}b{empty}c"
    assert without(f"a{piece}b{piece}c", set()) == f"a{piece}b{empty}c"
    other = piece.replace("wood", "ford")
    assert without(other, {found[1]}) == other, "what its name does not fit is never left out"


@pytest.mark.parametrize(
    "inner", ["short", "a sign that browsers count twice: 🏰, in a long enough line", f"{'x' * 50} data-kept="]
)
def test_some_elements_are_always_sent(inner: str) -> None:
    assert str(kept_element("li", caller=lambda: Markup(inner))) == f"<li>{inner}</li>"
