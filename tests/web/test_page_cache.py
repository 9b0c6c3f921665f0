"""Pages that are drawn once: the same but for the hour and the ids of presses; never with a secret on them."""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from app.web.http.page_cache import NOW, REQUEST
from app.web.scene import table as scene_pages
from tests.web.browser import Browser
from tests.web.seated_demo import seated_demo

pytestmark = pytest.mark.anyio
ROAD = "/c/the-goblin-road"


@pytest.fixture
async def seats(site: FastAPI, open_browser: Callable[[], Browser]) -> dict[str, Browser]:
    demo = await seated_demo(site, open_browser)
    return {name: demo.browsers[name.lower()] for name in ("GM", "Alice", "Sam")}


async def scene_of(seats: dict[str, Browser]) -> str:
    found = re.search(r"/scene/[0-9a-f-]{36}", (await seats["Sam"].get(f"{ROAD}/sam/")).html)
    assert found
    page = await seats["GM"].get(f"{ROAD}/gm{found[0]}")
    form = next(form for form in page.forms if "description" in form.names)
    assert (await seats["GM"].post(form.action, form.fields)).status == 200
    return found[0]


def plain(html: str) -> str:
    return REQUEST.sub("<press>", NOW.sub("<now>", html))


async def test_the_second_page_is_the_first_one(
    site: FastAPI, seats: dict[str, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await scene_of(seats)
    for who in ("Alice", "Sam"):
        address = f"{ROAD}/{who.lower()}{at}"
        first = await seats[who].get(address)
        with monkeypatch.context() as patched:
            patched.setattr(scene_pages, "current_seat", None)  # a page that is drawn anew would stumble here
            second = await seats[who].get(address)
        assert second.status == 200 and plain(second.html) == plain(first.html)
        presses = [set(REQUEST.findall(page.html)) for page in (first, second)]
        assert not presses[0] & presses[1] and len(presses[0]) == len(presses[1])
        assert who == "Sam" or presses[0]
    assert len(site.state.drawn._pages) >= 2


async def test_a_page_with_closed_words_is_not_kept(site: FastAPI, seats: dict[str, Browser]) -> None:
    at = await scene_of(seats)
    address = f"{ROAD}/alice{at}"
    page = await seats["Alice"].get(address)
    form = next(form for form in page.forms if "of.alice.intent" in form.names)
    for act in ("draft", "seal"):
        page = await seats["Alice"].get(address)
        form = next(form for form in page.forms if "of.alice.intent" in form.names)
        typed = {"of.alice.intent": "stand", "of.alice.rider": "text", "of.alice.rider_text": f"canary {act}"}
        fields = [(name, value) for name, value in form.fields if name not in typed] + list(typed.items())
        answer = await seats["Alice"].post(form.action, [*fields, ("_act", act)])
        assert f"canary {act}" in answer.html and answer.status == 200
        assert f"canary {act}" in (await seats["Alice"].get(address)).html
        assert "has sealed" in (await seats["Sam"].get(f"{ROAD}/sam{at}")).html or act == "draft"
    kept = "".join("".join(page.parts) for page in site.state.drawn._pages.values())
    assert "canary" not in kept and kept


async def test_a_gms_page_is_always_drawn(site: FastAPI, seats: dict[str, Browser]) -> None:
    at = await scene_of(seats)
    before = len(site.state.drawn._pages)
    for _ in range(2):
        assert (await seats["GM"].get(f"{ROAD}/gm{at}")).status == 200
    assert len(site.state.drawn._pages) == before


async def test_a_page_that_is_drawn_again_looks_at_no_file(
    seats: dict[str, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finds templates that are looked for, or looked at for changes, each time a page is drawn."""
    address = f"{ROAD}/gm{await scene_of(seats)}"
    assert (await seats["GM"].get(address)).status == 200
    looked: list[str] = []
    real = os.stat

    def noted(path: Any, *more: Any, **named: Any) -> os.stat_result:
        looked.append(os.fspath(path) if isinstance(path, str | os.PathLike) else "")
        return real(path, *more, **named)

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", noted)
        assert (await seats["GM"].get(address)).status == 200
    assert looked == []
