"""The GM's forms of a wizards' fight: setting it up, the desk, the word in mid-cycle, the end."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.arcana_fight import lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio

DRAW = "of__ada__when__verb"


@pytest.fixture
def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(**given: Any) -> Fight:
        return await seated(site, open_browser, lay, **given)

    return begin_one


async def hold(table: Fight, *who: str) -> None:
    for one in who:
        page = await table.answer(one, "plan")
        assert page.status == 200, page.text


def if_then(who: str, watched: str, verb: str, **more: str) -> dict[str, str]:
    """An if-then that answers with a blow at whom it watches."""
    name = f"of__{who}__"
    return {
        f"{name}major__do": "attack", f"{name}major__weapon": "club", f"{name}major__target": "them",
        f"{name}when__who": watched, f"{name}when__verb": verb, f"{name}when__guards": "all",
        **{f"{name}when__{key}": value for key, value in more.items()},
    }  # fmt: skip


async def test_a_loop_waits_for_the_gm_and_may_be_let_loose(begin: Callable[..., Any]) -> None:
    """ARC-48: both wait for one another; the GM's word lets them act."""
    table: Fight = await begin()
    cast = {"of__ada__major__do": "cast", "of__ada__major__spell": "mend", "of__ada__major__target": "ada",
            "of__ada__when__who": "cleo", "of__ada__when__verb": "casts"}  # fmt: skip
    page = await table.answer("ada", "plan", **cast)
    assert page.status == 200, page.text
    await table.answer("cleo", "plan", **{k.replace("ada", "cleo"): v.replace("cleo", "ada").replace("them", "cleo")
                                          for k, v in cast.items()})  # fmt: skip
    await hold(table, "ben", "gm")
    assert await table.asked("gm") == ["rule"]
    desk = await table.page("gm")
    assert "wait only for each other" in desk.text and await table.asked("ada") == []
    page = await table.answer("gm", "rule", of__1__yes="yes")
    assert page.status == 200, page.text
    assert await table.asked("ada") == ["plan"]
    assert "Mend" in (await table.page("ben")).text


async def test_silence_on_a_loop_lets_nothing_happen(begin: Callable[..., Any]) -> None:
    table: Fight = await begin()
    for who, other in (("ada", "cleo"), ("cleo", "ada")):
        name = f"of__{who}__"
        await table.answer(who, "plan", **{
            f"{name}major__do": "cast", f"{name}major__spell": "mend", f"{name}major__target": who,
            f"{name}when__who": other, f"{name}when__verb": "casts",
        })  # fmt: skip
    await hold(table, "ben", "gm")
    page = await table.answer("gm", "rule")
    assert page.status == 200, page.text
    assert await table.asked("ada") == ["plan"]
    assert "Ada takes" not in (await table.page("ada")).text


WRONG: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"what": "correct", "who": "troll"}, "hp", "Enter what changes"),
    ({"what": "correct", "who": "troll", "hp": "5"}, "reason", "Give a reason"),
    ({"what": "place", "who": "troll", "at": "9999,1"}, "at", "Choose a place on the ground"),
    ({"what": "cover", "at": ""}, "at", "Choose a place on the ground"),
    ({"what": "out", "who": "nobody"}, "who", "Choose whom"),
    ({"what": "join", "template": "dragonfly"}, "template", "Choose who joins the fight"),
    ({"what": "join", "template": "imp", "side": "Die Bösen!"}, "side", "one short lowercase word"),
    ({"what": "join", "template": "imp", "name": "x" * 1000}, "name", "60"),
)


async def test_the_desk_says_what_is_wrong(begin: Callable[..., Any]) -> None:
    table: Fight = await begin()
    form = await table.form("gm", "desk")
    for typed, field, words in WRONG:
        page = await table.send("gm", form, **typed)
        assert page.status == 422 and words in page.text, (typed, page.text)
        assert f'name="{field}"' in page.html and 'aria-invalid="true"' in page.html, typed


async def test_the_desk_changes_the_fight(begin: Callable[..., Any]) -> None:
    """A correction with its reason, a newcomer, somebody hidden and shown, a wall, somebody out, the end."""
    table: Fight = await begin()
    first = await table.step("ada", "plan")
    for typed in (
        {"what": "correct", "who": "troll", "hp": "3", "reason": "I was wrong."},
        {"what": "join", "template": "gnome", "name": "Old Hob"},
        {"what": "cover", "at": "12,12", "cover": "full"},
        {"what": "place", "who": "imp", "at": "20,20"},
        {"what": "hide", "who": "imp"},
    ):
        page = await table.answer("gm", "desk", **typed)
        assert page.status == 200, page.text
    assert await table.step("ada", "plan") != first, "asked anew"
    seen = await table.page("ada")
    assert "I was wrong." in seen.text and "Old Hob" in seen.text and not re.search(r"\bImp\b", seen.text)
    assert (await table.answer("gm", "desk", what="show", who="imp")).status == 200
    assert "Imp" in (await table.page("ada")).text
    assert (await table.answer("gm", "desk", what="out", who="imp", reason="It flies off.")).status == 200
    assert (await table.answer("gm", "desk", what="end", reason="Enough.")).status == 200
    assert "over" in (await table.page("ada")).text and await table.asked("ada") == []


async def test_one_side_left_asks_whether_it_ends(begin: Callable[..., Any]) -> None:
    """ARC-01: the end is proposed, and the sheets keep the HP."""
    table: Fight = await begin()
    for foe in ("troll", "imp"):
        page = await table.answer("gm", "desk", what="correct", who=foe, hp="-3", status="critical", reason="Fell.")
        assert page.status == 200, page.text
    await hold(table, "ada", "ben", "cleo", "gm")
    assert await table.asked("gm") == ["next"]
    assert "Only players can still act" in (await table.page("gm")).text
    assert (await table.answer("gm", "next", go="on")).status == 200
    await hold(table, "ada", "ben", "cleo", "gm")
    assert (await table.answer("gm", "next", go="end", words="Peace.")).status == 200
    ended = (await table.page("ada")).text
    assert "The players win" in ended and "Troll" in ended and "On the sheets Ada" in ended


async def test_a_gm_opens_a_fight_by_the_form(begin: Callable[..., Any]) -> None:
    """As it is typed: two foes of a kind, a clock, a house rule."""
    table: Fight = await begin()
    gm = table.browsers["gm"]
    base = table.at.format(who="gm").split("/scene/")[0]
    blank = await gm.get(f"{base}/scenes/new")
    assert blank.status == 200 and "What the players see at the start" in blank.text
    for name in ("settings.planning_seconds", "settings.interrupt_check", "settings.condition_loops"):
        assert f'name="{name}"' in blank.html
    assert "as one change" in blank.text and not {"either gated", "crossing half"} & {
        *re.findall(r"<option[^>]*>([^<]*)<", blank.html)
    }, "house rules are told in words"
    form = blank.form("/scenes/new")
    blank = await gm.post(form.action, [*form.fields, ("_muster", "add imp")])
    typed = {
        "title": "In the cellar", "given.muster.0.count": "2", "given.lay_out": "no",
        "settings.planning_seconds": "300", "settings.condition_loops": "trigger",
    }  # fmt: skip
    held = await gm.send(blank, "/scenes/new", typed)
    assert held.status == 422 and "Ada, Ben and Cleo are in “At the broken gate”" in held.text
    opened = await gm.send(held, "/scenes/new", {"held": "copy"})
    assert opened.status == 200, opened.text
    assert "/scene/" in opened.path and "Imp 2" in opened.text and "Imp 3" not in opened.text


async def test_what_is_sealed_stays_sealed_when_somebody_hidden_is_moved(begin: Callable[..., Any]) -> None:
    """ARC-101: nobody else is asked anew, and what the GM sealed for that one and cannot be done any more is not."""
    table: Fight = await begin()
    for act in ({"what": "hide", "who": "imp"}, {"what": "place", "who": "imp", "at": "16,10"}):
        assert (await table.answer("gm", "desk", **act)).status == 200
    first = await table.step("ada", "plan")
    sealed = await table.answer("gm", "plan", **{"of.imp.what": "major", "of.imp.major.do": "move",
                                                 "of.imp.major.to": "16,11"})  # fmt: skip
    assert sealed.status == 200, sealed.text
    assert (await table.answer("gm", "desk", what="place", who="imp", at="38,28")).status == 200
    assert await table.step("ada", "plan") == first
    await hold(table, "ada", "ben", "cleo")
    assert await table.step("ada", "plan") == "c2/plan"
    seen = await table.page("gm")
    assert "stuck" not in seen.text and "38,28" in seen.text
