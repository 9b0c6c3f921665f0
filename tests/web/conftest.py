"""The whole app in this process, spoken to over HTTP, with the tests' own ruleset among its rules."""

import base64
from collections.abc import AsyncIterator, Callable

import httpx2
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.settings import Settings
from tests.server import KEY
from tests.web.browser import Browser


@pytest.fixture
async def site(db_url: str, toy: None) -> AsyncIterator[FastAPI]:
    settings = Settings(database_url=db_url, key=base64.b64encode(KEY).decode(), pool_size=5, pool_overflow=25)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def open_browser(site: FastAPI) -> AsyncIterator[Callable[[], Browser]]:
    """Opens browsers: each has its own cookies and says, as browsers do, where its requests come from."""
    opened: list[Browser] = []

    def open_one() -> Browser:
        transport = httpx2.ASGITransport(app=site, raise_app_exceptions=True)
        opened.append(Browser(httpx2.AsyncClient(transport=transport, base_url="http://signet.test")))
        return opened[-1]

    yield open_one
    for browser in opened:
        await browser.http.aclose()
