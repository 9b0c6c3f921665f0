"""A GM deletes a campaign by typing its title; nobody else can, and nothing of it is left."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from app.campaign import deleting
from app.models import metadata
from app.models.people import Campaign
from app.table.runtime import Runtime
from tests.table.table import sit_down
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found

pytestmark = pytest.mark.anyio


async def rows(runtime: Runtime) -> dict[str, int]:
    async with runtime.sessions() as session:
        count = {t.name: await session.scalar(select(func.count()).select_from(t)) for t in metadata.sorted_tables}
    return {name: number for name, number in count.items() if number}


async def test_of_two_with_one_title_it_is_told_which(runtime: Runtime, toy: None) -> None:
    said = []
    for played in (True, False):
        table = await sit_down(runtime)
        await table.open()
        if played:
            for who in ("ann", "bea"):
                await table.lay(who, "r1/knock", {"times": 1, "note": ""})
        async with runtime.sessions() as session:
            slug = (await session.get_one(Campaign, table.campaign)).slug
            said.append(str(await deleting.summary(session, slug)).replace(slug, "slug"))
    day = f"{datetime.now(UTC):%-d %B %Y}"
    assert said == [f"“Toys” at /c/slug: 5 people, 1 scene, {end}" for end in (f"last played on {day}", "never played")]


async def test_it_is_gone_with_everything(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    runtime: Runtime = site.state.runtime
    gm = open_browser()
    await found(gm)
    assert set(await rows(runtime)) >= {"campaigns", "members", "sessions"}
    page = await gm.get(f"{BASE}/gerda/delete")
    assert page.status == 200 and "14 nights" in page.html
    assert "“The Goblin Road” at /c/the-goblin-road: 1 person, no scenes, never played." in page.text
    for typed in ("", "yes", "the goblin", "The Goblin Road!"):
        refused = await gm.post(f"{BASE}/gerda/delete", {"typed": typed})
        assert refused.status == 422 and "That is not its title" in refused.html, typed
    assert "campaigns" in await rows(runtime)
    title = page.html.split("<h1>Delete ")[1].split("</h1>")[0]
    gone = await gm.post(f"{BASE}/gerda/delete", {"typed": f"  {title.upper()} "})
    assert gone.status == 200 and gone.path == "/"
    assert await rows(runtime) == {}
    assert (await gm.get(f"{BASE}/gerda/")).status == 401
