"""A campaign's own spells and foes in a real Chromium: fields that follow what is chosen, phone and desktop."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import Seat, axe, follow, overflow, shots_folder
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
HOME = "/c/the-goblin-road/gm"


@pytest.fixture(params=list(SIZES))
def gm(request: pytest.FixtureRequest, browser: Browser, server: Server, links: dict[str, str]) -> Iterator[Seat]:
    context = browser.new_context(viewport=SIZES[request.param])  # type: ignore[arg-type]
    seat = Seat("GM", context, server.url).enter(links["GM"])
    seat.size = request.param  # type: ignore[attr-defined]
    yield seat
    assert seat.wrong == []
    context.close()


def look(seat: Seat, shots: Path, name: str) -> None:
    assert axe(seat.page) == [] and overflow(seat.page) == [], name
    seat.both_shots(shots, f"own-{name}-{seat.size}")  # type: ignore[attr-defined]


def test_a_spell_and_a_foe_are_written(gm: Seat, tmp_path: Path) -> None:
    page, shots = gm.page, shots_folder(tmp_path)
    page.goto(f"{gm.origin}{HOME}/own?rules=arcana")
    look(gm, shots, "empty")
    follow(page.get_by_role("link", name="Add a spell"))
    look(gm, shots, "spell-new")
    page.get_by_label("Name", exact=True).fill("Frost Ring")
    page.locator('[name="own.effect.0.n"]').fill("2+PP")
    page.locator('[name="own.effect.1.op"]').select_option("status")
    expect(page.locator('[name="own.effect.1.id"]')).to_be_visible()
    expect(page.locator('[name="own.effect.1.arms_free"]')).to_be_checked()
    expect(page.locator('[name="own.name"]')).to_have_value("Frost Ring")
    expect(page.locator('[name="own.effect.2.op"]')).to_be_visible()
    page.locator('[name="own.shape.metres"]').fill("a lot")
    page.get_by_role("button", name="Add the spell").click()
    expect(page.locator("#fault-own-effect-1-id")).to_be_visible()
    look(gm, shots, "spell-faults")
    page.locator('[name="own.effect.1.id"]').select_option("stunned")
    page.locator('[name="own.effect.1.cycles"]').fill("2")
    page.locator('[name="own.shape.metres"]').fill("20")
    page.get_by_role("button", name="Add the spell").click()
    expect(page.get_by_text("Added to your homebrew")).to_be_visible()
    page.locator("#foes select").select_option("troll")
    page.locator("#foes").get_by_role("button", name="Copy from the book").click()
    page.locator('[name="own.name"]').fill("Bog Hag")
    page.get_by_text("Spells", exact=True).click()
    page.get_by_label("Frost Ring").check()
    look(gm, shots, "foe-new")
    page.locator('[name="own.hp.1"]').fill("")
    page.get_by_role("button", name="Add the foe").click()
    expect(page.locator("#fault-own-hp")).to_contain_text("Give one number for all")
    look(gm, shots, "foe-faults")
    page.locator('[name="own.hp.1"]').fill("35")
    page.get_by_role("button", name="Add the foe").click()
    expect(page.locator("#own_bog_hag")).to_contain_text("Knows Frost Ring")
    look(gm, shots, "list")
    page.get_by_label("Change Frost Ring").click()
    expect(page.locator("#delete")).to_contain_text("Bog Hag knows this spell")
    look(gm, shots, "spell-change")
