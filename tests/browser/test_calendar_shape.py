"""The calendar's editor in a real Chromium: the live preview, rows by buttons, phone and desktop, both themes, axe."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seats import PATIENCE, Seat, axe, make_demo, overflow, shots_folder
from tests.server import Server, servers

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
HOME = "/c/the-goblin-road/gm/calendar"
FILE = Path(__file__).parents[1] / "calendar" / "files" / "fantasy-calendar.json"


@pytest.fixture
def server(db_url: str, tmp_path: Path) -> Iterator[Server]:
    with servers(db_url, tmp_path) as running:
        yield running[0]


def test_a_calendar_is_shaped_and_one_brought_along(
    browser: Browser, server: Server, db_url: str, tmp_path: Path
) -> None:
    shots = shots_folder(tmp_path)
    links = make_demo(db_url)
    for width, height, name in ((1280, 900, "desktop"), (360, 740, "phone")):
        context = browser.new_context(viewport={"width": width, "height": height})
        gm = Seat("GM", context, server.url)
        gm.enter(links["GM"])
        page = gm.page
        page.goto(f"{server.url}{HOME}/shape?from=festivals")
        page.get_by_label("is this date:").check()
        page.locator('[name="today_year"]').fill("1021")
        page.locator('[name="months.0.name"]').fill("Hoarfrost")
        expect(page.locator("#preview")).to_contain_text("Hoarfrost 1021 OR", timeout=PATIENCE)
        page.locator('[name="months.0.days"]').fill("x")
        expect(page.locator("#preview")).to_contain_text("No preview yet", timeout=PATIENCE)
        page.locator('[name="months.0.days"]').fill("31")
        expect(page.locator("#preview")).to_contain_text("366 days", timeout=PATIENCE)
        assert axe(page) == [] and overflow(page) == []
        gm.both_shots(shots, f"shape-{name}")
        page.locator('[name="months.0.days"]').fill("900")
        page.get_by_role("button", name="Save calendar").click()
        expect(page.locator('[id="fault-months.0.days"]')).to_contain_text("At most 500")
        assert axe(page) == [] and overflow(page) == []
        gm.both_shots(shots, f"shape-fault-{name}")
        page.goto(f"{server.url}{HOME}/shape/import")
        page.get_by_label("The file").set_input_files(FILE)
        page.get_by_role("button", name="Show preview").click()
        expect(page.get_by_role("heading", name="The Tide Count")).to_be_visible(timeout=PATIENCE)
        assert axe(page) == [] and overflow(page) == []
        gm.both_shots(shots, f"import-{name}")
        if name == "phone":
            page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")  # no answer
            page.get_by_role("button", name="Use this calendar").click()
            expect(page.get_by_role("button", name="Importing 13 entries…")).to_be_visible(timeout=PATIENCE)
            expect(page.locator("#announce")).to_have_text("Importing 13 entries…")
        page.goto(f"{server.url}{HOME}/feeds")
        page.get_by_role("button", name="Make an address").first.click()
        expect(page.get_by_label("The address for Sessions and deadlines")).to_be_visible(timeout=PATIENCE)
        assert axe(page) == [] and overflow(page) == []
        gm.both_shots(shots, f"feeds-{name}")
        page.goto(f"{server.url}{HOME}/feeds")
        page.get_by_role("button", name="Delete address").click()
        assert [one for one in gm.wrong if "422" not in one] == []
        context.close()
