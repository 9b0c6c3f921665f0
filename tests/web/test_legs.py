"""A long scene whose next leg has to wait, as its pages say it, and as a GM goes on with it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fastapi import FastAPI

import app.rulesets
from app.almanac import entries
from app.almanac.entries import EntryTyped
from app.campaign import characters, founding, seats, tokens
from app.engine.ruleset import Brief, Seat
from app.table import closing, gm_actions
from app.table.opening import open_scene
from app.table.runtime import Runtime
from tests.toy import KIND, TOY
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

ROAD = replace(KIND, key="road", title="A road", leg=lambda state: state.round)


@pytest.fixture
def roads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.rulesets, "RULESETS", (*app.rulesets.RULESETS, replace(TOY, kinds=(KIND, ROAD))))


async def test_the_page_says_until_when_and_the_gm_goes_on(
    roads: None, site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """CHR-CAL-05, CHR-CAL-06."""
    runtime: Runtime = site.state.runtime
    gm, cookie = open_browser(), tokens.fresh()
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The road", "toy", "GM", "test")
        campaign, host = founded.campaign, founded.member
        ann = await characters.create(session, campaign, "Ann", "toy", {"name": "Ann"}, None)
        await seats.sit_down(session, host, "test", cookie)
        duel = await entries.add(
            session, runtime.vault, campaign.id, host, EntryTyped(kind="scene", title="duel", day=0)
        )
        brief = Brief(kind="road", title="To the coast", seats={Seat("ann"): (ann.slug,)})
        given = {"honest": True, "rounds": 3}
        scene = await open_scene(session, runtime.vault, campaign.id, "toy", brief, given)
    path = f"/c/{campaign.slug}/gm"
    gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    page = await gm.get(f"{path}/scene/{scene}")
    assert "Paused" not in page.text
    async with runtime.locked_scene(campaign.id, scene) as (session, live):
        assert await closing.close(session, live, (await gm_actions.open_steps(session, live))[-1], "gm")
    page = await gm.get(f"{path}/scene/{scene}")
    assert "Paused until 2 First Month 1. Something else comes first on the calendar." in page.text
    assert "The calendar paused the scene" in page.text
    desk = await gm.get(f"{path}/desk")
    assert "Paused by the calendar until 2 First Month 1." in desk.text
    month = await gm.get(f"{path}/calendar")
    assert "To the coast, leg 1" in month.text and "To the coast, leg 2" in month.text
    found = [link for link in month.links if "/calendar/entries/" in link and link.endswith("on=1")]
    leg = await gm.get(found[0])
    assert "Journey leg 2" in leg.text
    assert "Go to the table" in leg.text and "the next leg" not in leg.text
    moved = await gm.send(leg, "/put-off", {"pick_day": "4"})
    assert moved.status == 200
    page = await gm.get(f"{path}/scene/{scene}")
    assert "Paused until 4 First Month 1." in page.text, "the page is drawn anew"
    await gm.post(f"{path}/calendar/entries/{duel.id}/mark", {"version": "1", "state": "done"})
    ahead = await gm.get(f"{path}/calendar/move?to=9")
    assert "4 First Month 1" in ahead.text
    await gm.send(page, "/act/go-on")
    page = await gm.get(f"{path}/scene/{scene}")
    assert "Paused" not in page.text and "planned" not in (await gm.get(found[0])).text
