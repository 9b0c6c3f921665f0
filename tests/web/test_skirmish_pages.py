"""Everything before a skirmish, on pages: a campaign's own things, sheets with their faults, the form of a fight."""

import re
from collections.abc import Callable
from itertools import chain
from types import SimpleNamespace
from typing import get_args, get_type_hints

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.engine.ruleset import Viewer
from app.models.people import Character
from app.rulesets.skirmish.fight.events import Foiled, Hindrance
from app.table.runtime import Runtime
from app.web.http.templating import environment, ruleset_template
from tests.ways import WAYS, luck_of, walk
from tests.web.browser import Browser, Page
from tests.web.test_homebrew import fault
from tests.web.test_people_pages import invite, join

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
BASE = "/c/the-old-keep"
OWN = f"{BASE}/gerda/own"
NEW = f"{BASE}/alice/characters/new?ruleset=skirmish"
STAGED = re.compile(r"<(span|ol)\b[^>]*\bdata-stage\b[^>]*>.*?</\1>", re.DOTALL)  # held back until its beat


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    typed = {"title": "The Old Keep", "name": "Gerda", "ruleset": "skirmish"}
    await browser.send(await browser.get("/new"), "/new", typed)
    return browser


@pytest.fixture
async def alice(open_browser: Open, gm: Browser) -> Browser:
    browser = open_browser()
    await join(browser, await invite(gm, f"{BASE}/gerda"), "Alice")
    return browser


async def _add(gm: Browser, kind: str, like: str = "", **typed: str) -> Page:
    page = await gm.get(f"{OWN}/new?rules=skirmish&kind={kind}&like={like}")
    assert page.status == 200, page.text
    return await gm.send(page, "/own", {f"own.{name.replace('__', '.')}": value for name, value in typed.items()})


async def _sheet(site: FastAPI, slug: str) -> dict[str, object]:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        found = await session.scalar(select(Character).where(Character.slug == slug))
        assert found is not None
        return dict(found.sheet)


async def test_own_gear_is_on_sheets_and_own_foes_in_fights(site: FastAPI, gm: Browser, alice: Browser) -> None:
    wrong = await _add(gm, "gear", "longsword", name="Moon blade", sweep="13")
    assert wrong.status == 422 and fault(wrong, "own.sweep") == "At most 12."
    blade = await _add(gm, "gear", "longsword", name="Moon blade", die="10")
    assert blade.status == 200 and "D10, balanced, slashing." in blade.text, blade.text
    bark = await _add(gm, "gear", "light", name="Bark", armor="2")
    assert bark.status == 200 and "Armor 2, light." in bark.text, bark.text
    foe = await _add(gm, "foes", "ogre", name="Bog troll", gear__0__gear="own_moon_blade")
    assert foe.status == 200 and "Moon blade d10, light hide (Armor 1)." in foe.text, foe.text
    page = await alice.get(NEW)
    assert page.status == 200 and "Moon blade (d10, balanced, slashing)" in page.html
    typed = {"sheet.name": "Kim", "sheet.gear.0.gear": "own_moon_blade", "sheet.gear.0.held": "main"}
    refused = await alice.send(page, "/characters", {**typed, "sheet.gear.3.gear": "axe", "sheet.gear.3.held": "main"})
    assert refused.status == 422 and "The main hand holds two things: moon blade and axe." in fault(
        refused, "sheet.gear"
    )
    made = await alice.send(await alice.get(NEW), "/characters", {**typed, "sheet.mgt_max": "14"})
    assert made.status == 200 and "Moon blade" in made.text and "3 of 10 slots" in made.text, made.text
    kim = await _sheet(site, "kim")
    assert (kim["mgt"], kim["mgt_max"]) == (14, 14)
    empty = (await gm.get(f"{BASE}/gerda/scenes/new?ruleset=skirmish")).form("/scenes/new")
    form = await gm.post(empty.action, [*empty.fields, ("_muster", "add own_bog_troll")])
    assert form.status == 200 and "given.muster.0.zone" in form.form("/scenes/new").names, form.text
    muster = {"given.muster.0.count": "2", "given.at_once": "yes"}
    wrong = await gm.send(form, "/scenes/new", {**muster, "given.sketch": "Yard -- Hall\nYard ~~ Hall"})
    assert wrong.status == 422 and "Line 2, “Yard ~~ Hall”: line 1 links these two already." in wrong.text, wrong.text
    lost = await gm.send(form, "/scenes/new", {**muster, "given.foes_start": "Nowhere"})
    assert lost.status == 422 and "There is no zone called “Nowhere”." in lost.text
    scene = await gm.send(form, "/scenes/new", {**muster, "given.field": "keep", "given.sketch": "("})
    assert scene.status == 200 and "Bog troll 2" in scene.text and "Ruined" not in scene.text, scene.text
    assert "Cellar" in scene.text


async def test_a_rolled_character_swaps_two_attributes_once(site: FastAPI, alice: Browser) -> None:
    """SKI-86."""
    page = await alice.send(await alice.get(NEW), "/new/roll", {"name": "Wren"})
    assert page.status == 200 and "You may swap two of the rolled attributes" in page.text, page.text
    before = await _sheet(site, "wren")
    edit = f"{BASE}/alice/characters/wren/edit"
    done = await alice.send(await alice.get(edit), "/characters/wren", {"sheet.swap": "mgt-wil"})
    after = await _sheet(site, "wren")
    assert done.status == 200 and "You may swap" not in done.text
    assert (after["mgt"], after["mgt_max"], after["wil"]) == (before["wil"], before["wil"], before["mgt"])
    assert after["gear"] == before["gear"] and after["swap"] == ""
    again = await alice.get(edit)
    assert not re.search(r'name="sheet\.swap"', again.html)
    assert (await alice.send(again, "/characters/wren", {})).status == 200
    assert await _sheet(site, "wren") == after, "the same when nothing is typed"


async def test_the_book_puts_a_thing_in_a_new_row(alice: Browser) -> None:
    form = (await alice.get(NEW)).form("/characters")
    with_rope = await alice.post(form.action, [*form.fields, ("_rows", "sheet.gear gear rope")])
    assert with_rope.status == 200 and ("sheet.gear.3.gear", "rope") in with_rope.form("/characters").fields
    typed = {"sheet.name": "Kim", "sheet.gear.1.gear": "tent"}
    kept = [(name, value) for name, value in form.fields if name not in typed]
    figures = await alice.post(form.action, [*kept, *typed.items(), ("_rows", "sheet")])
    assert "3 of 10 slots" in with_rope.text and "4 of 10 slots" in figures.text, figures.text


def test_the_line_of_the_call_tells_no_sum_before_the_dice() -> None:
    """Finds a sum, a side or an order above the board that stands there before its beat of the reveal, or a piece that
    plays once more in a later reveal of the turn."""
    ways = [one for one in WAYS if one.kind == "skirmish" and one.answers]
    rules, kind = ways[0].found
    book = environment().get_template(ruleset_template(rules, kind.key, "board.html"))
    told, later = [], 0
    for state, _, closings in chain.from_iterable(walk(way, luck_of(way) or 0) for way in ways):
        view = kind.view(state, Viewer(seats=frozenset()))
        chapters = [SimpleNamespace(events=events) for events in closings]
        sight = SimpleNamespace(view=view, chapters=chapters, steps=(), ruleset=rules, kind=kind, is_gm=False)
        board = book.render(sight=sight)
        lot = re.search(r'<div class="lot">.*?</div>', board, re.DOTALL)
        beats = {int(number) for number in re.findall(r'data-beat="(\d+)"', board)}
        playing = [place for place, events in enumerate(closings) if beats & {one.number for one in events}]
        rest = closings[playing[-1] + 1 :] if playing else []
        assert len(playing) <= 1 and "tested" not in {one.event.kind for events in rest for one in events}, beats
        if not (lot and view.leads):
            continue
        assert " first." in " ".join(lot[0].split()), lot[0]
        if any(one.event.kind == "initiative" for one in closings[-1]):
            told.append("<ol" in lot[0])
            held = STAGED.sub("", lot[0])
            assert not re.search(r"first|\d|<ol|, (odd|even)", held), held
        elif any(one.event.kind == "tested" for one in closings[-1]):
            later += 1
            assert "data-stage" not in lot[0], lot[0]
    assert any(told), "no board said who acts when"
    assert later, "no reveal came after the dice"


def test_the_log_says_of_whatever_was_foiled_why() -> None:
    """Finds a reason, or a thing that may be foiled, without words."""
    rules, kind = next(one for one in WAYS if one.kind == "skirmish").found
    told = environment().get_template(ruleset_template(rules, kind.key, "log.html")).module.told_foiled
    view = SimpleNamespace(the=str.title, zone_name=lambda key: f"the {key}", thing=lambda name: name)
    sacrifices, places = ("special", "gone"), {"beside": ("gone",), "shove": ("room", "way"), "disarm": ("empty",)}
    reasons = [why for why in get_args(Hindrance) if why]
    said = set()
    for what in get_args(get_type_hints(Foiled)["what"]):
        for why in sacrifices if what == "sacrifice" else places.get(what, reasons):
            line = told(Foiled("ann", what, why, "bob", "axe", "stair"), view)
            said.add(words := " ".join(re.sub("<[^>]+>", "", line).split()))
            assert words.endswith(".") and "None" not in words and ("Ann" in words or "Bob" in words), words
    assert len(said) == 4 * len(reasons) + len(sacrifices) + 4
    assert "Ann can’t parry Bob: no hand is free." in said
