"""A GM rolls in secret on the scene's page and on the desk, without scripts; players learn of it, and no more."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI

from tests.arcana_fight import lay
from tests.web.browser import Browser, Page
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
PURPOSE = "canary: does <b>Ada</b> hear it?"
SHOWN = "canary: does &lt;b&gt;Ada&lt;/b&gt; hear it?"
OTHERS = ("ada", "ben", "sam")


async def rolled(fight: Fight, purpose: str, formula: str) -> Page:
    return await fight.browsers["gm"].send(await fight.page("gm"), "/rolls", {"purpose": purpose, "formula": formula})


async def get(fight: Fight, who: str, part: str) -> Page:
    return await fight.browsers[who].get(f"{fight.at.format(who=who)}{part}")


async def test_players_see_that_it_was_rolled_until_it_is_shown_and_all_in_the_end(
    site: FastAPI, open_browser: Open
) -> None:
    fight = await seated(site, open_browser, lay)
    page = await rolled(fight, PURPOSE, "2d10 + 3")
    assert page.status == 200 and SHOWN in page.html and re.search(r"2d10\+3 = \d+ \(\d+, \d+\)", page.text)
    page = await rolled(fight, "canary: the other one", "d20")
    for who in OTHERS:
        own = await fight.page(who)
        assert "GM rolled in secret (roll 1)." in own.text and "GM rolled in secret (roll 2)." in own.text
        listed = await get(fight, who, "/rolls")
        assert listed.status == 200 and listed.text.count("still secret") == 2
        texts = [
            own.html,
            listed.html,
            (await get(fight, who, "/receipts")).html,
            (await get(fight, who, "/live")).html,
        ]
        texts += [(await get(fight, "gm", f"/as/{who if who != 'sam' else 'spectator'}")).html]
        assert not any("canary" in text or "2d10+3" in text for text in texts)
        assert not own.has_form("/rolls") and not own.has_form("/show")
    assert "canary: the other one" in (await get(fight, "gm", "/rolls")).text

    page = await fight.browsers["gm"].send(page, "/rolls/1/show")
    assert "shown to everyone" in page.text and not page.has_form("/rolls/1/show")
    for who in OTHERS:
        own, listed = await fight.page(who), await get(fight, who, "/rolls")
        assert re.search(r"GM showed secret roll 1, “canary: does <b>Ada</b> hear it\?”: 2d10\+3 = \d+", own.text)
        assert SHOWN in listed.html and listed.text.count("still secret") == 1
        assert "other one" not in own.html + listed.html
    again = await fight.browsers["gm"].post(f"{fight.at.format(who='gm')}/rolls/1/show")
    assert again.status == 409 and "already shown" in again.text

    await fight.browsers["gm"].post(f"{fight.at.format(who='gm')}/act/leave")
    over = await fight.page("ada")
    assert f"{fight.at.format(who='ada')}/rolls" in over.links
    assert "canary: the other one" in (await get(fight, "ada", "/rolls")).text
    assert "canary: the other one" in (await get(fight, "ada", "/receipts")).html
    late = await fight.browsers["gm"].post(f"{fight.at.format(who='gm')}/rolls", {"purpose": "x", "formula": "d6"})
    assert late.status == 409 and "This scene is over." in late.text


async def test_what_is_refused_keeps_its_words_and_rolls_nothing(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    desk = fight.at.partition("/scene/")[0].format(who="gm") + "/desk"
    for place in (fight.at.format(who="gm"), desk):
        for purpose, formula, why in (
            ("Who hears it?", "2d", "Write dice like"),
            ("Who hears it?", "41d6", "between 1 and 40 dice"),
            ("Who hears it?", "d1", "2 to 1,000,000 faces"),
            ("Who hears it?", " ", "Write which dice to roll"),
            (" ", "7d7", "Say what the roll is for."),
            ("y" * 201, "7d7", "the limit is 200"),
        ):
            page = await fight.browsers["gm"].get(place)
            refused = await fight.browsers["gm"].send(page, "/rolls", {"purpose": purpose, "formula": formula})
            assert refused.status == 422 and why in refused.text, (place, formula)
            kept = dict(refused.form("/rolls").fields)
            assert (kept["purpose"], kept["formula"]) == (purpose, formula) and 'aria-invalid="true"' in refused.html
    for who in ("ada", "sam"):
        refused = await fight.browsers[who].post(f"{fight.at.format(who=who)}/rolls", {"purpose": "x", "formula": "d6"})
        assert refused.status == 403
    assert "has not rolled anything" in (await get(fight, "gm", "/rolls")).text
    assert (await fight.browsers["gm"].post(f"{fight.at.format(who='gm')}/rolls/1/show")).status == 404


async def test_a_press_that_arrives_twice_rolls_once(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    page, typed = await fight.page("gm"), {"purpose": "Who hears it?", "formula": "d20"}
    await fight.browsers["gm"].send(page, "/rolls", typed)
    again = await fight.browsers["gm"].send(page, "/rolls", typed)
    assert again.status == 409 and "nothing was rolled now" in again.text
    assert dict(again.form("/rolls").fields)["purpose"] == "Who hears it?"
    assert "roll 2" not in (await fight.page("ada")).text


async def test_on_the_desk_it_leads_back_there(site: FastAPI, open_browser: Open) -> None:
    fight = await seated(site, open_browser, lay)
    gm, desk = fight.browsers["gm"], fight.at.partition("/scene/")[0].format(who="gm") + "/desk"
    page = await gm.send(await gm.get(desk), "/rolls", {"purpose": "Who hears it?", "formula": "d20"})
    assert page.path == desk and "Roll 1: Who hears it? d20 = " in page.text
    page = await gm.send(page, "/rolls/1/show")
    assert page.path == desk and "shown to everyone" in page.text and not page.has_form("/rolls/1/show")
    await gm.send(page, "/rolls", {"purpose": "And now?", "formula": "d20"})
    page = await gm.send(await get(fight, "gm", "/rolls"), "/rolls/2/show")
    assert page.path.endswith("/rolls") and "shown during the scene" in page.text
    assert "And now?" in (await fight.page("ada")).text
