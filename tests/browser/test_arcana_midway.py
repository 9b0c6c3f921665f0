"""What is asked in the middle of a wizards' cycle, and of the GM: on a phone and at a desk, in light and dark."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, overflow, shots_folder
from tests.browser.test_arcana_map import DESK, PHONE, look, open_fight
from tests.browser.test_arcana_map import at as on_ground
from tests.browser.wizard_pages import aim_at, deed, seals, turn_to
from tests.server import Server

__all__ = ["open_fight"]

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

Open = Callable[..., dict[str, str]]
MAGE = {"key": "hedge_mage", "name": "Hedge mage", "foe": "hedge_mage"}


def sat(browser: Browser, server: Server, links: dict[str, str], who: str, device: dict[str, Any]) -> Seat:
    return Seat(who, browser.new_context(**device), server.url).enter(links[who]).open_scene()


def both(seat: Seat, shots: Path, name: str) -> None:
    """A picture at a desk and on a phone, in both schemes, axe-clean."""
    for device, wide in (("desk", 1280), ("phone", 390)):
        seat.page.set_viewport_size({"width": wide, "height": 900})
        look(seat, shots, f"midway-{name}-{device}")
    seat.page.set_viewport_size({"width": 1280, "height": 900})


def broken(seat: Seat, scope: str) -> list[str]:
    """Words that stand letter by letter, because their column has no room."""
    found: list[str] = seat.page.evaluate(
        """(scope) => [...document.querySelectorAll(scope + ' :is(label, b, span)')].filter(one => {
             const box = one.getBoundingClientRect();
             return one.textContent.trim() && box.height && box.width < 30 && box.height > 60;
           }).map(one => one.outerHTML.slice(0, 100))""", scope)  # fmt: skip
    return found


def test_the_setting_has_room(browser: Browser, server: Server, open_fight: Open, tmp_path: Path) -> None:
    links = open_fight({"lay_out": "yes", "foes": [{**MAGE, "name": "Hedge mage of the Northern Marches"}]})
    gm = sat(browser, server, links, "GM", DESK)
    gm.page.locator(".placing summary").click()
    for wide in (1280, 1024, 390, 360):
        gm.page.set_viewport_size({"width": wide, "height": 900})
        assert broken(gm, ".placing") == [] and overflow(gm.page) == []
    both(gm, shots_folder(tmp_path), "setting")


def test_the_desk_moves_somebody_who_was_dragged(browser: Browser, server: Server, open_fight: Open) -> None:
    """The desk stays open while others' doings refresh the page, and a press right after the drag is heard."""
    links = open_fight({})
    gm = sat(browser, server, links, "GM", DESK)
    ben = sat(browser, server, links, "Ben", PHONE)
    desk = gm.page.locator("#whenever-desk-gm")
    desk.locator("summary").first.click()
    desk.locator('[name="what"]').select_option("place")
    svg = gm.page.locator("svg.ground")
    svg.scroll_into_view_if_needed()
    token = svg.locator('.token[data-who="troll"]')
    x, y = (int(token.get_attribute(name) or "") for name in ("data-x", "data-y"))
    gm.page.mouse.move(*on_ground(gm, x, y))
    gm.page.mouse.down()
    gm.page.mouse.move(*on_ground(gm, x - 2, y + 3), steps=5)
    gm.page.mouse.up()
    deed(ben, "hold")
    seals(ben)
    expect(gm.envelope("Ben")).to_contain_text("sealed", timeout=PATIENCE)
    assert desk.evaluate("desk => desk.open")
    with gm.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        desk.locator('button[value="seal"]').click()
    assert answered.value.status == 200
    expect(token).to_have_attribute("data-x", str(x - 2), timeout=PATIENCE)
    expect(ben.page.locator('.token[data-who="troll"]')).to_have_attribute("data-y", str(y + 3), timeout=PATIENCE)
    assert gm.wrong == [] and ben.wrong == []


def test_a_counterspell_and_a_resist(browser: Browser, server: Server, open_fight: Open, tmp_path: Path) -> None:
    """ARC-55, ARC-127: each has its form, and the answer counts."""
    shots = shots_folder(tmp_path)
    near = {"ada": "12,10", "ben": "14,10", "cleo": "14,13"}
    links = open_fight({"foes": [{**MAGE, "place": "16,11"}], "at": near}, {"counterspell_seconds": 600})
    gm = sat(browser, server, links, "GM", DESK)
    ada, ben, cleo = (sat(browser, server, links, who, DESK) for who in ("Ada", "Ben", "Cleo"))
    deed(ada, "major", do="cast", spell="force_push")
    aim_at(ada, "cleo")
    seals(ada)
    deed(ben, "minors")
    ben.field("of.ben.minors.0.do").select_option("counterspell")
    seals(ben)
    deed(cleo, "hold")
    turn_to(cleo, "how")
    cleo.ask("plan").locator("details.reactions summary").click()
    cleo.field("of.cleo.react.resist").select_option("ask")
    seals(cleo)
    fold = gm.page.locator('details[data-hand="hedge_mage"] > summary')
    if fold.count():
        fold.click()
    gm.choose("of.hedge_mage.what", "minors")
    for number, whom in enumerate(("ben", "cleo")):
        gm.field(f"of.hedge_mage.minors.{number}.do").select_option("quickspell")
        gm.field(f"of.hedge_mage.minors.{number}.spell").select_option("kindle")
        gm.field(f"of.hedge_mage.minors.{number}.target").select_option(whom)
    both(gm, shots, "hand")
    gm.press(kind="plan")
    expect(ben.ask("counter")).to_be_visible(timeout=PATIENCE)
    both(ben, shots, "counter")
    ben.ask("counter").locator("button").filter(has_text="None").click()
    for seat in (gm, ben, cleo, ada):
        seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    both(cleo, shots, "after-counter")
    if cleo.ask("resist").count():
        both(cleo, shots, "resist")
        cleo.ask("resist").locator('label:has([value="no"])').click()
        cleo.press(kind="resist")
    expect(ada.page.locator("#log")).to_contain_text("Cycle 1", timeout=PATIENCE)
    both(ada, shots, "after")


def goes(seat: Seat, to: str) -> None:
    deed(seat, "major", do="move")
    seat.field(f"of.{seat.key}.major.to").fill(to)
    seals(seat)


def test_two_who_want_one_place_and_the_end(browser: Browser, server: Server, open_fight: Open, tmp_path: Path) -> None:
    """ARC-20, ARC-01: the GM is asked, and a press answers."""
    shots = shots_folder(tmp_path)
    near = {"ada": "12,10", "ben": "16,10", "cleo": "14,20"}
    links = open_fight({"foes": [{**MAGE, "place": "30,24"}], "at": near}, {"collisions": "ask"})
    gm = sat(browser, server, links, "GM", DESK)
    ada, ben, cleo = (sat(browser, server, links, who, PHONE) for who in ("Ada", "Ben", "Cleo"))
    goes(ada, "14,10")
    goes(ben, "14,10")
    deed(cleo, "hold")
    seals(cleo)
    gm.choose("of.hedge_mage.what", "hold")
    gm.press(kind="plan")
    expect(gm.ask("collide")).to_contain_text("want the same place", timeout=PATIENCE)
    both(gm, shots, "collide")
    gm.ask("collide").locator('button[value="stop"]').click()
    expect(ada.ask("plan")).to_be_visible(timeout=PATIENCE)
    desk = gm.page.locator("#whenever-desk-gm")
    desk.locator("summary").first.click()
    desk.locator('[name="what"]').select_option("out")
    desk.locator('[name="who"]').select_option("hedge_mage")
    desk.locator('button[value="seal"]').click()
    expect(gm.page.locator('.token[data-who="hedge_mage"]')).to_have_count(0, timeout=PATIENCE)
    for seat in (ada, ben, cleo):  # asked anew: a form of before is on its way out
        expect(seat.page.locator('.token[data-who="hedge_mage"]')).to_have_count(0, timeout=PATIENCE)
        expect(seat.page.locator('[id^="ask-c2-plan-2-"]')).to_be_visible(timeout=PATIENCE)
        deed(seat, "hold")
        seals(seat)
    for other in ("Ada", "Ben", "Cleo"):
        expect(gm.envelope(other)).to_contain_text("sealed", timeout=PATIENCE)
    gm.press(kind="plan")
    expect(gm.ask("next")).to_be_visible(timeout=PATIENCE)
    both(gm, shots, "next")
    gm.ask("next").locator('button[value="end"]').click()
    expect(gm.ask("next")).to_have_count(0, timeout=PATIENCE)
