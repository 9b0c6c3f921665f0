"""The statements of one seal, sent by `pgbench` on their own: benchmarks/seal.sql, which must not change."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import psycopg

from app.campaign import tokens
from benchmarks.ground import plain, tool
from benchmarks.tables import Chair

SEAL = Path(__file__).with_name("seal.sql")
TABLE = r"""
\set n :client_id + :clients * random(0, (:tables - 1 - :client_id) / :clients)
SELECT * FROM bench_tables WHERE n = :n \gset
"""
REPEATS = 10  # of the seal in one script, so that finding the table costs a tenth of one small statement


def pgbench(url: str, chairs: Sequence[Chair], seconds: float) -> float:
    """Returns seals per second when only the statements are sent: up to 16 connections, prepared, each with its own
    tables. All chairs have sealed at least once."""
    with psycopg.connect(plain(url)) as connection:
        _name_tables(connection, chairs)
    try:
        return _run(url, chairs, seconds)
    finally:
        with psycopg.connect(plain(url)) as connection:
            connection.execute("DROP TABLE bench_tables")


def _run(url: str, chairs: Sequence[Chair], seconds: float) -> float:
    clients = min(16, len(chairs))
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "seals.sql"
        file.write_text(TABLE + SEAL.read_text(encoding="utf-8") * REPEATS, encoding="utf-8")
        command = [tool("pgbench"), "-n", "-Mprepared", f"-f{file}", f"-T{max(1, round(seconds))}"]
        command += [f"-c{clients}", f"-j{min(2, clients)}", f"-Dtables={len(chairs)}", f"-Dclients={clients}"]
        ran = subprocess.run([*command, plain(url)], capture_output=True, text=True, check=False)
    found = re.search(r"tps = ([\d.]+)", ran.stdout)
    if ran.returncode or not found or "aborted" in ran.stderr:
        raise RuntimeError(f"pgbench failed:\n{ran.stdout[-1000:]}{ran.stderr[-3000:]}")
    return float(found[1]) * REPEATS


def _name_tables(connection: psycopg.Connection, chairs: Sequence[Chair]) -> None:
    """Writes what differs from table to table where the script reads it."""
    connection.execute("DROP TABLE IF EXISTS bench_tables")
    connection.execute(
        "CREATE TABLE bench_tables (n int PRIMARY KEY, campaign text, scene text, member text, slug text, hint text,"
        " token_hash text)"
    )
    for n, chair in enumerate(chairs):
        ids = (str(one) for one in (chair.campaign, chair.scene, chair.member))
        token = f"\\x{tokens.digest(chair.token).hex()}"
        row = (n, *ids, chair.slug, f"{chair.campaign.hex}:all", token)
        connection.execute("INSERT INTO bench_tables VALUES (%s, %s, %s, %s, %s, %s, %s)", row)
