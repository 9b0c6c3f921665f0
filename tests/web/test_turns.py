"""The bar on top: whose turn it is, on every page of a seat, without JavaScript, and only what waits for its reader."""

import re
from datetime import timedelta
from urllib.parse import urldefrag

import pytest
from fastapi import FastAPI
from sqlalchemy import func, update

from app.models.people import Challenge
from app.models.scenes import Scene, StepRow
from app.table.runtime import Runtime
from app.web.http.page_cache import NOW
from tests.web.browser import Browser, Page
from tests.web.test_challenges import challenge, home, table
from tests.web.test_scene_pages import ROAD, Sit, at, scene, seal, sit

__all__ = ["scene", "sit", "table"]
pytestmark = pytest.mark.anyio
PAGES = ("/", "/people", "/calendar", "/calendar/year", "/characters/alice", "/you", "/lines", "/rulebook")
MORE = ("/rulebook/whiskey", "/rulebook/whiskey/WHI-12", "/rulebook/whiskey/how-to-play")
OF_SCENE = ("/verify", "/story", "/replay")
BAR = re.compile(r'<div id="turns".*?<main', re.DOTALL)


def bar(page: Page) -> str:
    assert page.status == 200, page.text
    found = BAR.search(page.html)
    assert found, "no bar"
    return found[0]


async def ask_everybody(gm: Browser, scene: str) -> None:
    page = await gm.get(at(scene, "gm"))
    assert (await seal(gm, page, {"description": "Rain."})).status == 200


async def test_every_page_of_a_seat_says_whose_turn_it_is(sit: Sit, scene: str) -> None:
    """Finds a page without the bar, one that was drawn before the turn came or went, and a link past the ask."""
    alice = sit("alice")
    pages = [f"{ROAD}/alice{page}" for page in (*PAGES, *MORE)] + [f"{at(scene, 'alice')}{page}" for page in OF_SCENE]
    for address in pages:
        page = await alice.get(address)
        assert "awaits" not in bar(page) and 'data-awaited="no"' in bar(page) and "(!)" not in page.html
    await ask_everybody(sit("gm"), scene)
    for address in pages:
        page = await alice.get(address)
        assert "Your turn: declare for Alice" in page.text and "<title>(!) " in page.html, address
        assert re.search(r'<link rel="icon"[^>]* href="[^"]*/seal-awaited.svg"', page.html), address
    link = next(link for link in page.links if "#ask-" in link)
    table_page = await alice.get(link)
    assert f'id="{urldefrag(link).fragment}"' in table_page.html
    assert 'id="turns"' not in table_page.html, "the scene has its own line"
    assert (await seal(alice, table_page, {"of.alice.attack": "old-axe"})).status == 200
    for address in pages:
        assert 'data-awaited="no"' in bar(await alice.get(address)), address


async def test_a_clock_a_pause_and_who_else_is_there(site: FastAPI, sit: Sit, scene: str) -> None:
    """Finds a bar without its clock, one for a paused scene, and one that shows another member's turn."""
    await ask_everybody(sit("gm"), scene)
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        await session.execute(update(StepRow).values(due_at=func.now() + timedelta(minutes=9)))
    for view in ("/people", "/calendar", "/calendar"):
        assert "data-due" in bar(await sit("alice").get(f"{ROAD}/alice{view}")), view
    assert 'data-awaited="no"' in bar(await sit("sam").get(f"{ROAD}/sam/"))
    assert "Alice" not in bar(await sit("bob").get(f"{ROAD}/bob/"))
    async with runtime.sessions.begin() as session:
        await session.execute(update(Scene).values(paused_at=func.now()))
    assert 'data-awaited="no"' in bar(await sit("alice").get(f"{ROAD}/alice/people"))
    assert (await sit("alice").http.get(f"{ROAD}/alice/awaits")).json()["awaited"] is False


async def test_the_most_urgent_comes_first_and_a_challenge_last(site: FastAPI, table: dict[str, Browser]) -> None:
    """Finds a wrong order, a count that is off, and a hint that brings a bar unlike the page's own."""
    await challenge(table)
    await table["Bob"].send(await table["Bob"].get(home("Bob")), "/accept")
    await challenge(table, "GM", "tomo")
    page = await table["Bob"].get(f"{home('Bob')}people")
    assert re.search(r"Your turn: .* · Mira against Tomo", page.text) and "+1 more" in page.text
    assert page.text.index("Mira against Tomo") < page.text.index("You've been challenged: Wall challenges Tomo")
    again = await table["Bob"].get(f"{home('Bob')}turns")
    assert NOW.sub("", again.html).strip() in NOW.sub("", page.html)
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        await session.execute(update(Challenge).values(status="withdrawn"))
    assert "more" not in bar(await table["Bob"].get(f"{home('Bob')}people"))


async def test_a_scene_says_what_waits_in_other_scenes(sit: Sit, scene: str) -> None:
    """Finds a line that names the scene itself or another member's turn, and a kept page that outlives it."""
    gm, alice = sit("gm"), sit("alice")
    await ask_everybody(gm, scene)
    assert "Also waiting for you" not in (await alice.get(at(scene, "alice"))).text
    form = await gm.get(f"{ROAD}/gm/decide/vote")
    vote = await gm.send(form, "/decide/vote", {"given.purpose": "Who leads?", "given.options": "Alice\nBob"})
    assert "/scene/" in vote.path, vote.text
    page = await alice.get(at(scene, "alice"))
    assert "Also waiting for you: Who leads?" in page.text
    there = await alice.get(next(link for link in page.links if "#ask-" in link and scene not in link))
    assert "Also waiting for you: Goblins in the woods" in there.text
    assert (await seal(alice, page, {"of.alice.attack": "old-axe"})).status == 200
    assert "Also waiting for you" not in (await alice.get(there.path)).text
    assert "Also waiting for you" not in (await sit("sam").get(at(scene, "sam"))).text
