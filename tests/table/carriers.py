"""The carriers of the wake-up bus for tests: each real, by its own address or by way of a proxy that can be cut."""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from sqlalchemy import make_url

from app.table.bus.fanout import WakingBus
from app.table.bus.nats import NatsBus
from app.table.bus.postgres import PostgresBus
from app.table.bus.valkey import ValkeyBus
from tests.server import Proxy

KINDS = ("postgres", "nats", "valkey")
ADDRESSES = {
    "nats": os.environ.get("SIGNET_TEST_NATS", "nats://127.0.0.1:4222"),
    "valkey": os.environ.get("SIGNET_TEST_VALKEY", "valkey://127.0.0.1:6379"),
}
NO_LOOK = 3600.0
OVER_EACH = [pytest.param(kind, marks=pytest.mark.postgres if kind == "postgres" else ()) for kind in KINDS]
POSTGRES_FIRST = [
    pytest.param(kind, marks=pytest.mark.nightly if kind in ADDRESSES else pytest.mark.postgres) for kind in KINDS
]
"""The kinds for a test that is about what all have in common: a commit tries it over Postgres alone."""


@dataclass
class Carried:
    """One kind of bus on one database."""

    kind: str
    database: str
    address: str | None  # as SIGNET_BUS_URL has it

    def bus(self, look: float = NO_LOOK, *, by: Proxy | None = None, database: str | None = None) -> WakingBus:
        """A bus as one process has it. `by` is the way its carrier goes, `database` the way its look goes."""
        looks_at = database or self.database
        if self.kind == "postgres":
            return PostgresBus(through(self.database, by) if by else looks_at, look)
        assert self.address is not None
        address = f"{urlsplit(self.address).scheme}://127.0.0.1:{by.port}" if by else self.address
        kinds: dict[str, Callable[[str, str, float], WakingBus]] = {"nats": NatsBus, "valkey": ValkeyBus}
        return kinds[self.kind](address, looks_at, look)

    def proxy(self) -> Proxy:
        """A proxy before the carrier, started."""
        if self.address is None:
            return before(self.database)
        return Proxy(urlsplit(self.address).port or 0).start()


def carried(kind: str, database: str) -> Carried:
    """That kind, or the test is skipped: a broker may be missing at home, not in CI."""
    if kind == "postgres":
        return Carried(kind, database, None)
    where = urlsplit(ADDRESSES[kind])
    try:
        socket.create_connection((where.hostname or "", where.port or 0), 1).close()
    except OSError:
        missing = f"nobody answers at {ADDRESSES[kind]} (SIGNET_TEST_{kind.upper()})"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return Carried(kind, database, ADDRESSES[kind])


def before(database: str) -> Proxy:
    """A proxy before a Postgres server, whether that listens on a port or on a socket in a folder."""
    url = make_url(database)
    folder = url.query.get("host")
    port = url.port or int(str(url.query.get("port", 5432)))
    return Proxy(f"{folder}/.s.PGSQL.{port}" if folder else port).start()


def through(database: str, proxy: Proxy) -> str:
    """The same database by way of a proxy."""
    url = make_url(database).difference_update_query(["host", "port"]).set(host="127.0.0.1", port=proxy.port)
    return url.render_as_string(hide_password=False)
