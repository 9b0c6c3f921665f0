"""A player's goals for a character: no page, no role, no dump and no new owner ever reads them."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.models import metadata
from app.table.runtime import Runtime
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio

SECRET = "canary: her sister's throne"


async def test_goals_are_their_writers_alone(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, alice, bob = open_browser(), open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    await join(bob, await invite(gm), "Bob")
    await alice.post(f"{BASE}/alice/characters", {"ruleset": "toy", "sheet.name": "Ella", "sheet.luck": "1"})
    at = f"{BASE}/alice/characters/ella"
    kept = await alice.send(await alice.get(at), "/ella/goals", {"body": SECRET})
    assert kept.status == 200 and SECRET.replace("'", "&#39;") in kept.html and "Nobody else can read them" in kept.html

    stale = await alice.post(f"{at}/goals", {"body": "to sail", "version": "0"})
    assert stale.status == 409 and "to sail" in stale.html and "Saved goals" in stale.html
    for browser, who in ((gm, "gerda"), (bob, "bob")):
        page = await browser.get(f"{BASE}/{who}/characters/ella")
        assert page.status == 200 and "canary" not in page.html and "goals" not in page.html
        refused = await browser.post(f"{BASE}/{who}/characters/ella/goals", {"body": "x", "version": "1"})
        assert refused.status == 403

    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        for table in metadata.sorted_tables:
            rows = await session.execute(text(f"SELECT t::text FROM {table.name} t"))
            assert "canary" not in "".join(row[0] for row in rows), table.name
            hidden = await session.execute(
                text(f"SELECT encode(convert_to(t::text, 'UTF8'), 'hex') FROM {table.name} t")
            )
            assert b"canary".hex() not in "".join(row[0] for row in hidden), table.name

    handed = await alice.post(f"{at}/hand-over", {"to": "bob"})
    assert handed.status == 200
    page = await bob.get(f"{BASE}/bob/characters/ella")
    assert "Your goals" in page.html and "canary" not in page.html, "the new player begins with goals of his own"
    assert "canary" not in (await alice.get(at)).html
    await gm.post(f"{BASE}/gerda/characters/ella/hand-over", {"to": "alice"})
    assert "canary" in (await alice.get(at)).html, "given back, they are hers again"
