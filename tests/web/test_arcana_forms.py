"""The forms of a wizards' fight in a browser without JavaScript: faults at their fields, nothing typed is lost."""

import html
import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.arcana_fight import PEOPLE, lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated

pytestmark = pytest.mark.anyio


@pytest.fixture
def begin(site: FastAPI, open_browser: Callable[[], Browser]) -> Callable[..., Any]:
    async def begin_one(given: Any = None, settings: Any = None, **more: Any) -> Fight:
        return await seated(site, open_browser, lay, given=given, settings=settings, **more)

    return begin_one


async def test_everybody_is_asked_at_once(begin: Callable[..., Any]) -> None:
    table: Fight = await begin()
    for who in ("ada", "ben", "cleo", "gm"):
        assert await table.asked(who) == ["plan"], who
    assert await table.asked("sam") == []


CASTS = {"of.ada.what": "major", "of.ada.major.do": "cast", "of.ada.major.spell": "mend", "of.ada.major.target": "ben"}
ALL_OF_IT = "x" * 1000


WRONG: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"of.ada.major.target": ""}, "major.target", "Choose someone you know about"),
    ({"of.ada.major.target": "nobody"}, "major.target", "Choose someone you know about"),
    ({"of.ada.major.target": ALL_OF_IT}, "major.target", "Choose something from the list."),
    ({"of.ada.major.target": "them"}, "major.target", "You can use “them” only in an action"),
    ({"of.ada.major.spell": "wish"}, "major.spell", "Choose a spell you know."),
    ({"of.ada.major.pp": "9"}, "major.pp", "Mend costs 14 FP, and you have 10."),
    ({"of.ada.major.pp": "lots"}, "major.pp", "Enter a whole number from 0 to 20."),
    ({"of.ada.major.do": "fly"}, "major.do", "Choose what to do."),
    ({"of.ada.major.do": ""}, "major.do", "Choose what to do."),
    ({"of.ada.what": "minors"}, "minors.0.do", "Choose what to do."),
    ({"of.ada.major.do": "evade"}, "major.do", "This is a minor action."),
    ({"of.ada.major.do": "attack", "of.ada.major.target": "troll", "of.ada.major.weapon": "rifle"},
     "major.weapon", "Choose a weapon"),
    ({"of.ada.major.do": "move", "of.ada.major.to": "39,29"}, "major.to", "That is too far: you can go"),
    ({"of.ada.major.do": "move", "of.ada.major.to": "over there"}, "major.to", "Write a place like 12,4"),
    ({"of.ada.free.step": "20,20"}, "free.step", "A free step is at most 0.5 m."),
    ({"of.ada.what": "minors", "of.ada.minors.0.do": "considered", "of.ada.minors.0.to": "10,11",
      "of.ada.minors.1.do": "considered", "of.ada.minors.1.to": "10,11"}, "minors", "At most one considered"),
    ({"of.ada.what": "minors", "of.ada.minors.0.do": "search"}, "minors.0.do", "major action"),
    ({"of.ada.what": "minors", "of.ada.minors.1.do": "communicate"}, "minors.0.words", "Enter what you tell"),
    ({"of.ada.what": "minors", "of.ada.minors.0.do": "communicate", "of.ada.minors.0.words": ALL_OF_IT},
     "minors.0.words", "Use at most 400 characters."),
    ({"of.ada.what": "minors", "of.ada.minors.0.do": "evade", "of.ada.when.who": "troll",
      "of.ada.when.verb": "attacks"}, "when.guards", "Evade and Brace take effect from the reveal on"),
    ({"of.ada.when.verb": "attacks"}, "when.who", "Choose whom to watch."),
    ({"of.ada.when.who": "nobody", "of.ada.when.verb": "attacks"}, "when.who", "Choose whom to watch."),
    ({"of.ada.when.who": ALL_OF_IT, "of.ada.when.verb": "attacks"}, "when.who", "Choose something from the list."),
    ({"of.ada.when.who": "ada", "of.ada.when.verb": "attacks"}, "when.who", "never for yourself"),
    ({"of.ada.when.who": "troll"}, "when.verb", "Choose what you wait for."),
    ({"of.ada.when.who": "troll", "of.ada.when.verb": "targets"}, "when.whom", "whom? Choose a target."),
    ({"of.ada.when.who": "troll", "of.ada.when.verb": "moves_to", "of.ada.when.whom": "place",
      "of.ada.when.at": "out there"}, "when.whom", "Choose a person or a place."),
    ({"of.ada.when.verb": "text"}, "when.words", "Describe the condition"),
    ({"of.ada.when.verb": "text", "of.ada.when.words": ALL_OF_IT}, "when.words", "Use at most 400 characters."),
    ({"of.ada.react.resist": "perhaps"}, "react.resist", "Choose what you resist."),
)  # fmt: skip
"""What is typed over a declaration that is right, the field at which it is refused, and the words there."""


async def test_what_is_wrong_stands_at_its_field(begin: Callable[..., Any]) -> None:
    """And what was typed stands there too (ARC-08). A refusal changes nothing, so one fight sees all of them."""
    table: Fight = await begin()
    form = await table.form("ada", "plan")
    for typed, field, words in WRONG:
        page = await table.send("ada", form, **{**CASTS, **typed})
        assert page.status == 422, (typed, page.text)
        found = re.search(rf'class="fault" id="fault-of-ada-{field.replace(".", "-")}">([^<]*)<', page.html)
        assert found is not None, (typed, re.findall(r'class="fault"[^>]*>[^<]*', page.html))
        assert words in html.unescape(found[1]), typed
        for name, value in typed.items():
            if name.endswith((".to", ".step", ".words", ".pp", ".at")) and ".minors.1" not in name:
                assert f'name="{name}"' in page.html and f'value="{value}"' in page.html, name
    page = await table.answer("ada", "plan", **{**CASTS, "of.ada.what": "again"})
    assert page.status == 200, page.text


STRANGE: tuple[dict[str, str], ...] = (
    {"of.ada": "x"},
    {"of": "x"},
    {"of.ada.major": "x"},
    {"of.ada.minors": "x"},
    {"of.ada.minors.0": "x", "of.ada.what": "minors"},
    {"of.ada.minors.x.do": "evade", "of.ada.what": "minors"},
    {"of.ada.when": "x"},
    {"of.ada.react.spells": "x"},
    {"of.ada.react.spells[]": ALL_OF_IT, "of.ada.react.resist": "list"},
    {"of.ada.what": ALL_OF_IT},
    {"of.troll.major.do": "search"},
    {f"of.{ALL_OF_IT}.major.do": "search"},
    {"of.ada.when.whom": "place:" + "9" * 900, "of.ada.when.who": "troll", "of.ada.when.verb": "moves_to"},
)


async def test_forms_that_were_not_ours(begin: Callable[..., Any]) -> None:
    """They are refused or read as far as they make sense, and the page still stands."""
    table: Fight = await begin()
    for typed, act in zip(STRANGE, itertools.cycle(("seal", "draft")), strict=False):
        page = await table.page("ada")
        form = next(f for f in page.forms if f.action.endswith("/lay"))
        control = [(name, value) for name, value in form.fields if name.startswith("_") and name != "_act"]
        page = await table.browsers["ada"].post(form.action, [*control, *typed.items(), ("_act", act)])
        assert page.status in (200, 409, 422), (typed, page.text)
    assert (await table.page("ada")).status == 200


async def test_a_draft_reads_back(begin: Callable[..., Any]) -> None:
    """Without scripts the server says the sentence; a foe's habit is filled in for the GM."""
    table: Fight = await begin()
    waits = {"of.ada.when.who": "troll", "of.ada.when.verb": "attacks", "of.ada.when.whom": "me"}
    page = await table.answer("ada", "plan", act="draft", **{**CASTS, **waits, "of.ada.major.pp": "1"})
    said = "If the troll attacks me, then I cast Mend with 1 power point on Ben. This costs 6 of 10 FP."
    assert said in page.text
    assert "The imp moves" in (await table.page("gm")).text
    page = await table.answer("gm", "plan")
    assert page.status == 200 and "Sealed at" in page.text


async def test_a_cycle_with_a_counterspell_and_a_resist(begin: Callable[..., Any]) -> None:
    """Ben prepares, Cleo wants to be asked; then the same again is one choice."""
    foes = {"foes": [{"key": "hedge_mage", "name": "Hedge mage", "foe": "hedge_mage"}]}
    table: Fight = await begin(given=foes, settings={"counterspell_seconds": 600})
    await table.answer("ada", "plan", **CASTS)
    await table.answer("ben", "plan", **{"of.ben.what": "minors", "of.ben.minors.0.do": "counterspell"})
    await table.answer("cleo", "plan", **{"of.cleo.what": "hold", "of.cleo.react.resist": "ask"})
    cast = {"of.hedge_mage.what": "major", "of.hedge_mage.major.do": "cast"}
    cast |= {"of.hedge_mage.major.spell": "kindle", "of.hedge_mage.major.target": "ben"}
    page = await table.answer("gm", "plan", **cast)
    assert page.status == 200, page.text
    assert await table.asked("ben") == ["counter"]
    page = await table.page("ben")
    assert "The hedge mage casts Kindle on Ben." in page.text and "Spark Volley" in page.text
    page = await table.answer("ben", "counter", **{"of.ben": "wish"})
    assert page.status == 422 and "Choose a spell you know." in page.text
    page = await table.answer("ben", "counter", **{"of.ben": ""})
    assert page.status == 200
    page = await table.page("ada")
    assert "Same again" in page.text and "I cast Mend on Ben." in page.text
    page = await table.answer("ada", "plan", **{"of.ada.what": "again"})
    assert page.status == 200 and "Sealed at" in page.text


async def test_the_gm_says_what_a_counterspell_does(begin: Callable[..., Any]) -> None:
    """ARC-57: asked of each spell that comes from in front, as soon as one is named."""
    foes = {"foes": [{"key": "hedge_mage", "name": "Hedge mage", "foe": "hedge_mage"}]}
    table: Fight = await begin(given=foes, settings={"counterspell_seconds": 600})
    await table.answer("ada", "plan", **{"of.ada.what": "hold"})
    await table.answer("ben", "plan", **{"of.ben.what": "minors", "of.ben.minors.0.do": "counterspell"})
    await table.answer("cleo", "plan", **{"of.cleo.what": "hold"})
    cast = {"of.hedge_mage.what": "major", "of.hedge_mage.major.do": "cast"}
    cast |= {"of.hedge_mage.major.spell": "kindle", "of.hedge_mage.major.target": "ben"}
    await table.answer("gm", "plan", **cast)
    page = await table.answer("ben", "counter", **{"of.ben": "spark_volley"})
    assert page.status == 200, page.text
    assert await table.asked("gm") == ["rule"] and await table.asked("ada") == []
    page = await table.page("gm")
    assert "What do the counterspells do?" in page.text and "Ben’s Spark Volley against the hedge mage" in page.text
    page = await table.answer("gm", "rule", **{"of.1.yes": "simply", "of.1.words": "It rebounds."})
    assert page.status == 200, page.text
    log = " ".join((await table.page("ada")).text.split())
    assert (
        "Ben’s counterspell throws back the hedge mage’s attack, if the counterspell is cast." in log
        and "It rebounds." in log
    )


@pytest.mark.parametrize("answer", [pytest.param("yes", marks=pytest.mark.nightly), "no"])
async def test_who_asked_to_be_asked_resists_or_takes_it(begin: Callable[..., Any], answer: str) -> None:
    """ARC-127: the form says what it does and how likely a Resist is; the answer counts, each time anew."""
    strong = PEOPLE["ada"].model_copy(update={"fp_stated": 300})
    cleo = PEOPLE["cleo"].model_copy(update={"hp_stated": 500})
    foes = {"foes": [], "at": {"ada": "12,10", "ben": "12,14", "cleo": "14,12"}, "sides": {"cleo": "foes"}}
    table: Fight = await begin(sheets={"ada": strong, "ben": PEOPLE["ben"], "cleo": cleo}, given=foes)
    push = {"of.ada.what": "major", "of.ada.major.do": "cast", "of.ada.major.spell": "force_push",
            "of.ada.major.target": "cleo"}  # fmt: skip
    for _ in range(40):
        await table.answer("ada", "plan", **push)
        await table.answer("ben", "plan", **{"of.ben.what": "hold"})
        await table.answer("cleo", "plan", **{"of.cleo.what": "hold", "of.cleo.react.resist": "ask"})
        if "plan" in await table.asked("gm"):
            await table.answer("gm", "plan")
        if await table.asked("cleo") == ["resist"]:
            break
    page = await table.page("cleo")
    assert "Ada’s Force Push hits you" in page.text and "Your chance to resist" in page.text
    page = await table.answer("cleo", "resist", **{"of.1": "perhaps"})
    assert page.status == 422
    page = await table.answer("cleo", "resist", **{"of.1": answer})
    assert page.status == 200, page.text
    log = (await table.page("cleo")).text
    assert await table.asked("cleo") != ["resist"]
    assert "Force Push deals" in log
    assert ("Cleo resists" in log or "Cleo fails to resist" in log) == (answer == "yes"), log


async def test_what_only_some_can_do_has_its_field_only_with_them(begin: Callable[..., Any]) -> None:
    """ARC-27, ARC-155, ARC-166, ARC-174: nobody new reads of books, armour to put on, aim or Power Attack."""
    more = {"books": ("mend",), "wardrobe": ("vest",), "skills": ("power_attack", "emergency_care"),
            "weapons": ("wand", "club", "rifle")}  # fmt: skip
    table: Fight = await begin(sheets={**PEOPLE, "ben": PEOPLE["ben"].model_copy(update=more)})
    plain, geared = (await table.page("cleo")).html, (await table.page("ben")).html
    for name in ("power", "wear", "steady"):
        assert f"major.{name}" in geared and f"major.{name}" not in plain
    assert 'value="book:mend"' in geared and "book:" not in plain and "emergency_care" not in plain.split("<form")[0]
    assert "Power Attack" not in plain
    page = await table.answer("ben", "plan", of__ben__what="major", of__ben__major__do="don")
    assert page.status == 422 and "Choose clothing or armour you carry." in page.text
    typed = {"of__ben__what": "major", "of__ben__major__do": "cast", "of__ben__major__target": "ada"}
    page = await table.answer("ben", "plan", **typed, of__ben__major__spell="book:mend", of__ben__major__pp="2")
    assert page.status == 200, page.text
    assert "I cast Mend from a book on Ada." in page.text
