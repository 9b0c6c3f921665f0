"""Real parts for every test: a Postgres (embedded, or the server at DATABASE_URL), a fresh migrated database each."""

import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

import app.rulesets
from app.db.engine import make_engine, migrate
from app.table.bus import PostgresBus
from app.table.house import House
from app.table.vault import Vault
from tests.spread import ACROSS, watched
from tests.toy import TOY


@pytest.fixture(scope="session", autouse=True)
def _within_one_campaign() -> Iterator[None]:
    """Whatever a test is about: a statement of the app that names no campaign fails it."""
    with watched(ACROSS):
        yield


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server to make databases on: the one at DATABASE_URL, else an embedded one of our own."""
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    from app.db.embedded import Embedded

    with tempfile.TemporaryDirectory(prefix="sgn", ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o755)  # as root the database runs as another user, who must reach it
        embedded = Embedded(Path(place) / "pg")
        try:
            yield embedded.start()
        finally:
            embedded.stop()


def _admin(url: str) -> psycopg.Connection:
    plain = make_url(url).set(drivername="postgresql", database="postgres")
    return psycopg.connect(plain.render_as_string(hide_password=False), autocommit=True)


@pytest.fixture(scope="session")
def template_db(postgres_url: str) -> Iterator[str]:
    name = f"signet_t_{uuid.uuid4().hex[:10]}"
    with _admin(postgres_url) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    try:
        migrate(make_url(postgres_url).set(database=name).render_as_string(hide_password=False))
        yield name
    finally:
        with _admin(postgres_url) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture
def db_url(postgres_url: str, template_db: str) -> Iterator[str]:
    """A fresh database with all tables; dropped afterwards."""
    name = f"signet_x_{uuid.uuid4().hex[:10]}"
    with _admin(postgres_url) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE {template_db}")
    try:
        yield make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    finally:
        with _admin(postgres_url) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@pytest.fixture
async def engine(db_url: str) -> AsyncIterator[AsyncEngine]:
    engine = make_engine(db_url, poolclass=NullPool)
    yield engine
    await engine.dispose()


@pytest.fixture
def sessions(engine: AsyncEngine) -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(engine, expire_on_commit=False)


@pytest.fixture
async def session(sessions: async_sessionmaker[AsyncSession]) -> AsyncIterator[AsyncSession]:
    async with sessions() as session:
        yield session


@pytest.fixture
def vault() -> Vault:
    return Vault([b"test key of thirty-two bytes, ok"])


@pytest.fixture
async def house(sessions: async_sessionmaker[AsyncSession], vault: Vault, db_url: str) -> AsyncIterator[House]:
    house = House(sessions, vault, PostgresBus(db_url))
    yield house
    await house.bus.close()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own ruleset is among those that Signet knows."""
    monkeypatch.setattr(app.rulesets, "RULESETS", (*app.rulesets.RULESETS, TOY))
