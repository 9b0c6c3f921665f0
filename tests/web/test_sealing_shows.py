"""What a campaign shows of others' seals before they open: names, a number, or nothing. The GM always sees names."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import Campaign, Member
from app.table.runtime import Runtime
from app.web.http.page_cache import NOW, REQUEST
from tests.selection import nightly
from tests.table.hints import until_heard, waits
from tests.web.browser import Browser, Page
from tests.web.test_scene_pages import ROAD, Sit, at, scene, seal, sit

__all__ = ["scene", "sit"]
pytestmark = pytest.mark.anyio
VIEWS = ("/people", "/", "/calendar", "/characters/alice")
OF_SCENE = ("", "/live", "/verify", "/story", "/story.txt", "/receipts", "/replay")


async def choose(gm: Browser, shows: str) -> Page:
    page = await gm.get(f"{ROAD}/gm/")
    return await gm.send(page, "/campaign", {"sealing_shows": shows})


async def begin(sit: Sit, scene: str, shows: str) -> dict[str, Browser]:
    """The scene is set, and Alice, Bob and Charlie are asked to declare."""
    gm = sit("gm")
    assert (await choose(gm, shows)).status == 200
    page = await gm.get(at(scene, "gm"))
    await seal(gm, page, {"description": "Rain."})
    return {"gm": gm, **{name: sit(name) for name in ("alice", "bob", "charlie", "sam")}}


async def everything(browser: Browser, who: str, scene: str) -> dict[str, str]:
    """All that this member can read, without the hour and the ids of presses."""
    pages = {view: await browser.get(f"{ROAD}/{who}{view}") for view in VIEWS}
    pages |= {f"scene{view}": await browser.get(f"{at(scene, who)}{view}") for view in OF_SCENE}
    shown = re.search(r'data-shown="([0-9a-f]+)"', pages["scene/live"].html)
    assert shown, "an open page of this scene asks for blocks"
    said = {"HX-Request": "true", "Signet-Shown": shown[1]}
    pages["blocks"] = await browser.get(f"{at(scene, who)}/live", **said)
    assert "<hx-partial" in pages["blocks"].html
    read = {name: REQUEST.sub("", NOW.sub("", page.html)) for name, page in pages.items()}
    return read | {"awaits": (await browser.http.get(f"{ROAD}/{who}/awaits")).text}


@contextlib.asynccontextmanager
async def hints(site: FastAPI) -> AsyncIterator[dict[str, asyncio.Event]]:
    """For each member, whether a stream of theirs was woken."""
    runtime: Runtime = site.state.runtime
    async with contextlib.AsyncExitStack() as stack:
        async with runtime.sessions() as session:
            members = list(await session.scalars(select(Member)))
        events = await waits(stack, runtime.bus, members[0].campaign_id, *(one.id for one in members))
        woken = {one.handle: event for one, event in zip(members, events, strict=True)}
        await until_heard(runtime.bus, runtime.sessions)
        for event in woken.values():
            event.clear()
        yield woken


async def declare(browser: Browser, who: str, scene: str, act: str = "seal") -> None:
    page = await browser.get(at(scene, who))
    typed = {f"of.{who}.attack": "sword-goblin"} if who != "gm" and act != "take_back" else {}
    assert (await seal(browser, page, typed, act)).status == 200


async def test_with_nothing_another_seal_changes_no_byte(site: FastAPI, sit: Sit, scene: str) -> None:
    """Finds a page, a file, an answer or a hint by which somebody could tell that another has sealed, taken it back or
    written a draft; also for who has sealed already. A commit looks after a seal and after it was taken back, as a
    player who has sealed and as a spectator."""
    people = await begin(sit, scene, "nothing")
    await declare(people["alice"], "alice", scene)
    watching = ("alice", "charlie", "sam") if nightly() else ("alice", "sam")
    before = {who: await everything(people[who], who, scene) for who in watching}
    for number, act in enumerate(("draft", "seal", "take_back", "seal")):
        async with hints(site) as woken:
            await declare(people["bob"], "bob", scene, act)
            await until_heard(site.state.runtime.bus, site.state.runtime.sessions)
            whom = {who for who, event in woken.items() if event.is_set()}
            assert whom == (set() if act == "draft" else {"gm", "bob"}), act
        for who in watching if nightly() or number in (1, 2) else ():
            now = await everything(people[who], who, scene)
            assert [name for name in now if now[name] != before[who][name]] == [], (who, act)
    page = await people["sam"].get(at(scene, "sam"))
    assert "Everything opens once all have sealed." in page.text and 'has sealed"' not in page.html
    desk = await people["gm"].get(at(scene, "gm"))
    assert 'aria-label="Bob has sealed"' in desk.html and "Charlie" in desk.text
    await declare(people["charlie"], "charlie", scene)
    await declare(people["gm"], "gm", scene)
    opened = await people["sam"].get(at(scene, "sam"))
    assert 'aria-label="Bob has been opened"' in opened.html


async def test_with_a_number_nobody_is_named(sit: Sit, scene: str) -> None:
    """Finds a name beside the number, and a number that is not true."""
    people = await begin(sit, scene, "number")
    before = await everything(people["charlie"], "charlie", scene)
    assert "0 of 4 have sealed." in before["scene"]
    seen = []
    for first in ("alice", "bob"):
        await declare(people[first], first, scene)
        seen.append(await everything(people["charlie"], "charlie", scene))
        await declare(people[first], first, scene, "take_back")
    assert seen[0] == seen[1] and "1 of 4 has sealed." in seen[0]["scene"]
    taken = await everything(people["charlie"], "charlie", scene)
    assert taken["scene"] == before["scene"], "nobody is named as having taken it back"


async def test_the_setting_is_the_gms_and_is_shown_at_once(site: FastAPI, sit: Sit, scene: str) -> None:
    """Finds a kept page that outlives the setting, and a value that nobody offers."""
    people = await begin(sit, scene, "names")
    await declare(people["alice"], "alice", scene)
    page = await people["sam"].get(at(scene, "sam"))
    assert 'aria-label="Alice has sealed"' in page.html and "Waiting for Bob" in page.text
    await choose(people["gm"], "nothing")
    page = await people["sam"].get(at(scene, "sam"))
    assert "Alice has sealed" not in page.html and "Waiting for Bob" not in page.text
    wrong = await people["gm"].post(f"{ROAD}/gm/campaign", {"title": "T", "ruleset": "whiskey", "sealing_shows": "x"})
    assert wrong.status == 422 and "Choose one of the options." in wrong.text
    kept = await people["gm"].post(f"{ROAD}/gm/campaign", {"title": "T", "ruleset": "whiskey"})
    assert kept.status == 200
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        settings: Any = (await session.scalars(select(Campaign.settings))).one()
    assert settings["sealing_shows"] == "nothing", json.dumps(settings)
