"""A vote in a real Chromium: three players, one of them on a small phone, and the GM who puts the question."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, follow, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SIZES = {"GM": (1280, 900), "Alice": (1280, 900), "Bob": (360, 740), "Charlie": (768, 1000)}


@pytest.fixture
def table(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    seats = {}
    for name, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height})
        seats[name] = Seat(name, context, server.url).enter(links[name])
    yield seats
    for seat in seats.values():
        seat.context.close()
    assert [wrong for seat in seats.values() for wrong in seat.wrong + seat.refused] == []


def look(seat: Seat, shots: Path, name: str) -> None:
    seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    assert overflow(seat.page) == []
    seat.both_shots(shots, name)
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def test_a_vote_a_roll_and_a_draft(table: dict[str, Seat], tmp_path: Path) -> None:
    shots, gm = shots_folder(tmp_path), table["GM"]
    follow(gm.page.get_by_role("link", name="Start a vote"))
    gm.page.get_by_label("What is the question?").fill("Which way over the mountains?")
    gm.page.get_by_label("The answers").fill("the mountain road\nthe old tunnel\nthe ferry, and then a long way round")
    gm.page.get_by_label("If there is a tie").select_option("3")
    look(gm, shots, "council-question")
    gm.page.get_by_role("button", name="Start the vote").click()
    gm.page.wait_for_url("**/scene/**")
    vote = gm.scene.rsplit("/", 1)[1]
    for name in ("Alice", "Bob", "Charlie"):
        seat = table[name]
        seat.page.goto(f"{seat.page.url.split('/scene/')[0].rstrip('/')}/scene/{vote}")
        seat.page.wait_for_selector("#live")
    bob = table["Bob"]
    look(bob, shots, "council-ballot-phone")
    for name, answer in (("Alice", "the mountain road"), ("Bob", "the mountain road"), ("Charlie", "the old tunnel")):
        seat = table[name]
        seat.page.locator(".ask").get_by_label(answer).check()
        seat.page.get_by_role("button", name="Seal my vote").click()
        expect(seat.page.locator(".ask.is-sealed")).to_be_visible(timeout=PATIENCE)
    expect(gm.page.locator(".envelopes").get_by_text("sealed")).to_have_count(3, timeout=PATIENCE)
    assert "mountain road</b>" not in gm.source()
    gm.page.keyboard.press("1")
    look(gm, shots, "council-before")
    gm.page.get_by_role("button", name="Seal my vote").click()
    for seat in table.values():
        expect(seat.page.locator(".verdict")).to_contain_text("3 of 4 votes: the mountain road.", timeout=PATIENCE)
    look(bob, shots, "council-counted-phone")
    look(gm, shots, "council-counted")
    assert any(re.search(r"Charlie votes for “the old tunnel”", line) for line in gm.log())

    _call(
        gm,
        "Call for a roll",
        {"What is the roll for?": "Does the weather hold?", "Which dice?": "2d6+d10(0-9)"},
        "Call for the roll",
    )
    _follow(table, gm)
    for name in ("Alice", "Bob", "Charlie"):
        table[name].page.get_by_role("button", name="Add mine").click()
    expect(gm.page.locator(".throw .total")).to_be_visible(timeout=PATIENCE)
    look(bob, shots, "council-roll-phone")

    _call(
        gm,
        "Take turns picking",
        {"What is this about?": "Who sleeps where?", "What can you pick?": "bench\nbed\nhay"},
        "Start picking",
    )
    _follow(table, gm)
    for name in ("Alice", "Bob", "Charlie"):
        table[name].page.get_by_role("button", name="Add mine").click()
    expect(gm.page.locator(".places li")).to_have_count(3, timeout=PATIENCE)
    for _ in range(2):
        turn = gm.page.locator(".places .is-turn b").text_content()
        assert turn
        seat = table[turn]
        expect(seat.page.get_by_role("heading", name="Your turn to pick")).to_be_visible(timeout=PATIENCE)
        if seat is bob:
            look(bob, shots, "council-pick-phone")
        taken = gm.page.locator(".things .is-taken").count()
        seat.page.locator(".picks button").last.click()
        expect(gm.page.locator(".things .is-taken")).not_to_have_count(taken, timeout=PATIENCE)
    expect(gm.page.locator(".things .is-taken")).to_have_count(3, timeout=PATIENCE)
    look(gm, shots, "council-draft")
    gm.page.goto(gm.home)
    look(gm, shots, "council-home")


def _call(gm: Seat, link: str, typed: dict[str, str], press: str) -> None:
    gm.page.goto(gm.home)
    follow(gm.page.get_by_role("link", name=link, exact=True))
    for label, text in typed.items():
        gm.page.get_by_label(label).fill(text)
    gm.page.get_by_role("button", name=press).click()
    gm.page.wait_for_url("**/scene/**")


def _follow(table: dict[str, Seat], gm: Seat) -> None:
    for name in ("Alice", "Bob", "Charlie"):
        seat = table[name]
        seat.page.goto(f"{seat.home}scene/{gm.scene.rsplit('/', 1)[1]}")
        seat.page.wait_for_selector(".ask")
