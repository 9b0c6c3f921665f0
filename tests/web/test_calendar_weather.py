"""The weather on the calendar: none until a GM chooses a climate, and for players none of the days to come."""

from collections.abc import Callable

import pytest

from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
AT, HERS = f"{BASE}/gerda/calendar", f"{BASE}/alice/calendar"


async def test_players_see_the_weather_up_to_today(open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    assert "°C" not in (await gm.get(AT)).text
    rules = await gm.get(f"{AT}/rules")
    settled = await gm.send(rules, "/calendar/rules", {"climate": "cold"})
    assert settled.status == 200 and 'value="cold" selected' in settled.html
    for at in (-30, -1, 0):
        told = (await gm.get(f"{AT}/day?at={at}")).text
        assert "°F" in told and "Only GMs know" not in told
        line = next(part for part in told.split("  ") if "°F" in part)
        assert line.split("°F")[0][-30:] in (await alice.get(f"{HERS}/day?at={at}")).text, "all see the same"
    for at in (1, 40):
        assert "Only GMs know the weather" in (await gm.get(f"{AT}/day?at={at}")).text
        assert "°" not in (await alice.get(f"{HERS}/day?at={at}")).text
    ours, hers = (await gm.get(AT)).html, (await alice.get(HERS)).html
    assert ours.count('class="sky') > 30 and hers.count('class="sky') == 2, "today, as a cell and as a line of the list"
    moved = await gm.send(await gm.get(f"{AT}/move?to=3"), "/calendar/go")
    assert moved.status == 200
    assert (await alice.get(HERS)).html.count('class="sky') >= 5, "a page that was kept is drawn anew"
    none = await gm.send(await gm.get(f"{AT}/rules"), "/calendar/rules", {"climate": ""})
    assert none.status == 200 and "°C" not in (await alice.get(HERS)).text


async def test_a_climate_that_is_none_is_refused(open_browser: Open) -> None:
    gm = open_browser()
    await found(gm)
    refused = await gm.send(await gm.get(f"{AT}/rules"), "/calendar/rules", {"climate": "lunar"})
    assert refused.status == 422 and "°C" not in (await gm.get(AT)).text
