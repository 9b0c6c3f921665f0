"""The calendar in a real Chromium: every view in words at every size, in both themes, and readable for everybody."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.planned_year import TODAY, day, planned
from tests.browser.seats import PATIENCE, Seat, axe, follow, overflow, shots_folder
from tests.server import Server

pytestmark = pytest.mark.browser

SIZES = {"phone": (360, 780), "desktop": (1280, 900)}
VIEWS = {
    "month": "/calendar",
    "festival": "/calendar?year=412&month=11",
    "year": "/calendar/year",
    "agenda": "/calendar/agenda",
    "search": "/calendar/agenda?q=ashby",
    "day": "/calendar/day?at={full}",
    "person": "/calendar/of/alice",
    "form": "/calendar/entries/new?kind=session",
    "move": "/calendar/move?to={far}",
}


@pytest.mark.nightly
def test_every_view_at_every_size(
    browser: Browser, server: Server, links: dict[str, str], db_url: str, tmp_path: Path
) -> None:
    slug = planned(db_url)
    shots = shots_folder(tmp_path)
    for handle, name in (("gm", "GM"), ("bob", "Bob")):
        context = browser.new_context(locale="en-GB", timezone_id="Europe/Vienna")
        seat = Seat(name, context, server.url).enter(links[name])
        for view, path in VIEWS.items():
            seat.page.goto(f"{server.url}/c/{slug}/{handle}{path.format(full=day('Leaf', 15), far=TODAY + 30)}")
            for size, (wide, high) in SIZES.items():
                seat.page.set_viewport_size({"width": wide, "height": high})
                assert overflow(seat.page) == [], (view, size)
                if handle == "gm":
                    seat.both_shots(shots, f"calendar-{view}-{size}")
                    for scheme in ("light", "dark"):
                        seat.page.emulate_media(color_scheme=scheme)
                        assert axe(seat.page, colours_only=scheme == "dark") == [], (view, size, scheme)
                    seat.page.emulate_media(color_scheme=None)
                elif view == "month":
                    seat.both_shots(shots, f"calendar-{view}-{size}-bob")
        assert seat.wrong == [], seat.wrong
        context.close()


@pytest.mark.nightly
def test_a_year_is_planned_moved_through_taken_back_and_printed(
    browser: Browser, server: Server, links: dict[str, str], tmp_path: Path
) -> None:
    """Three journeys, a healing and a feast, typed into the form; Bob watches the month change by itself. The dates
    of a repeat are slow to come, and the form is sent meanwhile."""
    shots = shots_folder(tmp_path)
    context = browser.new_context(locale="en-GB", timezone_id="Europe/Vienna")
    gm = Seat("GM", context, server.url).enter(links["GM"])
    other = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
    bob = Seat("Bob", other, server.url).enter(links["Bob"])
    base = gm.page.url.partition("/gm")[0]
    bob.page.goto(f"{base}/bob/calendar")
    page = gm.page
    for title, kind, on, lasts, more in (
        ("To the coast", "leg", "3", "9", {"standing": "pass"}),
        ("Over the pass", "leg", "8", "6", {"standing": "pass"}),
        ("Home again", "leg", "20", "4", {"standing": "pass"}),
        ("The arm is looked at", "healing", "5", "1", {"repeat": "days"}),
        ("The feast of lamps", "holiday", "15", "1", {}),
        ("The gate of the city", "scene", "24", "1", {}),
    ):
        page.goto(f"{base}/gm/calendar")
        expect(page.locator("[data-keys-open]")).to_be_visible()
        page.keyboard.press("e")
        page.get_by_label("Title").fill(title)
        page.get_by_label("Kind").select_option(kind)
        page.locator("[name=day]").fill(on)
        page.locator("[name=lasts]").fill(lasts)
        for name, value in more.items():
            page.locator(f"[name={name}]").select_option(value)
        if "repeat" in more:
            page.locator("[name=every]").fill("4")
            page.locator("[name=every]").blur()
            expect(page.locator("#times li")).to_have_count(5, timeout=PATIENCE)
            expect(page.locator("#times li").nth(1)).to_contain_text("9 First Month")
            page.route("**/calendar/entries", _hold_previews)
            with page.expect_request("**/calendar/entries"):
                page.locator("[name=every]").dispatch_event("change")
        page.get_by_role("button", name="Add entry").click()
        expect(page.get_by_text("Entry added.")).to_be_visible()
    expect(bob.page.locator(".daylist").get_by_text("The feast of lamps")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{base}/gm/calendar")
    gm.both_shots(shots, "calendar-planned-desktop")
    expect(page.locator("[data-keys-open]")).to_be_visible()  # the keys are loaded after the page
    page.keyboard.press("v")
    follow(page.get_by_role("link", name="Thirty days"))
    expect(page.get_by_text("Time stops there, for “The gate of the city”")).to_be_visible()
    page.get_by_role("button", name="Move time to 24 First Month 1").click()
    expect(page.get_by_role("heading", name="Time has passed")).to_be_visible()
    assert axe(page) == []
    gm.both_shots(shots, "calendar-moved-desktop")
    expect(bob.page.get_by_text("today is 24 First Month 1")).to_be_visible(timeout=PATIENCE)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Undo").click()
    confirm = page.locator("dialog[open] .go, dialog[open] button[value=yes]")
    if confirm.count():
        confirm.first.click()
    expect(page.get_by_role("heading", name="Undone")).to_be_visible(timeout=PATIENCE)
    expect(bob.page.get_by_text("today is 1 First Month 1")).to_be_visible(timeout=PATIENCE)
    page.goto(f"{base}/gm/calendar")
    page.emulate_media(media="print")
    expect(page.locator(".calendar-bar")).to_be_hidden()
    expect(page.locator(".as-table").first).to_be_visible()
    gm.shot(shots, "calendar-print")
    assert gm.wrong == [] and bob.wrong == [], gm.wrong + bob.wrong
    context.close()
    other.close()


def _hold_previews(route: Route) -> None:
    """Answers no request that a script makes; a form that the browser sends goes through."""
    if route.request.resource_type == "document":
        route.continue_()


def test_an_entry_is_added_on_its_day_dragged_and_moved_back_by_keys(
    browser: Browser, server: Server, links: dict[str, str], db_url: str
) -> None:
    """What only a browser shows: the form stays in the month with the focus in it, and a drag lands on its day."""
    slug = planned(db_url)
    context = browser.new_context()
    gm = Seat("GM", context, server.url).enter(links["GM"])
    page = gm.page
    page.goto(f"{server.url}/c/{slug}/gm/calendar")

    def cell(number: int) -> Locator:
        return page.locator(f'td.day[data-day="{day("Leaf", number)}"]')

    cell(27).click(position={"x": 60, "y": 70})
    expect(page.locator(".month [name=title]")).to_be_focused(timeout=PATIENCE)
    page.keyboard.type("No")
    cell(2).click(position={"x": 60, "y": 55})
    expect(page.locator(".month [name=title]")).to_have_value("No")
    page.keyboard.press("Escape")
    expect(cell(27).locator(".add")).to_be_focused(timeout=PATIENCE)
    expect(page.locator("#kept-text")).to_have_count(0)
    page.keyboard.press("e")
    expect(page.locator(".month [name=title]")).to_be_focused(timeout=PATIENCE)
    page.keyboard.type(" ")
    page.keyboard.press("Enter")
    expect(page.locator(".month .fault")).to_be_visible(timeout=PATIENCE)
    assert axe(page) == []
    page.keyboard.type("A wedding")
    page.keyboard.press("Enter")
    expect(cell(27).get_by_role("link", name="A wedding")).to_be_visible(timeout=PATIENCE)
    expect(cell(27).locator(".add")).to_be_focused()
    cell(27).get_by_role("link", name="A wedding").drag_to(cell(26))
    expect(cell(26).get_by_role("link", name="A wedding")).to_be_visible(timeout=PATIENCE)
    page.locator(".ribbon", has_text="The siege").first.drag_to(cell(28), source_position={"x": 20, "y": 8})
    expect(page.locator("#announce")).to_have_text(re.compile("^Moved to .*28 Leaf"), timeout=PATIENCE)
    cell(26).get_by_role("link", name="A wedding").focus()
    page.keyboard.press("Enter")
    summary = page.get_by_text("Move to another day")
    summary.focus()
    page.keyboard.press("Enter")
    page.locator("[name=pick_day]").fill("27")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Entry moved.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("link", name="27 Leaf 412")).to_be_visible()
    assert gm.wrong == [], gm.wrong
    context.close()
