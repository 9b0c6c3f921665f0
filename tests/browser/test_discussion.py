"""A discussion among five in a real Chromium: a GM, Ella and Ida at desks, Morten on a phone, Alda without scripts.

It finds what single pages do not: words that are lost while others speak, a strip that keeps a line from being said,
a reply that shows too early, a fight that does not lead back to the talk.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seats import PATIENCE, Seat, axe, follow, make_demo, overflow, shots_folder
from tests.browser.two_sides import TwoSides, open_ask, seal
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "reduced_motion": "reduce",
}  # fmt: skip
PLACES = {
    "GM": DESK, "Ella": DESK, "Ida": DESK, "Morten": PHONE, "Alda": {**DESK, "java_script_enabled": False},
}  # fmt: skip
SPEECH = "They took Alda’s boy. I will not write a letter to the man who holds him.\n\nWe ride before the moon is up."


class Council(TwoSides):
    """The five at the table."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str], shots: Path) -> None:
        super().__init__(browser, server, links, PLACES)
        self.gm, self.ella, self.ida, self.morten, self.alda = self.of.values()
        self.shots = shots

    def look(self, seat: Seat, name: str) -> None:
        """Whether a page has room for what is on it, by day and in the dark."""
        assert overflow(seat.page) == [], name
        for scheme in ("light", "dark"):
            seat.page.emulate_media(color_scheme=scheme)
            seat.shot(self.shots, f"discussion-{name}-{seat.name.lower()}-{scheme}")
            assert axe(seat.page, colours_only=scheme == "dark") == [], name
        seat.page.emulate_media(color_scheme=None)

    def say(self, seat: Seat, words: str, act: str = "say") -> None:
        kind, form = self.asked(seat)
        assert kind in ("talk", "again")
        form.locator("textarea[name=words]").fill(words)
        form.locator(f'label:has([name="what"][value="{act}"])').click()
        assert seal(seat, form) == 200

    def appeal(self, seat: Seat, words: str, *listeners: str) -> None:
        _, form = self.asked(seat)
        form.locator("textarea[name=words]").fill(words)
        form.locator('label:has([name="what"][value="appeal"])').click()
        for name in listeners:
            form.locator(".listeners").get_by_label(name, exact=True).check()
        form.get_by_label("What they should do").fill("Ride with me tonight")
        form.get_by_label("About what").fill("the raid")
        form.get_by_label("In which context").fill("in the council")
        form.get_by_label("Speaking to which motivation").select_option("bold")
        expect(form.locator(".estimate li")).to_have_count(len(listeners))
        self.look(seat, "appeal")
        assert seal(seat, form) == 200

    def reply(self, seat: Seat, what: str, words: str) -> None:
        kind, form = self.asked(seat)
        assert kind == "hear"
        form.locator(f'label:has([value="{what}"])').click()
        form.locator("textarea").fill(words)
        self.look(seat, "hear")
        assert seal(seat, form) == 200

    def settle(self) -> None:
        kind, form = self.asked(self.gm)
        assert kind == "frame"
        self.look(self.gm, "frame")
        assert seal(self.gm, form) == 200

    def asked(self, seat: Seat) -> tuple[str, Any]:
        found = open_ask(seat)
        assert found, seat.name
        return found


@pytest.fixture
def council(browser: Browser, server: Server, db_url: str, tmp_path: Path) -> Any:
    council = Council(browser, server, make_demo(db_url, "discussion"), shots_folder(tmp_path))
    yield council
    council.close()


def test_a_council_of_five_talks_appeals_and_comes_to_blows(council: Council) -> None:
    _words_come_through(council)
    _an_appeal_is_heard(council)
    _violence_leads_to_a_fight_and_back(council)
    _the_talk_ends(council)


def _words_come_through(council: Council) -> None:
    """While one types another speaks, also without scripts; nothing typed is lost."""
    _, form = council.asked(council.ella)
    form.locator("textarea[name=words]").fill("Half a sentence")
    page = council.alda.page
    page.locator("#asks textarea[name=words]").fill("Bring me my boy.")
    page.locator("#asks .acts .go").click()
    expect(page.locator(".speech")).to_contain_text("Bring me my boy.")
    for seat in (council.ella, council.morten):
        seat.look_at("board")
        expect(seat.page.locator(".speech")).to_contain_text("Bring me my boy.", timeout=PATIENCE)
    expect(form.locator("textarea[name=words]")).to_have_value("Half a sentence")
    council.say(council.morten, "I can sit a horse.")
    for seat in (council.ella, council.morten, council.gm):
        council.look(seat, "talk")


def _an_appeal_is_heard(council: Council) -> None:
    council.appeal(council.ella, SPEECH, "Morten", "Ida")
    council.settle()
    council.reply(council.ida, "listen", "And who pays for the horses?")
    for seat in (council.gm, council.ella, council.morten):
        assert "who pays for the horses" not in seat.source()
    council.reply(council.morten, "listen", "Not I.")
    for seat in (council.ella, council.ida, council.morten):
        seat.skip_film()
        seat.look_at("board")
        expect(seat.page.locator(".talk-lines")).to_contain_text("And who pays for the horses?", timeout=PATIENCE)
        council.look(seat, "heard")
    assert any("rolls" in line and "The words reach" in line for line in council.ella.log())


def _violence_leads_to_a_fight_and_back(council: Council) -> None:
    """The fight is opened with the two who fight; when it is over, the talk goes on with what came of them."""
    council.appeal(council.ella, "Answer me, Ida.", "Ida")
    council.settle()
    council.reply(council.ida, "fight", "Enough!")
    gm = council.gm.page
    council.gm.skip_film()
    kind, _ = council.asked(council.gm)
    assert kind == "fight"
    council.look(council.gm, "fight")
    talk = council.gm.scene
    follow(gm.get_by_role("link", name="Open the fight", exact=True))
    chosen = gm.locator('input[name="seat[]"]:checked')
    assert sorted(box.get_attribute("value") or "" for box in chosen.all()) == ["ella", "ida"]
    gm.get_by_role("button", name="Open the scene").click()
    gm.wait_for_url("**/scene/*")
    assert gm.url.split("#")[0] != talk
    expect(council.ella.page.locator(".turn")).to_contain_text("Waits for", timeout=PATIENCE)
    gm.goto(talk)
    press(gm, "Go on without it")
    expect(council.ella.page.locator(".turn")).not_to_contain_text("Waits for Hand", timeout=PATIENCE)
    assert open_ask(council.ella)


def press(page: Page, name: str) -> None:
    """Presses a button of the GM's bar, and says yes."""
    page.locator(".desk-bar").get_by_role("button", name=name).click()
    page.locator("dialog[open] .go, dialog[open] button[value=yes]").first.click()


def _the_talk_ends(council: Council) -> None:
    """Who has nothing more to say may still speak; the GM ends it when nobody has."""
    council.say(council.ella, "", "stop")
    expect(council.ella.page.locator("#anytime")).to_contain_text("Speak after all for Ella", timeout=PATIENCE)
    for seat in (council.ida, council.morten):
        council.say(seat, "", "stop")
    council.alda.page.reload()
    council.alda.page.locator('#asks label:has([value="stop"])').click()
    council.alda.page.locator("#asks .acts .go").click()
    _, form = council.asked(council.gm)
    form.locator('label:has([name="what"][value="stop"])').click()
    assert seal(council.gm, form) == 200
    gm = council.gm.page
    press(gm, "Open now")  # Bertram is away
    expect(gm.locator("#asks")).to_contain_text("End the discussion or let it go on", timeout=PATIENCE)
    kind, form = council.asked(council.gm)
    assert kind == "end"
    council.look(council.gm, "end")
    assert seal(council.gm, form) == 200
    expect(council.ella.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
    council.look(council.ella, "ended")
