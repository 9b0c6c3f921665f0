"""The app with fights among its rules, for real browsers: what `app.main:create_app` is once Chronicle ships them."""

from fastapi import FastAPI

import app.rulesets
from app.main import create_app
from tests.web.hand_rules import rules_with_fights


def create() -> FastAPI:
    """For uvicorn's `--factory`."""
    app.rulesets.RULESETS = rules_with_fights()
    return create_app()
