"""Skills that leave something to choose, declared in a real Chromium on a phone and at a desk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from app.rulesets.arcana.sheet.sheets import Attributes, Sheet
from tests.arcana_fight import lay
from tests.browser.seats import Seat, axe, links_of, overflow, shots_folder
from tests.browser.wizard_pages import deed, seals, turn_to
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SKILLS = ("sentinel", "merciful", "area_dodge", "quickloose", "instinctive_retribution")
ONE: Mapping[str, Sheet] = {
    "ben": Sheet(name="Ben", attributes=Attributes(ATH=15, FIN=13), weapons=("sling",), hp_stated=40, skills=SKILLS)
}
DEVICES: Mapping[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "desk": {"viewport": {"width": 1280, "height": 900}},
}


def look(seat: Seat, shots: Path, name: str) -> None:
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


@pytest.mark.parametrize("device", ["phone", "desk"])
def test_a_wary_archer(browser: Browser, server: Server, db_url: str, tmp_path: Path, device: str) -> None:
    shots = shots_folder(tmp_path)
    links = links_of(db_url, lay, sheets=ONE, given={"at": {"ben": "10,10", "troll": "11,12", "imp": "30,10"}})
    ben = Seat("Ben", browser.new_context(**DEVICES[device]), server.url)
    ben.enter(links["Ben"]).open_scene()
    card = ben.ask("plan")
    deed(ben, "minors")
    ben.field("of.ben.minors.0.do").select_option("considered")
    ben.field("of.ben.minors.0.to").fill("9,10")
    ben.field("of.ben.minors.1.do").select_option("attack")
    ben.field("of.ben.minors.1.target").select_option("troll")
    expect(card.locator('[name="of.ben.back.weapon"]')).to_be_hidden()
    card.locator('[name="of.ben.back.do"]').check()
    ben.field("of.ben.back.target").select_option("troll")
    card.locator("details.reactions summary").click()
    ben.field("of.ben.react.on_killing").select_option("spare")
    ben.field("of.ben.react.on_area").select_option("leap")
    card.locator('[name="of.ben.react.watch[]"][value="imp"]').check()
    said = (
        "I move carefully 0.5 m west and quickly attack the troll with a sling. I let every attack hit me and strike "
        "back at the troll with a sling. I keep an eye on the imp. If I would kill someone, I leave them "
        "unconscious instead, if I can. If an area attack misses me, I leap out of it."
    )
    back = card.locator("[data-read-back]")
    expect(back).to_have_text(said)
    look(ben, shots, f"skills-{device}-1-filled")
    turn_to(ben, "seal")
    expect(ben.ask("plan").get_by_text("Saved as a draft.")).to_be_visible()
    ben.page.reload()
    expect(ben.ask("plan").locator("[data-read-back]")).to_have_text(said)
    seals(ben)
    gm = Seat("GM", browser.new_context(**DEVICES["desk"]), server.url)
    gm.enter(links["GM"]).open_scene()
    gm.ask("plan").locator('button[value="seal"]').click()
    log = ben.page.locator("body")
    expect(log).to_contain_text("Ben keeps an eye on the imp")
    expect(log).to_contain_text("strikes back at the troll: Instinctive Retribution")
    look(ben, shots, f"skills-{device}-2-told")
    for seat in (ben, gm):
        seat.context.close()
        assert seat.wrong == []
