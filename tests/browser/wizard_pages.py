"""A wizard's declaration as people fill it in: cards, targets, and the pages of the form."""

import json

from tests.browser.seats import Seat


def deed(seat: Seat, what: str, **major: str) -> None:
    """Presses the card of what is done: "minors"; "major" with do="cast" and spell="mend"."""
    sets = {"what": what, **{f"major.{name}": value for name, value in major.items()}}
    turn_to(seat, "what")
    cards = seat.page.locator(".deed-card[data-sets]")
    number = next(
        n for n, given in enumerate(cards.evaluate_all("all => all.map(one => one.dataset.sets)"))
        if json.loads(given) == sets
    )  # fmt: skip
    if not cards.nth(number).is_visible():
        seat.page.locator("[data-deck-to]:visible").click()
    cards.nth(number).click()


def turn_to(seat: Seat, page: str) -> None:
    """To a page of the form: what, whom, how, when, seal."""
    seat.look_at("asks")
    step = seat.page.locator(f'.plan-step[data-to="{page}"]')
    if step.get_attribute("aria-current") is None:
        step.click()


def aim_at(seat: Seat, target: str) -> None:
    """Presses the card of somebody on the page "whom"."""
    turn_to(seat, "whom")
    seat.page.locator(f'.targets [data-target="{target}"]').click()


def waits(seat: Seat, **fields: str) -> None:
    """Fills in the condition: who, verb, whom."""
    turn_to(seat, "when")
    for name, value in fields.items():
        seat.field(f"of.{seat.key}.when.{name}").select_option(value)


def seals(seat: Seat) -> None:
    turn_to(seat, "seal")
    seat.press(kind="plan")
