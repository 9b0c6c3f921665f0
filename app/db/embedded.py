"""Signet's own Postgres, for one machine and one data folder: no server to set up, no port to open.

"Running" means that it accepts a connection. A process id proves nothing: a dead postmaster can stay in the process
table for ever (as a zombie that no parent reaps). So a lock shows whether Postgres is alive: every Postgres process
inherits an open, locked descriptor of `postgres.alive`, and the kernel releases the lock when the last of them is gone,
however it died. The process that gets that lock may remove leftovers and start.
"""

import hashlib
import logging
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

import psutil
import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy.engine import URL

from app.db.engine import DRIVER
from app.db.postgres_home import MAJOR, Owner, binaries, owner_of
from app.errors import UserError
from app.private_files import make_folder, private, tighten

if sys.platform != "win32":
    import fcntl

logger = logging.getLogger("uvicorn.error.postgres")  # so that it appears in the log of `signet play`

ROLE = "signet"
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 100  # the kernel's limit is 107 bytes on Linux and 103 on macOS
LOG_LIMIT = 5_000_000
TICK = 0.05  # seconds between two checks
PATIENCE = 4  # seconds that a live but silent Postgres is left alone: it may be recovering

# All connections use the socket, and the kernel identifies the user: there is no password to store or guess.
HBA = "local all all peer map=signet\n"


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a data folder's Postgres, found without starting it."""

    state: Literal["absent", "stopped", "silent", "running"]
    """No database yet; no live process; alive but not answering; accepts a connection."""
    pid: int | None
    log: Path


class Embedded:
    """The Postgres of one data folder. A second start attaches to it; it outlives the process that started it.

    Files, all under `data`: `postgres/` (an ordinary Postgres 18 data directory), `postgres.log`, and two lock files.
    Not for Windows: there, and wherever a server exists already, use DATABASE_URL.
    """

    def __init__(self, data: Path) -> None:
        if sys.platform == "win32":
            raise UserError(
                "Signet's own Postgres does not run on Windows. Use Signet inside WSL, "
                "or install Postgres and give its address with DATABASE_URL."
            )
        self.data = data.expanduser().absolute()
        self.cluster = self.data / "postgres"
        self.log = self.data / "postgres.log"
        self.started_here = False
        """True if our `start` launched it, False if it was running already."""
        mark = hashlib.sha256(os.fsencode(self.cluster)).hexdigest()[:10]
        self._title = f"signet-{mark}"  # appears in the title of each of its processes
        self._child: int | None = None

    # ---- for callers -------------------------------------------------------------------------------------------

    def start(self, deadline: float = 30) -> str:
        """Starts the database, or attaches to it if it runs, and returns its address for SQLAlchemy.

        The first start on a folder also creates the database (about two seconds, outside `deadline` seconds). Raises
        `UserError` where it fails: the folder belongs to another user, or Postgres does not answer in time.
        """
        make_private(self.data)
        owner = owner_of(self.data, self.cluster)
        self._check_doors(owner)
        with self._starting(deadline):
            if not (self.cluster / "PG_VERSION").exists():
                self._create(owner)
            self._check_version()
            until = time.monotonic() + deadline
            if not self._accepts(owner):
                self._bring_up(owner, until)
            self._make_database(owner)
        return self._url(owner)

    def stop(self, deadline: float = 20) -> bool:
        """Shuts the database down cleanly, also if another process started it; returns False if it was not running.

        Open transactions are rolled back. Raises `UserError` where it still runs after `deadline` seconds.
        """
        if not self.cluster.exists():
            return False
        with self._starting(deadline):
            if self._nobody_alive():
                self._reap()
                return False
            until = time.monotonic() + deadline
            for number in (signal.SIGINT, signal.SIGQUIT):  # "fast", then "immediate": both keep what is committed
                self._signal(number)
                half = time.monotonic() + (until - time.monotonic()) / 2
                while time.monotonic() < half:
                    self._reap()
                    if self._nobody_alive():
                        return True
                    time.sleep(TICK)
            raise UserError(f"Postgres (process {self._pid()}) does not stop. See {self.log}.")

    def status(self) -> Status:
        """Returns the status now; starts and changes nothing."""
        if not (self.cluster / "PG_VERSION").exists():
            return Status("absent", None, self.log)
        if self._accepts(owner_of(self.data, self.cluster)):
            return Status("running", self._pid(), self.log)
        if self._nobody_alive():
            return Status("stopped", None, self.log)
        return Status("silent", self._pid(), self.log)

    @contextmanager
    def guarded(self, every: float = 1.0) -> Iterator[None]:
        """Restarts the database within the block if it dies, for any reason; checks every `every` seconds."""
        leave = threading.Event()
        guard = threading.Thread(target=self._guard, args=(leave, every), name="postgres-guard", daemon=True)
        guard.start()
        try:
            yield
        finally:
            leave.set()
            guard.join()

    def _guard(self, leave: threading.Event, every: float) -> None:
        while not leave.wait(every):
            try:
                self._reap()
                if not self._accepts(owner_of(self.data, self.cluster)):
                    self.start()
            except UserError as trouble:
                logger.error("%s", trouble)
            except (OSError, psycopg.Error) as failure:
                logger.error("the database could not be restarted (%s); trying again", type(failure).__name__)

    # ---- who is alive ------------------------------------------------------------------------------------------

    @contextmanager
    def _starting(self, deadline: float) -> Iterator[None]:
        """Makes sure that starting, stopping and creating never overlap."""
        with (self.data / "postgres.starting").open("a+b") as file:
            until = time.monotonic() + deadline
            while not _lock(file):
                if time.monotonic() > until:
                    raise UserError(f"Another Signet has been starting or stopping {self.data} for {deadline:.0f} s.")
                time.sleep(TICK)
            yield

    def _alive_file(self) -> IO[bytes]:
        return open(self.data / "postgres.alive", "a+b", opener=private)

    def _nobody_alive(self) -> bool:
        with self._alive_file() as file:
            return _lock(file) and not self._stranger()

    def _pid(self) -> int | None:
        """Returns the postmaster's process id from its file, alive or not."""
        with suppress(OSError, ValueError, IndexError):
            return int((self.cluster / "postmaster.pid").read_text().splitlines()[0])
        return None

    def _is_postmaster(self, pid: int | None) -> bool:
        """Whether this process is a live postmaster of our folder, and not a zombie or a reused process id."""
        try:
            process = psutil.Process(pid or 0)
            return process.status() != psutil.STATUS_ZOMBIE and str(self.cluster) in process.cmdline()
        except psutil.Error:
            return False

    def _stranger(self) -> bool:
        """Whether a live postmaster was started by hand: it does not hold our lock, and must be left alone."""
        return self._is_postmaster(self._pid())

    def _orphans(self) -> list[int]:
        """Returns live processes of a dead postmaster: they hold its memory, and no new one can start beside them."""
        if self._is_postmaster(self._pid()):
            return []
        found = []
        for process in psutil.process_iter(["cmdline"]):
            words = " ".join(process.info["cmdline"] or ())
            if words.startswith(f"postgres: {self._title}:"):
                found.append(process.pid)
        return found

    def _signal(self, number: int) -> None:
        pid = self._pid()
        with suppress(ProcessLookupError):
            if pid is not None and self._is_postmaster(pid):
                os.kill(pid, number)
            else:
                for orphan in self._orphans():
                    os.kill(orphan, signal.SIGKILL)

    def _reap(self) -> int | None:
        """Reaps our child if it died, and returns its exit status, or None if there is none."""
        if self._child is None:
            return None
        try:
            pid, status = os.waitpid(self._child, os.WNOHANG)
        except ChildProcessError:
            pid, status = self._child, 0
        if not pid:
            return None
        self._child = None
        return os.waitstatus_to_exitcode(status)

    # ---- starting ----------------------------------------------------------------------------------------------

    def _bring_up(self, owner: Owner, until: float) -> None:
        while time.monotonic() < until:
            with self._alive_file() as alive:
                launched = _lock(alive) and not self._stranger()
                if launched:
                    self._clear_leavings(owner)
                    self._launch(owner, alive)
            if self._wait_for_answer(owner, until, launched):
                return
        raise UserError(
            f"Postgres in {self.data} (process {self._pid()}) does not answer. The reason is at the end of {self.log}. "
            f"`signet stop` stops it."
        )

    def _wait_for_answer(self, owner: Owner, until: float, launched: bool) -> bool:
        """Returns True once a connection works, False when the caller should check again who is alive."""
        patience = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self._accepts(owner):
                return True
            failure = self._reap()
            if failure is not None and launched:  # else it was an earlier child of ours, killed since
                raise UserError(f"Postgres did not start (exit {failure}): {self._last_words()}")
            if not launched:
                if self._nobody_alive():
                    return False
                if time.monotonic() > patience:
                    self._unstick()
                    return False
            time.sleep(TICK)
        return False

    def _unstick(self) -> None:
        """Clears a silent Postgres: kills orphans of a dead postmaster, or stops one whose socket was removed."""
        if self._orphans():
            self._signal(signal.SIGKILL)
        elif not (self._socket_dir() / SOCKET).exists():
            self._signal(signal.SIGINT)

    def _clear_leavings(self, owner: Owner) -> None:
        """Removes the files of a dead postmaster: Postgres itself would take a zombie's process id for a live one."""
        socket = self._socket_dir(owner)
        for path in (self.cluster / "postmaster.pid", socket / SOCKET, socket / f"{SOCKET}.lock"):
            path.unlink(missing_ok=True)

    def _launch(self, owner: Owner, alive: IO[bytes]) -> None:
        settings = {
            "listen_addresses": "",
            "port": "5432",  # only the socket's name: there is no TCP
            "unix_socket_directories": f'"{self._socket_dir(owner)}"',
            "unix_socket_permissions": "0700",
            "cluster_name": self._title,
            "timezone": "UTC",
            "log_timezone": "UTC",
            "jit": "off",
            "log_min_error_statement": "panic",  # what people wrote does not belong in a log file
        }
        flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with self._open_log() as log:
            child = subprocess.Popen(
                [binaries(self.data, owner) / "postgres", "-D", self.cluster, *flags],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=_environment(),
                pass_fds=(alive.fileno(),),
                start_new_session=True,  # Ctrl-C in the terminal is for the app, which then stops Postgres cleanly
                umask=0o077,
                **owner.switch(),
            )
        self._child, self.started_here = child.pid, True
        child.returncode = 0  # it is meant to outlive us: Popen need not warn that it still runs

    def _open_log(self) -> IO[bytes]:
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.replace(self.log.with_suffix(".log.1"))
        return os.fdopen(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")

    def _last_words(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        told = [line for line in lines[-20:] if "FATAL" in line or "PANIC" in line] or lines[-1:]
        told = [re.sub(r"^.*? \[\d+\] (?=[A-Z]+:)", "", line) for line in told]  # the time: the log tells the same once
        return f"{told[-1] if told else 'it said nothing'} (more in {self.log})"

    # ---- creating ----------------------------------------------------------------------------------------------

    def _check_doors(self, owner: Owner) -> None:
        if owner.uid == os.geteuid():
            return
        if (self.data.stat().st_mode & 0o777, self.data.stat().st_uid) == (0o700, 0):
            # Ours, and closed to all others: let only the database's user through.
            os.chown(self.data, 0, owner.gid)
            self.data.chmod(0o710)
        door = owner.locked_door(self.data)
        if door is not None:
            raise UserError(
                f"You are root, Postgres runs as {owner.name}, and {owner.name} cannot enter {door}. "
                f"Choose a folder it can reach, for example --data /var/lib/signet."
            )

    def _create(self, owner: Owner) -> None:
        """Creates the database beside its place and moves it there, so that half a database never looks complete."""
        half = self.data / "postgres.new"
        if half.exists():
            shutil.rmtree(half)
        half.mkdir(mode=0o700)
        if owner.uid != os.geteuid():
            os.chown(half, owner.uid, owner.gid)
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        who = [f"--username={ROLE}", "--auth-local=peer", "--auth-host=reject"]
        done = subprocess.run(
            [binaries(self.data, owner) / "initdb", "-D", half, *locale, *who, "--no-instructions"],
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            env=_environment(),
            umask=0o077,
            **owner.switch(),
        )
        if done.returncode:
            raise UserError(f"Postgres could not make a database in {self.data}: {done.stderr.strip()[-600:]}")
        (half / "pg_hba.conf").write_text(HBA)
        (half / "pg_ident.conf").write_text(f'signet "{owner.name}" {ROLE}\nsignet root {ROLE}\n')
        half.rename(self.cluster)

    def _check_version(self) -> None:
        found = (self.cluster / "PG_VERSION").read_text().strip()
        if found != str(MAJOR):
            raise UserError(
                f"The database in {self.data} was made by Postgres {found}, but this Signet contains {MAJOR}. "
                f"Use the Signet that made it, or move the data with pg_dump."
            )

    def _make_database(self, owner: Owner) -> None:
        with psycopg.connect(self._dsn(owner, "postgres"), autocommit=True, connect_timeout=5) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [ROLE]).fetchone():
                connection.execute(f"CREATE DATABASE {ROLE}")

    # ---- addresses ---------------------------------------------------------------------------------------------

    def _socket_dir(self, owner: Owner | None = None) -> Path:
        """Returns the cluster's folder if its path is short enough for a socket, else a private folder in /tmp."""
        if len(os.fsencode(self.cluster / SOCKET)) <= LONGEST_SOCKET_PATH:
            return self.cluster
        owner = owner or owner_of(self.data, self.cluster)
        place = Path(tempfile.gettempdir()) / f"{self._title}-{owner.uid}"
        if len(os.fsencode(place / SOCKET)) > LONGEST_SOCKET_PATH:
            place = Path("/tmp") / place.name
        with suppress(FileExistsError):
            place.mkdir(mode=0o700)
            if owner.uid != os.geteuid():
                os.chown(place, owner.uid, owner.gid)
        held = place.lstat()
        if not stat.S_ISDIR(held.st_mode) or held.st_uid != owner.uid or held.st_mode & 0o077:
            raise UserError(
                f"{place} should be a private folder of {owner.name}, but is not. Remove it, then start again."
            )
        return place

    def _dsn(self, owner: Owner, database: str) -> str:
        return make_conninfo(
            host=str(self._socket_dir(owner)), port=5432, user=ROLE, dbname=database, application_name="signet"
        )

    def _url(self, owner: Owner) -> str:
        query = {"host": str(self._socket_dir(owner)), "port": "5432"}
        return URL.create(DRIVER, username=ROLE, database=ROLE, query=query).render_as_string(hide_password=False)

    def _accepts(self, owner: Owner) -> bool:
        try:
            psycopg.connect(self._dsn(owner, "postgres"), connect_timeout=3).close()
        except psycopg.OperationalError:
            return False
        return True


def make_private(folder: Path) -> None:
    """Makes a data folder that only its owner can enter, or closes one of ours to others. Raises `UserError` if it
    cannot."""
    try:
        make_folder(folder)
        (folder / "postgres.starting").touch(0o600)
        tighten(folder)
    except OSError as error:
        raise UserError(
            f"Signet cannot write to {folder}: {error.strerror}. Choose another folder with --data DIR."
        ) from None


def _lock(file: IO[bytes]) -> bool:
    """Takes the lock if it is free; returns whether it did. It lasts until every process with the open file closes
    it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _environment() -> dict[str, str]:
    """Returns our environment without variables that steer Postgres (PGDATA, …), and with the locale C."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return {**kept, "LC_ALL": "C"}
