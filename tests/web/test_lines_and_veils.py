"""Lines and veils: anybody writes, nobody is found out, two writers do not overwrite each other."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.campaign import lines_and_veils
from app.errors import Conflict
from app.models.people import Bound, Campaign
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]


@pytest.fixture
async def people(open_browser: Open) -> dict[str, Browser]:
    gm, alice, sam = open_browser(), open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await join(sam, await invite(gm, role="spectator"), "Sam")
    return {"gerda": gm, "alice": alice, "sam": sam}


async def add(people: dict[str, Browser], who: str, text: str, kind: str = "line", **more: str) -> Page:
    page = await people[who].get(f"{BASE}/{who}/lines")
    return await people[who].send(page, "/lines", {"text": text, "kind": kind, **more})


async def send(browser: Browser, page: Page, at: str, typed: dict[str, str]) -> Page:
    form = page.form(at)
    return await browser.post(form.action, {**dict(form.fields), **typed})


async def stored(site: FastAPI) -> list[Bound]:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        return list(await session.scalars(select(Bound).order_by(Bound.text)))


async def test_what_is_added_without_a_name_has_none_anywhere(site: FastAPI, people: dict[str, Browser]) -> None:
    for who, text in (("alice", "Spiders in detail"), ("sam", "Harm to animals"), ("gerda", "Torture")):
        answer = await add(people, who, text)
        assert answer.status == 200 and text in answer.text
    assert (await add(people, "alice", "Drowning", "veil", openly="yes")).status == 200
    rows = await stored(site)
    assert {(row.text, row.said_by) for row in rows if row.kind == "line"} == {
        ("Spiders in detail", ""),
        ("Harm to animals", ""),
        ("Torture", ""),
    }
    assert [row.said_by for row in rows if row.kind == "veil"] == ["Alice"]
    assert {row.id.version for row in rows} == {4}, "an id with an hour in it would tell when"
    assert {column.name for column in Bound.__table__.columns} == {
        *("campaign_id", "id", "kind", "text", "said_by", "gone", "version"),
    }, "a new column here must not tell who or when"
    page = (await people["sam"].get(f"{BASE}/sam/lines")).html
    assert re.findall("Harm to animals|Spiders in detail|Torture", re.sub("<form.*?</form>", "", page, flags=re.S)) == [
        "Harm to animals",
        "Spiders in detail",
        "Torture",
    ], "they stand by their letters, not by when they came"
    assert "added by Alice" in page


async def test_a_repeated_press_adds_once_and_another_list_is_named(site: FastAPI, people: dict[str, Browser]) -> None:
    await add(people, "alice", "Spiders")
    assert (await add(people, "alice", "Spiders")).status == 200
    assert (await add(people, "sam", "spiders", "veil")).status == 409
    assert len(await stored(site)) == 1


async def test_two_writers_and_what_was_taken_away(site: FastAPI, people: dict[str, Browser]) -> None:
    await add(people, "alice", "Spiders", openly="yes")
    (bound,) = await stored(site)
    at = f"/lines/{bound.id}"
    first = await people["alice"].get(f"{BASE}/alice/lines")
    second = await people["gerda"].get(f"{BASE}/gerda/lines")
    assert (await send(people["alice"], first, at, {"text": "Big spiders", "act": "change"})).status == 200
    late = await send(people["gerda"], second, at, {"text": "Small spiders", "act": "change"})
    assert late.status == 409 and "Small spiders" in late.html and "Big spiders" in late.html
    (bound,) = await stored(site)
    assert (bound.text, bound.said_by) == ("Big spiders", ""), "new words are not Alice's"
    page = await people["sam"].get(f"{BASE}/sam/lines")
    away = await send(people["sam"], page, at, {"act": "away"})
    assert away.status == 200 and "Removed (1)" in away.text, "nothing leaves the page unseen"
    page = await people["alice"].get(f"{BASE}/alice/lines")
    assert "Removed (" not in (await send(people["alice"], page, at, {"act": "back"})).text


async def test_said_anew_without_a_name_it_names_nobody(site: FastAPI, people: dict[str, Browser]) -> None:
    await add(people, "alice", "Spiders", openly="yes")
    (bound,) = await stored(site)
    page = await people["alice"].get(f"{BASE}/alice/lines")
    await send(people["alice"], page, f"/lines/{bound.id}", {"act": "away"})
    assert "added by Alice" not in (await add(people, "sam", "spiders")).text
    (bound,) = await stored(site)
    assert (bound.gone, bound.said_by, bound.version) == (False, "", 3), "and forms from before do not fit any more"


async def test_who_is_invited_reads_it_and_strangers_do_not(people: dict[str, Browser], open_browser: Open) -> None:
    path = await invite(people["gerda"])
    assert "lines and veils" not in (await open_browser().get(path)).text
    await add(people, "alice", "Harm to animals", openly="yes")
    page = (await open_browser().get(path)).text
    assert "lines and veils" in page and "Harm to animals" in page and "added by Alice" not in page
    assert (await open_browser().get(f"{BASE}/alice/lines")).status == 401
    for who in ("gerda", "alice", "sam"):
        assert "Lines and veils" in (await people[who].get(f"{BASE}/{who}/")).text


async def test_there_is_an_end_to_it(site: FastAPI, people: dict[str, Browser]) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        campaign = (await session.scalars(select(Campaign))).one().id
        for number in range(lines_and_veils.MOST):
            await lines_and_veils.add(session, campaign, "ask", f"Number {number}")
        with pytest.raises(Conflict):
            await lines_and_veils.add(session, campaign, "ask", "One more")
