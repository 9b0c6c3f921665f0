"""Calendar pages that are kept: true after every change, drawn anew by nothing that is hidden from their reader."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine, event, func, select, update

from app.almanac import entries, page_version
from app.almanac.entries import EntryTyped
from app.db.lock_order import GUARDED_BY, locking
from app.models.almanac import Almanac, Entry
from app.models.people import Campaign, Character, Member
from app.table.runtime import Runtime
from tests.browser.planned_year import TODAY
from tests.web.browser import Browser
from tests.web.test_calendar_pages import HOME, people

__all__ = ["people"]
pytestmark = pytest.mark.anyio
VIEWS = ("", "/year", "/agenda", "/of/alice")
WHO_ASKS = {"campaigns", "members", "sessions"}  # read before every page
WHOSE_TURN = {"scenes", "steps", "asks", "seat_holders", "challenges"}  # likewise, for the bar on top
MARKED = {"almanacs", "entries", "characters"}
PAGES: ContextVar[bool] = ContextVar("PAGES", default=False)
KEPT = 5  # statements: who asks, whose turn it is (two), the days, the mark


@contextmanager
def statements(site: FastAPI) -> Iterator[list[str]]:
    """What pages ask of the database meanwhile; the sweeper, which asks all the time, began before and is none."""
    engine: Engine = site.state.runtime.sessions.kw["bind"].sync_engine
    asked: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if PAGES.get():
            asked.append(statement)

    meant = PAGES.set(True)
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
        PAGES.reset(meant)


async def page(people: dict[str, Browser], who: str, view: str = "") -> str:
    answer = await people[who].get(f"{HOME}/{who}/calendar{view}")
    assert answer.status == 200
    return answer.html


async def test_kept_pages_read_nothing_that_their_mark_does_not_know(site: FastAPI, people: dict[str, Browser]) -> None:
    for who in ("gm", "alice"):
        for view in VIEWS:
            with statements(site) as drawn:
                first = await page(people, who, view)
            read = {table for one in drawn for table in re.findall(r"(?:FROM|JOIN) (\w+)", one)}
            assert read <= MARKED | WHO_ASKS | WHOSE_TURN, (who, view)
            with statements(site) as again:
                assert await page(people, who, view) == first
            assert len(again) == KEPT < len(drawn), (who, view, again)


async def put(site: FastAPI, title: str, **more: Any) -> None:
    runtime: Runtime = site.state.runtime
    async with runtime.sessions.begin() as session:
        gm = (await session.scalars(select(Member).where(Member.handle == "gm"))).one()
        typed = EntryTyped.model_validate({"title": title, "day": TODAY, **more})
        await entries.add(session, runtime.vault, gm.campaign_id, gm, typed)


async def test_a_kept_page_is_true_after_every_change(site: FastAPI, people: dict[str, Browser]) -> None:
    runtime: Runtime = site.state.runtime
    before = [await page(people, "alice", view) for view in VIEWS]
    await put(site, "The ferry sinks", people=["alice"])
    after = [await page(people, "alice", view) for view in VIEWS]
    assert all("The ferry sinks" in html for html in after) and not any("The ferry sinks" in html for html in before)
    for change in (
        update(Entry).where(Entry.title == "The ferry sinks").values(state="dropped"),
        update(Character).where(Character.slug == "alice").values(name="Alys"),
        update(Almanac).values(today=Almanac.today + 1, version=Almanac.version + 1),
        update(Campaign).values(title="Another road"),
        update(Member).where(Member.handle == "alice").values(name="Alys the player"),
    ):
        before = after
        async with runtime.sessions.begin() as session:
            if change.table.name in GUARDED_BY:
                await session.execute(locking(select(Almanac)))
            await session.execute(change)
        after = [await page(people, "alice", view) for view in VIEWS]
        assert all(now != then for now, then in zip(after, before, strict=True)), str(change)


async def test_what_is_hidden_draws_no_page_anew(site: FastAPI, people: dict[str, Browser]) -> None:
    """Or the time that a page takes would tell that the GM has put something on this day."""
    seen = await page(people, "alice"), await page(people, "gm")
    await put(site, "The traitor strikes", seen_by="gm")
    with statements(site) as asked:
        assert await page(people, "alice") == seen[0]
    assert len(asked) == KEPT
    assert "The traitor strikes" in await page(people, "gm") and "The traitor strikes" not in seen[1]


async def test_a_meeting_goes_by_without_any_change(site: FastAPI, monkeypatch: pytest.MonkeyPatch,
                                                    people: dict[str, Browser]) -> None:  # fmt: skip
    runtime: Runtime = site.state.runtime
    async with runtime.sessions() as session:
        campaign = (await session.scalars(select(Campaign))).one()
        alice = (await session.scalars(select(Member).where(Member.handle == "alice"))).one()
        now = await page_version.version(session, campaign, alice)
        monkeypatch.setattr(page_version, "SOON", Entry.starts_at > func.now() + func.make_interval(100))
        later = await page_version.version(session, campaign, alice)
    assert later.what != now.what
