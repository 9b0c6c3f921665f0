"""The app of a test: pages and routes are built once per process, all that an app remembers is the test's own."""

import copy
from functools import cache

from fastapi import FastAPI

from app.main import create_app, new_state
from app.settings import Settings


@cache
def _built() -> FastAPI:
    return create_app(Settings())


def app_with(settings: Settings) -> FastAPI:
    """Returns an app with these settings, empty caches and full rate limits. Its routes are those of all others: a test
    that adds some calls `create_app`."""
    app = copy.copy(_built())
    app.state = new_state(settings)
    return app
