"""Many ask for the same page at once: one draws it, nobody gets another's, and nobody waits for one who went away."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from app.web.scene import table as scene_pages
from tests.web.browser import Browser, Page
from tests.web.test_page_cache import ROAD, plain, scene_of, seats

pytestmark = pytest.mark.anyio
__all__ = ["seats"]

TABS = 6


class Draws:
    """How often a scene was read for a page. `first`, where set, is what the first of them waits for."""

    def __init__(self, real: Callable[..., Awaitable[Any]]) -> None:
        self.real, self.count = real, 0
        self.begun = asyncio.Event()
        self.first: asyncio.Event | None = None
        self.fails: Exception | None = None
        self.held: list[asyncio.Task[Page]] = []

    async def hold(self, browser: Browser, address: str) -> "asyncio.Task[Page]":
        """Somebody asks for a page, and its drawing has begun and waits for `first`."""
        self.count, self.begun, self.first = 0, asyncio.Event(), asyncio.Event()
        self.held.append(asyncio.create_task(browser.get(address)))
        await self.begun.wait()
        return self.held[0]

    def go_on(self) -> None:
        if self.first is not None:
            self.first.set()

    async def __call__(self, *given: Any, **named: Any) -> Any:
        self.count += 1
        if self.count == 1:
            self.begun.set()
            if self.first is not None:
                await self.first.wait()
            if self.fails is not None:
                raise self.fails
        return await self.real(*given, **named)


@pytest.fixture
async def draws(site: FastAPI, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Draws]:
    """Counts; what is counted really happens. None is left waiting, for its transaction would hold up the next test."""
    counted = Draws(scene_pages.sight)
    monkeypatch.setattr(scene_pages, "sight", counted)
    yield counted
    counted.go_on()
    await asyncio.gather(*counted.held, return_exceptions=True)


def tabs(browser: Browser, address: str, count: int = TABS) -> list["asyncio.Task[Page]"]:
    return [asyncio.create_task(browser.get(address)) for _ in range(count)]


def waiting(site: FastAPI) -> int:
    """How many wait for a page that is being drawn."""
    return sum(len(lock._waiters or ()) for lock in site.state.drawn._turns.values())


async def at_once(site: FastAPI, asked: Awaitable[Page]) -> Page:
    """A page for which nobody waits in line."""
    asking = asyncio.ensure_future(asked)
    while not asking.done():
        assert not waiting(site)
        await asyncio.sleep(0.001)
    return await asking


async def in_line(site: FastAPI, draws: Draws, count: int) -> None:
    while waiting(site) < count:
        assert draws.count == 1, "they draw as well"
        await asyncio.sleep(0.001)


async def test_one_draws_for_all_who_ask_at_once(site: FastAPI, seats: dict[str, Browser], draws: Draws) -> None:
    """Finds a page that is drawn by each of a reader's tabs after a reveal."""
    at = await scene_of(seats)
    for who in ("Alice", "Sam"):
        for part in ("", "/live"):
            draws.count = 0
            pages = await asyncio.gather(*tabs(seats[who], f"{ROAD}/{who.lower()}{at}{part}"))
            assert draws.count == 1
            assert {page.status for page in pages} == {200} and len({plain(page.html) for page in pages}) == 1
    assert not site.state.drawn._turns, "nothing is left of turns that are over"


async def test_each_reader_has_pages_drawn_for_them_alone(
    site: FastAPI, seats: dict[str, Browser], draws: Draws
) -> None:
    """Finds turns that are shared by two members, by a page and its part, or by two states of a scene."""
    at = await scene_of(seats)
    held = await draws.hold(seats["Alice"], f"{ROAD}/alice{at}")
    sam = await at_once(site, seats["Sam"].get(f"{ROAD}/sam{at}"))
    part = await at_once(site, seats["Alice"].get(f"{ROAD}/alice{at}/live"))
    assert not held.done() and draws.count == 3
    assert "of.alice.intent" not in sam.html and "of.alice.intent" in part.html and "<head" not in part.html
    said = await seats["Sam"].get(f"{ROAD}/sam{at}")
    await seats["Sam"].post(said.form("/say").action, [*said.form("/say").fields, ("said", "The bridge is out.")])
    newer = await at_once(site, seats["Alice"].get(f"{ROAD}/alice{at}"))
    assert "The bridge is out." in newer.html and not held.done()
    draws.go_on()
    older = await held
    assert older.status == 200
    assert "The bridge is out." in (await seats["Alice"].get(f"{ROAD}/alice{at}")).html


async def test_the_next_draws_where_the_first_went_away(site: FastAPI, seats: dict[str, Browser], draws: Draws) -> None:
    """Finds tabs that wait for ever, or fail, because the one that drew for them was closed."""
    at = await scene_of(seats)
    address = f"{ROAD}/alice{at}"
    gone = await draws.hold(seats["Alice"], address)
    others = tabs(seats["Alice"], address)
    await in_line(site, draws, TABS)
    gone.cancel()
    pages = await asyncio.gather(*others)
    assert gone.cancelled() and draws.count == 2
    assert {page.status for page in pages} == {200} and len({plain(page.html) for page in pages}) == 1


async def test_one_who_fails_fails_alone(site: FastAPI, seats: dict[str, Browser], draws: Draws) -> None:
    at = await scene_of(seats)
    draws.fails = OperationalError("SELECT", None, Exception("gone"))
    address = f"{ROAD}/alice{at}"
    failing = await draws.hold(seats["Alice"], address)
    others = tabs(seats["Alice"], address)
    await in_line(site, draws, TABS)
    draws.go_on()
    assert (await failing).status == 503
    assert {page.status for page in await asyncio.gather(*others)} == {200} and draws.count == 2


async def test_nobody_waits_for_long(
    site: FastAPI, seats: dict[str, Browser], draws: Draws, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finds tabs that hang as long as the one that draws for them does."""
    monkeypatch.setattr("app.web.http.page_cache.PATIENCE", 0.0)
    at = await scene_of(seats)
    address = f"{ROAD}/alice{at}"
    hanging = await draws.hold(seats["Alice"], address)
    assert (await seats["Alice"].get(address)).status == 200 and not hanging.done()
    draws.go_on()
    assert (await hanging).status == 200
