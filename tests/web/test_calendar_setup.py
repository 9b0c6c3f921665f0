"""The calendar's first visit: who is asked, what one press does, and that it goes away for good."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.calendar.days import Date
from app.calendar.presets import PRESETS
from tests.web.browser import Browser, Page
from tests.web.test_calendar_shape import EACH_PRESET, stored
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
AT = f"{BASE}/gerda/calendar"
ASKED = "Set up your calendar"


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


async def press(gm: Browser, page: Page, key: str, **typed: str) -> Page:
    """Press a card."""
    form = page.form("/calendar/setup")
    kept = [(name, value) for name, value in form.fields if name not in typed]
    return await gm.post(form.action, [*kept, *typed.items(), ("preset", key)])


@pytest.mark.parametrize("key", EACH_PRESET)
async def test_one_press_sets_a_calendar_up_from_its_year(
    site: FastAPI, gm: Browser, open_browser: Open, key: str
) -> None:
    alice = open_browser()
    await join(alice, await invite(gm), "Alice")
    page = await gm.get(AT)
    assert ASKED in page.text and all(shape.name in page.text for shape in PRESETS.values())
    assert ASKED not in (await alice.get(f"{BASE}/alice/calendar")).text
    shown = await press(gm, page, key, year="1021")
    assert shown.status == 200 and "Calendar saved." in shown.text and ASKED not in shown.text
    now = await stored(site)
    assert now.shape == PRESETS[key] and now.count.date(now.today) == Date(1021, 1, 1)
    again = await press(gm, page, key, year="1021")
    assert again.status == 200 and (await stored(site)).version == now.version, "a second press changes nothing"


async def test_a_wrong_year_is_said_and_kept_and_no_calendar_is_chosen(site: FastAPI, gm: Browser) -> None:
    page = await gm.get(AT)
    for typed, says in (("soon", "whole number"), ("9999999", "900")):
        refused = await press(gm, page, "lunar", year=typed)
        assert refused.status == 422 and says in refused.text and f'value="{typed}"' in refused.html
    unknown = await press(gm, page, "", year="7")
    assert unknown.status == 409 and "Choose one of the calendars." in unknown.text and 'value="7"' in unknown.html
    assert (await stored(site)).untouched


async def test_what_is_on_a_calendar_makes_it_one_that_somebody_uses(site: FastAPI, gm: Browser) -> None:
    """An entry keeps its day, and the page for a calendar in use keeps today."""
    old = await gm.get(AT)
    new = await gm.get(f"{AT}/entries/new")
    await gm.send(new, "/entries", {"title": "A beginning"})
    assert ASKED not in (await gm.get(AT)).text
    setup = await gm.get(f"{AT}/setup")
    assert "year" not in setup.form("/calendar/setup").names
    await press(gm, setup, "gregorian")
    assert (await stored(site)).today == 0 and (await stored(site)).shape == PRESETS["gregorian"]
    late = await press(gm, old, "lunar", year="5")
    assert late.status == 409 and "Someone changed the calendar" in late.text
    assert (await stored(site)).shape == PRESETS["gregorian"]
