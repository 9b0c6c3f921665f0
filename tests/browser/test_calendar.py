"""The calendar in a real Chromium: every view in words at every size, in both themes, and readable for everybody."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.planned_year import TODAY, day, planned
from tests.browser.seats import Seat, axe, overflow, shots_folder
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
                        assert axe(seat.page) == [], (view, size, scheme)
                    seat.page.emulate_media(color_scheme=None)
                elif view == "month":
                    seat.both_shots(shots, f"calendar-{view}-{size}-bob")
        assert seat.wrong == [], seat.wrong
        context.close()
