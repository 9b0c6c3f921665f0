"""The world on the desk: what is on the way, and who can come to the next session, as the calendar has them."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.almanac.rsvp import Coming
from app.campaign import seats, tokens
from app.play.demo import ensure_demo
from app.table.runtime import Runtime
from app.web.desk.world import by_answer
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio
ROAD = "/c/the-goblin-road"


async def test_the_strip_tells_what_comes_and_who_can_come(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    runtime: Runtime = site.state.runtime
    browser = open_browser()
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, runtime.vault, calendar=True)
        campaign = await seats.by_slug(session, "the-goblin-road")
        assert campaign is not None
        gm = next(one for one in await seats.members(session, campaign.id) if one.handle == "gm")
        await seats.sit_down(session, gm, "test", token := tokens.fresh())
    browser.http.cookies.set("signet", token, domain="signet.test", path=f"{ROAD}/gm")
    page = await browser.get(f"{ROAD}/gm/desk")
    strip = page.text.split("World ")[-1]
    assert "On the way: The cart rolls on, tomorrow; The old stone bridge, in 4 days; " in strip
    assert strip.index("3 more") < strip.index("Let time pass"), "each entry once, without the session"
    assert "You meet: Next session" in strip and "Coming: Alice" in strip
    assert "No answer yet: GM, Bob and Charlie" in strip


def test_members_stand_under_their_answers() -> None:
    coming = [
        Coming("Ann", "no", False),
        Coming("Ben", "", True),
        Coming("Cem", "yes", False),
        Coming("Dee", "no", False),
    ]
    assert by_answer(coming) == (("coming", ("Cem",)), ("not coming", ("Ann", "Dee")), ("no answer yet", ("Ben",)))
