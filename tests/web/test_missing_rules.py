"""A campaign played by rules whose package was uninstalled: its pages say so, and nothing of it is lost."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

import app.rulesets
from app.campaign import characters, seats, tokens
from app.models.people import Campaign
from app.models.scenes import Scene
from app.table.runtime import Runtime
from tests.table.table import sit_down
from tests.toy import TOY
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

WORDS = "This server has no rules called “toy”."
PAGES = (
    "/", "/people", "/lines", "/you", "/calendar", "/calendar/agenda", "/calendar/rules", "/calendar/time", "/own",
    "/characters/new", "/scenes/new", "/decide/vote", "/campaign/file",
)  # fmt: skip


async def test_a_scene_whose_rules_are_gone_says_so_and_goes_on_once_they_are_back(
    site: FastAPI, open_browser: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime: Runtime = site.state.runtime
    table = await sit_down(runtime)
    await table.open(seconds=3600)
    gm, token = open_browser(), tokens.fresh()
    async with runtime.sessions.begin() as session:
        campaign = await session.get_one(Campaign, table.campaign)
        campaign.settings = {**campaign.settings, "ruleset": TOY.key}
        await seats.sit_down(session, table.people["gm"], "test", token)
        listed = await characters.all_characters(session, table.campaign)
        base = f"/c/{campaign.slug}/gm"
    gm.http.cookies.set("signet", token, domain="signet.test", path=base)
    scene = f"{base}/scene/{table.scene}"
    assert (await gm.get(scene)).status == 200

    with monkeypatch.context() as gone:
        gone.setattr(app.rulesets, "RULESETS", app.rulesets.SHIPPED)
        for path in ("", "/live", "/story", "/replay", "/receipts", "/why/1"):
            page = await gm.get(f"{scene}{path}")
            assert page.status == 409 and WORDS in page.text, path
        page = await gm.post(f"{scene}/say", {"said": "Anybody here?"})
        assert page.status == 409 and WORDS in page.text and "Anybody here?" in page.html
        sheets = [f"/characters/{one.slug}{more}" for one in listed for more in ("", "/edit", "/care")]
        answers = {path: (await gm.get(f"{base}{path}")).status for path in (*PAGES, *sheets)}
        assert {path: status for path, status in answers.items() if status >= 500} == {}
        assert answers["/"] == answers["/people"] == answers["/calendar"] == 200
        async with runtime.sessions.begin() as session:
            await session.execute(update(Scene).values(next_due_at=datetime(2026, 1, 1, tzinfo=UTC)))
        assert await runtime.sweep() == 0
        async with runtime.sessions() as session:
            due = (await session.scalars(select(Scene.next_due_at))).one()
            assert due is not None and due > datetime(2026, 1, 2, tzinfo=UTC), "the sweeper asks again later"

    page = await gm.get(scene)
    assert page.status == 200 and WORDS not in page.text

    async with runtime.sessions.begin() as session:
        await session.execute(update(Scene).values(kind="chess"))
    page = await gm.get(scene)
    assert page.status == 409 and "On this server, the rules “toy” have no kind of scene “chess”." in page.text
    assert (await gm.get(f"{base}/")).status == 200
