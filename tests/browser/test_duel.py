"""A whole duel in a real Chromium against a real server: two phones, one tap a choice, and somebody who watches."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect
from sqlalchemy.ext.asyncio import async_sessionmaker
from sqlalchemy.pool import NullPool

from app.campaign import seats
from app.crypto.vault import Vault
from app.db.engine import make_engine
from tests.browser.seats import PATIENCE, WATCH_FILM, Seat, axe, overflow, shots_folder
from tests.duel_fight import lay
from tests.server import KEY, Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
MOST = 60  # presses of each until somebody is down; the moves below take about twenty
ATTACK = ("haymaker", "hook", "uppercut", "headbutt", "straight", "jab", "bide", "rest")
DEFENCE = ("counter", "rest")  # what blocks nothing, so that the fight is soon over

NOTED = """step => Object.entries(localStorage).some(([name, text]) =>
  name.startsWith("signet-receipts") && JSON.parse(text).some((one) => one.step === step))"""
PRESS_AT_ONCE = """() => { new MutationObserver((_, watch) => {
  if (!document.querySelector('.film')) return;
  watch.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '1', bubbles: true}));
  window.ended = !('filming' in document.documentElement.dataset);
}).observe(document.body, {childList: true, subtree: true}); }"""  # before anything of it is painted
BOARD_TOP = "document.getElementById('board').getBoundingClientRect().top"
WATCH_HAND = """() => { new MutationObserver(() => {
  const hand = document.querySelector('.dock .ask:not(.is-sealed) .cards');
  if (hand) window.fresh ??= getComputedStyle(hand).pointerEvents;
}).observe(document.body, {childList: true, subtree: true}); }"""  # whether a hand takes taps as it arrives


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    """A duel on this database: the path of each one's personal link."""

    async def make() -> dict[str, str]:
        engine = make_engine(db_url, poolclass=NullPool)
        try:
            async with async_sessionmaker(engine, expire_on_commit=False).begin() as session:
                laid = await lay(session, Vault([KEY]))
                found = {}
                for member in laid.people.values():
                    found[member.name] = f"/enter/{laid.campaign.slug}/{await seats.make_link(session, member)}"
                return found
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright has a loop in this thread already
        return elsewhere.submit(asyncio.run, make()).result()


class Gym:
    """Mira and Tomo on phones, Sam who watches at a desk; all their errors are the test's."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str]) -> None:
        self.mira = Seat("Mira", browser.new_context(**PHONE), server.url)
        self.tomo = Seat("Tomo", browser.new_context(**PHONE), server.url)
        self.sam = Seat("Sam", browser.new_context(viewport={"width": 1280, "height": 900}), server.url)
        for seat in self.all:
            seat.enter(links[seat.name]).open_scene()

    @property
    def all(self) -> tuple[Seat, ...]:
        return (self.mira, self.tomo, self.sam)

    def close(self) -> None:
        for seat in self.all:
            seat.context.close()
        assert [wrong for seat in self.all for wrong in seat.wrong + seat.refused] == []


@pytest.fixture
def gym(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[Gym]:
    here = Gym(browser, server, links)
    yield here
    here.close()


def card(seat: Seat, name: str, value: str) -> Locator:
    return seat.page.locator(f'.dock .ask:not(.is-sealed) button[name="{name}"][value="{value}"]')


def tap(seat: Seat, name: str, value: str) -> None:
    """One tap, and it is sealed: no other press is needed."""
    with seat.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        card(seat, name, value).tap()
    assert answered.value.status == 200


def tap_one(seat: Seat, wanted: tuple[str, ...]) -> str:
    """The first of the wanted actions that lies in the hand."""
    expect(seat.page.locator('.dock .ask:not(.is-sealed) button[name="action"]').first).to_be_visible(timeout=PATIENCE)
    here = next(action for action in wanted if card(seat, "action", action).is_visible())
    tap(seat, "action", here)
    return here


def settled(seat: Seat) -> None:
    """The reveal is through, and what has just come may be touched."""
    seat.page.wait_for_timeout(250)
    seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")


def look(seat: Seat, shots: Path, name: str) -> None:
    settled(seat)
    assert overflow(seat.page) == []
    seat.both_shots(shots, name)
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def test_two_phones_fight_a_duel_to_its_end(gym: Gym, tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    mira, tomo, sam = gym.all
    look(mira, shots, "duel-halves-phone")
    tap(mira, "half", "high")
    expect(sam.page.locator('[aria-label="Mira has sealed"]').first).to_be_visible(timeout=PATIENCE)
    assert "upper half" not in sam.source() and "upper half" not in tomo.source()
    tap(tomo, "half", "low")
    expect(mira.page.locator("h2", has_text="The initial clash")).to_be_visible(timeout=PATIENCE)
    for seat in (mira, tomo):  # whoever seals first, and whoever seals last and thereby opens everything
        seat.page.wait_for_function(NOTED, arg="halves")
    look(mira, shots, "duel-initial-phone")
    tap(mira, "action", "guard")
    look(mira, shots, "duel-sealed-phone")
    look(sam, shots, "duel-sealed-desk")
    assert "plays Guard" not in tomo.source() + sam.source()
    tap(tomo, "action", "jab")
    for seat in gym.all:
        expect(seat.page.locator(".played", has_text="Guard").first).to_be_visible(timeout=PATIENCE)
        settled(seat)
        assert "Tomo plays Jab for 1 stamina." in seat.log()
    for seat in (mira, tomo):  # what came of it is before their eyes, wherever they had scrolled to
        seat.page.wait_for_function(f"() => {BOARD_TOP} >= 0 && {BOARD_TOP} < innerHeight / 2")
    look(tomo, shots, "duel-combo-phone")
    tomo.page.evaluate(WATCH_HAND)
    tap(tomo, "go", "on")
    tomo.page.wait_for_function("() => window.fresh !== undefined")
    assert tomo.page.evaluate("window.fresh") == "none", "a second tap on “Continue” must not play a card"
    tomo.page.wait_for_function("() => getComputedStyle(document.querySelector('.cards')).pointerEvents === 'auto'")
    expect(tomo.page.locator("h2", has_text="You have the offence")).to_be_visible(timeout=PATIENCE)
    look(tomo, shots, "duel-offence-phone")
    look(mira, shots, "duel-defence-phone")
    mira.page.locator("summary", has_text="Actions you can’t use now").tap()
    why = "You are on the defence: you can use only Defence and universal actions."
    expect(mira.page.get_by_text(why).first).to_be_visible()
    pressed = _until_somebody_is_down(gym, shots)
    assert pressed < MOST
    for seat in gym.all:
        expect(seat.page.locator(".verdict")).to_contain_text("wins the duel", timeout=PATIENCE)
        assert any(line.endswith("wins the duel.") for line in seat.log())
    look(mira, shots, "duel-over-phone")
    look(sam, shots, "duel-over-desk")


def _until_somebody_is_down(gym: Gym, shots: Path) -> int:
    """Each takes the hardest thing that can be played; how many taps it took."""
    for pressed in range(MOST):
        for seat in (gym.mira, gym.tomo):
            seat.page.wait_for_function("() => !document.querySelector('form[aria-busy]')")
        if gym.sam.page.locator(".verdict").is_visible():
            return pressed
        for seat in (gym.mira, gym.tomo):
            settled(seat)
            if not seat.page.locator(".dock .ask:not(.is-sealed) .declare").first.is_visible():
                continue
            if card(seat, "go", "on").is_visible():
                tap(seat, "go", "on")
            elif seat.page.locator('.dock .ask:not(.is-sealed) button[name="action"]').first.is_visible():
                attacks = seat.page.locator("h2", has_text="You defend").count() == 0
                tap_one(seat, ATTACK if attacks else DEFENCE)
        if pressed == 6:
            look(gym.sam, shots, "duel-middle-desk")
            look(gym.mira, shots, "duel-middle-phone")
        gym.sam.page.wait_for_timeout(50)
    return MOST


def test_the_keyboard_alone(browser: Browser, server: Server, links: dict[str, str], tmp_path: Path) -> None:
    """Numbers choose, and so does Enter on a card that Tab has reached; who types is let alone. While a reveal plays
    for the first time nothing tells what comes next, and a key shows the end and chooses nothing."""
    mira = Seat("Mira", browser.new_context(viewport={"width": 1280, "height": 900}), server.url)
    tomo = Seat("Tomo", browser.new_context(viewport={"width": 1280, "height": 900}), server.url)
    for seat in (mira, tomo):
        seat.enter(links[seat.name]).open_scene()
    mira.page.keyboard.press("1")
    expect(mira.page.locator(".ask.is-sealed")).to_contain_text("Sealed at", timeout=PATIENCE)
    tomo.page.locator("#said").focus()
    tomo.page.keyboard.type("2 against 1?")
    expect(tomo.page.locator(".ask.is-sealed")).to_have_count(0)
    tomo.page.locator("#said").press("Escape")
    tomo.page.locator('button[name="half"][value="low"]').focus()
    tomo.page.keyboard.press("Enter")
    first = mira.page.locator('.cards button[data-key="1"]')
    expect(first).to_be_visible(timeout=PATIENCE)
    first.focus()
    chosen = first.get_attribute("value")
    look(mira, shots_folder(tmp_path), "duel-hand-desk")
    described = first.get_attribute("aria-describedby")
    assert len(mira.page.locator(f"#{described}").inner_text()) > 20
    mira.page.keyboard.press("1")
    expect(mira.page.locator(".ask.is-sealed")).to_contain_text("Sealed at", timeout=PATIENCE)
    mira.page.locator("summary", has_text="View or change it").press("Enter")
    expect(mira.page.locator(".action.is-chosen")).to_have_attribute("value", str(chosen))
    mira.page.keyboard.press("2")
    expect(mira.page.locator(".action.is-chosen")).not_to_have_attribute("value", str(chosen), timeout=PATIENCE)
    mira.page.evaluate(WATCH_FILM)
    tomo.page.evaluate(PRESS_AT_ONCE)
    # The words that were sealed name the card exactly once, with what stands beside it.
    with tomo.page.expect_request(lambda request: request.url.endswith("/lay")) as sent:
        tomo.page.keyboard.press("3")
    body = sent.value.post_data or ""
    words = re.search(r"_words(?:=|\"\r\n\r\n)([^&\r]+)", body)
    assert words is not None and words[1].count("action") == 1, body
    expect(mira.page.locator(".film")).to_be_visible(timeout=PATIENCE)
    expect(mira.page.locator(".suspense")).to_be_visible()
    tomo.page.wait_for_function("() => window.ended !== undefined")
    assert tomo.page.evaluate("ended"), "a key shows the end"
    for seat in (mira, tomo):
        expect(seat.page.locator(".suspense")).to_be_hidden(timeout=PATIENCE)
        expect(seat.page.locator("#asks .ask").first).to_be_visible()
    assert mira.page.evaluate("[films, ...early]") == [1]
    assert tomo.page.locator(".ask.is-sealed").count() == 0, "the key chose a card that was not there yet"
    for seat in (mira, tomo):
        seat.context.close()
        assert seat.wrong + seat.refused == []
