"""A duel alone: the book's seal is in before yours, knows nothing of yours, and the coach speaks only afterwards."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, text

from app.models.people import Campaign, Device, Member, Role
from app.models.scenes import Scene
from app.practice.mind import Weighed, weigh
from app.rulesets.duel.view import View
from app.table.reading import SceneSight, sight
from app.table.runtime import Runtime
from app.web.scene import practice
from tests.selection import nightly
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

LONG = 60 if nightly() else 8
"""Answers after which one gives up; who heals as fast as they are hit can fight for hundreds."""


async def _seen(runtime: Runtime, role: Role) -> SceneSight:
    async with runtime.repeatable_read() as session:
        scene = (await session.scalars(select(Scene))).one()
        member = (await session.scalars(select(Member).where(Member.role == role))).one()
        return await sight(session, runtime.vault, scene.campaign_id, scene.id, member)


async def _press(you: Browser, page: Page, step: str, name: str, value: str) -> Page:
    """Press a button of the question that the page asks in a step that ends like this."""
    form = next(f for f in page.forms if any(n == "_step" and v.endswith(step) for n, v in f.fields))
    fields = [(n, v) for n, v in form.fields if n not in (name, "_act")]
    return await you.post(f"{page.path.removesuffix('/lay')}/lay", [*fields, (name, value), ("_act", "seal")])


async def test_a_whole_duel_alone(
    site: FastAPI, open_browser: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime: Runtime = site.state.runtime
    given: list[str] = []

    def watched(view: View, who: str) -> Weighed:
        given.append(repr((view, who)))
        return weigh(view, who)

    monkeypatch.setattr(practice, "weigh", watched)  # only looks at what goes in
    you = open_browser()
    page = await you.post("/practice")
    assert page.status == 200 and "You fight the computer" in page.text and "Mira against Quick boxer" in page.text
    coached = 0
    for turn in range(2 * LONG):
        mine = await _seen(runtime, Role.PLAYER)
        if mine.status != "open":
            break
        if turn >= LONG and any(("_step", "concede/mira") in form.fields for form in page.forms):
            page = await _press(you, page, "concede/mira", "sure", "yes")  # between clashes only
            continue
        step, ask = mine.mine_now[0]
        book = next((one for one in step.asks if one.seat == "gm"), None)
        if book is not None:
            assert book.status == "ready" and book.mine is None and book.spoken is None, "sealed first, and shut"
        answer = {"half": ("half", "high"), "combo": ("go", "end")}.get(ask.kind)
        if answer is None:
            hand = [one.action.key for one in mine.view.options["mira"] if one.usable]
            answer = ("action", next(key for key in (*("hook", "jab", "leg-sweep"), *hand) if key in hand))
        before = len(mine.chapters)
        page = await _press(you, page, step.key, *answer)
        assert page.status == 200
        mine = await _seen(runtime, Role.PLAYER)
        assert len(mine.chapters) > before, "the book was in already, so this opened the step"
        if "considered for" in page.text:
            coached += 1
    assert (await _seen(runtime, Role.PLAYER)).status == "over"
    assert coached > 3 and "chance to win at" in page.text
    assert len(given) > 5


async def test_what_it_weighs_has_nothing_of_your_seal(
    site: FastAPI, open_browser: Callable[[], Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft, and the seal that follows it: nothing of them is in anything that the book's head is given."""
    runtime: Runtime = site.state.runtime
    given: list[tuple[Any, ...]] = []

    async def watched(seen: SceneSight, ask: Any) -> Any:
        given.append((repr(seen), repr(ask)))
        return await hand(seen, ask)

    hand = practice.hand
    monkeypatch.setattr(practice, "SANDBOX", replace(practice.SANDBOX, hand=watched))
    you = open_browser()
    page = await you.post("/practice", {"fighter": "tomo", "opponent": "wall"})
    page = await _press(you, page, "halves", "half", "high")
    assert "considered" not in page.text.replace("what it considered", ""), "nothing has clashed yet"
    form = next(f for f in page.forms if any(n == "_step" and v.endswith("initial") for n, v in f.fields))
    drafted = [(n, v) for n, v in form.fields if n not in ("action", "_act", "ability")]
    canary = "a-canary-among-the-words"
    at = page.path.removesuffix("/lay")
    asked = len(given)
    kept = await you.post(f"{at}/lay", [*drafted, ("action", "block"), ("note", canary), ("_act", "draft")])
    assert kept.status == 200
    assert (await _seen(runtime, Role.PLAYER)).mine_now[0][1].mine is not None, "the draft lies there"
    assert canary in repr(await _seen(runtime, Role.PLAYER))
    book = await _seen(runtime, Role.GM)
    assert canary not in repr(book)
    page = await you.get(at)
    form = next(f for f in page.forms if any(n == "_step" and v.endswith("initial") for n, v in f.fields))
    sealed = [(n, v) for n, v in form.fields if n not in ("action", "_act", "note", "ability")]
    page = await you.post(f"{at}/lay", [*sealed, ("action", "block"), ("note", canary), ("_act", "seal")])
    assert "considered for the initial clash" in page.text
    assert len(given) > asked, "the book went on to the next step"
    assert all(canary not in one for pair in given for one in pair)


async def test_the_coach_says_what_the_opponents_own_view_gives(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    runtime: Runtime = site.state.runtime
    you = open_browser()
    page = await _press(you, await you.post("/practice"), "halves", "half", "low")
    book = await _seen(runtime, Role.GM)
    before = weigh(book.view, book.view.mine[0])
    page = await _press(you, page, "initial", "action", "guard")
    for move, share in before.mine:
        assert f"{practice._words(move)} {round(100 * share)} %" in page.text  # type: ignore[arg-type]
    assert f"its chance to win at {round(100 * before.value)} %" in page.text


async def test_nobody_sits_in_the_books_chair_and_old_ones_are_swept(
    site: FastAPI, open_browser: Callable[[], Browser]
) -> None:
    runtime: Runtime = site.state.runtime
    await open_browser().post("/practice")
    async with runtime.sessions.begin() as session:
        book = (await session.scalars(select(Member).where(Member.role == Role.GM))).one()
        assert book.way_back is None
        devices = (await session.scalars(select(Device).where(Device.member_id == book.id))).all()
        assert all(one.revoked_at for one in devices)
        await session.execute(text("UPDATE campaigns SET made_at = made_at - interval '3 days'"))
    await open_browser().post("/try/whiskey")
    async with runtime.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Campaign)) == 1


async def test_unknown_fighters_are_nowhere(open_browser: Callable[[], Browser]) -> None:
    for wrong in ({"fighter": "nobody"}, {"opponent": "mira"}):
        assert (await open_browser().post("/practice", wrong)).status == 404
