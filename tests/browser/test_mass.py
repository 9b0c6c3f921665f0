"""A mass battle of two sides in a real Chromium: an ambush, one commander at a desk, one on a phone, a spectator
without scripts.

It finds what single pages do not: an answer that leads nowhere, one side's words on another page, a form that loses
what was typed, a field that does not follow.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, make_demo, overflow, shots_folder
from tests.browser.two_sides import TwoSides, answer_as_it_stands, close_in, open_ask, seal
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "reduced_motion": "reduce",
}  # fmt: skip
PLACES = {"GM": DESK, "Ella": DESK, "Anselm": PHONE, "Sam": {**DESK, "java_script_enabled": False}}
MOST = 80  # answers of both until round 4


class Battle(TwoSides):
    """The four at the table."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str], shots: Path) -> None:
        super().__init__(browser, server, links, PLACES)
        self.gm, self.ella, self.anselm, self.sam = self.of.values()
        self.shots = shots
        self.looked = set[tuple[str, str]]()
        self.asked = list[str]()

    def look(self, seat: Seat, kind: str) -> None:
        """Each question once on each size of window, by day and in the dark."""
        if (seat.name, kind) in self.looked:
            return
        self.looked.add((seat.name, kind))
        assert overflow(seat.page) == [], kind
        for scheme in ("light", "dark"):
            seat.page.emulate_media(color_scheme=scheme)
            seat.shot(self.shots, f"mass-{kind}-{seat.name.lower()}-{scheme}")
            assert axe(seat.page, colours_only=scheme == "dark") == [], kind
        seat.page.emulate_media(color_scheme=None)

    def answer(self, seat: Seat) -> bool:
        """Answers what is asked of a seat: its units close in, all else as it is suggested."""
        found = open_ask(seat)
        if not found:
            return False
        kind, form = found
        self.asked.append(kind)
        self.look(seat, kind)
        if kind == "move":
            close_in(form)
        answer_as_it_stands(seat, form)
        return True

    def answer_all(self) -> None:
        """Both sides answer what they are asked; somebody always is."""
        assert [seat for seat in (self.ella, self.anselm) if self.answer(seat)]


@pytest.fixture
def battle(browser: Browser, server: Server, db_url: str, tmp_path: Path) -> Any:
    battle = Battle(browser, server, make_demo(db_url, "battle"), shots_folder(tmp_path))
    yield battle
    battle.close()


def test_an_ambush_is_fought_by_two_commanders(battle: Battle) -> None:
    _the_column_is_placed_and_attacked(battle)
    _a_wrong_hex_is_refused_and_stays(battle)
    for _ in range(MOST):
        battle.answer_all()
        if _round(battle) >= 4:
            break
    assert {"place", "intent", "quick", "move", "fall"} <= set(battle.asked), battle.asked
    _everybody_sees_the_same_field(battle)
    _the_gm_ends_it(battle)


def _round(battle: Battle) -> int:
    found = re.search(r"Round (\d+), proactive:", battle.gm.fetch(battle.gm.scene))
    return int(found[1]) if found else 0


def _the_column_is_placed_and_attacked(battle: Battle) -> None:
    assert battle.answer(battle.anselm)
    found = open_ask(battle.ella)
    assert found and found[0] == "place"
    found[1].locator('[name="arrange"][value="two lines"]').check()
    battle.look(battle.ella, "place")
    assert seal(battle.ella, found[1]) == 200
    expect(battle.gm.page.locator(".situation")).to_contain_text("proactive:", timeout=PATIENCE)


def _a_wrong_hex_is_refused_and_stays(battle: Battle) -> None:
    """Answers up to the first moves; there one is refused, and what was typed is still there."""
    while not (found := open_ask(battle.anselm)) or found[0] != "move":
        battle.answer_all()
    field = found[1].locator(".unit-row input").first
    field.fill("A1")
    with battle.anselm.page.expect_response(lambda got: got.request.method == "POST" and "/lay" in got.url) as answered:
        found[1].locator(".acts .go").click()
    assert answered.value.status == 422
    expect(field).to_have_value("A1")
    expect(battle.anselm.page.locator("#asks .fault").first).to_contain_text("cannot reach A1")
    assert "cannot reach A1" not in battle.ella.source() + battle.gm.source() + battle.sam.source()
    field.fill("")


def _everybody_sees_the_same_field(battle: Battle) -> None:
    """The field, the list beside it and the map in words name the same units, for all four.

    A unit was lost on pages that were open while an army was placed: a layer of the scripts stood where it belonged.
    """
    fields = dict[str, list[str]]()
    for name, seat in battle.of.items():
        if seat is battle.sam:  # whose page shows no news; the others' have followed all of it
            seat.page.goto(seat.scene)
        seat.skip_film()
        seat.look_at("board")
        fields[name] = sorted(
            " ".join(text.split())
            for text in seat.page.locator("#board svg.field [data-piece] title").all_text_contents()
        )
        for text in fields[name]:
            unit, hex = text.split(" (")[0], re.findall(r"[A-Z]\d+", text)[-1]
            expect(seat.page.locator("#board-words")).to_contain_text(f"{unit} (")
            assert hex in seat.page.locator(".armies").inner_text(), text
    assert fields["GM"] and all(found == fields["GM"] for found in fields.values())


def _the_gm_ends_it(battle: Battle) -> None:
    page = battle.gm.page
    page.locator("summary", has_text="Change something in the battle").first.click()
    form = page.locator("#whenever-desk-gm form.declare")
    form.locator('[name="what"]').select_option("end")
    form.locator('[name="reason"]').fill("The snow has come.")
    assert seal(battle.gm, form) == 200
    for seat in (battle.gm, battle.ella, battle.anselm):
        expect(seat.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
        battle.look(seat, "ending")
    expect(page.locator("#log")).to_contain_text("The snow has come.")
    for seat in (battle.ella, battle.sam):
        assert "The snow has come." in seat.source()
