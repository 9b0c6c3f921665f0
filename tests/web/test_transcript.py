"""A scene told afterwards: as text, as a file, and played back; to each reader what the table showed them."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.campaign import people, seats, tokens
from app.models.people import Campaign, Role
from app.table import gm_actions
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

PEOPLE = ("ann", "bea", "cyd", "gm", "sam")


@pytest.fixture
async def played(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> tuple[Table, dict[str, str], dict[str, Browser]]:
    """A scene of two rounds that is over, with a theft that only some may know of."""
    runtime: Runtime = site.state.runtime
    table = await sit_down(runtime)
    await table.open(rounds=2)
    browsers, at = {who: open_browser() for who in PEOPLE}, {}
    async with runtime.sessions.begin() as session:
        slug = (await session.get_one(Campaign, table.campaign)).slug
        for who, member in table.people.items():
            cookie = tokens.fresh()
            await seats.sit_down(session, member, "test", cookie)
            at[who] = f"/c/{slug}/{who}/scene/{table.scene}"
            browsers[who].http.cookies.set("signet", cookie, domain="signet.test", path=f"/c/{slug}/{who}")
    for step in ("r1/knock", "r2/knock"):
        await table.lay("ann", step, {"times": 2, "note": f"for ann in {step}"})
        await table.lay("bea", step, {"times": 1, "note": ""})
    assert (await table.sight("sam")).status == "over"
    return table, at, browsers


async def test_the_story_is_what_the_reader_saw(
    played: tuple[Table, dict[str, str], dict[str, Browser]],
) -> None:
    _, at, browsers = played
    for who in PEOPLE:
        page = await browsers[who].get(f"{at[who]}/story")
        assert page.status == 200 and "Toys" in page.text and "What happened" in page.text
        file = await browsers[who].http.get(f"{at[who]}/story.txt")
        assert file.status_code == 200 and file.headers["content-type"] == "text/plain; charset=utf-8"
        assert ".txt" in file.headers["content-disposition"]
        assert "At the table:" in file.text and "Ann: Ann" in file.text and "<" not in file.text
        assert max(map(len, file.text.splitlines())) <= 78
        for line in file.text.split("At the table:")[1].splitlines():
            assert line.strip("* =-")[:30] in " ".join(page.text.split()) or "Ann" in line or ":" in line, (who, line)
    unknowing = (await browsers["ann"].http.get(f"{at['ann']}/story.txt")).text
    assert (
        unknowing.split("\n\n", 2)[2:]
        == (await browsers["bea"].http.get(f"{at['bea']}/story.txt")).text.split("\n\n", 2)[2:]
    )


async def test_it_is_played_back_forward_and_back_by_links(
    played: tuple[Table, dict[str, str], dict[str, Browser]],
) -> None:
    _, at, browsers = played
    page = await browsers["sam"].get(f"{at['sam']}/replay")
    assert page.status == 200 and "How it started" in page.text and "?step=1" in page.html
    shown = []
    number = 0
    while f"?step={number + 1}" in page.html and 'rel="next"' in page.html:
        number += 1
        page = await browsers["sam"].get(f"{at['sam']}/replay?step={number}")
        assert page.status == 200 and 'rel="prev"' in page.html
        shown.append(page.html)
    assert number >= 2 and len(set(shown)) == number
    for odd in ("-1", "x", "", "1e3", "²", "9" * 400):
        assert (await browsers["sam"].http.get(f"{at['sam']}/replay", params={"step": odd})).status_code == 200, odd
    last = await browsers["sam"].get(f"{at['sam']}/replay?step=99999")
    assert f"{number} of {number}" in last.text


async def test_the_board_is_as_it_stood(played: tuple[Table, dict[str, str], dict[str, Browser]]) -> None:
    from app.table.past import view_after

    table, _, _ = played
    seen = await table.sight("ann")
    async with table.runtime.sessions() as session:
        views = [
            await view_after(session, table.runtime.vault, table.campaign, table.scene, steps, table.people["ann"])
            for steps in ([], ["r1/knock"], [chapter.step.key for chapter in seen.chapters])
        ]
    assert views[2] == seen.view and views[0] != views[1] != views[2]


async def test_who_leads_now_may_be_another_than_when_it_was_played(
    played: tuple[Table, dict[str, str], dict[str, Browser]],
) -> None:
    """Chairs of a scene that is over stay as they were; who may see what goes by the role of today."""
    table, at, browsers = played
    async with table.runtime.sessions.begin() as session:
        await people.set_role(session, table.people["bea"], Role.GM, table.people["gm"])
        await people.set_role(session, table.people["gm"], Role.PLAYER, table.people["bea"])
    for who in ("bea", "gm"):
        for path in ("replay", "replay?step=1", "story"):
            assert (await browsers[who].get(f"{at[who]}/{path}")).status == 200, (who, path)


async def test_a_scene_that_was_broken_off_says_so(
    site: FastAPI, played: tuple[Table, dict[str, str], dict[str, Browser]]
) -> None:
    table, at, browsers = played
    before = table.scene
    await table.open()
    await table.act(gm_actions.leave)
    there = at["bea"].replace(str(before), str(table.scene))
    assert "Abandoned" in (await browsers["bea"].get(f"{there}/story")).text
    assert "Abandoned" in (await browsers["bea"].http.get(f"{there}/story.txt")).text
    assert "0 of 0" in (await browsers["bea"].get(f"{there}/replay?step=4")).text
