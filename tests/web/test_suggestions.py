"""The GM seals all that the rules suggest by one press: the same as the forms say, once, and secretly."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.scenes import Envelope
from app.table.loaded_scene import open_box, read_words
from tests.web.browser import Browser, Page
from tests.web.seated_demo import Demo, another, seated_demo

pytestmark = pytest.mark.anyio

Open = Callable[[], Browser]
PRESS = "/act/suggested"


async def battle(site: FastAPI, open_browser: Open) -> Demo:
    """Declarations are open; the GM's red axe goblin is hidden."""
    demo = await seated_demo(site, open_browser, "whiskey")
    await demo.seal("gm", "scene")
    await demo.seal("gm", "gm/", what="hide", who="red-axe")
    return demo


async def laid_by_gm(demo: Demo) -> Any:
    """The GM's newest declaration, as it lies in its envelope."""
    live = await demo.live()
    async with demo.runtime.repeatable_read() as session:
        rows = select(Envelope).where(Envelope.scene_id == live.id, Envelope.seat == "gm")
        envelope = (await session.scalars(rows.order_by(Envelope.order_no.desc()).limit(1))).one()
        step = next(step for step in live.kind.steps(live.state) if step.key == envelope.step_key)
        ask = next(ask for ask in step.asks if ask.seat == "gm")
        return read_words(live, ask, open_box(live, envelope)[1])


def said(one: Any) -> Any:
    """What a declaration comes to: a form also sends choices that stay as they were, and fields of another action."""
    left_out = {"stand", "grip", "uses", "into", "item", "area"}
    return {key: order.model_dump(exclude=left_out) for key, order in one.of.items()}


async def test_a_battles_suggestions_are_sealed_as_its_form_has_them(site: FastAPI, open_browser: Open) -> None:
    demo = await battle(site, open_browser)
    page = await demo.desk()
    assert "The sword goblin attacks Alice" in page.text and "The red axe goblin attacks Bob" in page.text
    form = await demo.declared(await demo.form("gm", "declare"))
    players = [await demo.page("alice"), await demo.page("sam")]
    sealed = await demo.browsers["gm"].send(page, PRESS)
    assert sealed.path.endswith("/gm/desk") and "You have sealed: declare for your side" in sealed.text
    assert not sealed.has_form(PRESS)
    assert said(await laid_by_gm(demo)) == said(form)
    for before, after in zip(players, [await demo.page("alice"), await demo.page("sam")], strict=True):
        for secret in ("ed axe goblin", "attacks Alice", "suggest"):
            assert secret not in before.html and secret not in after.html
    again = await demo.browsers["gm"].send(page, PRESS)
    assert again.status == 409 and "nothing here waits for a suggestion any more" in again.text
    for who in ("alice", "bob", "charlie"):
        await demo.seal(who, "declare", **{f"of__{who}__intent": "stand"})
    assert "The sword goblin attacks Alice" in (await demo.page("alice")).text, "and it counts"


async def test_a_fights_suggestions_are_sealed_as_its_form_has_them(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "arcana")
    while not any("plan" in key for key in await open_steps(demo)):
        await demo.seal("gm", (await open_steps(demo))[0])
    page, form = await demo.desk(), await demo.declared(await demo.form("gm", "plan"))
    assert "The troll moves " in page.text and "Grey imp " in page.text
    await demo.browsers["gm"].send(page, PRESS)
    assert await laid_by_gm(demo) == form


async def asks_gm(demo: Demo, key: str) -> bool:
    live = await demo.live()
    return any(step.key == key and any(ask.seat == "gm" for ask in step.asks) for step in live.kind.steps(live.state))


async def open_steps(demo: Demo) -> list[str]:
    live = await demo.live()
    return [step.key for step in live.kind.steps(live.state)]


async def test_suggestions_for_many_who_fight_hand_to_hand(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "chronicle")
    more = {"given__muster__0__kind": "brigand", "given__muster__0__count": "2"}
    demo = await another(demo, "hand", title="The ford", **{"seat[]": "ella"}, **more)
    gm, seen = demo.browsers["gm"], []
    for _ in range(12):
        key = (await open_steps(demo))[0]
        page = await demo.desk()
        if page.has_form(PRESS):
            form = await demo.declared(await demo.form("gm", key))
            after = await gm.send(page, PRESS)
            assert after.status == 200, after.text
            if key in await open_steps(demo):  # it waits for Ella
                laid = await laid_by_gm(demo)
                assert said(laid) == said(form) if hasattr(laid, "of") and "act" in key else laid == form or not laid.of
            seen.append(key)
        elif await asks_gm(demo, key):
            await demo.seal("gm", key)
        if (await open_steps(demo))[0] == key:
            await gm.send(await demo.desk(), "/act/open")
    assert {"ready", "r1/act"} <= set(seen), seen


async def test_what_a_press_refuses(site: FastAPI, open_browser: Open) -> None:
    demo = await seated_demo(site, open_browser, "whiskey")
    gm, at = demo.browsers["gm"], f"{demo.road}/gm/scene/{demo.scene}/act/suggested"
    page = await demo.desk()
    assert not page.has_form(PRESS), "how the scene is set is the GM's own choice"

    async def pressed(shown: str) -> Page:
        return await gm.post(at, {"_page": "desk", "shown": shown})

    choice = await pressed("")
    assert choice.status == 409 and "this decision needs your own choice" in choice.text
    await demo.seal("gm", "scene")
    old = await demo.desk()
    await demo.seal("gm", "gm/", what="out", who="sword-goblin", reason="it runs")
    changed = await gm.send(old, PRESS)
    assert changed.status == 409 and "the situation has changed, and so have the suggestions" in changed.text
    assert "sword goblin attacks" not in changed.text and changed.has_form(PRESS)
    form = await demo.form("gm", "declare")
    await gm.post(form.action, [*form.fields, ("_act", "draft")])
    drafted = await demo.desk()
    assert not drafted.has_form(PRESS), "a draft is the GM's own, and left alone"
    assert (await gm.send(changed, PRESS)).status == 409
    alice = await demo.browsers["alice"].post(at.replace("/gm/", "/alice/"), {"shown": ""})
    assert alice.status == 403
