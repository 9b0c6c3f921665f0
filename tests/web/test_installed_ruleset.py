"""A ruleset out of an installed package is played like one that ships."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI

import app.rulesets
from app.casefiles.play import run
from app.ops.new_ruleset import write
from app.web.http import templating
from tests.web.browser import Browser

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("omens_unloaded")]


@pytest.fixture
def omens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The skeleton of a ruleset, installed by pip; the folder it was written to."""
    write("omens", tmp_path, package=True)
    project, there = tmp_path / "signet-ruleset-omens", tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", there, project], check=True, timeout=120)
    monkeypatch.syspath_prepend(there)
    monkeypatch.setattr(app.rulesets, "RULESETS", (*app.rulesets.SHIPPED, *app.rulesets.installed()))
    templating.environment.cache_clear()
    return project


async def test_an_installed_ruleset_is_tried_from_the_front_page(
    omens: Path, site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    you = open_browser()
    page = await you.get("/")
    assert "Try Omens" in page.text
    page = await you.post("/try/omens")
    assert page.status == 200 and "The thief is on one of nine squares." in page.text
    form = next(form for form in page.forms if form.action.endswith("/lay"))
    fields = [(name, value) for name, value in form.fields if name not in ("at", "_act")]
    page = await you.post(form.action, [*fields, ("at", "c3"), ("_act", "seal")])
    assert page.status == 200 and "You looked at c3" in page.text
    assert (await you.get("/rulebook/omens/OME-01")).status == 200
    assert run([omens / "cases"]) == 0
