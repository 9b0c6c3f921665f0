"""Trials of a game for one person: the computer plays all other seats, until the fight is over."""

import re
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from app.models.people import Member, Role
from app.models.scenes import Scene
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from app.web.scene import trial
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio


async def _seen(site: FastAPI) -> SceneSight:
    runtime: Runtime = site.state.runtime
    async with runtime.repeatable_read() as session:
        scene = (await session.scalars(select(Scene))).one()
        you = (await session.scalars(select(Member).where(Member.role == Role.PLAYER))).one()
        return await sight(session, runtime.vault, scene.campaign_id, scene.id, you)


async def _seal(you: Browser, page: Page, key: str, seat: str) -> Page:
    form = next(f for f in page.forms if {("_step", key), ("_seat", seat)} <= set(f.fields))
    held = [(name, "hold" if name.endswith(".first.do") else value) for name, value in form.fields]
    fields = [(name, value) for name, value in held if name != "_act"]
    return await you.post(f"{page.path.removesuffix('/lay')}/lay", [*fields, ("_act", "seal")])


@pytest.mark.parametrize("game", ["skirmish", "arcana"])
async def test_the_computer_answers_until_it_is_over(
    site: FastAPI, open_browser: Callable[[], Browser], game: str
) -> None:
    """By holding: whatever is asked of the other side, the player never waits for it."""
    you = open_browser()
    page = await you.post(f"/try/{game}")
    assert page.status == 200 and "The computer plays" in page.text
    for _ in range(12):
        seen = await _seen(site)
        if seen.status != "open":
            break
        assert seen.mine_now and not seen.waiting_for, "the player's turn"
        step, ask = seen.mine_now[0]
        page = await _seal(you, page, step.key, ask.seat)
        assert page.status == 200, page.text
    assert len(seen.chapters) > 2
    assert re.search("How it goes", page.html)


async def test_every_game_with_a_trial_offers_it() -> None:
    assert {"whiskey", "skirmish", "arcana"} <= set(trial.trials())
    assert trial.offered("duel") and trial.offered("chronicle") is None
