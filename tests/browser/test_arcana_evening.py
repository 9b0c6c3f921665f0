"""Two cycles of a wizards' fight in a real Chromium: GM and three players, an if-then that fires, one that does not,
two that wait only for one another, the GM's word, and what everybody sees of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.arcana_fight import lay
from tests.browser.seats import PATIENCE, Seat, axe, links_of, overflow, shots_folder
from tests.browser.wizard_pages import aim_at, deed, turn_to, waits
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
GIVEN = {
    "lay_out": "yes",
    "at": {"ada": "8,10", "ben": "18,10", "cleo": "9,14"},
    "foes": [
        {"key": "troll", "name": "Troll", "foe": "troll", "place": "20,10"},
        {"key": "imp", "name": "Imp", "foe": "imp", "habit": "hold", "place": "24,14"},
        {"key": "ghoul", "name": "Ghoul", "foe": "ghoul", "habit": "hold", "place": "30,20", "hidden": "yes"},
    ],
}
Sit = Callable[[str, dict[str, Any]], Seat]


@pytest.fixture
def links(db_url: str) -> dict[str, str]:
    """A fight on this database that begins with the ground: each one's personal link, by the member's name."""

    return links_of(db_url, lay, given=GIVEN, settings={"planning_seconds": None})


def look(seat: Seat, shots: Path, name: str) -> None:
    seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    assert overflow(seat.page) == []
    for scheme in ("light", "dark"):
        seat.page.emulate_media(color_scheme=scheme)
        seat.shot(shots, f"evening-{name}-{scheme}")
        assert axe(seat.page, colours_only=scheme == "dark") == []
    seat.page.emulate_media(color_scheme=None)


def calls(seat: Seat, words: str, who: str, verb: str, whom: str = "") -> None:
    """Declares: if somebody does something, then I call out. Sealed."""
    deed(seat, "minors")
    seat.field(f"of.{seat.key}.minors.0.do").select_option("communicate")
    seat.field(f"of.{seat.key}.minors.0.words").fill(words)
    waits(seat, who=who, verb=verb, **({"whom": whom} if whom else {}))
    turn_to(seat, "seal")
    seal(seat)


def strikes(seat: Seat, target: str) -> None:
    deed(seat, "major", do="attack", weapon="club")
    aim_at(seat, target)
    seal(seat)


def seal(seat: Seat, kind: str = "plan") -> None:
    expect(seat.ask(kind)).to_be_visible(timeout=PATIENCE)
    with seat.page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        seat.ask(kind).locator('button[value="seal"]').first.click()
    assert answered.value.status < 400, seat.ask(kind).text_content()


def test_two_cycles(browser: Browser, server: Server, links: dict[str, str], tmp_path: Path) -> None:
    shots = shots_folder(tmp_path)
    gm, ada, ben, cleo = (
        Seat(name, browser.new_context(**where), server.url).enter(links[name]).open_scene()
        for name, where in (("GM", DESK), ("Ada", DESK), ("Ben", PHONE), ("Cleo", PHONE))
    )
    look(gm, shots, "gm-0-ground")
    seal(gm, "setting")
    # One if-then that is met, one that is not.
    expect(ada.ask("plan")).to_be_visible(timeout=PATIENCE)
    calls(ada, "Look out, Ben!", "troll", "attacks", "ben")
    look(ada, shots, "ada-1-sealed")
    strikes(ben, "troll")
    calls(cleo, "It casts!", "imp", "casts")
    look(gm, shots, "gm-1-plan")
    for seat in (ada, ben, cleo):
        assert "Ghoul" not in seat.source() and "ghoul" not in seat.source()
    seal(gm)
    for seat in (gm, ada, ben, cleo):
        expect(seat.page.locator("#log")).to_contain_text("Cycle 1", timeout=PATIENCE)
        expect(seat.page.locator("#log .is-spoke").filter(has_text="Look out, Ben!")).to_have_count(1)
        seat.page.wait_for_function("() => !('filming' in document.documentElement.dataset)")
    expect(ben.page.locator("#log .is-spoke").filter(has_text="It casts!")).to_have_count(0)
    for seat, name in ((gm, "gm"), (ada, "ada"), (ben, "ben")):
        look(seat, shots, f"{name}-2-after")
    # Two who wait only for one another: the GM's word.
    calls(ada, "After you.", "cleo", "speaks")
    calls(cleo, "No, after you.", "ada", "speaks")
    strikes(ben, "troll")
    seal(gm)
    expect(gm.ask("rule")).to_contain_text("wait only for each other", timeout=PATIENCE)
    look(gm, shots, "gm-3-rule")
    seal(gm, "rule")
    for seat in (gm, ada, ben, cleo):
        expect(seat.page.locator("#log")).to_contain_text("Cycle 2", timeout=PATIENCE)
        expect(seat.ask("plan")).to_be_visible(timeout=PATIENCE)
    expect(ben.page.locator("#log .is-spoke").filter(has_text="After you.")).to_have_count(0)
    for seat, name in ((gm, "gm"), (ada, "ada"), (cleo, "cleo")):
        look(seat, shots, f"{name}-4-loop")
    for seat in (ada, ben, cleo):
        assert "Ghoul" not in seat.source() and "ghoul" not in seat.source()
    for seat in (gm, ada, ben, cleo):
        assert seat.wrong == []
        seat.context.close()
