"""A wizard from nothing in a real Chromium: phone and desktop, by day and by night, and on one page of paper."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy.ext.asyncio import async_sessionmaker
from sqlalchemy.pool import NullPool

from app.campaign import characters, founding, seats
from app.db.engine import make_engine
from app.models.people import Role
from app.rulesets.arcana import CHARACTER
from app.rulesets.arcana.rules.book import SPELLS
from app.rulesets.arcana.sheet.sheets import Sheet
from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "desktop": {"viewport": {"width": 1280, "height": 900}},
}
SCHOLAR = Sheet.model_validate({
    "name": "Melisande of the Seven Towers", "level": 12, "grown_hp": [4] * 11, "grown_fp": [5] * 11,
    "species": "oldblood", "attributes": {"ATH": 12, "FIN": 14, "SPR": 17, "INT": 16, "POW": 15},
    "proficient": ["wand", "hexes", "curses", "healing", "warding", "Speed", "Willpower", "Health", "simple"],
    "skills": ["meditation", "meditation", "focussed_caster", "silent_magic"],
    "spells": [key for key, one in SPELLS.items() if one.level in ("novice", "adept")][:20],
    "weapons": ["wand", "dagger", "quarterstaff"], "wood": "malediction", "core": "restoration", "armour": "robes",
    "items": {"healing_draught": 3, "spirit_draught": 2, "antidote": 1}, "hp": 21,
    "ills": {"major_injury": 0, "burned_mild": 4}, "note": "Owes the guild a book. Never goes back into the cellar.",
})  # fmt: skip


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    """A table of Arcana: Ada plays, Melisande is hers already, and knows twenty spells."""

    async def make() -> dict[str, str]:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                founded = await founding.found_campaign(session, "The Academy", "arcana", "GM", "test")
                ada = await seats.add_member(session, founded.campaign, "Ada", Role.PLAYER)
                typed = CHARACTER.dump_python(SCHOLAR, mode="json")
                await characters.create(session, founded.campaign, SCHOLAR.name, "arcana", typed, ada)
                slug = founded.campaign.slug
                people = (founded.member, ada)
                return {one.name: f"/enter/{slug}/{await seats.make_link(session, one)}" for one in people}
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        return elsewhere.submit(asyncio.run, make()).result()


@pytest.mark.parametrize("device", list(DEVICES))
def test_a_wizard_from_nothing(
    browser: Browser, server: Server, links: dict[str, str], device: str, tmp_path: Path
) -> None:
    """ARC-121, ARC-122, ARC-147: from the campaign's page to a sheet, and a level further."""
    shots = shots_folder(tmp_path)
    context = browser.new_context(**DEVICES[device])
    ada = Seat("Ada", context, server.url).enter(links["Ada"])
    page = ada.page
    page.goto(re.sub(r"/c/([^/]+)/([^/]+)/.*", r"/c/\1/\2/characters/new", page.url))
    assert axe(page) == [] and overflow(page) == []
    ada.both_shots(shots, f"arcana-new-{device}")
    form = page.locator("form", has=page.get_by_role("button", name="Create character"))
    form.get_by_label("Name", exact=True).fill("Wanda")
    form.get_by_text("Goblin", exact=True).click()
    form.get_by_label("Intelligence: number").select_option(label="13")
    form.get_by_label("Intelligence: free points").fill("3")
    expect(form.locator("[data-sum=INT]")).to_have_text(re.compile(r"21"))
    expect(form.get_by_text("Lightning", exact=True).first).to_be_hidden()
    form.get_by_text("All", exact=True).click()
    expect(form.get_by_text("Lightning", exact=True).first).to_be_visible()
    form.locator("select[name=_school]").select_option("illusion")
    expect(form.get_by_text("Lightning", exact=True).first).to_be_hidden()
    form.get_by_text("Wail", exact=True).first.click()
    expect(form.locator(".spells-form > p [data-tally-said]")).to_have_text("6 chosen.")
    page.get_by_role("button", name="Create character").click()
    fault = page.locator("#fault-sheet-places-SPR, #fault-sheet-places-INT")
    expect(fault.first).to_contain_text("use each number once", timeout=PATIENCE)
    assert axe(page) == [] and overflow(page) == []
    ada.both_shots(shots, f"arcana-fault-{device}")
    assert len(ada.refused) == 1, "that one was asked for"
    ada.refused.clear()
    form.get_by_label("Spirit: number").select_option(label="9")
    for name in ("Spirit", "Athleticism", "Finesse"):
        form.get_by_label(f"{name}: free points").fill("0")
    page.get_by_role("button", name="Create character").click()
    expect(page.get_by_role("heading", name="Wanda", exact=True)).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Goblin, level 1, beginner in every school")).to_be_visible()
    assert axe(page) == [] and overflow(page) == []
    ada.both_shots(shots, f"arcana-sheet-{device}")
    page.get_by_role("button", name="Roll the next level").click()
    expect(page.get_by_text("Goblin, level 2, beginner in every school")).to_be_visible(timeout=PATIENCE)
    ada.both_shots(shots, f"arcana-level-{device}")
    assert axe(page) == [] and ada.wrong == [] and ada.refused == []
    context.close()


def test_a_sheet_with_twenty_spells_is_one_page_of_paper(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    shots.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(**DEVICES["desktop"])
    ada = Seat("Ada", context, server.url).enter(links["Ada"])
    page = ada.page
    page.goto(re.sub(r"/c/([^/]+)/([^/]+)/.*", r"/c/\1/\2/characters/melisande-of-the-seven-towers", page.url))
    expect(page.locator(".school li")).to_have_count(20)
    for width in (360, 768, 1920, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == [], width
    ada.both_shots(shots, "arcana-scholar")
    printed = page.pdf(prefer_css_page_size=True)
    (shots / "arcana-scholar.pdf").write_bytes(printed)
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})  # what A4 leaves between the margins
    ada.shot(shots, "arcana-print")
    expect(page.locator("#life")).to_be_hidden()
    expect(page.get_by_text("Owes the guild a book.")).to_be_visible()
    for key in SCHOLAR.spells:
        expect(page.locator(".school").get_by_text(SPELLS[key].name, exact=True)).to_be_visible()
    assert pages == 1 and ada.wrong == [] and ada.refused == []
    context.close()
