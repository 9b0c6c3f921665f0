"""Battlefields that a campaign keeps, on pages: typed, shown or secret, fought on, changed, deleted."""

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import HomebrewItem
from app.ops import verify_command
from app.rulesets.chronicle.mass.field_text import read_field, spell_field
from app.rulesets.chronicle.mass.random_field import Wishes, random_field
from app.rulesets.chronicle.samples import heroes
from app.table import receipt
from app.table.reading import sight
from app.table.runtime import Runtime
from tests.web.browser import Browser, Page
from tests.web.chronicle_campaign import Valley, found
from tests.web.searching import Canaries
from tests.web.seated_fight import Fight
from tests.web.test_canaries import read_by
from tests.web.test_homebrew import fault

pytestmark = pytest.mark.anyio
MARSH = "\n".join(["A . . . # . . . . . . . .", *["." * (11 + row % 2) for row in range(11)], "hard C5 > C6"])
BARE = MARSH.partition("\nhard")[0]


@pytest.fixture
async def valley(site: FastAPI, open_browser: Callable[[], Browser]) -> Valley:
    own = heroes()

    async def nothing(*_: object) -> None: ...

    return await found(site, open_browser, {key: own[key] for key in ("ella", "morten")}, nothing)


async def add(valley: Valley, name: str, text: str = MARSH, **typed: str) -> Page:
    page = await valley.get("gm", "/own/new?rules=chronicle&kind=maps")
    assert page.status == 200, page.text
    return await valley.seats["gm"].send(page, "/own", {"own.name": name, "own.map": text, **typed})


async def begin(valley: Valley, field: str, how: str = "set") -> Fight:
    page = await valley.get("gm", "/scenes/new?ruleset=chronicle&kind=mass")
    given = {"given.field": field, "given.how": how, "given.sides.morten": "b", "given.armies.a.MI": "200",
             "given.armies.b.PK": "200"}  # fmt: skip
    page = await valley.seats["gm"].send(page, "/scenes/new", given)
    assert page.status == 200, page.text
    scene = re.search(r"/scene/([0-9a-f-]{36})", page.path)
    assert scene, re.findall(r'role="alert">([^<]*)', page.html)
    return Fight(f"/c/{valley.campaign.slug}/{{who}}/scene/{scene[1]}", valley.seats)


async def field_of(valley: Valley, fight: Fight) -> object:
    async with valley.runtime.repeatable_read() as session:
        scene = fight.at.rpartition("/")[2]
        seen = await sight(session, valley.runtime.vault, valley.campaign.id, uuid.UUID(scene), valley.people["gm"])
    return seen.view.battle.field


async def test_a_map_is_typed_shown_mended_and_kept(valley: Valley) -> None:
    gm = valley.seats["gm"]
    page = await valley.get("gm", "/own/new?rules=chronicle&kind=maps")
    assert "own-map" in page.html and "A . . ." in page.html, "a plain to begin with"
    drawn = await gm.send(page, "/own", {"own.map": MARSH})
    assert drawn.status == 422 and fault(drawn, "own.name") and "hard C5 &gt; C6" in drawn.html
    for text, words in (
        (MARSH + "\nsoft A1 A9", "Line 14: A1 and A9 are not neighbours. Name two that touch."),
        (MARSH.replace("#", "?"), "Line 1: “?” means nothing there."),
        ("", "The map has 0 rows"),
        ("...\n..\n...", "The map has no room for two armies of 9 units."),
        ("." * 20_001, "At most 20,000 characters"),
    ):
        page = await add(valley, "The marsh", text)
        assert page.status == 422 and words in fault(page, "own.map"), (fault(page, "own.map"), words)
        assert len(text) > 20_000 or text.splitlines()[-1:] == [] or text.splitlines()[-1] in page.text
    page = await add(valley, "The marsh")
    assert page.status == 200 and "12 rows, 138 hexes, 1 Closed, 1 barrier." in page.text and "own-picture" in page.html
    assert "Players see it once a battle is fought on it." in page.text
    again = await add(valley, "the Marsh")
    assert "You already have one called “The marsh”." in fault(again, "own.name")
    taken = await add(valley, "Open ground")
    assert "The book already has one called “Open ground”." in fault(taken, "own.name")
    copy = await valley.get("gm", "/own/new?rules=chronicle&kind=maps&like=village")
    assert "Copied from A village with walls and ditches" in copy.text and "hard" in copy.text
    page = await gm.send(await valley.get("gm", "/own/own_the_marsh"), "/delete")
    assert "Homebrew deleted" in page.text and "The marsh" not in page.text


async def test_a_random_map_stands_in_the_form_and_is_not_saved(valley: Valley) -> None:
    gm = valley.seats["gm"]
    page = await valley.get("gm", "/own/new?rules=chronicle&kind=maps")
    again = await gm.post(valley.at("gm", "/own"), [
        *page.form("/own").fields, ("own.name", "The mill"), ("make.seed", "mill <creek>"), ("_do", "make")
    ])  # fmt: skip
    assert again.status == 200 and "Made from the seed “mill <creek>”" in again.text
    typed = dict(again.form("/own").fields)
    assert typed["own.map"].strip() == spell_field(random_field("mill <creek>", Wishes())).strip()
    assert (typed["own.name"], typed["make.closed"]) == ("The mill", "20")
    assert "Is it fair?" in again.text and "The north and the south have about the same." in again.text
    fields = [(name, value) for name, value in again.form("/own").fields if name != "make.rows"]
    refused = await gm.post(valley.at("gm", "/own"), [*fields, ("make.rows", "22"), ("_do", "make")])
    assert "A half turn needs an odd number of rows." in refused.text and 'value="22"' in refused.html
    assert dict(refused.form("/own").fields)["own.map"] == typed["own.map"].strip()
    drawn = await gm.post(valley.at("gm", "/own"), [*again.form("/own").fields, ("own.map", "..x"), ("_do", "more")])
    assert drawn.status == 200 and "The map has 1 row" in drawn.text and "..x" in drawn.html
    assert "No homebrew battlefields yet" in (await valley.get("gm", "/own?rules=chronicle")).text


async def test_a_stored_map_that_no_longer_fits_is_told_and_mended(valley: Valley) -> None:
    """As an altered archive may bring it: text that is no map, no text at all."""
    await add(valley, "The marsh")
    for bad in ("...x", None, {"rows": 3}):
        async with valley.runtime.sessions.begin() as session:
            row = (await session.scalars(select(HomebrewItem))).one()
            row.data = {**row.data, "map": bad}
        page = await valley.get("gm", "/own?rules=chronicle")
        assert "This no longer fits the rules" in page.text and "own-picture" not in page.html
        assert "The marsh" not in (await valley.get("ella", "/own?rules=chronicle")).text
        assert "The marsh" not in (await valley.get("gm", "/scenes/new?ruleset=chronicle&kind=mass")).text
        page = await valley.get("gm", "/own/own_the_marsh")
        assert page.status == 200 and re.search("The map has (0 rows|1 row),", page.text)
    page = await valley.seats["gm"].send(page, "/own/own_the_marsh", {"own.map": MARSH})
    assert "Homebrew changed" in page.text and "own-picture" in page.html


async def test_a_secret_map_is_nowhere_before_it_is_fought_on(valley: Valley) -> None:
    c = Canaries()
    await add(valley, f"Ambush {c['secret']}")
    await add(valley, f"Marsh {c['shown']}", BARE, **{"own.shown": "yes"})
    search = c.search()
    everywhere = "/c/{slug}/{handle}"
    fight = await begin(valley, "", how="ambush")
    for who in ("ella", "morten", "sam"):
        assert await read_by(fight, who, search, everywhere) == {"shown"}, who
        assert (await valley.get(who, "/own/own_ambush_" + c["secret"])).status == 403
        page = await valley.get(who, "/own?rules=chronicle")
        assert page.text.count("rows, 138 hexes") == 1 and "Change" not in page.text
    assert await read_by(fight, "gm", search, everywhere) == {"shown", "secret"}
    page = await fight.answer("ella", "field", field="own_ambush_" + c["secret"])
    assert page.status == 422 and "Choose one of the options." in page.text
    key = "own_marsh_" + c["shown"]
    page = await fight.page("ella")
    assert f'value="{key}"' in page.html and page.html.count('<label><input type="radio" name="field"') == 7
    await fight.answer("ella", "field", field=key)
    assert f"“Marsh {c['shown']}”" in (await fight.page("sam")).text
    assert await field_of(valley, fight) == read_field(BARE)


async def test_a_battle_keeps_its_map_and_its_record_needs_no_other(
    site: FastAPI, valley: Valley, tmp_path: Path
) -> None:
    """The map is changed, then deleted, while the battle goes on."""
    gm, runtime = valley.seats["gm"], valley.runtime
    await add(valley, "The ambush")
    form = await valley.get("gm", "/scenes/new?ruleset=chronicle&kind=mass")
    assert "The ambush (players have not seen it)" in form.text
    fight = await begin(valley, "own_the_ambush")
    assert await field_of(valley, fight) == read_field(MARSH)
    page = await gm.send(await valley.get("gm", "/own/own_the_ambush"), "/own/own_the_ambush", {"own.map": BARE})
    assert "Homebrew changed" in page.text
    assert await field_of(valley, fight) == read_field(MARSH)
    await gm.send(await valley.get("gm", "/own/own_the_ambush"), "/delete")
    async with runtime.sessions() as session:
        assert list(await session.scalars(select(HomebrewItem))) == []
    assert (await fight.answer("morten", "place")).status == 200
    given = {"given.field": "own_the_ambush", "given.armies.a.MI": "200", "given.armies.b.PK": "200"}
    typed = {**dict(form.form("/scenes/new").fields), **given, "held": "copy"}
    gone = await gm.post(valley.at("gm", "/scenes/new"), typed)
    assert "This campaign no longer has that battlefield. Choose another one." in gone.text
    assert await _verified(runtime, valley, fight, tmp_path) == 0


async def _verified(runtime: Runtime, valley: Valley, fight: Fight, folder: Path) -> int:
    form = await fight.form("gm", "desk")
    await fight.send("gm", form, what="end", reason="Enough.")
    async with runtime.sessions() as session:
        scene = uuid.UUID(fight.at.rpartition("/")[2])
        said = await receipt.lines(session, runtime.vault, valley.campaign.id, scene, valley.people["sam"])
    file = folder / "receipts.jsonl"
    file.write_text(said)
    assert "own_the_ambush" in said
    return verify_command.verify([file])
