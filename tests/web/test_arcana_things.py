"""Things of any name in a wizard's hands: on the sheet, on a foe of one's own, used in a fight by the GM's word."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI

from tests.arcana_fight import PEOPLE, lay
from tests.web.browser import Browser
from tests.web.seated_fight import Fight, seated
from tests.web.test_arcana_sheets import BASE, NEW, alice, stored
from tests.web.test_homebrew import add, fault, found
from tests.web.test_homebrew import stored as own_stored

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]


@pytest.fixture
async def gm(open_browser: Open) -> Browser:
    browser = open_browser()
    await found(browser)
    return browser


async def test_things_are_written_and_counted_on_the_sheet(site: FastAPI, open_browser: Open) -> None:
    """ARC-28, ARC-34: what is written twice is counted together, one where no number stands, and a draught is one."""
    one = await alice(open_browser)
    page = await one.get(NEW)
    things = (("lantern", ""), ("Torch", "2"), ("Torch", "1"), ("healing draught", "1"))
    typed = {"sheet.name": "Ada"}
    for number, (name, count) in enumerate(things, 3):
        typed |= {f"sheet.items.{number}.key": name, f"sheet.items.{number}.value": count}
    kept = [(name, value) for name, value in page.form("/characters").fields if name not in typed]
    made = await one.post(page.form("/characters").action, [*kept, *typed.items()])
    assert made.status == 200 and "Lantern" in made.text and "Torch × 3" in made.text
    items = {"healing_draught": 2, "Lantern": 1, "Torch": 3}
    assert (await stored(site)).sheet["items"] == items
    edit = f"{BASE}/alice/characters/ada/edit"
    again = await one.send(await one.get(edit), "/characters/ada", {})
    assert again.status == 200 and (await stored(site)).sheet["items"] == items, "the same when nothing is typed"
    await one.send(await one.get(edit), "/characters/ada", {"sheet.items.3.value": "0"})
    assert (await stored(site)).sheet["items"] == {"healing_draught": 2, "Lantern": 1}


async def test_a_foe_of_ones_own_carries_things(site: FastAPI, gm: Browser) -> None:
    """ARC-34, ARC-173."""
    wrong = await add(gm, "foes", "imp", name="Smuggler", items="Crate\nwand")
    assert wrong.status == 422 and "Wand is in the book" in fault(wrong, "own.items"), wrong.text
    page = await add(gm, "foes", "imp", name="Smuggler", items="Crate\nSpirit draught\ncrate")
    assert page.status == 200 and "Carries Crate × 2, Spirit draught." in page.text, page.text
    assert (await own_stored(site, "foes"))["own_smuggler"]["items"] == ["Crate", "Spirit draught", "crate"]
    bare = await add(gm, "foes", "imp", name="Guard")
    assert bare.status == 200 and "items" not in (await own_stored(site, "foes"))["own_guard"]


@pytest.fixture
def begin(site: FastAPI, open_browser: Open) -> Callable[..., Any]:
    async def begin_one(**given: Any) -> Fight:
        return await seated(site, open_browser, lay, **given)

    return begin_one


WORDS = "I swing it high, and call to them."
USES = {"of__ada__what": "minors", "of__ada__minors__0__do": "use", "of__ada__minors__0__item": "Lantern & oil",
        "of__ada__minors__0__words": WORDS}  # fmt: skip


async def test_a_thing_is_used_by_words_and_the_gm_has_the_last(begin: Callable[..., Any]) -> None:
    """ARC-34: the words open with the declaration and not before; nothing is used up."""
    ada = PEOPLE["ada"].model_copy(update={"items": {"Lantern & oil": 1}})
    table: Fight = await begin(sheets={**PEOPLE, "ada": ada})
    wordless = await table.answer("ada", "plan", **{**USES, "of__ada__minors__0__words": ""})
    assert wordless.status == 422 and "Say what you do with it" in wordless.text
    page = await table.answer("ada", "plan", **USES)
    assert page.status == 200 and WORDS in page.text, page.text
    for who in ("ben", "gm", "sam"):
        assert "swing it" not in (await table.page(who)).text and "Lantern" not in (await table.page(who)).text
    for who in ("ben", "cleo", "gm"):
        assert (await table.answer(who, "plan")).status == 200
    assert await table.asked("gm") == ["rule"]
    assert "Ada uses something the rules do not cover" in (await table.page("gm")).text
    told = await table.answer("gm", "rule", of__1__yes="", of__1__words="They come.")
    assert told.status == 200 and "Ada uses Lantern & oil." in told.text, told.text
    seen = (await table.page("ben")).text
    assert "They come." in seen and f"Ada uses Lantern & oil: “{WORDS}”." in seen
    dropped = await table.answer("ada", "plan", of__ada__what="minors", of__ada__minors__0__do="drop",
                                 of__ada__minors__0__lay="Lantern & oil")  # fmt: skip
    assert dropped.status == 200 and "I put down Lantern & oil." in dropped.text, dropped.text
    for who in ("ben", "cleo", "gm"):
        assert (await table.answer(who, "plan")).status == 200
    assert "Ada puts down Lantern & oil." in (await table.page("ben")).text
    assert "Lantern & oil, from the ground" in (await table.page("ada")).text
