"""The list of a mass battle, the map in words and the forms say the same as the field: both are read from pages.

A sample battle is played round by round by what is suggested; random boards add what it never comes to.
"""

import re
import uuid
from collections import Counter
from collections.abc import Callable, Collection
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import select

from app.engine.ruleset import SPECTATOR, Seat
from app.models.scenes import Scene
from app.rulesets.chronicle.mass import MASS, suggestions
from app.rulesets.chronicle.mass.hexes import read
from app.rulesets.chronicle.mass.picture import centre
from app.rulesets.chronicle.mass.sample import DEMO
from app.rulesets.chronicle.mass.view import View
from app.table.loaded_scene import read as read_scene
from app.web.http.templating import environment
from tests.hand_fight import lay
from tests.rulesets.chronicle.mass.battles import viewer
from tests.rulesets.chronicle.mass.boards import random_field
from tests.rulesets.chronicle.mass.stage import stage
from tests.selection import nightly
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

AMBUSH = {"a1": "K8", "a2": "M9", "a3": "M11", "a4": "K10", "a5": "M13", "a6": "K13", "a7": "L4", "a8": "L17"}
STEPS = 120 if nightly() else 24
BOARDS = 400 if nightly() else 60
PLACE = re.compile(r"\b[A-W]\d{1,2}\b")
Unit = tuple[str, str, str, str, bool, bool]  # side, name, hex, men, quick, locked


def text(node: LexborNode | None) -> str:
    return " ".join(node.text().split()) if node else ""


def first(node: LexborNode | LexborHTMLParser, what: str) -> LexborNode:
    found = node.css_first(what)
    assert found is not None, what
    return found


def side_of(node: LexborNode) -> str:
    return next(css[-1] for css in (node.attributes.get("class") or "").split() if css in ("side-a", "side-b"))


def drawn(page: LexborHTMLParser, names: dict[str, str]) -> Counter[Unit]:
    """The units of the field, from shapes and signs, which have to agree with the words of each."""
    found = Counter[Unit]()
    for piece in page.css("svg.field g[data-piece]"):
        unit, key, at = first(piece, ".unit"), piece.attributes["data-piece"] or "", piece.attributes["data-at"] or ""
        words = text(first(piece, "title"))
        side, quick = side_of(unit), bool(piece.css(".quick"))
        locked, name = ", locked" in words, words.split(" (")[0]
        hex = read(at)
        assert hex is not None and piece.attributes["transform"] == "translate({} {})".format(*centre(hex)), key
        assert side == key[0] and f"({names[side]})" in words and name.endswith(f" {key[1:]}"), words
        assert text(first(unit, "text")) == key[1:] and quick == (", quick" in words), words
        assert (piece.attributes["data-go"] == "0") == locked and (not unit.css(".lock") or locked), words
        troop = first(unit, "use").attributes.get("href") or ""
        men = re.search(r"(\d+(?: of \d+)?) m[ae]n", words)
        assert men and at in words and bool(unit.css(".men")) == (" of " in men[1]), words
        assert troop.startswith("#troop-"), words
        found[side, name, at, men[1].replace(" of ", "/"), quick, locked] += 1
    return found


def listed(page: LexborHTMLParser) -> Counter[Unit]:
    """The units of both armies' lists that are not gone."""
    found = Counter[Unit]()
    for army in page.css(".armies > div"):
        for row in army.css("li:not(.is-gone)"):
            said = text(row)
            places, state = PLACE.findall(said), text(first(row, ".said"))
            name = said.split(",")[0] if state else re.split(r" (?=\d+(?:/\d+)? m[ae]n)", said)[0]
            men = re.search(r"(\d+(?:/\d+)?) m[ae]n", said)
            assert men, said
            if places:
                quick, locked = "quick" in state, "locked" in state
                found[side_of(army), name, places[-1], men[1], quick, locked] += 1
    return found


def told(page: LexborHTMLParser, names: dict[str, str]) -> tuple[Counter[Unit], set[tuple[str, str]]]:
    """The units of the map in words, and those that fight."""
    found, fighting = Counter[Unit](), set[tuple[str, str]]()
    for row in page.css("#board-words li"):
        line = re.fullmatch(r"(.+?) \(([^()]+)\): ([A-W]\d+), (\d+(?: of \d+)?) m[ae]n(.*)\.", text(row))
        if line and line[2] in names.values():
            side = next(side for side, name in names.items() if name == line[2])
            quick, locked = ", quick" in line[5], ", locked" in line[5]
            found[side, line[1], line[3], line[4].replace(" of ", "/"), quick, locked] += 1
            if ", fights" in line[5]:
                fighting.add((side, line[1]))
    return found, fighting


def fights(page: LexborHTMLParser) -> tuple[list[tuple[frozenset[str], str]], list[tuple[frozenset[str], str]]]:
    """The chances on the field by the names of the units, and those of the list beside it."""
    title = {
        piece.attributes["data-piece"] or "": text(first(piece, "title")).split(" (")[0]
        for piece in page.css("svg.field g[data-piece]")
    }
    field = [
        (frozenset(title[key] for key in (label.attributes["data-fight"] or "").split()), text(first(label, "text")))
        for label in page.css("svg.field .odds")
    ]
    rows = []
    for clash in page.css(".fights .clash"):
        lone, _, many = text(first(clash, "p")).partition(" against ")
        lone = lone.split(" (")[0]
        short = text(first(clash, "b")).replace("over ", ">").replace("under ", "<")
        rows.append((frozenset([lone, *re.split(r", | and ", many)]), short))
    return field, rows


def check_twin(html: str, names: dict[str, str]) -> int:
    """Compares all that a page says of units and fights; returns how many units there are."""
    page = LexborHTMLParser(html)
    if not page.css("svg.field"):
        return 0
    units = drawn(page, names)
    words, fighting = told(page, names)
    assert units == listed(page) == words
    field, rows = fights(page)
    assert field == rows
    assert len(page.css("svg.field path.fight:not(.under)")) == len(rows)
    if rows and not page.css("svg.field .clash-line"):  # fights that are over keep their units in contact
        assert {name for keys, _ in rows for name in keys} <= {name for _, name in fighting}
    for row in page.css(".dock li.unit-row, .dock .unit-tick"):
        said = text(row)
        mine = [unit for unit in units if re.search(rf"\b{unit[1]}\b", said) and unit[0] == side_of(row)]
        if mine and PLACE.search(said):
            assert any(unit[2] in said and re.search(rf"\b{unit[3].replace('/', ' of ')} m[ae]n", said)
                       for unit in mine), said  # fmt: skip
    return sum(units.values())


def check_beaten(html: str, keys: Collection[str]) -> None:
    """The units that fall back are marked where they are."""
    page = LexborHTMLParser(html)
    marked = {mark.attributes["transform"] for mark in page.css("svg.field .beaten")}
    assert keys and {first(page, f'g[data-piece="{key}"]').attributes["transform"] for key in keys} <= marked


async def live_view(table: Fight, site: FastAPI, who: str) -> tuple[View, Any]:
    runtime, scene = site.state.runtime, uuid.UUID(table.at.rpartition("/")[2])
    async with runtime.repeatable_read() as session:
        row = (await session.scalars(select(Scene).where(Scene.id == scene))).one()
        live = await read_scene(session, runtime.vault, row.campaign_id, scene)
    step = await table.step(who, (await table.asked(who))[0])
    ask = next(ask for one in live.kind.steps(live.state) if one.key == step for ask in one.asks if ask.seat == who)
    return live.kind.view(live.state, live.viewer(Seat(who))), ask


@pytest.mark.anyio
async def test_a_battle_says_the_same_in_the_list_as_on_the_field(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    sheets, brief = DEMO.set_up()
    given: Any = brief.given
    table = await seated(site, open_browser, lay, sheets=sheets, given=given, kind="mass")
    most, kinds = 0, set[str]()
    for _ in range(STEPS):
        for who in ("ella", "anselm", "sam"):
            most = max(most, check_twin((await table.page(who)).html, given["names"]))
        for who in ("ella", "anselm"):
            asked = await table.asked(who)
            form = await table.form(who, asked[0]) if asked else None
            if form is None or ("_revision", "0") not in form.fields:
                continue
            kinds.add(asked[0])
            view, ask = await live_view(table, site, who)
            if asked[0] == "fall":
                check_beaten((await table.page(who)).html, ask.about)
            typed: dict[str, str] = {}
            if asked[0] == "move":
                usual: Any = suggestions.suggest(view, ask)
                typed = {f"of.{key}.to": at["to"] for key, at in usual.form["of"].items()}
            elif asked[0] == "place" and who == "ella":
                typed = {f"of.{key}.to": hex for key, hex in AMBUSH.items()}
            answered = await table.send(who, form, **typed)
            assert answered.status == 200, answered.text
            break
        else:
            break
    assert most == 17 and {"place", "intent", "quick", "move", "fall"} <= kinds, (most, kinds)


def board(view: View) -> str:
    sight = SimpleNamespace(view=view, chapters=(), seats=())
    return environment().get_template("rulesets/chronicle/mass/board.html").render(sight=sight)


def test_random_boards_say_the_same_in_the_list_as_on_the_field() -> None:
    rng, seen = Random(7), Counter[str]()
    for _ in range(BOARDS):
        field = random_field(rng, 9, 9)
        free = [hex for hex in field if field.passable(hex)]
        keys = [f"{side}{number}" for number in range(1, rng.randint(2, 9) + 1) for side in "ab"]
        units = {
            key: f"{rng.choice(['LI', 'MI', 'HI', 'LC', 'HC', 'PK', 'BW'])} {chr(65 + row)}{column + 1}"
            for key, (row, column) in zip(keys, rng.sample(free, len(keys)), strict=True)
        }
        state = stage(units, rng.choice(["intent", "move", "order", "targets"]), ground=field, number=2).state
        for unit in state.units.values():
            unit.quick, unit.locked = rng.random() < 0.5, rng.random() < 0.3
            unit.losses = rng.choice([0, 0, 10, 99])
        if rng.random() < 0.3:
            gone = rng.choice(list(state.units.values()))
            gone.hex, gone.gone = None, "destroyed"
        for view in (MASS.view(state, SPECTATOR), MASS.view(state, viewer(Seat("bob")))):
            html = board(view)
            seen["units"] += check_twin(html, dict(state.names))
            seen["fights"] += html.count('class="odds"')
    assert seen["units"] > 10 * BOARDS and seen["fights"] > BOARDS
