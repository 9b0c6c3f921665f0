"""A character by the dice, in the browser: every die shown, once for a form sent twice, never again."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.engine.chance import ScriptedChance
from app.models.people import Character
from app.rulesets.chronicle import RULESET
from tests.web.browser import Browser
from tests.web.test_people_pages import BASE, found, invite, join

pytestmark = pytest.mark.anyio


async def test_somebody_is_rolled_once_with_every_die(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, alice = open_browser(), open_browser()
    await found(gm)
    await join(alice, await invite(gm), "Alice")
    page = await alice.get(f"{BASE}/alice/characters/new?ruleset=chronicle")
    form = page.form("/characters/new/roll")
    nameless = await alice.post(form.action, [(name, value) for name, value in form.fields if name != "name"])
    assert nameless.status == 422 and "Fill this in." in nameless.html
    typed = [(name, "Ella" if name == "name" else value) for name, value in form.fields]
    rolled = [await alice.post(form.action, typed) for _ in range(2)]
    assert rolled[0].path == rolled[1].path == f"{BASE}/alice/characters/ella"
    assert "Character rolled" in rolled[0].text and "Dice rolled" in rolled[0].text

    async with site.state.runtime.sessions() as session:
        (ella,) = await session.scalars(select(Character).where(Character.slug.startswith("ella")))
    script = {roll["label"]: roll["face"] for some in ella.dice for roll in some["rolls"]}
    again, _ = RULESET.generate("Ella", chance := ScriptedChance(script, recorded=True))
    assert RULESET.character.dump_python(again, mode="json") == ella.sheet and chance.unused() == []
    assert rolled[0].html.count(" shows </span>") == len(script) > 50, "each die stands on the page"

    second = await alice.get(f"{BASE}/alice/characters/new?ruleset=chronicle")
    assert (await alice.send(second, "/characters/new/roll", {"name": "Ella"})).path.endswith("/ella-2"), (
        "and both stay"
    )


async def test_rules_without_dice_for_it_roll_nobody(open_browser: Callable[[], Browser]) -> None:
    gm = open_browser()
    await found(gm)
    assert not (await gm.get(f"{BASE}/gerda/characters/new?ruleset=whiskey")).has_form("/characters/new/roll")
    refused = await gm.post(f"{BASE}/gerda/characters/new/roll", {"ruleset": "whiskey", "name": "Bob"})
    assert refused.status == 404 and "no dice for making characters" in refused.html
    mine = await gm.post(
        f"{BASE}/gerda/characters/new/roll", {"ruleset": "chronicle", "name": "Morten", "owner": "nobody"}
    )
    assert mine.status in (404, 409)
