"""The form of a sheet: more rows and things of the book come without saving, and without scripts."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI

from app.campaign import characters, founding, seats, tokens
from app.rulesets import find
from app.table.runtime import Runtime
from app.web.forms.sheet_values import added
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio


async def test_a_list_grows_without_saving(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    runtime: Runtime = site.state.runtime
    rules = find("chronicle")
    assert rules.demo is not None
    sheet = rules.character.dump_python(next(iter(rules.demo.set_up()[0].values())), mode="json")
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The mill", "chronicle", "GM", "test")
        made = await characters.create(session, founded.campaign, "Ella", "chronicle", {**sheet, "weapons": []}, None)
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
    path = f"/c/{founded.campaign.slug}/gm"
    gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    at = f"{path}/characters/{made.slug}"
    page = await gm.get(f"{at}/edit")
    fields = [*((n, v) for n, v in page.form(at).fields if n not in ("sheet.home", "sheet.skills.ride", "version"))]
    typed = [*fields, ("sheet.home", "the mill"), ("sheet.skills.ride", "many"), ("version", "0")]
    page = await gm.post(at, [*typed, ("_rows", "sheet.weapons counts big-sword")])
    page = await gm.post(at, [*page.form(at).fields, ("_rows", "sheet.weapons")])
    assert page.status == 200
    back = page.form(at).fields
    assert ("sheet.weapons.0.counts", "big-sword") in back and "sheet.weapons.5.counts" in dict(back)
    assert {("sheet.home", "the mill"), ("sheet.skills.ride", "many"), ("version", "0")} <= set(back)
    assert (await gm.post(at, back)).status == 422, "nothing was saved, and the old version is refused"


async def test_a_fighters_figures_say_what_they_come_to(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The road", "whiskey", "GM", "test")
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
    path = f"/c/{founded.campaign.slug}/gm"
    gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    form = (await gm.get(f"{path}/characters/new")).form(f"{path}/characters")
    typed = {"sheet.name": "Ann", "sheet.combat": "23", "sheet.base": "0", "sheet.die": "0", "_rows": "sheet"}
    page = await gm.post(form.action, [*((n, v) for n, v in form.fields if n not in typed), *typed.items()])
    assert "deals 0 to 0 damage" in page.text and "sword goblin: wins a clash 100 % of the time; goes down" in page.text


async def test_a_duels_trees_are_folded_until_one_is_refused(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """The sheet was 40 choices long; a refused one must not lie in a fold."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "The gym", "duel", "GM", "test")
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
    path = f"/c/{founded.campaign.slug}/gm"
    gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    page = await gm.get(f"{path}/characters/new")
    form = page.form(f"{path}/characters")
    typed = [("sheet.name", "Ann"), ("sheet.unlocks[]", "resist"), ("sheet.note", "tall")]
    refused = await gm.post(form.action, [*((n, v) for n, v in form.fields if n != "sheet.name"), *typed])
    assert '<details class="tree" open>' not in page.html and "Guard" in page.text
    assert refused.status == 422 and '<details class="tree">' not in refused.html
    fields = refused.form(f"{path}/characters").fields
    assert {("sheet.unlocks[]", "guard"), *typed} <= set(fields)
    read = await gm.post(form.action, [*((n, v) for n, v in fields if n != "sheet.level"), ("sheet.level", "2")])
    assert "<dt>Guard</dt>" in read.html and "<dt>Resist</dt>" in read.html


def test_amounts_of_a_repeated_entry_are_added_up_to_nine_digits() -> None:
    assert added("2", "", "40") == "43"
    assert added("2", "9" * 5000) == "9" * 5000, "Python reads no such number; the form says that it is none"
