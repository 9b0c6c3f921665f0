"""A raid in a real Chromium: the ride from its day on the calendar, the battle that it leads to, a duel inside it, and
the parley after it. The GM, who holds the town, and Ella are at desks, Morten on a phone, and Sam watches.

It finds what pages of single scenes do not: a next scene that nobody can find, orders that show to the others, a day
that lags behind, a strip that does not lead back.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.seats import PATIENCE, Seat, axe, follow, links_of, overflow, shots_folder
from tests.browser.two_sides import answer_as_it_stands, open_ask, seal
from tests.play.raid import before_the_ride
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "reduced_motion": "reduce",
}  # fmt: skip
PLACES = {"GM": DESK, "Ella": DESK, "Morten": PHONE, "Sam": DESK}
MOST = 40  # answers before the battle's second round


class Riders:
    """The four, who go from scene to scene."""

    def __init__(self, browser: Browser, server: Server, links: dict[str, str], shots: Path) -> None:
        self.of = {name: Seat(name, browser.new_context(**where), server.url) for name, where in PLACES.items()}
        for name, seat in self.of.items():
            seat.enter(links[name]).open_scene()
        self.gm, self.ella, self.morten, self.sam = self.of.values()
        self.shots = shots
        self.home = {name: seat.home for name, seat in self.of.items()}
        self.scenes: dict[str, str] = {}

    def close(self) -> None:
        for seat in self.of.values():
            seat.context.close()
        assert [wrong for seat in self.of.values() for wrong in seat.wrong] == []

    def look(self, name: str, *seats: Seat) -> None:
        """Whether a page has room for what is on it, by day and in the dark."""
        for seat in seats:
            assert overflow(seat.page) == [], name
            for scheme in ("light", "dark"):
                seat.page.emulate_media(color_scheme=scheme)
                seat.shot(self.shots, f"raid-{name}-{seat.name.lower()}-{scheme}")
                assert axe(seat.page, colours_only=scheme == "dark") == [], name
            seat.page.emulate_media(color_scheme=None)

    def time_passes(self) -> None:
        """To the next scene, by the calendar's own links."""
        page = self.gm.page
        page.goto(self.home["GM"] + "calendar")
        follow(page.get_by_role("link", name=re.compile("Let time pass to")))
        self.look("time", self.gm)
        follow(page.get_by_role("button", name=re.compile("^Move time to")))
        expect(page.get_by_role("heading", name="Time has passed")).to_be_visible()

    def play(self, name: str, *before: str) -> None:
        """Opens the scene that comes next by a press, and takes all to it. Its strip names the scenes before it."""
        page = self.gm.page
        page.goto(self.home["GM"] + "calendar")
        follow(page.locator(".next .lead a"))
        self.look(f"{name}-entry", self.gm)
        page.get_by_role("button", name="Open the scene", exact=True).click()
        page.wait_for_url("**/scene/*")
        self.scenes[name] = self.gm.scene.rsplit("/", 1)[1]
        self.go(name, *before)

    def go(self, name: str, *before: str) -> None:
        for seat in self.of.values():
            seat.page.goto(self.home[seat.name] + "scene/" + self.scenes[name])
            seat.page.wait_for_selector("#live")
            strip = seat.page.locator("#chain a")
            assert strip.all_text_contents()[: len(before)] == list(before), seat.name

    def answer(self, seat: Seat, **chosen: str) -> str:
        """Answers what is asked of a seat, with these radio buttons and fields, the rest as it stands."""
        found = open_ask(seat)
        assert found, seat.name
        kind, form = found
        for name, value in chosen.items():
            choose(form, name.replace("__", "."), value)
        answer_as_it_stands(seat, form)
        return kind

    def at_desk(self, what: str, **fields: str) -> None:
        """An act of the GM's desk."""
        gm = self.gm
        gm.skip_film()
        gm.look_at("asks")
        form = gm.page.locator("#whenever-desk-gm form.declare")
        if not form.is_visible():
            gm.page.locator("summary", has_text=re.compile("^Change something in")).first.click()
        choose(form, "what", what)
        for name, value in fields.items():
            choose(form, name, value)
        assert seal(gm, form) == 200, form.locator(".fault").all_text_contents()


def choose(form: Locator, name: str, value: str) -> None:
    field = form.locator(f'[name="{name}"]')
    for closed in field.first.locator("xpath=ancestor::details[not(@open)]").all():
        closed.locator("summary").first.click()
    if field.first.get_attribute("type") == "radio":
        form.locator(f'label:has([name="{name}"][value="{value}"])').click()
    elif field.evaluate("one => one.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


@pytest.fixture
def riders(browser: Browser, server: Server, db_url: str, tmp_path: Path) -> Any:
    riders = Riders(browser, server, links_of(db_url, before_the_ride), shots_folder(tmp_path))
    yield riders
    riders.close()


def test_a_raid_goes_from_the_council_to_the_parley(riders: Riders) -> None:
    riders.at_desk("end", words="We ride on the third day.")
    expect(riders.ella.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
    riders.look("council-over", riders.gm)
    riders.time_passes()
    _they_ride_and_meet(riders)
    riders.time_passes()
    _the_battle_begins(riders)
    _two_fight_inside_it(riders)
    _the_watch_gives_up(riders)


def _they_ride_and_meet(riders: Riders) -> None:
    """Two legs in secret, each with a day of its own."""
    riders.play("ride", "The council")
    found = open_ask(riders.ella)
    assert found and found[0] == "orders"
    riders.look("orders", riders.gm, riders.ella, riders.morten)
    riders.answer(riders.ella, of__a__route="0", of__a__pace="forced", of__a__alone="ambush")
    riders.answer(riders.gm, of__b__route="0", of__b__station="5")
    expect(riders.ella.page.locator("#board")).to_contain_text("3 of 6 points", timeout=PATIENCE)
    _nobody_reads_the_others_orders(riders)
    riders.look("second-leg", riders.gm, riders.ella, riders.morten, riders.sam)
    riders.answer(riders.ella, of__a__pace="steady", of__a__alone="show")
    riders.answer(riders.gm)
    expect(riders.ella.page.locator("#board")).to_contain_text("Both sides see each other", timeout=PATIENCE)
    open_ask(riders.ella)
    riders.look("met", riders.gm, riders.ella, riders.morten)
    riders.answer(riders.ella, of__a__stance="close")
    riders.answer(riders.gm, of__b__stance="stand")
    for seat in riders.of.values():
        expect(seat.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
    riders.look("ride-over", *riders.of.values())
    assert "Battle: The raiders against The town watch" in riders.gm.page.locator("#chain").inner_text()


def _nobody_reads_the_others_orders(riders: Riders) -> None:
    """The raiders have gone three points and would lie in ambush; the watch holds point 5."""
    for seat in (riders.gm, riders.sam):
        assert "3 of 6 points" not in seat.source(), seat.name
    for seat in (riders.ella, riders.morten, riders.sam):
        assert "5 of 6 points" not in seat.source(), seat.name


def _the_battle_begins(riders: Riders) -> None:
    """Armies and attacker are those of the ride; both answer up to the first intents."""
    riders.play("battle", "The council", "The ride")
    riders.look("battle", riders.gm, riders.ella, riders.morten)
    for _ in range(MOST):
        for seat in (riders.gm, riders.ella):
            found = open_ask(seat)
            if found and found[0] == "intent":
                return
            if found:
                answer_as_it_stands(seat, found[1])
    raise AssertionError("no second round")


def _two_fight_inside_it(riders: Riders) -> None:
    """Ella against Berta, while the battle waits; then back to it."""
    page = riders.gm.page
    page.locator("summary", has_text="Change something in the battle").first.click()
    follow(page.get_by_role("link", name="start a single combat"))
    riders.look("duel-form", riders.gm)
    for box in page.locator('input[name="seat[]"]').all():
        box.set_checked(box.get_attribute("value") in ("ella", "berta"))
    for who, side in (("ella", "a"), ("berta", "b")):
        expect(page.locator(f'[name="given.sides.{who}"]')).to_have_value(side)
    page.locator('[name="title"]').fill("Ella against Berta")
    page.get_by_role("button", name="Open the scene").click()
    page.wait_for_url("**/scene/*")
    riders.scenes["duel"] = riders.gm.scene.rsplit("/", 1)[1]
    expect(riders.ella.page.locator(".turn")).to_contain_text("Waits for", timeout=PATIENCE)
    riders.look("waits", riders.ella, riders.morten)
    riders.go("duel")
    riders.answer(riders.gm)
    riders.answer(riders.ella)
    riders.answer(riders.gm)
    open_ask(riders.ella)
    riders.look("duel", *riders.of.values())
    riders.at_desk("correct", who="ella", reason="A cut.", **{"wounds.left_arm.minor": "2"})
    riders.at_desk("end", reason="They are parted.")
    for seat in riders.of.values():
        expect(seat.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
    riders.look("duel-over", riders.gm, riders.ella, riders.morten)
    follow(page.locator(f'main a[href$="{riders.scenes["battle"]}"]').first)


def _the_watch_gives_up(riders: Riders) -> None:
    riders.go("battle", "The council", "The ride")
    expect(riders.ella.page.locator("#log")).to_contain_text("Ella against Berta")
    riders.look("goes-on", riders.ella)
    riders.answer(riders.gm, of__b__intent="surrender")
    riders.answer(riders.ella)
    riders.answer(riders.ella, terms="The herd, and a free way home.")
    riders.look("terms", riders.gm)
    riders.answer(riders.gm)
    for seat in riders.of.values():
        expect(seat.page.locator("#ending")).to_be_visible(timeout=PATIENCE)
    riders.look("battle-over", *riders.of.values())
    riders.play("parley", "…", "The ride")
    riders.look("parley", *riders.of.values())
    riders.ella.page.goto(riders.home["Ella"] + "calendar")
    riders.look("calendar", riders.ella)
