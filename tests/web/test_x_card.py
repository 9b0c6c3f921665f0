"""The X-card through the pages: whoever presses it leaves the same rows, logs and pages behind."""

import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats, tokens
from app.models.base import Base
from app.models.people import Campaign, Device, Member
from app.models.scenes import Scene, StepRow
from app.table import pauses
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

PEOPLE = ("ann", "bea", "cyd", "gm", "sam")
RUNS_ON = {"ms", "created", "relativeCreated", "msecs", "taskName"}  # what differs from one request to the next
Open = Callable[[], Browser]
Evening = tuple[Table, dict[str, Browser], dict[str, str]]


@pytest.fixture
async def evening(site: FastAPI, open_browser: Open) -> Evening:
    """A scene with a clock, everybody at the table, whose browsers were last noted an hour ago."""
    runtime: Runtime = site.state.runtime
    table = await sit_down(runtime)
    await table.open(seconds=3600)
    browsers, cookies = {who: open_browser() for who in PEOPLE}, {who: tokens.fresh() for who in PEOPLE}
    async with runtime.sessions.begin() as session:
        slug = (await session.get_one(Campaign, table.campaign)).slug
        for who, member in table.people.items():
            await seats.sit_down(session, member, "test", cookies[who])
            browsers[who].http.cookies.set("signet", cookies[who], domain="signet.test", path=f"/c/{slug}/{who}")
        await forget_presence(session, table)
    return table, browsers, {who: f"/c/{slug}/{who}/scene/{table.scene}" for who in PEOPLE}


async def forget_presence(session: AsyncSession, table: Table) -> None:
    """As if nobody had looked for long: were a press noted as presence, the rows would now tell it."""
    long_ago = datetime(2026, 11, 1, tzinfo=UTC) - timedelta(hours=1)
    for kind in (Device, Member):
        await session.execute(update(kind).where(kind.campaign_id == table.campaign).values(seen_at=long_ago))


async def everything_stored(runtime: Runtime) -> str:
    """Each row of each table as text."""
    async with runtime.sessions() as session:
        rows = [
            f"{table.name}: {row}"
            for table in Base.metadata.sorted_tables
            for row in sorted((await session.execute(text(f"SELECT t::text FROM {table.name} AS t"))).scalars())
        ]
    return "\n".join(rows)


async def press(browser: Browser, at: str, **headers: str) -> int:
    headers = {"Sec-Fetch-Site": "same-origin", **headers}
    return (await browser.http.post(f"{at}/stop", data={"sure": "yes"}, headers=headers)).status_code


async def test_whoever_presses_it_leaves_the_same_behind(
    evening: Evening, site: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    """Each of them presses once, from the very same evening; then rows, logs and pages are compared."""
    table, browsers, at = evening
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        before = await session.get_one(Scene, (table.campaign, table.scene))
        steps = list(await session.scalars(select(StepRow).where(StepRow.campaign_id == table.campaign)))
        dues = {step.key: step.due_at for step in steps}
    left: dict[str, tuple[str, str, dict[str, str]]] = {}
    for presser in PEOPLE:
        caplog.clear()
        with caplog.at_level(logging.INFO, logger="signet"):
            assert await press(browsers[presser], at[presser]) == 303
        logs = str([{k: v for k, v in vars(r).items() if k not in RUNS_ON} for r in caplog.records])
        stored = await everything_stored(runtime)
        pages = {}
        for reader in PEOPLE:
            answer = await browsers[reader].http.get(at[reader])
            assert "Someone would like to stop here" in answer.text, reader
            pages[reader] = re.sub(r'name="_request" value="[^"]*"|data-now="[^"]*"', "", answer.text)
        left[presser] = (logs, re.sub(r",3[56]\d\d,", ",,", stored), pages)
        async with runtime.sessions.begin() as session:  # back to the very same moment before
            scene = await session.get_one(Scene, (table.campaign, table.scene))
            scene.stopped, scene.paused_at, scene.changes = False, None, before.changes
            scene.next_due_at = before.next_due_at
            for step in await session.scalars(select(StepRow).where(StepRow.campaign_id == table.campaign)):
                step.due_at, step.left_seconds = dues[step.key], None
            await forget_presence(session, table)
    assert "/scene/{scene_id}/stop" in left["ann"][0], "the log was loud enough to tell"
    for presser in PEOPLE[1:]:
        for what, mine, anns in zip(("log", "rows", "pages"), left[presser], left["ann"], strict=True):
            assert mine == anns, f"{what} tell {presser} from Ann"


async def test_it_is_asked_twice_and_not_without_end(evening: Evening, site: FastAPI) -> None:
    table, browsers, at = evening
    stray = await browsers["sam"].http.post(f"{at['sam']}/stop", headers={"Sec-Fetch-Site": "same-origin"})
    assert stray.status_code == 422 and "The scene was not stopped" in stray.text
    assert not (await table.sight("gm")).stopped
    for _ in range(10):
        assert await press(browsers["sam"], at["sam"]) == 303
        assert await press(browsers["bea"], at["bea"]) == 303, "while it stands, more presses cost nothing"
        await table.act(pauses.go_on)
    assert await press(browsers["sam"], at["sam"]) == 429, "ten in ten minutes is enough for one browser"
    assert await press(browsers["bea"], at["bea"]) == 303, "and says nothing of another"
    kept = " ".join(site.state.meter._free_at)
    assert not [m for m in table.people.values() if str(m.id) in kept.replace("lay", "")], "no name is counted under"


async def test_a_part_for_scripts_is_the_same_for_whoever_pressed_and_whoever_looks(
    evening: Evening,
) -> None:
    _, browsers, at = evening
    before = (await browsers["ann"].http.get(at["ann"])).text
    assert "Stop the scene" in before and "Someone would like" not in before
    headers = {"HX-Request": "true", "Sec-Fetch-Site": "same-origin"}
    pressed = (await browsers["ann"].http.post(f"{at['ann']}/stop", data={"sure": "yes"}, headers=headers)).text
    looked = (await browsers["ann"].http.get(f"{at['ann']}/live")).text
    changing = r'name="_request" value="[^"]*"|data-now="[^"]*"'
    assert re.sub(changing, "", pressed) == re.sub(changing, "", looked)
    assert "Stop the scene" not in looked and "Resume the scene" not in looked
    assert "Resume the scene" in (await browsers["gm"].http.get(at["gm"])).text


async def test_a_clock_that_waits_says_why_and_the_gm_starts_it(evening: Evening, site: FastAPI) -> None:
    """With nobody there, the next round's clock ran all the same, and no page said a word."""
    table, browsers, at = evening
    await table.age("r1/knock")
    await table.runtime.sweep()
    for who in PEOPLE:
        page = await browsers[who].get(at[who])
        assert "Nobody answered in time last round. The clock waits until the GM starts it." in page.text, who
        assert ("Start the clock" in page.text) == (who == "gm")
    page = await browsers["gm"].get(at["gm"])
    await browsers["gm"].send(page, "/act/time")
    page = await browsers["ann"].get(at["ann"])
    assert "Nobody answered in time" not in page.text and "Gm set a time limit of one hour." in page.text
