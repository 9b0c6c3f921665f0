"""The statements of one seal, noted once as the app sends them, and sent again by `pgbench` with nothing around."""

import base64
import contextlib
import json
import re
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode

import psycopg
from pydantic import SecretStr

from app.campaign import tokens
from app.main import create_app
from app.settings import Settings
from benchmarks.ground import KEY, plain, tool
from benchmarks.presses import FORM
from benchmarks.tables import STEP, WORDS, Chair

HOLE = re.compile(r"%\((\w+)\)s")
REPEATS = 10  # of the seal in one script, so that finding the table costs a tenth of one small statement
TYPES = {timedelta: "::interval", bytes: "::bytea", bool: "::boolean"}  # what the driver says beside the value
BEGIN, COMMIT, ROLLBACK = "BEGIN", "COMMIT", "ROLLBACK"


@dataclass
class Noted:
    """One statement: its text, its parameters by name, and the column that tells the newest revision, if it does."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)
    revision: str = ""


async def note(url: str, chair: Chair) -> list[Noted]:
    """Seal a few times through the whole app, in this process, and note what the last of them sent."""
    app = create_app(Settings(database_url=url, key=SecretStr(base64.b64encode(KEY).decode())))
    async with app.router.lifespan_context(app):
        await _seal(app, chair, 1)
        with _noting() as noted:
            await _seal(app, chair, 2)
    return noted


@contextlib.contextmanager
def _noting() -> Iterator[list[Noted]]:
    """Note what the driver itself sends: it begins transactions by itself, and only where none is open."""
    noted: list[Noted] = []
    execute, commit, rollback = (
        psycopg.AsyncCursor.execute,
        psycopg.AsyncConnection.commit,
        psycopg.AsyncConnection.rollback,
    )

    async def executed(cursor: Any, query: Any, values: Any = None, **more: Any) -> Any:
        connection = cursor.connection
        if not connection.autocommit and _idle(connection):
            noted.append(Noted(BEGIN))
        done = await execute(cursor, query, values, **more)
        columns = [column.name for column in cursor.description or ()]
        newest = next((name for name in columns if name.endswith("revision")), "") if cursor.rowcount == 1 else ""
        noted.append(Noted(query, values or {}, newest))
        return done

    def ending(word: str, end: Any) -> Any:
        async def ended(connection: Any) -> None:
            if not _idle(connection):
                noted.append(Noted(word))
            await end(connection)

        return ended

    with (
        mock.patch.multiple(psycopg.AsyncCursor, execute=executed),
        mock.patch.multiple(
            psycopg.AsyncConnection, commit=ending(COMMIT, commit), rollback=ending(ROLLBACK, rollback)
        ),
    ):
        yield noted


def _idle(connection: Any) -> bool:
    return bool(connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE)


async def _seal(app: Any, chair: Chair, revision: int) -> None:
    own = [("_step", STEP), ("_seat", "alice"), ("_act", "seal"), ("_revision", str(revision))]
    body = urlencode([*WORDS, *own, ("_request", str(uuid.uuid4()))]).encode()
    headers = {**FORM, "Cookie": chair.cookie, "Host": "127.0.0.1"}
    path = f"{chair.page}/lay"
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80), "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
    }  # fmt: skip
    said: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            said.append(message["status"])

    await app(scope, receive, send)
    assert said == [303], f"the seal was answered with {said}"


def script(noted: Sequence[Noted], chair: Chair) -> tuple[str, dict[str, str]]:
    """The statements for pgbench, with what differs from table to table as variables; and the values that do not."""
    known = {
        str(chair.campaign): "campaign", str(chair.scene): "scene", str(chair.member): "member",
        str(chair.device): "device", chair.slug: "slug", f"{chair.campaign.hex}:all": "hint",
        _text(tokens.digest(chair.token)): "token_hash",
    }  # fmt: skip
    fixed: dict[str, str] = {}
    lines = [r"\set n :client_id + :clients * random(0, (:tables - 1 - :client_id) / :clients)"]
    lines.append(r"SELECT * FROM bench_tables WHERE n = :n \gset")
    for _ in range(REPEATS):
        lines.append(r"\set press random(1, 9000000000000000000)")
        for one in noted:
            text = HOLE.sub(lambda hole, one=one: _filled(hole[1], one.values[hole[1]], known, fixed), one.text)
            text = " ".join(text.split())
            if one.revision:
                lines += [rf"{text} \gset now_", rf"\set seen :now_{one.revision}", r"\set next :seen + 1"]
            else:
                lines.append(f"{text};")
    return "\n".join(lines) + "\n", fixed


def _filled(name: str, value: Any, known: Mapping[str, str], fixed: dict[str, str]) -> str:
    if value is None:
        return "NULL"
    text = _text(value)
    if text in known:
        return f":{known[text]}"
    if "revision" in name:  # the third seal was noted: it replaced the second
        return {2: ":seen", 3: ":next"}[value]
    if "request" in name:
        return "lpad(:press::text, 32, '0')::uuid"
    place = next((known for known, other in fixed.items() if other == text), f"v{len(fixed)}")
    fixed[place] = text
    return f":{place}{TYPES.get(type(getattr(value, 'obj', value)), '')}"


def _text(value: Any) -> str:
    """A value as Postgres reads it."""
    value = getattr(value, "obj", value)  # psycopg wraps bytes and what goes into jsonb
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def pgbench(url: str, noted: Sequence[Noted], first: Chair, chairs: Sequence[Chair], seconds: float) -> float:
    """Seals a second when nothing but the statements is sent: 16 connections, prepared, each with tables of its own."""
    program, clients = tool("pgbench"), min(16, len(chairs))
    with psycopg.connect(plain(url)) as connection:
        connection.execute("DROP TABLE IF EXISTS bench_tables")
        connection.execute(
            "CREATE TABLE bench_tables (n int PRIMARY KEY, campaign text, scene text, member text, device text,"
            " slug text, hint text, token_hash text)"
        )
        for n, chair in enumerate(chairs):
            ids = (str(one) for one in (chair.campaign, chair.scene, chair.member, chair.device))
            row = (n, *ids, chair.slug, f"{chair.campaign.hex}:all", _text(tokens.digest(chair.token)))
            connection.execute("INSERT INTO bench_tables VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", row)
    text, fixed = script(noted, first)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "seal.sql"
        file.write_text(text, encoding="utf-8")
        command = [
            program,
            "-n",
            f"-c{clients}",
            f"-j{min(2, clients)}",
            "-Mprepared",
            f"-T{max(1, round(seconds))}",
            f"-f{file}",
        ]
        command += [
            f"-Dtables={len(chairs)}",
            f"-Dclients={clients}",
            *(f"-D{name}={value}" for name, value in fixed.items()),
        ]
        ran = subprocess.run([*command, plain(url)], capture_output=True, text=True, check=False)
    found = re.search(r"tps = ([\d.]+)", ran.stdout)
    if ran.returncode or not found or "aborted" in ran.stderr:
        raise RuntimeError(f"pgbench failed:\n{ran.stdout[-1000:]}{ran.stderr[-3000:]}")
    return float(found[1]) * REPEATS
