"""Health and readiness: one word each, from a real server; sick in each way it can be."""

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app.crypto.vault import Vault
from app.play.demo import ensure_demo
from app.settings import Settings
from app.table.runtime import Runtime
from app.web.http import health
from tests.server import KEY, Proxy, servers
from tests.web.browser import Browser
from tests.web.one_app import app_with

pytestmark = [
    pytest.mark.anyio,
    # A look that is given up after its deadline leaves its connection to the garbage collector, which says so.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@asynccontextmanager
async def at(url: str, *keys: bytes) -> AsyncIterator[httpx2.AsyncClient]:
    words = ",".join(base64.b64encode(key).decode() for key in keys or (KEY,))
    app = app_with(Settings(database_url=url, key=words))  # type: ignore[arg-type]
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://signet.test") as client:
            yield client


async def said(client: httpx2.AsyncClient, path: str = "/health/ready") -> tuple[int, str]:
    answer = await client.get(path)
    assert answer.headers["cache-control"] == "no-store" and "set-cookie" not in answer.headers
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.status_code, answer.text.strip()


async def test_a_healthy_process_is_live_and_ready(open_browser: Callable[[], Browser], site: FastAPI) -> None:
    client = open_browser().http
    assert await said(client, "/health/live") == (200, "alive")
    assert await said(client) == (200, "ready")
    assert site.state.runtime.bus.listening.is_set()


@pytest.mark.own_database
async def test_tables_that_are_behind_or_not_there(
    db_url: str, sessions: async_sessionmaker[AsyncSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH", 0)
    async with at(db_url) as client:
        for revision, word in (("0001", "migrate"), ("9999_newer", "ready")):
            async with sessions.begin() as session:
                await session.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
            assert (await said(client))[1] == word
        async with sessions.begin() as session:
            await session.execute(text("DROP TABLE alembic_version"))
        assert await said(client) == (503, "migrate")
        assert await said(client, "/health/live") == (200, "alive")


async def test_a_database_that_takes_no_writes(
    db_url: str, sessions: async_sessionmaker[AsyncSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading goes on where the disk is full; here the database itself refuses to write anything."""
    monkeypatch.setattr(health, "FRESH", 0)
    async with sessions.begin() as session:
        name = await session.scalar(text("SELECT quote_ident(current_database())"))
        await session.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    async with at(db_url) as client:
        assert await said(client) == (503, "writes")
        async with sessions.begin() as session:
            await session.execute(text("SET TRANSACTION READ WRITE"))
            await session.execute(text(f"ALTER DATABASE {name} RESET default_transaction_read_only"))
    async with at(db_url) as client:
        assert await said(client) == (200, "ready")


async def test_a_key_that_does_not_fit(runtime: Runtime, db_url: str) -> None:
    async with runtime.sessions.begin() as session:
        await ensure_demo(session, Vault([KEY]))
    other = b"another key of thirty-two bytes!"
    async with at(db_url, other) as client:
        assert await said(client) == (503, "key")
    async with at(db_url, other, KEY) as client:
        assert await said(client) == (200, "ready")


async def test_a_database_that_is_cut_off_and_comes_back(db_url: str, tmp_path: Path) -> None:
    """The word comes within the deadline whatever the network does, and the process itself stays live."""
    from sqlalchemy import make_url

    url = make_url(db_url)
    if url.host is None:
        pytest.skip("the embedded Postgres has no port to stand a proxy before")
    proxy = Proxy(url.port or 5432).start()
    try:
        through = url.set(host="127.0.0.1", port=proxy.port).render_as_string(hide_password=False)
        with servers(through, tmp_path) as [server]:
            async with httpx2.AsyncClient(base_url=server.url, timeout=10) as client:
                assert await said(client) == (200, "ready")
                proxy.cut()
                await asyncio.sleep(health.FRESH * 1.1)
                began = asyncio.get_running_loop().time()
                assert await said(client) == (503, "database")
                assert asyncio.get_running_loop().time() - began < health.DEADLINE + 5
                assert await said(client, "/health/live") == (200, "alive")
                proxy.mend()
                for _ in range(100):
                    if (await said(client))[0] == 200:
                        break
                    await asyncio.sleep(0.2)
                else:
                    pytest.fail("it did not become ready again")
    finally:
        proxy.stop()


async def test_a_bus_that_is_not_heard(db_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "DEADLINE", 0.5)
    words = base64.b64encode(KEY).decode()
    app = app_with(Settings(database_url=db_url, key=words, bus_url="nats://127.0.0.1:9"))  # type: ignore[arg-type]
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://signet.test") as client:
            assert await said(client) == (503, "bus")


async def test_many_questions_are_one_look(site: FastAPI, open_browser: Callable[[], Browser]) -> None:
    client, read_sessions = open_browser().http, 0
    first = health._missing

    async def counted(runtime: Runtime, known: health.Health) -> str:
        nonlocal read_sessions
        read_sessions += 1
        return await first(runtime, known)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(health, "_missing", counted)
        answers = await asyncio.gather(*(said(client) for _ in range(50)))
    assert set(answers) == {(200, "ready")} and read_sessions == 1
