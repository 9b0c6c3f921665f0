"""The fight at the ruined keep in a real Chromium: a GM and four players, two who press the board, one with a phone,
one without JavaScript. It finds what single pages do not: an answer that leads nowhere, a sealed word or a lurking wolf
on somebody else's page, a field that changes for some only.
"""

import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, founding, seats
from app.crypto.vault import Vault
from app.models.people import Campaign, Member, Role
from app.rulesets import find
from app.table.opening import open_scene
from tests.browser.seats import PATIENCE, SEALED, Seat, axe, links_of, overflow, shots_folder, wait
from tests.browser.test_desk import press
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

TITLE = "At the ruined keep"
MOST_TURNS = 12
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
PLACES: dict[str, dict[str, Any]] = {
    "GM": DESK,
    "Maren": DESK,
    "Sefton": DESK,
    "Ilse": {**PHONE, "reduced_motion": "reduce"},
    "Goran": {**DESK, "java_script_enabled": False},
}
BROKEN = re.compile(r"[Tt]he goblin mob is (?:routed|destroyed)\.")
REACTED = re.compile(r"^(?:Maren|Sefton|Ilse|Goran) will (?:fight back against|block|dodge|parry) \w")
ASKED = re.compile(r'<section class="ask card lifted" id="(ask-[^"]+)"')
"""What somebody has still to answer; a sealed card has another class."""


@dataclass(frozen=True, slots=True)
class Laid:
    campaign: Campaign
    people: dict[str, Member]


async def lay(session: AsyncSession, vault: Vault) -> Laid:
    """The demo's fight, with one player for each of its heroes."""
    rules = find("skirmish")
    assert rules.demo is not None
    sheets, brief = rules.demo.set_up()
    founded = await founding.found_campaign(session, "The Keep", rules.key, "GM", "test")
    people = {"gm": founded.member}
    for key, sheet in sheets.items():
        people[key] = await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER)
        typed = rules.character.dump_python(sheet, mode="json")
        await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[key])
    await open_scene(session, vault, founded.campaign.id, rules.key, brief, {})
    return Laid(founded.campaign, people)


class Table:
    """The five at the table; Goran's page shows news only when he asks for it."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str]) -> None:
        self.of = {name: Seat(name, browser.new_context(**where), server.url) for name, where in PLACES.items()}
        for name, seat in self.of.items():
            seat.enter(links[name]).open_scene()
        self.gm, self.maren, self.sefton, self.ilse, self.goran = self.of.values()
        self.at = self.gm.scene

    @property
    def heroes(self) -> list[Seat]:
        return [self.maren, self.sefton, self.ilse, self.goran]

    def close(self) -> None:
        for seat in self.of.values():
            seat.context.close()
        assert [wrong for seat in self.of.values() for wrong in (*seat.wrong, *seat.refused)] == []

    def asked(self, seat: Seat) -> list[str]:
        """The ids of the cards that this seat has to answer, as the server says now; the GM's desk is none of them."""
        return [one for one in ASKED.findall(seat.fetch(seat.scene)) if not one.startswith("ask-gm-")]

    def shown(self, seat: Seat, card: str) -> Locator:
        """That card on the seat's page."""
        if seat is self.goran:
            seat.page.goto(seat.scene)
        seat.skip_film()
        seat.look_at("asks")
        found = seat.page.locator(f"#{card}")
        expect(found).to_be_visible()
        return found

    def news(self) -> None:
        self.goran.page.goto(self.goran.scene)


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    return links_of(db_url, lay)


@pytest.fixture
def table(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[Table]:
    table = Table(browser, server, links)
    yield table
    table.close()


def test_the_keep_is_fought_for_to_the_end(table: Table, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    _the_gm_weakens_the_mob(table)
    _the_first_declarations(table, shots)
    broken, turns = _carried_out(table), 1
    assert any(REACTED.search(line) for line in table.gm.log()), table.gm.log()
    while not broken and turns < MOST_TURNS:
        _another_turn(table)
        broken, turns = _carried_out(table), turns + 1
    assert any(BROKEN.search(line) for line in table.gm.log()), table.gm.log()
    table.news()
    for seat in table.heroes:
        expect(seat.page.locator("#log")).to_contain_text(BROKEN, timeout=PATIENCE)
    _the_gallery_fills_with_smoke(table, shots)
    _the_end(table, shots)
    _the_proof(table)


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == [], seat.name
    seat.both_shots(shots, name)


def change(seat: Seat, what: str, reason: str, **fields: str) -> None:
    """The GM changes something in the fight."""
    desk = seat.page.locator("#whenever-desk-gm")
    if desk.get_attribute("open") is None:
        desk.locator("summary").first.click()
    desk.locator('[name="what"]').select_option(what)
    for name, value in fields.items():
        field = desk.locator(f'[name="{name}"]')
        field.select_option(value) if name == "who" else field.fill(value)
    desk.locator('[name="reason"]').fill(reason)
    with seat.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        desk.locator('button[value="seal"]').click()
    assert answered.value.status < 400, desk.text_content()


def _the_gm_weakens_the_mob(table: Table) -> None:
    change(table.gm, "correct", "They lost heart on the way.", who="mob", hp="0", wil="1")
    for seat in (table.gm, table.maren, table.ilse):
        expect(seat.page.locator("#log")).to_contain_text("The GM corrects the goblin mob: HP 0, WIL 1.")


def _the_first_declarations(table: Table, shots: Path) -> None:
    """All declare: on the board, on a phone, without scripts, from the desk; nobody reads what lies sealed."""
    gm, maren, sefton, ilse, goran = table.of.values()
    canary = f"whistles-{secrets.token_hex(6)}"
    assert axe(gm.page) == [] and axe(ilse.page) == []
    _on_the_board(table, canary)
    for seat in (ilse, goran):
        _declares(seat)
        look(seat, shots, f"{seat.key}-1-declares")
        _seals(table, seat)
    for watcher in (gm, maren, sefton, ilse):
        for seat in table.heroes:
            wait(watcher.envelope(seat.name).filter(has_text=SEALED))
    for seat in table.of.values():
        if seat is not maren:
            assert canary not in seat.source(), f"{seat.name} could read what Maren tries"
    for seat in table.heroes:
        assert "wolf" not in seat.source().lower(), f"{seat.name} knows of the wolf"
    assert "Wolf (hidden)" in gm.source()
    look(gm, shots, "gm-1-declares")
    gm.page.goto(f"{gm.home}desk")
    press(gm.page, TITLE, "Seal all as suggested")
    expect(gm.page.get_by_role("button", name="Seal all as suggested")).to_have_count(0)
    gm.page.goto(table.at)
    table.news()
    for seat in table.of.values():
        expect(seat.page.locator("#log")).to_contain_text(canary)


def _on_the_board(table: Table, canary: str) -> None:
    """Sefton presses whom he shoots; Maren the zone she goes to, and whom she stands beside and tries something on."""
    maren, sefton = table.maren, table.sefton
    _piece(sefton, "mob").click(force=True)
    expect(sefton.field("of.sefton.first.target")).to_have_value("mob")
    expect(sefton.page.locator("[data-aims] path")).to_have_count(1)
    n = "of.maren."
    maren.field(n + "turn").select_option("full")
    maren.field(n + "first.do").select_option("move")
    maren.field(n + "then.do").select_option("gambit")
    maren.field(n + "then.gambit").select_option("other")
    _piece(maren, "zone:gallery").locator(".zone-name").first.click(force=True)
    expect(maren.field(n + "first.zone")).to_have_value("gallery")
    _piece(maren, "mob").click(force=True)
    for name, value in (("first.close", "mob"), ("first.zone", "gatehouse"), ("then.target", "mob")):
        expect(maren.field(n + name)).to_have_value(value)
    maren.field(n + "then.words").fill(canary)
    for seat in (sefton, maren):
        assert overflow(seat.page) == []
        _seals(table, seat)


def _piece(seat: Seat, key: str) -> Locator:
    """Something on the board; a combatant by its token."""
    piece = seat.page.locator(f'.stage [data-piece="{key}"]')
    return piece if key.startswith("zone:") else piece.locator(".token")


def _seals(table: Table, seat: Seat) -> None:
    seat.press()
    if [one for one in table.asked(seat) if "-declare-" in one]:
        raise AssertionError(f"{seat.name}: {seat.page.locator('#asks .fault').all_text_contents()}")


def _declares(seat: Seat) -> None:
    """By the form, at the mob; who strikes and stands elsewhere goes there first, in a full turn."""
    n = f"of.{seat.key}."
    beside = seat.field(f"{n}first.close").locator('option[value="mob"]')
    there = beside.get_attribute("data-zone") or ""
    here = seat.field(f"{n}first.zone").locator("option", has_text="another spot here").get_attribute("value")
    if seat.key == "ilse":
        _chooses(seat, {"turn": "full", "first.do": "cast", "first.spell": "fire_bolt", "first.target": "mob"})
    elif seat.key == "sefton" or here == there:
        _chooses(seat, {"turn": "quick", "first.do": "attack", "first.target": "mob"})
    else:
        goes = {"first.do": "move", "first.zone": there, "first.close": "mob"}
        _chooses(seat, {"turn": "full", "then.do": "attack", **goes, "then.target": "mob"})


def _chooses(seat: Seat, chosen: dict[str, str]) -> None:
    for name, value in chosen.items():
        seat.field(f"of.{seat.key}.{name}").select_option(value)


def _carried_out(table: Table) -> bool:
    """Everybody answers what is asked up to the next declarations; whether the mob is broken then."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE / 1000:
        asked = {seat: table.asked(seat) for seat in table.of.values()}
        if any("-declare-" in one for one in asked[table.gm]):
            break
        for seat, cards in asked.items():
            for card in cards:
                _answers(table, seat, card)
    else:
        raise AssertionError("the turn does not go on")
    wait(table.gm.ask("declare"))
    table.gm.skip_film()
    return any(BROKEN.search(line) for line in table.gm.log())


def _answers(table: Table, seat: Seat, card: str) -> None:
    """Allows what is tried, reacts in the first way besides Defend, fights on."""
    shown = table.shown(seat, card)
    if "-rule-" in card:
        shown.locator('[name="of.maren.allowed"]').check()
    elif "-react-" in card:
        for row in shown.locator(".answers").all():
            ways = row.locator("label")
            ways.nth(min(1, ways.count() - 1)).click()
        for many in shown.locator("select").all():  # of more than two attacks
            many.select_option(index=min(1, many.locator("option").count() - 1))
    elif "-next-" in card:
        shown.locator('label:has([value="on"])').click()
    with seat.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        shown.locator('button[value="seal"]').last.click()
    assert answered.value.status < 400, shown.text_content()
    expect(seat.page.locator(f"#{card}:not(.is-sealed)")).to_have_count(0)  # that answer may have been a draft's


def _another_turn(table: Table) -> None:
    for seat in table.heroes:
        for card in table.asked(seat):
            table.shown(seat, card)
            _declares(seat)
            _seals(table, seat)
    wait(table.gm.ask("declare"))
    _seals(table, table.gm)


def _the_gallery_fills_with_smoke(table: Table, shots: Path) -> None:
    """Who has sealed gets the envelope back; all see the field as it is now."""
    gm = table.gm
    early = next(seat for seat in table.heroes if table.asked(seat))
    table.shown(early, table.asked(early)[0])
    _chooses(early, {"first.do": "hold"})
    _seals(table, early)
    wait(gm.envelope(early.name).filter(has_text=SEALED))
    sketch = gm.page.locator('#whenever-desk-gm [name="sketch"]').input_value()
    assert "Gallery (4): cover" in sketch
    smoke = sketch.replace("Gallery (4): cover", "Gallery (4): cover, smoke")
    change(gm, "field", "A torch falls into the straw.", sketch=smoke)
    table.news()
    for seat in table.of.values():
        expect(seat.page.locator('[data-place="gallery"] .is-smoke')).to_have_count(1)
        expect(seat.page.locator("#log")).to_contain_text("The GM redraws the field. A torch falls into the straw.")
        assert overflow(seat.page) == [], seat.name
    expect(early.ask("declare")).to_contain_text("your envelope came back unopened")
    look(gm, shots, "gm-2-smoke")
    look(table.ilse, shots, "ilse-2-smoke")


def _the_end(table: Table, shots: Path) -> None:
    change(table.gm, "end", "The rest run for the hills.")
    table.news()
    for seat in table.of.values():
        expect(seat.page.locator("#ending")).to_contain_text("The rest run for the hills.")
        look(seat, shots, f"{seat.key}-3-over")


def _the_proof(table: Table) -> None:
    for seat in (table.gm, table.ilse):
        seat.page.goto(f"{seat.scene}/verify")
        expect(seat.page.locator("#verdict")).to_have_text("Everything that can be checked is correct.")
