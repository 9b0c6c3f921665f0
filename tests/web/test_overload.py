"""More people than connections to the database: each is told so, nothing typed is lost, and pages try again."""

import base64
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import TimeoutError

from app.settings import Settings
from app.table.runtime import Runtime
from tests.server import KEY
from tests.web.browser import Browser
from tests.web.one_app import app_with
from tests.web.test_page_cache import ROAD, scene_of, seats

pytestmark = pytest.mark.anyio
__all__ = ["seats"]

SIZE = 2


@pytest.fixture
async def crowded(site: FastAPI, db_url: str) -> AsyncIterator[FastAPI]:
    """Another worker on the same database, all of whose connections are lent out."""
    key = base64.b64encode(KEY).decode()
    app = app_with(Settings(database_url=db_url, key=key, pool_size=1, pool_overflow=SIZE - 1, pool_wait=0.1))
    async with app.router.lifespan_context(app), AsyncExitStack() as held:
        runtime: Runtime = app.state.runtime
        while len(held._exit_callbacks) < SIZE:
            session = runtime.read_sessions()
            try:
                await session.execute(text("SELECT 1"))
            except TimeoutError:  # the sweeper has it for a moment
                continue
            held.push_async_callback(session.close)
        yield app


def at(app: FastAPI, browser: Browser) -> Browser:
    """The same browser, at another worker."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=True)
    return Browser(httpx2.AsyncClient(transport=transport, base_url="http://signet.test", cookies=browser.http.cookies))


async def test_a_page_says_that_too_many_are_here_and_loads_again_by_itself(
    seats: dict[str, Browser], crowded: FastAPI
) -> None:
    """Finds overload that is passed off as a database that is away, and pages that stay on it."""
    alice = at(crowded, seats["Alice"])
    page = await alice.get(f"{ROAD}/alice/")
    assert page.status == 503 and "Too many people are using Signet at once." in page.text
    assert "database" not in page.text and page.headers["Refresh"] == page.headers["Retry-After"]
    assert 0 < int(page.headers["Refresh"]) < 60 and f"try again in {page.headers['Refresh']} seconds" in page.text
    part = await alice.get(f"{ROAD}/alice/", **{"HX-Request": "true"})
    assert (
        part.status == 503 and "Too many people are using Signet at once." in part.text and part.headers["Retry-After"]
    )
    assert "Refresh" not in part.headers and part.headers["HX-Retarget"] == "#problem"
    assert (await alice.get("/health/live")).status == 200
    await alice.http.aclose()


async def test_what_was_typed_is_sent_again_and_counts_once(seats: dict[str, Browser], crowded: FastAPI) -> None:
    scene = await scene_of(seats)
    page = await seats["Alice"].get(f"{ROAD}/alice{scene}")
    form = next(form for form in page.forms if "of.alice.intent" in form.names)
    typed = {"of.alice.intent": "stand", "of.alice.rider": "text", "of.alice.rider_text": "I count the planks"}
    fields = [*((name, value) for name, value in form.fields if name not in typed), *typed.items(), ("_act", "seal")]
    alice = at(crowded, seats["Alice"])
    refused = await alice.post(form.action, fields)
    assert refused.status == 503 and "Too many people are using Signet at once, so Signet stopped" in refused.text
    assert "Nothing was changed." in refused.text
    assert "I count the planks" in refused.text and refused.headers["Retry-After"] and "Refresh" not in refused.headers
    again = refused.form(form.action)
    assert sorted(again.fields) == sorted(fields)
    for _ in range(2):
        assert "I count the planks" in (await seats["Alice"].post(again.action, again.fields)).html
    await alice.http.aclose()
