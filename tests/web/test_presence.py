"""Who is at the table: what a page's signs make of a member, and that others learn no more of it than they may."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from app.models.people import Member, Presence
from app.table.runtime import Runtime
from app.web.http.limits import Meter
from tests.table.hints import until_heard
from tests.web.browser import Browser
from tests.web.test_scene_pages import ROAD, Sit, at, scene, sit
from tests.web.test_sealing_shows import begin, choose, hints

__all__ = ["scene", "sit"]
pytestmark = pytest.mark.anyio


async def say(browser: Browser, who: str, page: int, state: str) -> dict[str, Any]:
    said = {"Sec-Fetch-Site": "same-origin"}
    answer = await browser.http.post(f"{ROAD}/{who}/presence", data={"page": str(page), "state": state}, headers=said)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def earlier(site: FastAPI, who: str, page: int, seconds: int) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        member = await session.scalar(select(Member.id).where(Member.handle == who))
        row = (Presence.member_id == member, Presence.page == page)
        await session.execute(update(Presence).where(*row).values(seen_at=func.now() - timedelta(seconds=seconds)))


async def test_the_nearest_of_many_pages_counts(site: FastAPI, sit: Sit) -> None:
    """Finds a page behind others that wins over one in front, a page in front that is believed for ever, and a page
    that is closed and still counts."""
    alice, bob = sit("alice"), sit("bob")

    async def of_alice() -> tuple[str, bool]:
        people = {one["name"]: one for one in (await say(bob, "bob", 0, "front"))["people"]}
        assert people["Bob"]["state"] == "here" and people["Charlie"] == {
            "name": "Charlie",
            "state": "offline",
            "since": None,
        }
        return people["Alice"]["state"], people["Alice"]["since"] is not None

    await say(alice, "alice", 1, "front")
    await say(alice, "alice", 2, "behind")
    assert await of_alice() == ("here", False)
    await earlier(site, "alice", 1, 80)
    assert await of_alice() == ("away", False)
    await say(alice, "alice", 1, "front")
    await say(alice, "alice", 1, "closed")
    assert await of_alice() == ("away", False)
    await earlier(site, "alice", 2, 3600)
    assert await of_alice() == ("offline", True)


async def test_signs_are_few_and_wake_nobody(site: FastAPI, sit: Sit) -> None:
    """Finds a table that grows with each sign, a sign that is written each time, and one that makes pages fetch."""
    alice = sit("alice")
    runtime: Runtime = site.state.runtime

    async def rows() -> list[Any]:
        async with runtime.sessions() as session:
            return list(await session.execute(select(Presence.page, Presence.state, Presence.seen_at)))

    await say(alice, "alice", 1, "front")
    before = await rows()
    async with hints(site) as woken:
        await say(alice, "alice", 1, "front")
        assert await rows() == before, "the same again is not written"
        await say(alice, "alice", 1, "behind")
        assert [(page, state) for page, state, _ in await rows()] == [(1, "behind")]
        await until_heard(runtime.bus, runtime.sessions)
        assert not any(event.is_set() for event in woken.values())
    said = {"Sec-Fetch-Site": "same-origin"}
    for page, state in (("64", "front"), ("-1", "front"), ("1", "dancing"), ("1\x00", "front"), ("", "")):
        answer = await alice.http.post(f"{ROAD}/alice/presence", data={"page": page, "state": state}, headers=said)
        assert answer.status_code == 422, (page, state)
    site.state.meter = Meter()
    data, last = {"page": "1", "state": "front"}, 200
    for _ in range(80):
        last = (await alice.http.post(f"{ROAD}/alice/presence", data=data, headers=said)).status_code
    assert last == 429
    gm = sit("gm")
    await gm.send(await gm.get(f"{ROAD}/gm/people"), "/of/alice/remove")
    assert await rows() == []


async def test_nobody_learns_more_than_the_campaign_shows(sit: Sit, scene: str) -> None:
    """Finds a name beside the number, a number where there is to be nothing, and a GM who is told less."""
    people = await begin(sit, scene, "number")
    for who, browser in people.items():
        await say(browser, who, 0, "front")
    assert await say(people["sam"], "sam", 0, "front") == {"here": 5}
    assert (await choose(people["gm"], "nothing")).status == 200
    assert await say(people["alice"], "alice", 0, "front") == {}
    told = await say(people["gm"], "gm", 0, "front")
    assert told["here"] == 5 and {"Alice", "Sam"} <= {one["name"] for one in told["people"]}


async def test_dots_stand_at_seats_that_are_shown(sit: Sit, scene: str) -> None:
    """Finds a row of seats whose dots nobody can fill, and a page that is not the same for a while."""
    people = await begin(sit, scene, "names")
    page = (await people["sam"].get(at(scene, "sam"))).html
    found = re.search(r"data-holders='([^']*)'", page)
    assert found
    held = json.loads(unescape(found[1]))
    assert held["alice"] == ["Alice"]
    row = page.partition('id="envelopes"')[2].partition("</ul>")[0]
    assert set(re.findall(r'data-seat="([^"]*)"', row)) == set(held)
