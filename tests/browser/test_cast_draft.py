"""A cast is drafted in a real Chromium: two players on phones, one of them without scripts, and two at desks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SIZES: dict[str, tuple[int, int]] = {
    "GM": (1280, 900), "Alice": (1280, 900), "Bob": (360, 740), "Charlie": (390, 800),
}  # fmt: skip
PLAIN = "Charlie"  # runs no scripts


@pytest.fixture
def table(browser: Browser, server: Server, links: dict[str, str]) -> Iterator[dict[str, Seat]]:
    seats = {}
    for name, (width, height) in SIZES.items():
        more: dict[str, Any] = {"java_script_enabled": False} if name == PLAIN else {}
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
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


def test_a_cast_is_drafted(table: dict[str, Seat], tmp_path: Path) -> None:
    shots, gm, alice, bob = shots_folder(tmp_path), table["GM"], table["Alice"], table["Bob"]
    gm.page.goto(f"{gm.page.url.split('/c/')[0]}/c/the-goblin-road/gm/draft?ruleset=chronicle")
    gm.page.get_by_label("How many may each play?").select_option("1-5")
    look(gm, shots, "draft-begin")
    gm.page.get_by_role("button", name="Start the pick").click()
    gm.page.wait_for_url("**/scene/**")
    scene = gm.scene.rsplit("/", 1)[1]
    for name in ("Alice", "Bob", "Charlie"):
        table[name].page.goto(f"{gm.scene.split('/c/')[0]}/c/the-goblin-road/{name.lower()}/scene/{scene}")
    look(bob, shots, "draft-size-phone")
    for name, size in (("Alice", "3"), ("Bob", "2"), ("Charlie", "1")):
        seat = table[name]
        seat.page.locator(f'.size:has(input[value="{size}"])').click()
        seat.page.get_by_role("button", name="Seal it").click()
    for seat in (gm, alice, bob):
        expect(seat.page.locator(".set")).to_have_count(6, timeout=PATIENCE)
    look(gm, shots, "draft-sets-desk")
    look(bob, shots, "draft-sets-phone")
    _compare(bob, shots)
    names = iter(("Ella", "Morten", "Ida of the long and winding road above the mill", "Jorun", "Odo", "Runa"))
    for number in (6, 2, 3, 1, 5, 4):
        turn = gm.page.locator(".troupe.is-turn b").first.text_content()
        assert turn
        seat = table[turn]
        if turn == PLAIN:
            seat.page.reload()
        expect(seat.page.get_by_role("heading", name="Pick a set")).to_be_visible(timeout=PATIENCE)
        seat.page.locator(".ask select[name=number]").select_option(str(number))
        seat.page.get_by_label("Name").fill(next(names))
        seat.page.get_by_label("Occupation").fill("Miller")
        seat.page.get_by_label("Home").fill("The house above the mill")
        if number == 2:
            seat.page.get_by_text("Their story: context").click()
            seat.page.get_by_label("Context").fill("Owes the abbot a winter’s grain.")
            if turn != PLAIN:
                look(seat, shots, f"draft-pick-{turn.lower()}")
        seat.page.get_by_role("button", name="Take this set").click()
        expect(gm.page.locator(f"#set-{number}.is-taken")).to_be_visible(timeout=PATIENCE)
        if number == 3:
            expect(bob.page.locator(f"#set-{number}.is-taken")).to_be_visible(timeout=PATIENCE)
            expect(bob.page.locator("#set-5 .tick")).to_be_checked()
            look(bob, shots, "draft-half-phone")
    for seat in (gm, alice, bob):
        expect(seat.page.get_by_text("The cast is complete: 6 main characters.")).to_be_visible(timeout=PATIENCE)
    look(gm, shots, "draft-end")
    look(bob, shots, "draft-end-phone")
    expect(gm.page.locator('a[href$="#goals"]')).to_have_count(0)
    expect(alice.page.locator('a[href$="#goals"]')).to_have_count(3)
    table[PLAIN].page.reload()
    expect(table[PLAIN].page.locator('a[href$="#goals"]')).to_have_count(1)
    table[PLAIN].shot(shots, "draft-end-plain")
    alice.page.locator('a[href$="#goals"]').first.click()
    expect(alice.page.locator("#goals")).to_be_visible(timeout=PATIENCE)


def _compare(seat: Seat, shots: Path) -> None:
    """Two sets alone, with every skill; ticks outlast what others do."""
    for number in (2, 5):
        seat.page.locator(f"#set-{number} .tick").check()
    seat.page.get_by_label("Show only those I ticked").check()
    expect(seat.page.locator(".set:visible")).to_have_count(2)
    seat.page.get_by_label("Show every skill").check()
    expect(seat.page.locator(".set:visible .whole").first).to_contain_text("Fighting Mind")
    look(seat, shots, "draft-compare-phone")
    seat.page.get_by_label("Show only those I ticked").uncheck()
    seat.page.get_by_label("Show every skill").uncheck()
