"""The calendar as a file: what leaves the campaign, what must not, and that another one has the same afterwards."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.web.browser import Browser
from tests.web.test_calendar_shape import bring, stored
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio
Open = Callable[[], Browser]
AT = f"{BASE}/gerda/calendar"


async def write(who: Browser, handle: str, **typed: str) -> None:
    base = f"{BASE}/{handle}/calendar"
    page = await who.get(f"{base}/entries/new")
    fields = [(name, value) for name, value in page.form("/entries").fields if name not in typed]
    sent = await who.post(f"{base}/entries", [*fields, *typed.items()])
    assert sent.status == 200, sent.text


async def test_what_a_gm_takes_to_another_campaign(site: FastAPI, open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await gm.post(f"{AT}/setup", [("preset", "lunar"), ("year", "1021"), ("version", "1")])
    await write(gm, "gerda", title="A feast", kind="holiday", text="With cake")
    await write(gm, "gerda", title="A plot", kind="event", seen_by="gm")
    await write(gm, "gerda", title="A battle", kind="scene")
    await write(alice, "alice", title="Market", kind="note")
    await write(alice, "alice", title="Alice alone", kind="note", seen_by="gm")
    await write(gm, "gerda", title="Cancelled", kind="note")
    lost = await gm.get(f"{AT}/agenda?q=Cancelled")
    match = re.search(rf"{AT}/entries/([0-9a-f-]{{36}})", lost.html)
    assert match
    entry = match[1]
    page = await gm.get(f"{AT}/entries/{entry}")
    await gm.post(f"{AT}/entries/{entry}/mark", [*page.form("/mark").fields, ("state", "dropped")])

    file = await gm.get(f"{AT}/export")
    assert file.headers["content-disposition"] == 'attachment; filename="calendar-the-goblin-road.json"'
    data: dict[str, Any] = json.loads(file.html)
    assert (data["format"], data["version"]) == ("signet-calendar", 1)
    assert [(one["title"], one["known_to"]) for one in data["entries"]] == [
        ("A feast", "all"), ("A plot", "gms"), ("A battle", "all"), ("Market", "all"),
    ]  # fmt: skip
    assert "lice" not in file.html and "erda" not in file.html and entry not in file.html

    other = open_browser()
    there = await found(other, title="Elsewhere", name="Gerda")
    assert there.status == 200
    looked = await other.get("/c/elsewhere/gerda/calendar/shape/import")
    fields = dict(looked.form("/shape/import").fields) | {"text": file.html, "_do": "take"}
    taken = await other.post("/c/elsewhere/gerda/calendar/shape/import", fields)
    assert taken.status == 200 and "Calendar imported" in taken.text
    again = await other.get("/c/elsewhere/gerda/calendar/export")
    assert json.loads(again.html) == data


async def test_only_gms_have_the_file_and_hidden_entries_stay_hidden(site: FastAPI, open_browser: Open) -> None:
    gm, alice = open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await write(gm, "gerda", title="A plot", kind="event", seen_by="gm")
    await write(gm, "gerda", title="A fair", kind="event")
    assert (await alice.get(f"{BASE}/alice/calendar/export")).status in (403, 404)
    file = (await gm.get(f"{AT}/export")).html
    assert (await bring(gm, "take", (await stored(site)).version, text=file)).status_code == 303
    seen = (await alice.get(f"{BASE}/alice/calendar/agenda")).text
    assert seen.count("A fair") >= 2 and "A plot" not in seen
