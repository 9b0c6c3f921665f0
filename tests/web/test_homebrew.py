"""Own spells and foes on pages: added, changed, copied, deleted; each fault at its field, and who may read what."""

import html
import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import HomebrewItem
from app.rulesets.arcana.sheet.homebrew import KINDS
from app.table.runtime import Runtime
from tests.selection import nightly
from tests.web.browser import Browser, Page
from tests.web.test_people_pages import invite, join

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
BASE = "/c/the-grey-tower"
OWN = f"{BASE}/gerda/own"


async def found(gm: Browser, title: str = "The Grey Tower") -> None:
    await gm.send(await gm.get("/new"), "/new", {"title": title, "name": "Gerda", "ruleset": "arcana"})


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


@pytest.fixture
async def alice(open_browser: Open, gm: Browser) -> Browser:
    browser = open_browser()
    await join(browser, await invite(gm, f"{BASE}/gerda"), "Alice")
    return browser


async def blank(gm: Browser, kind: str, like: str = "") -> Page:
    page = await gm.get(f"{OWN}/new?rules=arcana&kind={kind}&like={like}")
    assert page.status == 200, page.text
    return page


async def add(gm: Browser, kind: str, like: str = "", **typed: str) -> Page:
    fields = {f"own.{name.replace('__', '.')}": value for name, value in typed.items()}
    return await gm.send(await blank(gm, kind, like), "/own", fields)


def fault(page: Page, name: str) -> str:
    found = re.search(rf'<span class="fault" id="fault-{re.escape(name.replace(".", "-"))}">(.*?)</span>', page.html)
    return html.unescape(found[1]) if found else ""


async def test_a_spell_is_added_changed_and_deleted(gm: Browser) -> None:
    page = await add(gm, "spells", name="Frost Ring")
    assert page.status == 200 and "Added to your homebrew" in page.text and "Frost Ring" in page.text
    page = await gm.get(f"{OWN}/own_frost_ring")
    page = await gm.send(page, "/own/own_frost_ring", {"own.name": "Frost Circle", "own.effect.0.n": "2+2*PP"})
    assert "Homebrew changed" in page.text and "Frost Circle" in page.text
    page = await gm.send(await gm.get(f"{OWN}/own_frost_ring"), "/delete")
    assert "Homebrew deleted" in page.text and "Frost Circle" not in page.text


async def stored(site: FastAPI, kind: str) -> dict[str, Any]:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        rows = await session.scalars(select(HomebrewItem).where(HomebrewItem.kind == kind))
        return {row.key: row.data for row in rows}


@pytest.mark.parametrize("kind", ["spells", "foes"])
async def test_everything_in_the_book_survives_its_form(site: FastAPI, gm: Browser, kind: str) -> None:
    """A copy of each, with nothing typed but its name, is the same as what it was copied from. A commit copies every
    twelfth, a nightly run all."""
    own = KINDS[kind]
    book = dict(itertools.islice(own.book.items(), 0, None, 1 if nightly() else 12))
    for number, key in enumerate(book):
        page = await add(gm, kind, key, name=f"Copy {number}")
        assert "Added to your homebrew" in page.text, (key, re.findall('class="fault".*?</', page.html))
    kept = await stored(site, kind)
    for number, (key, thing) in enumerate(book.items()):
        was = {**own.adapter.dump_python(thing, mode="json"), "id": f"own_copy_{number}", "name": f"Copy {number}"}
        assert in_order(kept[f"own_copy_{number}"]) == in_order(was), key


def in_order(data: Any) -> Any:
    """Lists of ticks by their letters: a page of boxes has no order of its own."""
    if isinstance(data, dict):
        return {key: in_order(one) for key, one in data.items()}
    ticks = isinstance(data, list) and all(isinstance(one, str) for one in data)
    return sorted(data) if ticks else [in_order(one) for one in data] if isinstance(data, list) else data


async def test_an_attack_in_the_empty_row_begins_as_attacks_do(site: FastAPI, gm: Browser) -> None:
    page = await gm.send(
        await blank(gm, "foes"),
        "/own",
        {"own.name": "Bog Hag", "own.attacks.0.key": "Poison bite", "own.attacks.0.value.n": "1",
         "own.attacks.0.value.d.0": "6", "own.attacks.0.value.type": "poison", "own.attacks.0.value.reach": "1"},
    )  # fmt: skip
    assert "Added to your homebrew" in page.text, re.findall('class="fault".*?</', page.html)
    bite = (await stored(site, "foes"))["own_bog_hag"]["attacks"]["poison_bite"]
    assert bite["block"] and bite["dodge"] and bite["d"] == 6
    await add(gm, "foes", name="Harmless")
    assert (await stored(site, "foes"))["own_harmless"]["attacks"] == {}
