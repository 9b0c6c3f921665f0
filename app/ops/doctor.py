"""`signet doctor`: checks everything that a game needs, and says how to fix each fault."""

import hashlib
import shutil
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from app.crypto.columns import key_names
from app.crypto.vault import key_name
from app.db.engine import database_revisions, sync_engine
from app.errors import UserError
from app.resources import find
from app.settings import Settings

OLDEST_PYTHON = (3, 11)
OLDEST_POSTGRES = 150000
SKEW = 2.0  # seconds of difference between our clock and the database's that do no harm
SPARE, TIGHT = 500, 2000  # megabytes


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. `good` is None where it is not a fault, but worth knowing."""

    good: bool | None
    what: str
    remedy: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Checks everything, in the order in which faults hide one another."""
    yield python()
    yield static_files()
    yield from disk(settings.data)
    keys: tuple[bytes, ...] = ()
    try:
        keys = settings.keys
        yield Finding(True, f"The key for the envelopes is available ({len(keys)} in total)")
    except UserError as trouble:
        yield Finding(False, "There is no key for the envelopes", str(trouble))
    yield from database(settings, keys)


def python() -> Finding:
    have = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return Finding(False, f"Python {have} is too old", "Install Python 3.11 or newer, then install Signet into it.")
    return Finding(True, f"Python {have}")


def static_files() -> Finding:
    """Checks that third-party scripts, fonts and icons are byte for byte those that were reviewed."""
    shipped: dict[str, str] = {}
    try:
        listing = find("vendor.toml")
        sums: dict[str, str] = tomllib.loads(listing.read_text())["sha256"]
        shipped = {name: digest for name, digest in sums.items() if name.startswith("static/")}
        wrong = [name for name, digest in shipped.items() if _sha256(listing.parent / name) != digest]
    except (UserError, OSError, ValueError, KeyError) as error:
        wrong = [str(error)]
    if wrong:
        return Finding(False, f"Static files are changed or missing: {', '.join(wrong)}", "Install Signet again.")
    return Finding(True, f"Static files are unchanged ({len(shipped)} checked)")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def disk(data: Path) -> Iterator[Finding]:
    """Checks the free space of the data folder on this machine; another machine's disk cannot be seen from here."""
    if not data.exists():
        return
    free = shutil.disk_usage(data).free // 1_000_000
    remedy = "Make room: Postgres stops when the disk is full (sealed declarations are not lost)."
    yield Finding(False if free < SPARE else None if free < TIGHT else True, f"{free:,} MB free in {data}", remedy)


def database(settings: Settings, keys: tuple[bytes, ...]) -> Iterator[Finding]:
    try:
        engine = sync_engine(settings.database)
    except UserError as trouble:
        yield Finding(False, "No database", str(trouble))
        return
    try:
        with engine.connect() as connection:
            yield from _look_inside(connection, keys)
    except OperationalError as error:
        first = str(error.orig).strip().splitlines()[0]
        remedy = "Check that the server is running, and that name, password and address in DATABASE_URL are right."
        yield Finding(False, f"The database does not answer: {first}", remedy)
    finally:
        engine.dispose()


def _look_inside(connection: Connection, keys: tuple[bytes, ...]) -> Iterator[Finding]:
    version = connection.scalar(text("SHOW server_version"))
    old = int(connection.scalar(text("SHOW server_version_num")) or 0) < OLDEST_POSTGRES
    yield Finding(not old, f"Postgres {version} answers", "Signet needs Postgres 15 or newer.")

    unsafe = [name for name in ("fsync", "full_page_writes") if connection.scalar(text(f"SHOW {name}")) != "on"]
    if connection.scalar(text("SHOW synchronous_commit")) == "off":
        unsafe.append("synchronous_commit")
    yield Finding(
        not unsafe,
        f"Postgres may lose accepted seals: {', '.join(unsafe)} off"
        if unsafe
        else "Seals are written to disk safely (fsync)",
        "Turn these settings on in the server's postgresql.conf.",
    )

    theirs = connection.scalar(text("SELECT clock_timestamp()"))
    skew = abs((datetime.now(UTC) - theirs).total_seconds()) if theirs else SKEW
    yield Finding(
        skew < SKEW,
        f"The clocks of this computer and the database differ by {skew:.1f} s",
        "Deadlines follow the database's clock. Turn on time synchronisation (NTP) on both machines.",
    )

    try:
        here, newest = database_revisions(connection)
    except UserError as trouble:
        yield Finding(False, "The tables are from a newer Signet", str(trouble))
        return
    yield Finding(
        here == newest, f"Tables are at {here or 'nothing yet'}, this Signet's are at {newest}", "Run `signet migrate`."
    )
    if here == newest:
        yield key_fits(connection, keys)
        yield nothing_stuck(connection)


def key_fits(connection: Connection, keys: tuple[bytes, ...]) -> Finding:
    """Checks that the key of every box is at hand (the first four bytes of a box name its key)."""
    needed = {bytes(name) for query in key_names() for name in connection.scalars(text(query))}
    missing = sorted(name.hex() for name in needed - {key_name(key) for key in keys})
    remedy = "Restore the key this database was used with: add it as another line of the key file."
    if missing:
        return Finding(False, f"Sealed envelopes need a key that is missing here ({', '.join(missing)})", remedy)
    if len(keys) > 1 and needed - {key_name(keys[0])}:
        remedy = "To encrypt everything with the first key, run `signet rekey`. Then you can delete the others."
        return Finding(None, f"The keys fit the envelopes, but more than one is in use ({len(needed)})", remedy)
    return Finding(True, f"The key fits the envelopes ({len(needed)} in use)")


def nothing_stuck(connection: Connection) -> Finding:
    """Checks for steps that an error in the rules left open: their seals are safe, and wait for a fix."""
    stuck = connection.scalar(text("SELECT count(*) FROM steps WHERE status = 'stuck'"))
    if stuck:
        return Finding(False, f"Steps are stuck: {stuck}", "After an update that fixes the rules, run `signet close`.")
    return Finding(True, "No steps are stuck")
