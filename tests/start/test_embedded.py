"""The embedded Postgres: running means it answers, whatever died, and however."""

import os
import pwd
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import psutil
import psycopg
import pytest

from app.db import embedded as module
from app.db import postgres_home
from app.db.embedded import Embedded
from app.db.postgres_home import SYSTEM_USER, WHEEL, owner_of
from app.errors import UserError

pytestmark = [pytest.mark.embedded, pytest.mark.nightly]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may change who it is")
ROOT = Path(__file__).parents[2]

HOLDER = """
import sys, time
from pathlib import Path
from app.db.embedded import Embedded
print(Embedded(Path(sys.argv[1])).start(), flush=True)
time.sleep(60)
"""


def dsn(url: str) -> str:
    return url.replace("postgresql+psycopg", "postgresql")


def ask(url: str, question: str) -> object:
    with psycopg.connect(dsn(url)) as connection:
        row = connection.execute(question.encode()).fetchone()
        return row[0] if row else None


def do(url: str, statement: str) -> None:
    with psycopg.connect(dsn(url), autocommit=True) as connection:
        connection.execute(statement.encode())


def postmaster(server: Embedded) -> int:
    pid = server.status().pid
    assert pid is not None
    return pid


def wait_until(true: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.02)


@contextmanager
def another_app(data: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A second process that starts the database and then neither looks after it nor reaps it."""
    app = subprocess.Popen([sys.executable, "-c", HOLDER, str(data)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    try:
        yield app, app.stdout.readline().strip()
    finally:
        app.kill()
        app.wait()
        app.stdout.close()


def test_a_first_start_makes_a_database_that_keeps_its_word(embedded: Embedded) -> None:
    assert embedded.status().state == "absent"
    url = embedded.start()
    assert url.startswith("postgresql+psycopg://signet@/signet?host=")
    assert embedded.status().state == "running"
    assert str(ask(url, "SHOW server_version")).startswith("18.")
    assert ask(url, "SHOW fsync") == "on"
    assert ask(url, "SHOW full_page_writes") == "on"
    assert ask(url, "SHOW synchronous_commit") == "on"
    assert ask(url, "SHOW data_checksums") == "on"
    assert ask(url, "SHOW server_encoding") == "UTF8"
    assert ask(url, "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'signet'") == "bC.UTF-8"


def test_it_opens_no_port_and_knows_people_by_the_kernel_only(embedded: Embedded) -> None:
    url = embedded.start()
    assert ask(url, "SHOW listen_addresses") == ""
    assert psutil.Process(postmaster(embedded)).net_connections(kind="inet") == []
    assert (
        ask(url, "SELECT string_agg(DISTINCT type || ' ' || auth_method, ',') FROM pg_hba_file_rules") == "local peer"
    )


def test_only_the_data_folder_changes_and_it_is_private(place: Path, embedded: Embedded) -> None:
    before = {folder: folder.stat().st_mode for folder in embedded.data.parents}
    embedded.start()
    assert {folder: folder.stat().st_mode for folder in embedded.data.parents} == before
    # Root lets the database's own group walk through; nobody else enters, and nobody but the owner reads.
    assert stat.S_IMODE(embedded.data.stat().st_mode) == (0o710 if os.geteuid() == 0 else 0o700)
    assert stat.S_IMODE(embedded.cluster.stat().st_mode) == 0o700
    assert stat.S_IMODE(embedded.log.stat().st_mode) == 0o600


def test_a_second_start_attaches(embedded: Embedded) -> None:
    url = embedded.start()
    pid = postmaster(embedded)
    second = Embedded(embedded.data)
    assert second.start() == url
    assert (embedded.started_here, second.started_here) == (True, False)
    assert postmaster(second) == pid


def test_four_starts_at_once_make_one_database(embedded: Embedded) -> None:
    urls: list[str] = []
    starters = [threading.Thread(target=lambda: urls.append(Embedded(embedded.data).start())) for _ in range(4)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert len(urls) == 4 and len(set(urls)) == 1
    assert embedded.log.read_text().count("ready to accept connections") == 1


def test_two_first_starts_of_root_make_one_user(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finds two `useradd` at once, of which the second gives the user of the first another number."""
    made = place / "made"
    tool = place / "useradd"
    tool.write_text(f"#!/bin/sh\nsleep 0.2\necho user >> {made}\n")
    tool.chmod(0o755)

    def by_name(_: str) -> pwd.struct_passwd:
        if made.exists():
            return pwd.getpwuid(0)
        raise KeyError

    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    monkeypatch.setattr(postgres_home, "pwd", SimpleNamespace(getpwnam=by_name))
    with ThreadPoolExecutor(2) as both:
        owners = [one.result() for one in [both.submit(postgres_home._make_system_user) for _ in range(2)]]
    assert made.read_text() == "user\n" and owners[0] == owners[1]


def test_stop_says_whether_there_was_anything_to_stop(embedded: Embedded) -> None:
    assert embedded.stop() is False
    embedded.start()
    pid = postmaster(embedded)
    assert Embedded(embedded.data).stop() is True
    assert embedded.status().state == "stopped"
    assert embedded.stop() is False
    assert not psutil.pid_exists(pid)


def test_the_app_may_be_killed(embedded: Embedded) -> None:
    with another_app(embedded.data) as (app, url):
        do(url, "CREATE TABLE kept AS SELECT 1 AS one")
        pid = postmaster(embedded)
        app.kill()
        app.wait()
    assert embedded.start() == url
    assert (postmaster(embedded), embedded.started_here) == (pid, False)
    assert ask(url, "SELECT one FROM kept") == 1


def test_a_killed_postmaster_loses_nothing_it_acknowledged(embedded: Embedded) -> None:
    url = embedded.start()
    do(url, "CREATE TABLE acts (number int PRIMARY KEY)")
    acknowledged: list[int] = []

    def write() -> None:
        with psycopg.connect(dsn(url), autocommit=True) as connection:
            for number in range(100_000):
                connection.execute("INSERT INTO acts VALUES (%s)", [number])
                acknowledged.append(number)

    def until_the_end() -> None:
        with pytest.raises(psycopg.OperationalError):
            write()

    for _ in range(3):
        acknowledged.clear()
        do(url, "TRUNCATE acts")
        writer = threading.Thread(target=until_the_end)
        writer.start()
        wait_until(lambda: len(acknowledged) > 50)
        os.kill(postmaster(embedded), signal.SIGKILL)
        writer.join()
        assert embedded.start() == url
        # The one insert under way may have been kept unacknowledged; every acknowledged one is there.
        assert ask(url, "SELECT count(*) FROM acts") in (len(acknowledged), len(acknowledged) + 1)


def test_a_zombie_postmaster_does_not_count_as_running(embedded: Embedded) -> None:
    with another_app(embedded.data) as (_, url):
        zombie = postmaster(embedded)
        os.kill(zombie, signal.SIGKILL)
        wait_until(lambda: psutil.Process(zombie).status() == psutil.STATUS_ZOMBIE)
        wait_until(lambda: embedded.status().state == "stopped")
        assert (embedded.cluster / "postmaster.pid").read_text().startswith(f"{zombie}\n")
        assert embedded.start() == url
        assert psutil.Process(zombie).status() == psutil.STATUS_ZOMBIE, "it must have been there all the time"
        assert postmaster(embedded) != zombie


def test_busy_orphans_of_a_killed_postmaster_are_ended_first(
    embedded: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    url = embedded.start()

    def spin() -> None:
        with pytest.raises(psycopg.OperationalError):
            do(url, "DO 'BEGIN LOOP END LOOP; END'")

    busy = threading.Thread(target=spin)
    busy.start()
    wait_until(lambda: ask(url, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %'") == 1)
    os.kill(postmaster(embedded), signal.SIGKILL)
    assert embedded.start() == url
    busy.join(timeout=5)
    assert not busy.is_alive()
    assert ask(url, "SELECT 1") == 1


def test_a_process_id_used_anew_by_somebody_else_is_no_postmaster(embedded: Embedded) -> None:
    url = embedded.start()
    old = (embedded.cluster / "postmaster.pid").read_text()
    embedded.stop()
    (embedded.cluster / "postmaster.pid").write_text(re.sub(r"^\d+", str(os.getpid()), old))
    assert embedded.start() == url


def test_a_lost_socket_is_mended(embedded: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    url = embedded.start()
    (embedded.cluster / module.SOCKET).unlink()
    assert embedded.status().state == "silent"
    assert Embedded(embedded.data).start() == url


def test_a_postgres_that_does_not_answer_is_named(embedded: Embedded) -> None:
    embedded.start()
    pid = postmaster(embedded)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(UserError, match=rf"\(process {pid}\) does not answer.*postgres\.log.*signet stop"):
            Embedded(embedded.data).start(deadline=1)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert Embedded(embedded.data).start()


def test_a_postgres_started_by_hand_is_not_run_over(embedded: Embedded) -> None:
    embedded.start()
    embedded.stop()
    owner = owner_of(embedded.data, embedded.cluster)
    programs = module.binaries(embedded.data, owner)
    by_hand = subprocess.Popen(
        [
            programs / "postgres",
            "-D",
            embedded.cluster,
            "-c",
            "listen_addresses=",
            "-k",
            embedded.cluster,
            "-p",
            "5433",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        **owner.switch(),
    )
    try:
        wait_until(lambda: (embedded.cluster / ".s.PGSQL.5433").exists())
        with pytest.raises(UserError, match=rf"process {by_hand.pid}"):
            Embedded(embedded.data).start(deadline=1)
    finally:
        by_hand.send_signal(signal.SIGINT)
        by_hand.wait()


def test_a_broken_database_gives_the_reason_at_once(embedded: Embedded) -> None:
    embedded.start()
    embedded.stop()
    (embedded.cluster / "postgresql.conf").write_text("no_such_setting = 1\n")
    began = time.monotonic()
    with pytest.raises(UserError, match=r"did not start .*postgresql\.conf.*contains errors") as first:
        embedded.start()
    assert time.monotonic() - began < 5
    with pytest.raises(UserError) as second:
        embedded.start()
    assert str(first.value) == str(second.value), "so that the log has it once a minute"


def test_another_major_version_is_refused(embedded: Embedded) -> None:
    embedded.start()
    embedded.stop()
    (embedded.cluster / "PG_VERSION").write_text("16\n")
    with pytest.raises(UserError, match="made by Postgres 16, but this Signet contains 18"):
        embedded.start()


def test_half_a_database_is_made_again(embedded: Embedded) -> None:
    (embedded.data / "postgres.new" / "base").mkdir(parents=True)
    assert ask(embedded.start(), "SELECT 1") == 1


def test_a_deep_folder_keeps_its_socket_elsewhere_and_private(place: Path) -> None:
    deep = place / ("long" * 20) / "data"
    deep.parent.mkdir()
    server = Embedded(deep)
    try:
        url = server.start()
        assert ask(url, "SELECT 1") == 1
        folder = Path(str(ask(url, "SHOW unix_socket_directories")).strip('"'))
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert place not in folder.parents
    finally:
        server.stop()
    folder.rmdir()


@as_root
def test_a_folder_the_system_user_cannot_reach_is_refused_and_left_alone(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(UserError, match=rf"{SYSTEM_USER} cannot enter {closed}\. Choose a folder it can reach"):
        Embedded(closed / "data").start()
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


@as_root
def test_programs_the_system_user_cannot_reach_are_copied(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = find_spec(WHEEL)
    assert spec is not None and spec.submodule_search_locations
    wheel = Path(spec.submodule_search_locations[0])
    hidden = place / "root-only"
    hidden.mkdir(mode=0o700)
    (hidden / WHEEL).mkdir()
    (hidden / WHEEL / "__init__.py").touch()
    shutil.copytree(wheel / "pginstall18", hidden / WHEEL / "pginstall18")
    shutil.copytree(wheel.with_name(f"{WHEEL}.libs"), hidden / f"{WHEEL}.libs")
    monkeypatch.syspath_prepend(hidden)
    monkeypatch.delitem(sys.modules, WHEEL, raising=False)
    server = Embedded(place / "data")
    try:
        assert ask(server.start(), "SELECT 1") == 1
        assert Path(psutil.Process(postmaster(server)).exe()).is_relative_to(place / "data" / "programs")
    finally:
        server.stop()
    assert stat.S_IMODE(hidden.stat().st_mode) == 0o700


AS_SOMEBODY = """
import os, pwd, sys
from pathlib import Path
from app.db.embedded import Embedded
somebody = pwd.getpwnam(sys.argv[2])
os.setgroups([]); os.setgid(somebody.pw_gid); os.setuid(somebody.pw_uid)
server = Embedded(Path(sys.argv[1]))
server.start()
print(server.status().state)
server.stop()
"""


@as_root
def test_it_runs_for_an_ordinary_user_and_then_for_root(place: Path) -> None:
    home = place / "home"
    home.mkdir()
    shutil.chown(home, "nobody")
    call = [sys.executable, "-c", AS_SOMEBODY, str(home / "data"), "nobody"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "running\n", done.stderr
    server = Embedded(home / "data")
    try:
        assert ask(server.start(), "SELECT current_user") == "signet"
        assert psutil.Process(postmaster(server)).username() == "nobody"
    finally:
        server.stop()


@as_root
def test_somebody_elses_database_is_refused(place: Path) -> None:
    theirs = place / "open"
    server = Embedded(theirs)
    server.start()
    server.stop()
    theirs.chmod(0o777)
    for name in ("postgres.starting", "postgres.alive"):
        (theirs / name).chmod(0o666)
    call = [sys.executable, "-c", AS_SOMEBODY, str(theirs), "nobody"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"belongs to the user {SYSTEM_USER}, but you are nobody" in done.stderr
