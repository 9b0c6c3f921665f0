"""The form for a new scene: who is ticked beforehand, and who is not, with the reason."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from app.campaign import characters, founding, seats, tokens
from app.models.people import Role
from app.rulesets import find
from app.table.runtime import Runtime
from tests.web.browser import Browser

pytestmark = pytest.mark.anyio

FALLEN: dict[str, tuple[dict[str, Any], str]] = {
    "whiskey": ({"hp": 0}, "at 0 HP"),
    "arcana": ({"hp": -2}, "at -2 HP"),
    "duel": ({"hp": 0}, "down, at 0 HP"),
    "chronicle": ({"wounds": {"head": {"major": True}}}, "knocked out by a head wound"),
    "skirmish": ({"agi": 0}, "paralysed at AGI 0"),
}


async def every_game(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> tuple[Browser, str, dict[str, tuple[str, str]]]:
    """A GM, the campaign's address, and for each game somebody who is well and somebody who is down."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "Every game", "whiskey", "GM", "test")
        ann = await seats.add_member(session, founded.campaign, "Ann", Role.PLAYER)
        people: dict[str, tuple[str, str]] = {}
        for game, (fallen, _) in FALLEN.items():
            rules = find(game)
            assert rules.demo is not None
            hero = next(iter(rules.demo.set_up()[0].values()))
            sheet = rules.character.dump_python(hero, mode="json")
            well = await characters.create(session, founded.campaign, f"Well {game}", game, sheet, ann)
            down = await characters.create(session, founded.campaign, f"Down {game}", game, {**sheet, **fallen}, ann)
            people[game] = (well.slug, down.slug)
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
        path = f"/c/{founded.campaign.slug}/gm"
        gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    return gm, path, people


async def test_who_has_fallen_is_not_ticked_and_it_says_why(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, path, people = await every_game(site, open_browser)
    for game, (well, down) in people.items():
        page = await gm.get(f"{path}/scenes/new?ruleset={game}")
        form = page.form("/scenes/new")
        assert ("seat[]", well) in form.fields and ("seat[]", down) not in form.fields, game
        why = FALLEN[game][1]
        said = re.search(rf'value="{down}"[^>]*>(.*?)</label>', page.html)
        assert said and why in said[1] and f"Characters who are {why}" in page.text, game
        fields = [*((n, v) for n, v in form.fields if n != "title"), ("seat[]", down)]
        typed = await gm.post(form.action, [*fields, ("title", "x" * 121)])
        assert ("seat[]", down) in typed.form("/scenes/new").fields, "whoever is ticked by hand stays so"


async def test_everybody_who_is_down_is_healed_beside_the_form(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """There was no way but one sheet after the other; now what is typed stays, and the dead stay dead."""
    gm, path, people = await every_game(site, open_browser)
    for game, (well, down) in people.items():
        page = await gm.get(f"{path}/scenes/new?ruleset={game}")
        assert ('name="_heal"' in page.html) == (game != "chronicle"), "where HP are counted"
        form = page.form("/scenes/new")
        fields = [*((n, v) for n, v in form.fields if n != "title"), ("title", "At dawn"), ("_heal", "yes")]
        after = await gm.post(form.action, fields)
        assert after.status == 200 and ("title", "At dawn") in after.form("/scenes/new").fields, game
        ticked = {value for name, value in after.form("/scenes/new").fields if name == "seat[]"}
        said = f"Healed: Down {game}." in after.text
        assert (ticked, said) == ({well}, False) if game == "chronicle" else ({well, down}, True), game
        assert 'name="_heal"' not in after.html, "nobody is down any more"
    async with site.state.runtime.sessions.begin() as session:
        campaign = await seats.by_slug(session, path.split("/")[2])
        assert campaign is not None
        dead = await characters.find(session, campaign.id, people["arcana"][1])
        dead.sheet = {**dead.sheet, "hp": -40, "dead": True}
    page = await gm.get(f"{path}/scenes/new?ruleset=arcana")
    assert 'name="_heal"' not in page.html and "· dead" in page.text


async def test_every_clock_says_that_it_counts_for_the_gm_too(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """A clock for declarations drove the GM's own steps, and no form said so."""
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        founded = await founding.found_campaign(session, "Every game", "chronicle", "GM", "test")
        gm, cookie = open_browser(), tokens.fresh()
        await seats.sit_down(session, founded.member, "test", cookie)
        path = f"/c/{founded.campaign.slug}/gm"
        gm.http.cookies.set("signet", cookie, domain="signet.test", path=path)
    new = [f"scenes/new?ruleset={game}" for game in FALLEN] + [
        "scenes/new?ruleset=chronicle&kind=hand",
        "draft?ruleset=chronicle",
    ]
    for form in (*new, "decide/vote", "decide/order", "decide/roll"):
        page = await gm.get(f"{path}/{form}")
        labels = re.findall(r"<span>((?:A clock|Clock|Time limit).*?)<select", page.html, re.DOTALL)
        assert labels or form == "scenes/new?ruleset=chronicle", form
        for label in labels:
            assert re.search(r'class="hint">[^<]*(your own|your people|you play|for you|includes you)', label), (
                form,
                label,
            )


async def test_a_battle_begins_with_declarations_and_needs_no_title(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """Unless there are areas, for which the GM first says who bars the way, or the GM wants to set the scene."""
    gm, path, _ = await every_game(site, open_browser)
    page = await gm.get(f"{path}/scenes/new?ruleset=whiskey")
    form = page.form("/scenes/new")
    foe = ("given.muster.sword-goblin.count", "1")
    fields = [*((n, v) for n, v in form.fields if n != foe[0]), foe, ("held", "copy")]
    opened = await gm.post(form.action, fields)
    assert "Battle 1" in opened.text and "Set the scene for round 1" not in opened.text
    assert opened.has_form("/lay") and "of.sword-goblin.intent" in opened.html
    barred = [(n, "the bridge" if n == "given.areas.0.name" else v) for n, v in fields]
    for other, said in ((barred, "Battle 2"), ([one for one in fields if one[0] != "given.at_once"], "Battle 3")):
        opened = await gm.post(form.action, other)
        assert said in opened.text and "Set the scene for round 1" in opened.text


async def test_foes_come_as_cards_without_scripts(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    """Each press sends the form, and everything that was typed or ticked by hand comes back."""
    gm, path, people = await every_game(site, open_browser)
    page = await gm.get(f"{path}/scenes/new?ruleset=whiskey")
    typed = {"title": "At dawn", "_muster": "add wolf"}
    fields = [*((n, v) for n, v in page.form("/scenes/new").fields if n != "title"), ("seat[]", people["whiskey"][1])]
    page = await gm.post(page.form("/scenes/new").action, [*fields, *typed.items()])
    for press in ("add wolf", "copy 0", "add ogre", "remove 2"):
        fields = page.form("/scenes/new").fields
        page = await gm.post(page.form("/scenes/new").action, [*fields, ("_muster", press)])
        assert page.status == 200
    assert "Wolf 1–2" in page.text and "Wolf 3–4" in page.text and "given.muster.2.kind" not in page.html
    kept = page.form("/scenes/new").fields
    assert ("title", "At dawn") in kept and ("seat[]", people["whiskey"][1]) in kept
    opened = await gm.post(page.form("/scenes/new").action, kept)
    assert "/scene/" in opened.path and "Wolf 4" in opened.text


async def test_a_battle_without_foes_is_doubted_once(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    gm, path, _ = await every_game(site, open_browser)
    page = await gm.get(f"{path}/scenes/new?ruleset=whiskey")
    page = await gm.post(page.form("/scenes/new").action, page.form("/scenes/new").fields)
    assert page.status == 422 and "Nobody to fight yet: open anyway?" in page.text
    page = await gm.post(page.form("/scenes/new").action, page.form("/scenes/new").fields)
    assert "/scene/" in page.path and page.status == 200


async def test_two_who_can_only_fight_each_other_are_not_doubted(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """A single combat of two characters was asked "Nobody to fight yet: open anyway?"."""
    gm, path, people = await every_game(site, open_browser)
    page = await gm.get(f"{path}/scenes/new?ruleset=chronicle&kind=hand")
    fields = [(n, v) for n, v in page.form("/scenes/new").fields if n != "seat[]"]
    pair = [("seat[]", slug) for slug in people["chronicle"]]
    assert "open anyway" in (await gm.post(page.form("/scenes/new").action, [*fields, pair[0]])).text
    opened = await gm.post(page.form("/scenes/new").action, [*fields, *pair])
    assert "open anyway" not in opened.text and "needs an able fighter on both sides" in opened.text


async def test_house_rules_unfold_for_what_is_changed_or_refused(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    """A refused house rule lay in a closed fold, and a changed one was out of sight when the form came back."""
    gm, path, people = await every_game(site, open_browser)
    folded = '<details class="card house-rules">'
    for game, rule, other in (("whiskey", "veto", "on"), ("duel", "stall_limit", "3"), ("chronicle", "table_gm", "x")):
        page = await gm.get(f"{path}/scenes/new?ruleset={game}")
        form = page.form("/scenes/new")
        fields = [(n, v) for n, v in form.fields if n not in ("title", f"settings.{rule}")]
        typed = [("title", "x" * 121), ("seat[]", people[game][0]), (f"settings.{rule}", other)]
        after = await gm.post(form.action, [*fields, *typed])
        assert folded in page.html and folded not in after.html and after.status == 422, game
        assert f'id="fault-settings-{rule}"' in after.html or rule == "veto"
