"""A free scene and a sheet of Chronicle in a real Chromium, on phones, in both themes."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy.ext.asyncio import async_sessionmaker
from sqlalchemy.pool import NullPool

from app.campaign import characters, founding, seats
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.people import Role
from app.rulesets import find
from app.rulesets.chronicle import samples
from app.table.opening import open_scene
from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import KEY, Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    """The flood at the mill: the path of each one's personal link."""

    async def make() -> dict[str, str]:
        engine = make_engine(db_url, poolclass=NullPool)
        rules = find("chronicle")
        sheets, brief = samples.the_flood_at_the_mill()
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                founded = await founding.found_campaign(session, "The Valley", rules.key, "GM", "test")
                people = [founded.member]
                for sheet in sheets.values():
                    people.append(await seats.add_member(session, founded.campaign, sheet.name, Role.PLAYER))
                    typed = rules.character.dump_python(sheet, mode="json")
                    await characters.create(session, founded.campaign, sheet.name, rules.key, typed, people[-1])
                await open_scene(session, Vault([KEY]), founded.campaign.id, rules.key, brief, {})
                slug = founded.campaign.slug
                return {one.name: f"/enter/{slug}/{await seats.make_link(session, one)}" for one in people}
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        return elsewhere.submit(asyncio.run, make()).result()


@pytest.fixture
def mill(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    found = {
        "gm": Seat("GM", browser.new_context(viewport={"width": 1280, "height": 900}), server.url),
        "ella": Seat("Ella", browser.new_context(**PHONE), server.url),
    }
    for seat in found.values():
        seat.enter(links[seat.name]).open_scene()
    yield found
    for seat in found.values():
        seat.context.close()
    assert [wrong for seat in found.values() for wrong in seat.wrong + seat.refused] == []


def test_a_check_on_a_phone_and_a_sheet(mill: dict[str, Seat], tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    ella, gm = mill["ella"], mill["gm"]
    page = ella.page
    expect(page.locator("#awaits")).to_contain_text("Say what Ella tries, or talk")
    page.locator("[data-aim]").first.click()
    expect(page.locator("select[name=skill]:visible")).not_to_have_value("")
    page.locator("select[name=skill]:visible").select_option("jump_climb")
    page.locator("input[name=aim]:visible").fill("up to the roof")
    ella.both_shots(shots, "free-propose")
    page.get_by_role("button", name="Confirm").first.click()
    expect(gm.page.get_by_text("What is at stake?")).to_be_visible(timeout=PATIENCE)
    gm.page.locator("input[name=consequence]:visible").fill("The gutter comes down.")
    gm.both_shots(shots, "free-frame")
    gm.page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Roll?")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("50 % (320 of 640)").first).to_be_visible()
    assert axe(page) == [] and overflow(page) == []
    ella.both_shots(shots, "free-roll")
    page.get_by_role("button", name="Roll", exact=False).first.click()
    expect(page.locator("#log").get_by_text("against 14 + 3 = 17")).to_be_attached(timeout=PATIENCE)
    expect(page.locator(".trial.is-done")).to_be_visible(timeout=PATIENCE)
    ella.both_shots(shots, "free-rolled")
    assert axe(gm.page) == []
    page.goto(f"{ella.home}characters/new?ruleset=chronicle&sample=morten")
    page.get_by_label("Proud, arrogant").first.fill("11")
    page.get_by_role("button", name="Create character").click()
    expect(page.locator(".scales .fault").first).to_be_visible(timeout=PATIENCE)
    ella.refused.clear()  # the 422 was asked for
    ella.wrong.clear()
    page.get_by_label("Proud, arrogant").first.fill("9")
    assert axe(page) == [] and overflow(page) == []
    ella.both_shots(shots, "sheet-form")
    page.get_by_role("button", name="Create character").click()
    expect(page.get_by_role("heading", name="Morten", exact=True)).to_be_visible(timeout=PATIENCE)
    ella.both_shots(shots, "sheet")
    assert axe(page) == [] and overflow(page) == []
