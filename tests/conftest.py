"""Real parts for every test: a Postgres (embedded, or the server at DATABASE_URL), a fresh migrated database each."""

import gc
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.pool import NullPool

import app.rulesets
from app.crypto.vault import Vault
from app.db.engine import make_engine, migrate
from app.models import metadata
from app.play import decisions
from app.table.bus import PostgresBus
from app.table.runtime import Runtime
from tests import lock_watch, shared_compilation
from tests.fixed_luck import (
    pytest_fixture_setup as pytest_fixture_setup,
)
from tests.fixed_luck import (
    pytest_runtest_setup as pytest_runtest_setup,
)
from tests.fixed_luck import (
    pytest_sessionstart as pytest_sessionstart,
)
from tests.one_campaign import ACROSS, watched
from tests.selection import (
    pytest_addoption as pytest_addoption,
)
from tests.selection import (
    pytest_collection_modifyitems as pytest_collection_modifyitems,
)
from tests.selection import (
    pytest_configure as pytest_configure,
)
from tests.selection import (
    pytest_terminal_summary as pytest_terminal_summary,
)
from tests.toy import TOY

MEMORY = "/dev/shm"
ROOM = 4 << 30


def _work_in_memory() -> None:
    """Files that tests make and throw away need no disk, where memory can hold them."""
    with suppress(OSError):
        there = os.statvfs(MEMORY)
        if "TMPDIR" not in os.environ and there.f_bavail * there.f_frsize > ROOM and not there.f_flag & os.ST_NOEXEC:
            os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


_work_in_memory()
settings.register_profile("steady", deadline=None, database=None, derandomize=True)
settings.load_profile("steady")  # a commit that was green stays green
assert callable(providers._get_local_constants)  # private: a release that renames it must be noticed
providers._get_local_constants = providers.Constants  # else examples depend on which modules a worker has loaded
LEAVE = (
    b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    b"WHERE datname = current_database() AND pid != pg_backend_pid()"
)
EMPTY = "; ".join(f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)).encode()


def pytest_collection_finish() -> None:
    """What is loaded by now is never garbage: a collection of garbage is about what tests make."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    with shared_compilation.shared():
        yield


@pytest.fixture(scope="session", autouse=True)
def _within_one_campaign() -> Iterator[None]:
    """Whatever a test is about: a statement of the app that names no campaign fails it."""
    with watched(ACROSS):
        yield


@pytest.fixture(scope="session", autouse=True)
def _locks_in_order() -> Iterator[None]:
    """Whatever a test is about: a transaction that locks rows in the wrong order fails it."""
    with lock_watch.watched():
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


@contextmanager
def _database(server: str, like: str = "") -> Iterator[str]:
    """The address of a new database on this server; dropped afterwards."""
    name = f"signet_t_{secrets.token_hex(5)}"
    with _admin(server) as admin:
        admin.execute(f"CREATE DATABASE {name} {like}".encode())
    try:
        plain = make_url(server).set(drivername="postgresql", database=name)
        yield plain.render_as_string(hide_password=False)
    finally:
        with _admin(server) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


@pytest.fixture
def empty_db_url(postgres_url: str) -> Iterator[str]:
    """A database without tables; dropped afterwards."""
    with _database(postgres_url) as url:
        yield url


second_db_url = empty_db_url
"""One more of them."""


@pytest.fixture(scope="session")
def template_db(postgres_url: str) -> Iterator[str]:
    """The name of a database with all tables, which others are copied from."""
    with _database(postgres_url) as url:
        migrate(url)
        yield str(make_url(url).database)


@pytest.fixture(scope="session")
def _shared_db_url(postgres_url: str, template_db: str) -> Iterator[str]:
    with _database(postgres_url, f"TEMPLATE {template_db}") as url:
        yield url


@pytest.fixture
def other_db_url(postgres_url: str, template_db: str) -> Iterator[str]:
    """A database of this test's own with all tables and no rows; dropped afterwards."""
    with _database(postgres_url, f"TEMPLATE {template_db}") as url:
        yield url


@pytest.fixture
def db_url(request: pytest.FixtureRequest, _shared_db_url: str) -> Iterator[str]:
    """A database with all tables and no rows. The tests of one process share it, and each leaves it empty.

    A test that changes more than rows is marked `own_database`.
    """
    if request.node.get_closest_marker("own_database"):
        yield request.getfixturevalue("other_db_url")
        return
    yield _shared_db_url
    with psycopg.connect(_shared_db_url, autocommit=True) as admin:
        admin.execute(LEAVE)
        admin.execute(EMPTY)


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
async def runtime(sessions: async_sessionmaker[AsyncSession], vault: Vault, db_url: str) -> AsyncIterator[Runtime]:
    runtime = Runtime(sessions, vault, PostgresBus(db_url), decisions.after)
    yield runtime
    await runtime.bus.close()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own ruleset is among those that Signet knows."""
    monkeypatch.setattr(app.rulesets, "RULESETS", (*app.rulesets.RULESETS, TOY))


@pytest.fixture
def omens_unloaded() -> Iterator[None]:
    """Nothing of the package `signet_omens`, which each test writes anew, is loaded before or after it."""
    _unload("signet_omens")
    yield
    _unload("signet_omens")


def _unload(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
