"""A mass battle at a table of browsers: who is asked what, as the server says, and answers as they stand."""

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.browser.seats import PATIENCE, Seat
from tests.server import Server

ASKED = re.compile(r'<section class="ask card lifted" id="(ask-[^"]+)"')
"""What somebody has still to answer; a sealed card has another class."""
STEP = re.compile(r"^[a-z]+\d+/")
HEX = re.compile(r"[A-W]\d+")


class TwoSides:
    """The people at the table, by name."""

    def __init__(
        self, browser: Browser, server: Server, links: Mapping[str, str], places: Mapping[str, dict[str, Any]]
    ) -> None:
        self.of = {name: Seat(name, browser.new_context(**where), server.url) for name, where in places.items()}
        for name, seat in self.of.items():
            seat.enter(links[name]).open_scene()

    def close(self) -> None:
        for seat in self.of.values():
            seat.context.close()
        assert [wrong for seat in self.of.values() for wrong in seat.wrong] == []


def open_ask(seat: Seat) -> tuple[str, Locator] | None:
    """The step and the form of what a seat has to answer now, once its page shows it."""
    cards = [one for one in ASKED.findall(seat.fetch(seat.scene)) if not one.startswith("ask-gm-")]
    if not cards:
        return None
    card = seat.page.locator(f"#{cards[0]}")
    expect(card).to_be_attached(timeout=PATIENCE)
    seat.skip_film()
    seat.look_at("asks")
    expect(card).to_be_visible(timeout=PATIENCE)
    step = str(card.locator('input[name="_step"]').first.get_attribute("value"))
    return STEP.sub("", step).split("/")[0], card.locator("form.declare").first


def seal(seat: Seat, form: Locator) -> int:
    """Presses the button of a form; the status of the answer."""
    with seat.page.expect_response(lambda got: got.request.method == "POST" and "/lay" in got.url) as answered:
        form.locator(".acts .go").click()
    return answered.value.status


def close_in(form: Locator) -> None:
    """Each unit goes to the first hex next to an enemy that no other one was sent to."""
    taken = set[str]()
    for row in form.locator(".unit-row").all():
        near = " ".join(row.locator("details p").all_text_contents()[:-1])
        hex = next((one for one in HEX.findall(near) if one not in taken), None)
        if hex:
            taken.add(hex)
            row.locator("input").first.fill(hex)


def answer_as_it_stands(seat: Seat, form: Locator) -> None:
    """Seals a form; of what has to be chosen the first, and without ways that a unit before has taken."""
    for field in form.locator("fieldset:has(input[type=radio])").all():
        if not field.locator("input:checked").count():
            field.locator("input").first.check()
    if seal(seat, form) == 422:
        for name in form.locator("[aria-invalid]").all():
            name.fill("")
        assert seal(seat, form) in (200, 303), form.locator(".fault").all_text_contents()
