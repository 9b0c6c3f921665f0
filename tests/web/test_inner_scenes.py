"""A fight out of a talk, as a GM and a player see it: opened from the desk, waited for, and gone on without."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.scenes import Claim, Scene
from tests.web.test_chronicle_pages import Evening, begin

pytestmark = pytest.mark.anyio
__all__ = ["begin"]


async def test_a_talk_waits_for_the_fight_opened_out_of_it(begin: Callable[..., object], site: FastAPI) -> None:
    """CHR-FLO-01, CHR-FLO-02: from one subsystem into another and back, with others in it."""
    evening: Evening = await begin()  # type: ignore[misc]
    fight = await evening.fight(title="Knives out")
    assert fight.status == 200 and "Knives out" in fight.text
    for who in ("gm", "ella", "sam"):
        page = await evening.page(who)
        assert "Waits for Knives out." in page.text and "is played inside this" in page.text
    player = await evening.page("ella")
    assert "This waits until Knives out is over." in player.text and "Seal it" not in player.text
    home = await evening.browsers["ella"].get(evening.at.format(who="ella").split("/scene/")[0] + "/")
    assert "waits" in home.text
    again = await evening.browsers["gm"].get(evening.at.format(who="gm").split("/scene/")[0] + "/desk")
    assert "Go on without it" in again.text and "Waits for Knives out" in again.text
    gm = await evening.page("gm")
    await evening.browsers["gm"].post(evening.press(gm, "/act/go-on-without"), [])
    after = await evening.page("ella")
    assert "Waits for" not in after.text and "“Knives out” is over, and nothing came of it." in after.text
    async with site.state.runtime.sessions() as session:
        rows = {row.title: row for row in await session.scalars(select(Scene))}
        claims = set(await session.scalars(select(Claim.scene_id)))
    outer = next(row for title, row in rows.items() if title != "Knives out")
    assert rows["Knives out"].outer_id == outer.id and claims == {outer.id}


async def test_what_was_typed_stays_if_the_talk_cannot_wait(begin: Callable[..., object]) -> None:
    evening: Evening = await begin()  # type: ignore[misc]
    gm = evening.browsers["gm"]
    new = await evening.fight_form()
    await gm.post(evening.press(await evening.page("gm"), "/act/leave"), [])
    fields = [(name, value) for name, value in new.fields if name not in ("title", "_doubt")]
    page = await gm.post(new.action, [*fields, ("title", "Too late")])
    assert page.status == 422 and "This scene is over." in page.text
    assert ("title", "Too late") in next(one for one in page.forms if one.action.endswith("/scenes/new")).fields


async def test_a_stop_in_the_talk_stops_the_fight_too(begin: Callable[..., object], site: FastAPI) -> None:
    evening: Evening = await begin()  # type: ignore[misc]
    await evening.fight(title="Knives out")
    ella = evening.browsers["ella"]
    await ella.post(evening.press(await evening.page("ella"), "/stop"), [("sure", "yes")])
    async with site.state.runtime.sessions() as session:
        assert list(await session.scalars(select(Scene.stopped))) == [True, True]
