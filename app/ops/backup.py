"""Copies of the database, made before migrations, nightly or by hand; and restoring one.

A copy is a `pg_dump` in custom format. Sealed words, hidden events and states are encrypted in it as in the database;
names, talk and notes are as plain as there. The key is never in it.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import text

from app.db.engine import normal_url, sync_engine
from app.db.postgres_home import shipped
from app.errors import UserError
from app.private_files import make_folder
from app.settings import Settings
from app.terminal import say

ELSEWHERE = Path("/usr/lib/postgresql")  # Debian's place for each version's tools, not on the PATH
UNKNOWN_BEFORE = 17  # from Postgres 17 on, pg_restore writes a setting that older servers do not know
PREAMBLE = 60  # lines of a script that hold only settings
OURS = re.compile(r"signet-([0-9]{8}T[0-9]{6}Z)-([A-Za-z0-9_]+)\.dump")
MOMENT = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Program:
    """One of Postgres' tools, and its major version."""

    path: Path
    major: int


def before_migration(settings: Settings) -> Callable[[str], None]:
    """Returns a function for `migrate` to call first, which copies the database."""

    def copy(revision: str) -> None:
        say(f"Database backup: {make(settings, revision)}")

    return copy


def make(settings: Settings, why: str = "by_hand") -> Path:
    """Copies the database into the folder for backups, deletes copies that are too many or too old, returns the copy.

    `why` becomes part of the name: the tables' revision, or the occasion. Raises `UserError` where there is no fitting
    `pg_dump`, or where it fails; then no half copy is left.
    """
    folder = settings.backups_folder
    program = _tool("pg_dump", settings.database, "`signet migrate --no-dump` continues without a backup. ")
    now = datetime.now(UTC)
    place = folder / f"signet-{now.strftime(MOMENT)}-{re.sub(r'[^A-Za-z0-9_]', '_', why)}.dump"
    half = place.with_suffix(".half")
    try:
        make_folder(folder)
        os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))  # names and notes are private
        _run(program, settings.database, "--format=custom", "--no-owner", "--no-privileges", f"--file={half}")
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.replace(place)
    except OSError as error:
        raise UserError(
            f"The backup could not be written to {folder}: {error.strerror}. Nothing was changed. "
            f"Make room, or choose another folder with SIGNET_BACKUPS."
        ) from None
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)
    _let_go(settings, place, now)
    return place


def _let_go(settings: Settings, newest: Path, now: datetime) -> None:
    """Deletes copies beyond the wanted number, nightly ones counted apart from the others, and those older than the set
    number of nights, so that a campaign that was deleted disappears from here, too."""
    like = [path for path in copies(settings.backups_folder) if (why(path) == "nightly") == (why(newest) == "nightly")]
    gone = set(like[settings.backups_kept :])
    last = now - timedelta(days=settings.backups_nights)
    gone |= {path for path in copies(settings.backups_folder) if moment(path) < last}
    for old in gone - {newest}:
        old.unlink(missing_ok=True)


def why(copy: Path) -> str:
    """Returns a copy's occasion: "nightly", "by_hand", or the tables' revision before a migration."""
    named = OURS.fullmatch(copy.name)
    return named[2] if named else ""


def moment(copy: Path) -> datetime:
    """Returns when a copy was made, by its name."""
    named = OURS.fullmatch(copy.name)
    assert named is not None, "only our own copies are asked"
    return datetime.strptime(named[1], MOMENT).replace(tzinfo=UTC)


def copies(folder: Path) -> list[Path]:
    """Returns the copies in a folder, newest first; ignores other files."""
    found = [path for path in folder.glob("signet-*.dump") if OURS.fullmatch(path.name)]
    return sorted(found, key=lambda path: path.name, reverse=True)


def restore(settings: Settings, file: Path) -> None:
    """Fills an empty database from a copy: all of it, or nothing. Raises `UserError` where it is not empty."""
    if not file.is_file():
        raise UserError(f"There is no {file}.", code=2)
    engine = sync_engine(settings.database)
    try:
        with engine.connect() as connection:
            there = connection.scalar(
                text("SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")
            )
    finally:
        engine.dispose()
    if there:
        raise UserError(
            "This database is not empty. A backup can only be restored into an empty one, so that no data is lost. "
            "Make a new database (`createdb`), or a new folder with --data DIR that holds nothing but the old `key`."
        )
    program = _tool("pg_restore", settings.database)
    if _server(settings.database) < UNKNOWN_BEFORE <= program.major:
        _restore_into_older(program, settings.database, file)
        return
    options = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
    _run(program, settings.database, *options, str(file))


def _restore_into_older(program: Program, url: str, file: Path) -> None:
    """Restores through `psql`, without the one setting that `pg_restore` writes and an older server does not know."""
    call = [program.path, "--no-owner", "--no-privileges", "--file=-", str(file)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as reading, _spool() as script:
        assert reading.stdout is not None
        for number, line in enumerate(reading.stdout):
            if number > PREAMBLE or not line.startswith(b"SET transaction_timeout"):
                script.write(line)
        if reading.wait():
            raise UserError(f"{file} cannot be read: it is not a complete database backup. Nothing was changed.")
        script.seek(0)
        psql = Program(program.path.with_name("psql"), program.major)
        _run(psql, url, "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", given=script)


def _spool() -> IO[bytes]:
    """Returns a private temporary file that is deleted when it is closed."""
    return tempfile.TemporaryFile(prefix="signet-")


def _server(url: str) -> int:
    """Returns the server's major version."""
    engine = sync_engine(url)
    try:
        with engine.connect() as connection:
            return int(connection.scalar(text("SHOW server_version_num")) or 0) // 10000
    finally:
        engine.dispose()


def _tool(name: str, url: str, otherwise: str = "") -> Program:
    """Returns the oldest tool that is not older than the server: the server can read its copies back."""
    server, found = _server(url), _tools(name)
    fit = sorted((one for one in found if one.major >= server), key=lambda one: one.major)
    if not fit:
        have = f"the one here is of version {max(one.major for one in found)}" if found else "there is none here"
        raise UserError(
            f"A copy needs `{name}` of Postgres {server} or newer, and {have}. {otherwise}"
            f"Install the package postgresql-client-{server}, or put that program on the PATH. Nothing was changed."
        )
    return fit[0]


def _tools(name: str) -> list[Program]:
    carried = shipped()
    places = [shutil.which(name), carried and str(carried / name)]
    places += map(str, ELSEWHERE.glob(f"*/bin/{name}"))
    found = []
    for place in filter(None, places):
        with suppress(OSError, subprocess.SubprocessError):
            said = subprocess.run([place, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
            version = re.search(r"\) (\d+)", said)
            if version:
                found.append(Program(Path(place), int(version[1])))
    return found


def _run(program: Program, url: str, *options: str, given: IO[bytes] | None = None) -> None:
    """Runs a tool against a database. The password goes in the environment: other users can read a command line."""
    words = conninfo_to_dict(normal_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
    password = words.pop("password", None)
    secret = {"PGPASSWORD": str(password)} if password else {}
    steering = {name: value for name, value in os.environ.items() if not name.startswith("PG") or name == "PGPASSFILE"}
    call = [program.path, "--no-password", f"--dbname={make_conninfo('', **words)}", *options]
    done = subprocess.run(
        call,
        env={**steering, **secret},
        stdin=given or subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        # The first line only: further ones may quote a row.
        said = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[0][:300]
        raise UserError(f"{program.path.name} failed, and nothing was changed: {said}")
