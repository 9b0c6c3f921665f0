"""The ground of the benchmarks: a new database on a real Postgres, server processes, and load tools."""

import base64
import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil
import psycopg
from sqlalchemy import make_url

from app.db.engine import migrate
from benchmarks.figures import Missing

KEY = secrets.token_bytes(32)
ROOT = Path(__file__).resolve().parents[1]


@contextlib.contextmanager
def database() -> Iterator[str]:
    """Yields a new migrated database, on the server at DATABASE_URL or else on an embedded one; drops it afterwards."""
    with contextlib.ExitStack() as stack:
        server = os.environ.get("DATABASE_URL") or stack.enter_context(_embedded())
        name = f"signet_bench_{uuid.uuid4().hex[:10]}"
        with _admin(server) as admin:
            admin.execute(f"CREATE DATABASE {name}")
        stack.callback(_drop, server, name)
        url = make_url(server).set(database=name).render_as_string(hide_password=False)
        migrate(url)
        with psycopg.connect(plain(url)) as connection:
            connection.execute("ANALYZE")
        yield url


@contextlib.contextmanager
def _embedded() -> Iterator[str]:
    from app.db.embedded import Embedded

    with tempfile.TemporaryDirectory(prefix="sgb", ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o755)  # as root the database runs as another user, who must reach it
        embedded = Embedded(Path(place) / "pg")
        try:
            yield embedded.start()
        finally:
            embedded.stop()


def plain(url: str) -> str:
    """Returns the address as libpq reads it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _admin(url: str) -> psycopg.Connection:
    return psycopg.connect(plain(make_url(url).set(database="postgres").render_as_string(False)), autocommit=True)


def _drop(server: str, name: str) -> None:
    with _admin(server) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def durability(url: str) -> str:
    """Returns the server's version and durability. Raises Missing where commits are not durable."""
    with psycopg.connect(plain(url)) as connection:
        found = {what: connection.execute(f"SHOW {what}").fetchone() for what in ("fsync", "synchronous_commit")}
        off = [what for what, row in found.items() if row is None or row[0] != "on"]
        version = connection.info.server_version // 10_000
    if off:
        raise Missing(f"This Postgres has {' and '.join(off)} switched off, so nothing it says is durable.")
    return f"Postgres {version}, fsync and synchronous_commit on"


def tool(name: str) -> str:
    """Returns the path of a program. Raises Missing, which says what to install."""
    found = shutil.which(name)
    if found is None:
        beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
        found = str(beside[-1]) if beside else None
    if found is None:
        package = {"pgbench": "postgresql-contrib (or the server's own package)"}.get(name, name)
        raise Missing(f"The program `{name}` is missing. Install the package {package}.")
    return found


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass
class Server:
    """A running server and all its processes."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> int:
        """Returns the bytes that its processes hold and do not share."""
        return sum(one.memory_full_info().uss for one in self._all())

    def work(self) -> float:
        """Returns the processor seconds that its processes have used, without the database's."""
        return sum(sum(one.cpu_times()[:2]) for one in self._all())

    def _all(self) -> list[psutil.Process]:
        head = psutil.Process(self.process.pid)
        return [head, *head.children(recursive=True)]


@contextlib.contextmanager
def signet(url: str, workers: int = 1) -> Iterator[Server]:
    """Runs `signet serve`, as an operator starts it."""
    more = {"DATABASE_URL": url, "SIGNET_KEY": base64.b64encode(KEY).decode()}
    # One machine plays all members here, so the limits are high; the counting stays on.
    more |= {"SIGNET_ACTS_PER_MINUTE": "1000000000", "SIGNET_STREAMS_PER_MEMBER": "100000"}
    with serving(["-m", "app.cli", "serve", "--workers", str(workers)], more) as server:
        yield server


@contextlib.contextmanager
def bare(app: str, **more: str) -> Iterator[Server]:
    """Runs a bare app of this package, "page" or "streams", under the same uvicorn with the same settings."""
    with serving(["-m", "benchmarks.bare", app], more) as server:
        yield server


@contextlib.contextmanager
def serving(command: list[str], more: dict[str, str]) -> Iterator[Server]:
    """Runs a server process of this Python on a free port; yields it once it answers, and ends it afterwards."""
    port = free_port()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port)], cwd=ROOT, env=os.environ | more, stdout=log, stderr=log
        )
        try:
            _wait(process, port, log)
            yield Server(port, process)
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, log: IO[bytes], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as asking:
            asking.settimeout(seconds)
            asking.sendall(b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            if asking.recv(1):
                return
        time.sleep(0.05)
    log.seek(0)
    raise RuntimeError(f"the server did not come up:\n{log.read()[-3000:].decode()}")
