"""The whole app in this process, spoken to over HTTP, with the tests' own ruleset among its rules."""

import base64
import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI, Request
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.main import create_app
from app.settings import Settings
from app.table.loaded_scene import LoadedScene
from app.table.runtime import Runtime
from app.web.http import templating
from tests.server import KEY
from tests.web.browser import Browser
from tests.web.one_app import app_with

KEPT_FROM_TEMPLATES = (LoadedScene, Vault, Runtime, AsyncSession)
"""Whoever has one of these can read what is sealed."""


@pytest.fixture(autouse=True)
def no_template_can_read_what_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finds a page whose template is handed a whole scene with its state and keys, itself or as a part."""
    make = templating._context

    def watched(request: Request, context: dict[str, Any]) -> dict[str, Any]:
        for name, given in context.items():
            parts = [getattr(given, one.name, None) for one in _fields(given)]
            assert not any(isinstance(one, KEPT_FROM_TEMPLATES) for one in (given, *parts)), f"{name}: {type(given)}"
        return make(request, context)

    monkeypatch.setattr(templating, "_context", watched)


def _fields(given: object) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(given) if dataclasses.is_dataclass(given) else ()


@pytest.fixture
async def site(request: pytest.FixtureRequest, db_url: str, toy: None) -> AsyncIterator[FastAPI]:
    """The app with the routes that all tests share; one that adds a route is marked `own_routes`."""
    settings = Settings(database_url=db_url, key=base64.b64encode(KEY).decode(), pool_size=5, pool_overflow=25)
    own = request.node.get_closest_marker("own_routes") is not None
    app = create_app(settings) if own else app_with(settings)
    routes = len(app.router.routes)
    async with app.router.lifespan_context(app):
        yield app
    assert own or len(app.router.routes) == routes, "a test that adds a route is marked own_routes"


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
