"""Declaring in a wizards' fight in a real Chromium: on a phone and at a desk, with and without scripts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.arcana_fight import PEOPLE, lay
from tests.browser.seats import Seat, axe, links_of, overflow, shots_folder
from tests.browser.wizard_pages import aim_at, deed, seals, turn_to, waits
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
CROWD = {"foes": [
    *({"key": f"troll_{n}", "name": f"Troll {n}", "foe": "troll"} for n in range(1, 6)),
    *({"key": f"imp_{n}", "name": f"Imp {n}", "foe": "imp"} for n in range(1, 5)),
    {"key": "hedge_mage", "name": "Hedge mage", "foe": "hedge_mage"},
]}  # fmt: skip


@pytest.fixture
def open_fight(db_url: str) -> Callable[..., dict[str, str]]:
    """Opens a fight on this database: the path of each one's personal link, by the member's name."""

    def open_one(**more: Any) -> dict[str, str]:
        return links_of(db_url, lay, **more)

    return open_one


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


@pytest.mark.parametrize("device", ["phone", "desk"])
def test_a_player_builds_a_declaration(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path, device: str
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight()
    ada = Seat("Ada", browser.new_context(**(PHONE if device == "phone" else DESK)), server.url)
    ada.enter(links["Ada"]).open_scene()
    look(ada, shots, f"declare-{device}-1-empty")
    card = ada.ask("plan")
    back = card.locator("[data-read-back]")
    expect(card.locator(".acts")).to_be_hidden()
    deed(ada, "major", do="cast", spell="mend")
    look(ada, shots, f"declare-{device}-2-whom")
    aim_at(ada, "ben")
    expect(back).to_have_text("I cast Mend on Ben. This costs 5 of 10 FP.")
    turn_to(ada, "how")
    for less_or_more in ("1", "1", "1", "-1"):
        card.locator(f'[data-step="{less_or_more}"][data-of="of.ada.major.pp"]').click()
    assert ada.field("of.ada.major.pp").input_value() == "2"
    expect(card.locator('[data-price="of.ada.major."]')).to_have_text("7 of your 10 FP")
    expect(back).to_have_text("I cast Mend with 2 power points on Ben. This costs 7 of 10 FP.")
    look(ada, shots, f"declare-{device}-3-how")
    waits(ada, who="troll", verb="attacks", whom="me")
    look(ada, shots, f"declare-{device}-4-if")
    turn_to(ada, "seal")
    said = "If the troll attacks me, then I cast Mend with 2 power points on Ben. This costs 7 of 10 FP."
    expect(back).to_have_text(said)
    look(ada, shots, f"declare-{device}-5-seal")
    turn_to(ada, "how")
    ada.field("of.ada.major.pp").fill("9")
    expect(card.locator("[data-says]")).to_have_text("Mend costs 14 FP, and you have 10.")
    seals(ada)
    expect(card.locator(".fault:visible").first).to_contain_text("Mend costs 14 FP, and you have 10.")
    turn_to(ada, "how")
    assert ada.field("of.ada.major.pp").input_value() == "9"
    ada.field("of.ada.major.pp").fill("2")
    seals(ada)
    expect(card).to_contain_text("Sealed at")
    ada.context.close()
    assert ada.wrong == []


FITS = """() => [...document.querySelectorAll('.dock')].map((dock) => dock.scrollHeight - dock.clientHeight)
    .every((more) => more <= 1)"""


@pytest.mark.parametrize("device", ["phone", "desk"])
def test_a_newcomer_seals_in_three_presses_and_the_map_chooses(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path, device: str
) -> None:
    """P2 and P3: what, whom, seal; a press on the map is the choice; the form is no taller than its dock."""
    links = open_fight(given={"at": {"ada": "8,10", "ben": "9,14", "cleo": "7,12"}, "foes": [
        {"key": "troll", "name": "Troll", "foe": "troll", "place": "11,10"},
        {"key": "imp", "name": "Imp", "foe": "imp", "place": "16,12"},
    ]})  # fmt: skip
    small = {**DESK, "viewport": {"width": 1280, "height": 800}}
    ben = Seat("Ben", browser.new_context(**(PHONE if device == "phone" else small)), server.url)
    ben.enter(links["Ben"]).open_scene()
    assert ben.page.evaluate(FITS)
    deed(ben, "major", do="attack", weapon="club")
    assert ben.page.evaluate(FITS)
    expect(ben.page.locator('.targets [data-target="troll"].is-far')).to_contain_text(
        "2.2 m away; a club reaches 1 m. Only if it comes nearer."
    )
    expect(ben.page.locator('.targets [data-target="them"]')).to_have_count(0)
    look(ben, shots_folder(tmp_path), f"declare-{device}-far")
    ben.page.locator('.token[data-who="troll"] .piece').click()
    expect(ben.ask("plan").locator("[data-read-back]")).to_have_text("I attack the troll with a club.")
    assert ben.page.evaluate(FITS)
    deed(ben, "major", do="move")
    expect(ben.page.locator(".plan-step[aria-current] b")).to_have_text("Where")
    box = ben.page.locator('.token[data-who="ben"] .piece').bounding_box()
    assert box is not None
    ben.page.mouse.click(box["x"] - 20, box["y"] + box["height"] / 2)
    expect(ben.page.locator(".plan-step[aria-current] b")).to_have_text("Seal")
    assert ben.field("of.ben.major.to").input_value() not in ("", "9,14")
    seals(ben)
    expect(ben.ask("plan")).to_contain_text("Sealed at")
    ben.context.close()
    assert ben.wrong == []


def test_two_minors(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight()
    ben = Seat("Ben", browser.new_context(**PHONE), server.url)
    ben.enter(links["Ben"]).open_scene()
    deed(ben, "major", do="cast", spell="spark_volley")
    seals(ben)  # and has not said at whom
    expect(ben.ask("plan").locator(".fault:visible").first).to_contain_text("Choose someone")
    expect(ben.page.locator(".plan-step[aria-current] b")).to_have_text("Whom")
    look(ben, shots, "declare-unsaid-phone")
    deed(ben, "minors")
    ben.field("of.ben.minors.0.do").select_option("considered")
    ben.field("of.ben.minors.0.to").fill("11,13")
    ben.field("of.ben.minors.1.do").select_option("quickspell")
    ben.field("of.ben.minors.1.spell").select_option("spark_volley")
    ben.field("of.ben.minors.1.target").select_option("troll")
    look(ben, shots, "declare-minors-phone")
    turn_to(ben, "seal")
    expect(ben.ask("plan").get_by_text("Saved as a draft.")).to_be_visible()
    said = ben.ask("plan").locator("[data-read-back]").text_content()
    assert said
    ben.context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_gm_with_ten_foes(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path, scripts: bool
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight(given=CROWD)
    gm = Seat("GM", browser.new_context(**DESK, java_script_enabled=scripts), server.url)
    gm.enter(links["GM"]).open_scene()
    gm.shot(shots, f"declare-gm-{'with' if scripts else 'without'}-scripts")
    gm.page.locator('details[data-hand="hedge_mage"] summary').first.click()
    gm.shot(shots, f"declare-gm-open-{'with' if scripts else 'without'}-scripts")
    gm.ask("plan").locator('button[value="seal"]').click()
    expect(gm.ask("plan")).to_contain_text("Sealed at")
    gm.context.close()


def test_without_scripts(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    links = open_fight()
    cleo = Seat("Cleo", browser.new_context(**PHONE, java_script_enabled=False), server.url)
    cleo.enter(links["Cleo"]).open_scene()
    cleo.shot(shots, "declare-without-scripts")
    expect(cleo.page.locator(".step-by:visible")).to_have_count(0)
    expect(cleo.page.locator('[data-of="troll"] .health')).to_be_visible()
    expect(cleo.page.locator('[data-of="troll"] .where')).to_be_hidden()
    cleo.page.locator("#whereabouts summary").click()
    expect(cleo.page.locator('[data-of="troll"] .where')).to_be_visible()
    cleo.choose("of.cleo.what", "major")
    cleo.choose("of.cleo.major.do", "cast")
    cleo.choose("of.cleo.major.spell", "mend")
    cleo.ask("plan").locator('button[value="seal"]').click()
    expect(cleo.ask("plan")).to_contain_text("Choose someone")
    cleo.field("of.cleo.major.target").select_option("ada")
    cleo.ask("plan").locator('button[value="draft"]').click()
    expect(cleo.ask("plan").locator("[data-read-back]")).to_contain_text("I cast Mend on Ada.")
    cleo.shot(shots, "declare-without-scripts-draft")
    cleo.ask("plan").locator('button[value="seal"]').click()
    expect(cleo.ask("plan")).to_contain_text("Sealed at")
    cleo.context.close()


def test_what_no_rule_knows_is_used_in_words(
    browser: Browser, server: Server, open_fight: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """ARC-34: words are asked for as soon as they are needed, and the page reads them back."""
    ada = PEOPLE["ada"].model_copy(update={"items": {"Lantern & oil": 1, "antidote": 1}})
    links = open_fight(sheets={**PEOPLE, "ada": ada})
    seat = Seat("Ada", browser.new_context(**PHONE), server.url).enter(links["Ada"]).open_scene()
    card = seat.ask("plan")
    words = card.locator('[name="of.ada.minors.0.words"]')
    deed(seat, "minors")
    for item, shown in (("", False), ("antidote", False), ("Lantern & oil", True)):
        seat.field("of.ada.minors.0.do").select_option("use")
        seat.field("of.ada.minors.0.item").select_option(item)
        expect(words).to_be_visible(visible=shown)
    words.fill("I light it.")
    seat.field("of.ada.minors.1.do").select_option("drop")
    seat.field("of.ada.minors.1.lay").select_option("Lantern & oil")
    said = "I use Lantern & oil: “I light it.” and put down Lantern & oil."
    expect(card.locator("[data-read-back]")).to_have_text(said)
    look(seat, shots_folder(tmp_path), "declare-phone-things")
    seals(seat)
    expect(card).to_contain_text("Sealed at")
    assert seat.wrong == [] and seat.refused == []
