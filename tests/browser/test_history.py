"""The home of a long campaign and somebody with a past, in a real Chromium: phone and desktop, both themes."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

from app.almanac import calendar_state, entries
from app.almanac.entries import EntryTyped
from app.campaign import characters, people, seats, sheets
from app.crypto.vault import Vault
from app.db.engine import make_engine
from app.models.almanac import Crossing, Happening
from app.models.base import new_id
from app.models.people import Campaign, Member
from app.models.scenes import Scene, SeatRow
from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import KEY, Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}


def make_long(db_url: str) -> None:
    """Forty scenes, sixty characters, a calendar, and Rowan, who has lived through much of it."""

    async def make() -> None:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            begin = async_sessionmaker(engine, expire_on_commit=False).begin
            async with begin() as session:
                await _fill(session)
            async with begin() as session:
                await _fill_calendar(session)
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        elsewhere.submit(asyncio.run, make()).result()


async def _fill(session: AsyncSession) -> None:
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    members = {one.handle: one for one in await seats.members(session, campaign.id)}
    gm, alice = members["gm"], members["alice"]
    template = (await session.scalars(select(Scene).where(Scene.campaign_id == campaign.id))).one()
    sheet = (await characters.find(session, campaign.id, "alice")).sheet
    for number in range(56):
        name = "Maximiliane-Wilhelmine von und zu Unterwolkersdorf-Oberau" if number == 40 else f"Villager {number + 1}"
        await characters.create(session, campaign, name, "whiskey", {**sheet, "name": name}, None, gm)
    rowan = await characters.create(session, campaign, "Rowan", "whiskey", {**sheet, "name": "Rowan"}, None, gm)
    for number in range(40):
        scene = _over(campaign, template, number)
        session.add(scene)
        await session.flush()
        if number % 3 == 0:
            chair = {"position": 0, "name": "Rowan", "role": "player", "characters": ["rowan"]}
            session.add(SeatRow(campaign_id=campaign.id, scene_id=scene.id, seat="rowan", **chair))
            hurt = {**rowan.sheet, "hp": 15 - number % 7, "note": "Lost a boot." if number == 39 else ""}
            await sheets.write(session, rowan, hurt, how="scene", scene=scene.id)
    await people.hand_over(session, campaign.id, rowan.id, alice, gm)


async def _fill_calendar(session: AsyncSession) -> None:
    """In a transaction of its own: days are locked before the characters whose past is written above."""
    campaign = (await session.scalars(select(Campaign).where(Campaign.demo))).one()
    members = {one.handle: one for one in await seats.members(session, campaign.id)}
    gm, alice, vault = members["gm"], members["alice"], Vault([KEY])
    await calendar_state.hold(session, vault, campaign.id)
    await _days(session, campaign, gm)
    rowan = await characters.find(session, campaign.id, "rowan")
    await characters.edit(session, rowan, rowan.version, "Rowan", {**rowan.sheet, "cards": ["heavy-blow"]}, alice)
    for day, title, place in ((0, "The ferry waits", "Aldmoor"), (3, "A council of crows", ""), (30, "Midsummer", "")):
        typed = EntryTyped(kind="scene", title=title, place=place, day=day + 1, people=("rowan",))
        await entries.add(session, vault, campaign.id, gm, typed)


def _over(campaign: Campaign, like: Scene, number: int) -> Scene:
    same = ("ruleset", "kind", "rules_version", "settings", "setup", "state", "root", "anchor", "thread")
    at = like.made_at - timedelta(days=400 - 9 * number)
    return Scene(
        campaign_id=campaign.id,
        id=new_id(),
        title=f"Chapter {number + 1}: what became of the road",
        status="over" if number % 9 else "abandoned",
        made_at=at,
        ended_at=at,
        **{name: getattr(like, name) for name in same},
    )


async def _days(session: AsyncSession, campaign: Campaign, gm: Member) -> None:
    """Two days that healed Rowan a little."""
    move = Crossing(
        campaign_id=campaign.id, id=new_id(), number=1, from_day=-2, to_day=0, wanted_day=0,
        member_id=gm.id, request_id=new_id(), before={}, at=func.now(),
    )  # fmt: skip
    session.add(move)
    await session.flush()
    for number, day in enumerate((-1, 0)):
        text = "Rowan's left arm: a healing roll succeeds, the second of four."
        session.add(
            Happening(
                campaign_id=campaign.id,
                id=new_id(),
                crossing_id=move.id,
                number=number,
                day=day,
                thing="days/rowan",
                kind="healing",
                title="Rowan heals",
                text=text,
                people=["rowan"],
            )
        )
    rowan = await characters.find(session, campaign.id, "rowan")
    await sheets.write(session, rowan, {**rowan.sheet, "hp": 15}, how="days", crossing=move.id)


def test_a_long_campaign_stays_readable(
    browser: Browser, server: Server, db_url: str, links: dict[str, str], tmp_path: Path
) -> None:
    """Home and a character, with nothing yet and with very much: they fit, axe finds nothing, old things are folded."""
    shots = shots_folder(tmp_path)
    context = browser.new_context(viewport=SIZES["desktop"])
    gm, alice = (Seat(name, context, server.url).enter(links[name]) for name in ("GM", "Alice"))
    expect(alice.page.locator("#h-characters")).to_be_visible()
    _every_look(alice, shots, "home-short")
    make_long(db_url)
    base = alice.page.url
    for seat, home in ((gm, gm.page.url), (alice, base)):
        seat.page.goto(home)
        expect(seat.page.locator("#older-scenes summary")).to_have_text("Earlier scenes (34)")
        expect(seat.page.get_by_text("The ferry waits").first).to_be_visible()
        expect(seat.page.get_by_text("Next by date")).to_be_visible()
        _every_look(seat, shots, f"home-long-{seat.key}")
    alice.page.get_by_role("link", name="Rowan", exact=True).click()
    life = alice.page.locator("#life")
    expect(life.locator(".stretch").first).to_contain_text("You edited the sheet")
    expect(life).to_contain_text("Ability cards: gained")
    expect(life).to_contain_text("a healing roll succeeds")
    expect(life).to_contain_text("Handed over")
    alice.page.locator("#older summary").click()
    _every_look(alice, shots, "character-alice")
    _hand_over_and_back(gm, alice)
    gm.page.goto(f"{server.url}/c/the-goblin-road/gm/characters/villager-3")
    gm.page.get_by_label("Only GMs can read these.").fill("She saw the fire.")
    gm.page.get_by_role("button", name="Save notes").click()
    expect(gm.page.get_by_text("Notes saved.")).to_be_visible()
    _every_look(gm, shots, "character-gm")
    assert gm.wrong == alice.wrong == []


def _hand_over_and_back(gm: Seat, alice: Seat) -> None:
    """Alice gives Rowan to the GM, asks to play him again, and the GM lets it be so from the home page."""
    alice.page.locator("#hand-over summary").click()
    alice.page.locator("#hand-over select").select_option("")
    alice.page.get_by_role("button", name="Hand over", exact=True).click()
    expect(alice.page.get_by_text("Character handed over")).to_be_visible()
    alice.page.goto(f"{alice.page.url.split('/people')[0]}/characters/new")
    alice.page.locator("#wish select").select_option("rowan")
    alice.page.get_by_role("button", name="Ask the GM").click()
    expect(alice.page.get_by_text("You ask to play Rowan from now on")).to_be_visible()
    wish = gm.page.locator(".awaits").filter(has_text="Alice asks to play Rowan")
    expect(wish).to_be_visible(timeout=PATIENCE)
    wish.get_by_role("button", name="Confirm").click()
    expect(gm.page.get_by_text("a player has taken over the character")).to_be_visible()


def _every_look(seat: Seat, shots: Path, name: str) -> None:
    for size, viewport in SIZES.items():
        seat.page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            seat.page.emulate_media(color_scheme=scheme)
            seat.shot(shots, f"{name}-{size}-{scheme}")
            assert axe(seat.page, colours_only=scheme == "dark") == [], f"{name}, {size}, {scheme}"
        assert overflow(seat.page) == [], f"{name}, {size}"
