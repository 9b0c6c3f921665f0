"""Care, healing and double bookings in a real Chromium: settled on a phone, and read by the GM, in both themes."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.campaign import characters, seats
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.people import Campaign
from app.rulesets import find
from app.rulesets.chronicle import samples
from app.rulesets.chronicle.wounds import Part, Wounds
from tests.browser.seats import Seat, axe, overflow, shots_folder
from tests.server import KEY, Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

HURT = Wounds(left_arm=Part(major=True), right_leg=Part(minor=1), body=Part(minor=1))
SIZES = {"phone": (360, 780), "desktop": (1280, 900)}


def make_wounded(db_url: str) -> None:
    """Alice plays Ella, who is hurt; Morten could heal her; Ella has two journeys at once."""

    async def make() -> None:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                await _fill(session)
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        elsewhere.submit(asyncio.run, make()).result()


async def _fill(session: AsyncSession) -> None:
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    vault, rules = Vault([KEY]), find("chronicle")
    await seats.hold(session, campaign.id)
    almanac = await calendar_state.hold(session, vault, campaign.id)
    almanac.root = vault.encrypt(bytes([2]) * 32, calendar_state.root_place(campaign.id))
    people = {one.handle: one for one in await seats.members(session, campaign.id)}
    for key, hero in samples.heroes().items():
        sheet = hero.model_copy(update={"wounds": HURT}) if key == "ella" else hero
        dumped = rules.character.dump_python(sheet, mode="json")
        await characters.create(session, campaign, hero.name, rules.key, dumped, people["alice"])
    for title, day, last in (("Ella rides to the coast", 40, 46), ("A council at the mill", 43, None)):
        typed = EntryTyped(kind="scene", title=title, day=day, last_day=last, people=("ella",))
        await entries.add(session, vault, campaign.id, people["gm"], typed)


def look(seat: Seat, shots: Path, name: str) -> None:
    for size, (wide, high) in SIZES.items():
        seat.page.set_viewport_size({"width": wide, "height": high})
        assert overflow(seat.page) == [], (name, size)
        for scheme in ("light", "dark"):
            seat.page.emulate_media(color_scheme=scheme)
            seat.shot(shots, f"{name}-{size}-{scheme}")
            assert axe(seat.page, colours_only=scheme == "dark") == [], (name, size, scheme)
    seat.page.emulate_media(color_scheme=None)


def test_the_wounded_are_cared_for_and_heal(
    browser: Browser, server: Server, links: dict[str, str], db_url: str, tmp_path: Path
) -> None:
    make_wounded(db_url)
    shots = shots_folder(tmp_path)
    gm, alice = (Seat(name, browser.new_context(), server.url).enter(links[name]) for name in ("GM", "Alice"))
    alice.page.goto(f"{server.url}/c/the-goblin-road/alice/characters/ella")
    alice.page.set_viewport_size({"width": 360, "height": 780})
    alice.page.get_by_text("Change the care").click()
    look(alice, shots, "care-form")
    alice.page.get_by_label("Wounds are treated by").select_option("helper")
    alice.page.get_by_label("Who helps").select_option("morten")
    alice.page.get_by_role("button", name="Save", exact=True).click()
    expect(alice.page.locator("#care")).to_contain_text("Morten treats Ella (Heal 4).")
    look(alice, shots, "care-said")
    desk = f"{server.url}/c/the-goblin-road/gm/calendar/move?to=30"
    gm.page.goto(desk)
    twice = gm.page.locator("section").filter(has=gm.page.get_by_role("heading", name="In two places at once"))
    expect(twice).to_contain_text("Ella is in “Ella rides to the coast” at that time.")
    look(gm, shots, "care-desk")
    twice.get_by_role("button", name="Move to").click()
    expect(gm.page.get_by_text("Saved.")).to_be_visible()
    expect(gm.page.get_by_text("In two places at once")).to_have_count(0)
    gm.page.goto(desk)
    gm.page.get_by_role("button", name="Move time to").click()
    expect(gm.page.get_by_text("all Minor wounds are healed").first).to_be_visible()
    look(gm, shots, "care-moved")
    alice.page.reload()
    expect(alice.page.locator("#life")).to_contain_text("Days pass")
    look(alice, shots, "care-life")
    gm.page.goto(f"{server.url}/c/the-goblin-road/gm/calendar?year=1&month=1")
    look(gm, shots, "care-month")
    assert gm.wrong == alice.wrong == []
