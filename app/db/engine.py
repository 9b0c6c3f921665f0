"""Access to Postgres: one form of address, one engine, one way to migrate the tables."""

import math
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from app.db.waiting import Patience, limit_waits, name_waits
from app.errors import UserError
from app.resources import folder

if TYPE_CHECKING:
    from alembic.config import Config

DRIVER = "postgresql+psycopg"
TRUSTED = 1.0  # seconds for which a connection that was just used needs no check
LOCK = 0x5167_6E65_74  # "Signet": two processes that start together migrate one after the other


def normal_url(url: str) -> URL:
    """Returns the address with its driver: `postgres://` and `postgresql://` both mean psycopg 3.

    Raises `UserError` for anything that is not a Postgres address; its text never repeats a password.
    """
    try:
        given = make_url(url)
    except ArgumentError:
        given = None
    if given is None or given.get_backend_name() not in ("postgres", "postgresql"):
        raise UserError(
            "DATABASE_URL is not a Postgres address. It should look like postgresql://name:password@host:5432/signet.",
            code=2,
        )
    return given.set(drivername=DRIVER)


def make_engine(url: str | URL, patience: Patience | None = None, **pool: Any) -> AsyncEngine:
    """Returns an async engine whose errors never show parameters. It checks connections before use only after they were
    idle: checking each time would cost a busy server a tenth of its time.

    A server gives its `patience`; commands wait as long as it takes. `pool` is passed to SQLAlchemy (`pool_size`,
    `max_overflow`, `poolclass`, …).
    """
    address = normal_url(url) if isinstance(url, str) else url
    named: dict[str, Any] = {} if "application_name" in address.query else {"application_name": "signet"}
    engine = create_async_engine(address, hide_parameters=True, connect_args=named, **pool)
    name_waits(engine.sync_engine)
    if patience is not None:
        limit_waits(engine.sync_engine, patience)
    _try_idle(engine.sync_engine)
    return engine


def _try_idle(engine: Engine) -> None:
    def given_back(connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["idle since"] = time.monotonic()

    def taken(connection: Any, record: ConnectionPoolEntry, proxy: Any) -> None:
        if time.monotonic() - record.info.get("idle since", math.inf) < TRUSTED:
            return
        try:
            engine.dialect.do_ping(connection)
        except Exception as lost:
            raise DisconnectionError("the connection was lost while it lay idle") from lost

    event.listen(engine, "checkin", given_back)
    event.listen(engine, "checkout", taken)


def alembic_config() -> "Config":
    """Returns Alembic's settings, made here: neither a wheel nor a checkout has an alembic.ini."""
    from alembic.config import Config  # late, here and below: not needed by workers that never migrate

    config = Config()
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def sync_engine(url: str) -> Engine:
    """Returns an engine without a pool, for work outside the event loop: migrations, the command line."""
    named = {"application_name": "signet-cli", "connect_timeout": 5}
    return create_engine(normal_url(url), poolclass=NullPool, hide_parameters=True, connect_args=named)


def migrate(url: str, before: Callable[[str], None] | None = None) -> None:
    """Migrates the tables to this Signet's newest revision. Safe to call at each start and from several processes.

    `before` is called with the tables' revision if existing tables will change, while no other Signet can migrate.
    Raises `UserError` where a newer Signet has already migrated the database.
    """
    from alembic import command

    config = alembic_config()
    engine = sync_engine(url)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            here, newest = database_revisions(connection)
            if before is not None and here is not None and here != newest:
                before(here)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    finally:
        engine.dispose()


@cache
def revisions() -> tuple[frozenset[str], str | None]:
    """Returns the older revisions that this Signet knows, and the newest one."""
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(alembic_config())
    newest = script.get_current_head()
    return frozenset(one.revision for one in script.walk_revisions()) - {newest}, newest


def database_revisions(connection: Connection) -> tuple[str | None, str | None]:
    """Returns the database's revision and this Signet's newest one. Raises `UserError` for an unknown revision."""
    from alembic.runtime.migration import MigrationContext

    here = MigrationContext.configure(connection).get_current_revision()
    older, newest = revisions()
    if here is not None and here != newest and here not in older:
        raise UserError(
            f"This database was last used by a newer Signet (its tables are at {here}). "
            f"Start that newer Signet. Nothing was changed."
        )
    return here, newest
