"""Foes in mid-scene, from the GM's desk: how everybody is, newcomers, copies, hiding, and a foe that gets a sheet."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import Character, SheetChange
from app.models.scenes import StepRow
from tests.web.browser import Browser, Page
from tests.web.seated_demo import Demo, another, seated_demo

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]


async def press(demo: Demo, what: str, who: str, **typed: str) -> Page:
    """Press a foe's button on the desk."""
    page = await demo.desk()
    forms = [one for one in page.forms if one.action.endswith(f"{demo.scene}/foes/{what}")]
    form = next(one for one in forms if ("who", who) in one.fields)
    return await demo.browsers["gm"].post(
        form.action, [(n, v) for n, v in form.fields if n not in typed] + [*typed.items()]
    )


async def bring(demo: Demo, *groups: dict[str, str]) -> Page:
    """Choose groups in the picker, one press after the other, and bring them in."""
    gm, at = demo.browsers["gm"], f"{demo.road}/gm/scene/{demo.scene}/foes"
    page = await gm.get(at)
    for number, group in enumerate(groups):
        assert ("_muster", f"add {group['kind']}") in page.form("/foes").buttons
        page = await gm.post(at, [*page.form("/foes").fields, ("_muster", f"add {group['kind']}")])
        typed = {f"given.muster.{number}.{name}": value for name, value in group.items()}
        fields = page.form("/foes").fields
        form = [(n, v) for n, v in fields if n not in typed] + [*typed.items()]
        page = await gm.post(at, [*form, ("_muster", "keep as it is")])
    return await gm.post(at, page.form("/foes").fields)


def strip(page: Page) -> list[str]:
    """The rows of the health strip, as they are read."""
    lists = re.findall(r'<ul class="vitals".*?</ul>', page.html, re.S)
    rows = re.findall(r"<li.*?</li>", lists[0], re.S)
    return [" ".join(re.sub(r"<[^>]+>", "", re.split(r'<div class="row">', row)[0]).split()) for row in rows]


async def test_reinforcements_in_a_battle(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "whiskey")
    await demo.seal("gm", "scene")
    assert strip(await demo.desk())[0] == "Alice 15 of 15 HP", "the players come first"
    wolves = {"kind": "wolf", "count": "2", "shown": "yes"}
    page = await bring(demo, wolves, {"kind": "ogre", "name": "Grak", "hidden": "yes", "habit": "stand"})
    assert page.path.endswith("/gm/desk"), page.text
    rows = strip(page)
    assert rows[-3:] == ["Wolf 7 of 7 HP", "Wolf 2 7 of 7 HP", "Grak A 24 of 24 HP hidden"], rows
    for who in ("alice", "sam"):
        assert "Wolf 2" in (await demo.page(who)).text
        for path in ("", f"scene/{demo.scene}", f"scene/{demo.scene}/live", "awaits", "people", "characters/alice"):
            html = (await demo.browsers[who].get(f"{demo.road}/{who}/{path}")).html
            assert "grak" not in html.casefold() and "Ogre" not in html, (who, path)
    steps = await _desk_steps(demo)
    assert steps == 2, "one declaration of the GM's seat for each group"
    page = await press(demo, "copy", "wolf-2")
    assert "Wolf 3 7 of 7 HP" in strip(page) and "Grak A attacks" not in page.text
    page = await press(demo, "hide", "wolf")
    assert "Wolf 7 of 7 HP hidden" in strip(page)
    page = await press(demo, "show", "grak-a")
    assert "Grak A 24 of 24 HP" in strip(page) and "Grak A" in (await demo.page("alice")).text
    page = await press(demo, "out", "wolf-3", reason="It smells smoke.")
    assert "It smells smoke." in (await demo.page("alice")).text
    assert "Wolf 3 gone (out of action)" in strip(page)
    assert await _desk_steps(demo) == 6


async def _desk_steps(demo: Demo) -> int:
    async with demo.runtime.repeatable_read() as session:
        rows = await session.scalars(select(StepRow).where(StepRow.campaign_id == demo.campaign.id))
        return sum(row.key.startswith("gm/") and row.status == "closed" for row in rows)


async def test_what_is_refused_changes_nothing(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "whiskey")
    await demo.seal("gm", "scene")
    before = strip(await demo.desk())
    gm, at = demo.browsers["gm"], f"{demo.road}/gm/scene/{demo.scene}/foes"
    group = {"given.muster.0.kind": "wolf", "given.muster.0.count": "1"}
    for typed, words in (
        ({"given.muster.0.count": "99"}, "Wolf: enter how many, from 0 to 60."),
        ({"given.muster.0.kind": "unicorn"}, "There is no foe of that kind."),
        ({"given.muster.0.count": "0"}, "Choose who comes in."),
        ({"given.muster.0.name": "x" * 51}, "is too long"),
        ({"given.muster.0.habit": "dance"}, "Choose one of the options."),
        (
            {"given.muster.1.kind": "wolf", "given.muster.1.count": "1", "given.muster.1.guards": "nobody-here"},
            "Choose whom",
        ),
    ):
        page = await gm.post(at, {**group, **typed})
        assert page.status in (409, 422) and words.casefold() in page.text.casefold(), (typed, page.text)
    no_reason = await gm.post(f"{at}/out", {"who": "sword-goblin", "reason": ""})
    assert no_reason.status == 422 and "Say why; everyone reads it." in no_reason.text
    assert (await gm.post(f"{at}/copy", {"who": "alice"})).status == 404, "a player's character is no foe"
    assert (await gm.post(f"{at}/copy", {})).status == 404
    assert (await gm.post(f"{at}/dance", {"who": "sword-goblin"})).status == 404
    assert (
        await demo.browsers["alice"].post(f"{at.replace('/gm/', '/alice/')}/copy", {"who": "red-axe"})
    ).status == 403
    running = await demo.desk()
    assert running.has_form("/foes/copy") and any(link.endswith("/foes") for link in running.links)
    await gm.send(running, "/act/pause")
    desk = await demo.desk()
    offered = [one for one in ("copy", "hide", "out") if desk.has_form(f"/foes/{one}")]
    assert not offered and not any(link.endswith("/foes") for link in desk.links), "nothing that is refused"
    paused = await gm.post(at, group)
    assert paused.status == 409 and "The scene is paused. Resume it first." in paused.text
    assert strip(await demo.desk()) == before


async def test_reinforcements_in_a_wizards_fight(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "arcana")
    page = await bring(demo, {"kind": "imp", "count": "2", "grade": "greater"}, {"kind": "troll", "hidden": "yes"})
    rows = strip(page)
    assert rows[0].startswith("Brom ") and any(row.startswith("Troll A ") and row.endswith("hidden") for row in rows), (
        rows
    )
    for who in ("isaura", "sam"):
        seen = await demo.page(who)
        assert "Imp 2" in seen.text and "Troll A" not in seen.html
    key = next(key for key, one in (await demo.live()).state.fighters.items() if one.body.name == "Imp 2")
    page = await press(demo, "copy", key)
    assert any(row.startswith("Imp 3 ") for row in strip(page))
    grades = {one.body.hp_max for one in (await demo.live()).state.fighters.values() if one.body.name.startswith("Imp")}
    assert len(grades) == 1, "the copy has the same grade"


async def test_reinforcements_hand_to_hand(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "chronicle")
    more = {"given__muster__0__kind": "brigand", "given__muster__0__count": "1"}
    demo = await another(demo, "hand", title="The ford", **{"seat[]": "ella"}, **more)
    page = await bring(demo, {"kind": "guard", "count": "2", "side": "a"})
    assert strip(page) == ["Ella unhurt", "Town guard unhurt", "Town guard 2 unhurt", "Brigand unhurt"]
    page = await press(demo, "copy", "guard-2")
    assert "Town guard 3 unhurt" in strip(page)
    page = await press(demo, "out", "brigand", reason="He runs.")
    assert "Brigand unhurt takes no more part (out of action)" in strip(page)
    page = await press(demo, "keep", "guard")
    await _kept(demo, page, "Town guard")


@pytest.mark.parametrize(
    ("game", "key", "name"), [("whiskey", "sword-goblin", "Sword goblin"), ("arcana", "troll", "Troll")]
)
async def test_a_foe_is_kept_as_a_secret_character(
    site: FastAPI, open_browser: Open, game: str, key: str, name: str
) -> None:
    demo = await seated_demo(site, open_browser, game)
    form = next(f for f in (await demo.desk()).forms if f.action.endswith("/keep") and ("who", key) in f.fields)
    page = await demo.browsers["gm"].post(form.action, form.fields)
    await demo.browsers["gm"].post(form.action, form.fields)  # a second press makes no second one
    await _kept(demo, page, name)
    for who in next(one for one in demo.browsers if one not in ("gm", "sam")), "sam":
        assert f"/characters/{key}" not in (await demo.browsers[who].get(f"{demo.road}/{who}/")).html
        assert (await demo.browsers[who].get(f"{demo.road}/{who}/characters/{key}")).status == 404


async def _kept(demo: Demo, page: Page, name: str) -> None:
    """One secret character of that name, with a past."""
    assert "Saved. The new character" in page.text
    async with demo.runtime.repeatable_read() as session:
        mine = (Character.campaign_id == demo.campaign.id, Character.name == name)
        made = (await session.scalars(select(Character).where(*mine))).one()
        assert made.secret and made.ruleset == (await demo.live()).ruleset.key
        past = (await session.scalars(select(SheetChange).where(SheetChange.character_id == made.id))).one()
        assert past.how == "made" and past.member_id is not None
    sheet = await demo.browsers["gm"].get(f"{demo.road}/gm/characters/{made.slug}")
    assert sheet.status == 200 and name in sheet.text
