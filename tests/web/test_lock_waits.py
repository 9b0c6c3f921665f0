"""Rows that somebody holds for long: who waits for them is told so and keeps their text, and nobody else waits.

No other test lets a wait for the database end by the server's own timeouts.
"""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.engine import make_url

from app.db.engine import make_engine
from app.db.waiting import GaveUp, Patience
from app.settings import Settings
from app.table.runtime import Runtime
from tests.server import KEY, servers
from tests.table.table import sit_down
from tests.web.browser import Browser, Fields
from tests.web.one_app import app_with
from tests.web.seated_demo import Demo, seated_demo
from tests.web.test_overload import at

pytestmark = pytest.mark.anyio

WORDS = "i count the planks"
HELD = "Another change is taking too long, so Signet stopped waiting. Nothing was changed."
UNSURE = "Another change is taking too long, so Signet can't tell whether this still went through."
Holder = psycopg.AsyncConnection
PART = {"HX-Request": "true"}


@asynccontextmanager
async def narrow(db_url: str, lock_wait: float, pool_wait: float = 10) -> AsyncIterator[FastAPI]:
    """A worker with two connections to the database."""
    key = base64.b64encode(KEY).decode()
    waits = {"lock_wait": lock_wait, "pool_wait": pool_wait}
    app = app_with(Settings(database_url=db_url, key=key, pool_size=1, pool_overflow=1).model_copy(update=waits))
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def holder(db_url: str) -> AsyncIterator[Holder]:
    """Somebody else's connection."""
    plain = make_url(db_url).set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(plain) as connection:
        yield connection


@pytest.fixture
async def demo(site: FastAPI, open_browser: Callable[[], Browser]) -> Demo:
    demo = await seated_demo(site, open_browser)
    page = await demo.page("gm")
    form = next(form for form in page.forms if "description" in form.names)
    assert (await demo.browsers["gm"].post(form.action, form.fields)).status == 200
    return demo


async def hold(holder: Holder, scene: str) -> None:
    await holder.execute("SELECT FROM scenes WHERE id = %s FOR UPDATE", [scene])


async def plank_fields(demo: Demo) -> tuple[str, Fields]:
    """Alice's seal: where it goes, and what it says."""
    page = await demo.page("alice")
    form = next(form for form in page.forms if "of.alice.intent" in form.names)
    typed = {"of.alice.intent": "stand", "of.alice.rider": "text", "of.alice.rider_text": WORDS}
    kept = [(name, value) for name, value in form.fields if name not in typed]
    return form.action, [*kept, *typed.items(), ("_act", "seal")]


async def waiting_for(app: FastAPI, db_url: str) -> int:
    """How many requests wait for a locked row, with or without a connection."""
    runtime: Runtime = app.state.runtime
    queued = sum(len(one._waiters or ()) for one in runtime.queues._places.values())
    plain = make_url(db_url).set(drivername="postgresql").render_as_string(hide_password=False)
    sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with await psycopg.AsyncConnection.connect(plain) as look:
        return queued + len(await (await look.execute(sql)).fetchall())


async def all_wait(app: FastAPI, db_url: str, number: int) -> None:
    async with asyncio.timeout(60):
        while True:
            if await waiting_for(app, db_url) == number:
                return
            await asyncio.sleep(0.01)


async def test_a_locked_scene_takes_no_page_from_anybody_else(demo: Demo, holder: Holder, db_url: str) -> None:
    """Finds a worker all of whose connections wait for one row."""
    action, fields = await plank_fields(demo)
    async with narrow(db_url, lock_wait=20, pool_wait=60) as app:
        alice, sam, gm = (at(app, demo.browsers[who]) for who in ("alice", "sam", "gm"))
        await hold(holder, demo.scene)
        said = f"{demo.road}/sam/scene/{demo.scene}/say"
        presses = [asyncio.create_task(one) for one in (alice.post(action, fields), sam.post(said, {"said": WORDS}))]
        await all_wait(app, db_url, len(presses))
        for path in (f"/scene/{demo.scene}", "/", "/calendar", "/people"):
            assert (await gm.get(f"{demo.road}/gm{path}")).status == 200
        assert (await gm.get("/health/ready")).status == 200
        assert not any(press.done() for press in presses)
        await holder.rollback()
        assert [(await press).status for press in presses] == [200, 200]
        for browser in (alice, sam, gm):
            await browser.http.aclose()


async def test_a_press_that_gives_up_keeps_its_text_and_can_be_sent_again(
    demo: Demo, holder: Holder, db_url: str
) -> None:
    action, fields = await plank_fields(demo)
    async with narrow(db_url, lock_wait=0.3) as app:
        alice, sam = (at(app, demo.browsers[who]) for who in ("alice", "sam"))
        await hold(holder, demo.scene)
        told = await alice.post(action, fields)
        assert told.status == 503 and HELD in told.text and told.headers["Retry-After"] == "3"
        assert WORDS in told.text and "stand" in told.text and "rider_text" not in told.text
        again = told.form(action)
        assert sorted(again.fields) == sorted(fields)
        talk = await sam.post(f"{demo.road}/sam/scene/{demo.scene}/say?a=b", {"said": WORDS})
        assert talk.status == 503 and HELD in talk.text and ("said", WORDS) in talk.form("/say?a=b").fields
        part = await alice.post(action, fields, **PART)
        assert part.status == 503 and HELD in part.text and part.headers["HX-Retarget"] == "#problem"
        assert "of.alice" not in part.text, "its form is still on the page"
        await holder.rollback()
        for _ in range(2):
            assert WORDS in (await alice.post(again.action, again.fields)).html

        await holder.execute("LOCK TABLE lines IN ACCESS EXCLUSIVE MODE")
        seen = dict(fields) | {"_revision": "1", "_request": "", "of.alice.rider_text": "no planks at all"}
        part = await alice.post(action, seen, **PART)
        assert part.status == 503 and UNSURE in part.text, "it was committed before the page was drawn"
        await holder.rollback()
        assert "no planks at all" in (await demo.page("alice")).html
        for browser in (alice, sam):
            await browser.http.aclose()


@pytest.mark.nightly
async def test_what_was_handed_out_and_its_notices_are_stored_together(demo: Demo, holder: Holder, db_url: str) -> None:
    """Finds a handout without its notice in the scene that was locked, and a second notice for a second press."""
    async with narrow(db_url, lock_wait=0.3) as app:
        gm = at(app, demo.browsers["gm"])
        await gm.post(f"{demo.road}/gm/handouts/new", {"title": "The map", "text": WORDS})
        page = await gm.get(f"{demo.road}/gm/handouts")
        give = next(form for form in page.forms if form.action.endswith("/give"))
        await hold(holder, demo.scene)
        told = await gm.post(give.action, {"to": "everyone"})
        assert told.status == 503 and HELD in told.text
        assert WORDS not in (await demo.browsers["alice"].get(f"{demo.road}/alice/handouts")).text
        await holder.rollback()
        for _ in range(2):
            assert (await gm.post(give.action, {"to": "everyone"})).status == 200
        assert WORDS in (await demo.browsers["alice"].get(f"{demo.road}/alice/handouts")).text
        assert (await demo.page("alice")).text.count("handed out “The map”") == 1
        await gm.http.aclose()


async def test_other_clocks_run_while_a_closing_waits(runtime: Runtime, toy: None, holder: Holder) -> None:
    """First a scene whose row is locked, then one whose closing needs a locked row, last one that nothing holds up."""
    tables = [await sit_down(runtime) for _ in range(3)]
    for table in tables:
        await table.open(seconds=3600)
        await table.age("r1/knock")
    await hold(holder, str(tables[0].scene))
    await holder.execute("SELECT FROM asks WHERE scene_id = %s FOR UPDATE", [tables[1].scene])
    assert await runtime.sweep() == 1
    await runtime.close_if_due(tables[1].campaign, tables[1].scene)
    await holder.rollback()
    assert await runtime.sweep() == 2
    assert await runtime.sweep() == 0


@pytest.mark.nightly
async def test_a_database_that_keeps_the_health_check_waiting(demo: Demo, holder: Holder, db_url: str) -> None:
    async with narrow(db_url, lock_wait=0.3) as app:
        looking = at(app, demo.browsers["gm"])
        await holder.execute("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE")
        answer = await looking.http.get("/health/ready")
        assert (answer.status_code, answer.text) == (503, "database\n")
        await holder.rollback()
        await looking.http.aclose()


@pytest.mark.nightly
async def test_each_kind_of_wait_ends(demo: Demo, holder: Holder, db_url: str) -> None:
    """A lock, a statement, and a transaction that does nothing, whose locks nobody else could take."""
    engine = make_engine(db_url, Patience(lock=0.2, statement=0.4, idle=0.4), pool_size=1, max_overflow=0)
    row = text(f"SELECT FROM scenes WHERE id = '{demo.scene}' FOR UPDATE")
    await hold(holder, demo.scene)
    for waits in (row, text("SELECT pg_sleep(60)")):
        with pytest.raises(GaveUp):
            async with engine.begin() as connection:
                await connection.execute(waits)
    await holder.rollback()
    with pytest.raises(GaveUp):
        async with engine.begin() as connection:
            await connection.execute(row)
            await hold(holder, demo.scene)
            await connection.execute(row)
    async with engine.begin() as connection:
        shown = [await connection.scalar(text(f"SHOW {kind}_timeout")) for kind in ("lock", "statement")]
    assert shown == ["200ms", "400ms"]
    await engine.dispose()
    commands = make_engine(db_url)
    async with commands.connect() as connection:
        assert await connection.scalar(text("SHOW statement_timeout")) == "0"
    await commands.dispose()


@pytest.mark.nightly
async def test_a_worker_of_its_own_goes_on_with_its_streams(
    demo: Demo, holder: Holder, db_url: str, tmp_path: Path
) -> None:
    """Finds a setting that `signet serve` does not read, and a stream that a wait ends or leaves without hints."""
    few = {"SIGNET_POOL_SIZE": "1", "SIGNET_POOL_OVERFLOW": "1", "SIGNET_LOCK_WAIT": "0.5"}
    action, fields = await plank_fields(demo)
    cookie = next(iter(demo.browsers["alice"].http.cookies.jar)).value
    with servers(db_url, tmp_path, 1, **few) as (server,):
        async with httpx2.AsyncClient(base_url=server.url, headers={"Cookie": f"signet={cookie}"}, timeout=60) as http:
            alice = Browser(http)
            async with http.stream("GET", f"{demo.road}/alice/stream") as stream:
                lines = stream.aiter_lines()
                assert await changed(lines)
                await hold(holder, demo.scene)
                refused = await asyncio.gather(*(alice.post(action, fields) for _ in range(2)))
                assert [(one.status, HELD in one.text) for one in refused] == [(503, True)] * 2
                assert (await alice.get(f"{demo.road}/alice/calendar")).status == 200
                await holder.rollback()
                again = refused[0].form(action)
                assert WORDS in (await alice.post(again.action, again.fields)).html
                assert await changed(lines)


async def changed(lines: AsyncIterator[str]) -> bool:
    """Whether the stream sends a hint before it ends."""
    async with asyncio.timeout(60):
        async for line in lines:
            if line == "data: changed":
                return True
    return False
