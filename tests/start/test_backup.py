"""Copies of the database: made before a migration, private, and good enough to play on."""

import asyncio
import base64
import os
import re
import stat
import subprocess
import sys
import uuid
from pathlib import Path

import httpx2
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import insert, make_url, text

from app.cli import _in_session
from app.crypto.vault import Vault
from app.db.engine import alembic_config, database_revisions, migrate, sync_engine
from app.errors import UserError
from app.main import create_app
from app.models.people import Campaign
from app.ops import backup
from app.play.demo import ensure_demo
from app.settings import Settings
from tests.server import KEY
from tests.start.test_cli import fails, signet

WRITTEN_KEY = base64.b64encode(KEY).decode()


def settings(url: str, place: Path, **more: object) -> Settings:
    given = {"database_url": url, "key": WRITTEN_KEY, "backups": place, **more}
    return Settings(**given)  # type: ignore[arg-type]


def at(url: str) -> str | None:
    engine = sync_engine(url)
    with engine.connect() as connection:
        here, _ = database_revisions(connection)
    engine.dispose()
    return here


@pytest.fixture
def behind(empty_db_url: str) -> str:
    """A database that the Signet before this one made."""
    _, before, *_ = [one.revision for one in ScriptDirectory.from_config(alembic_config()).walk_revisions()]
    config = alembic_config()
    engine = sync_engine(empty_db_url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, before)
        row = {"id": uuid.uuid4(), "slug": "old", "title": "Old", "about": "", "settings": {}, "demo": False}
        connection.execute(insert(Campaign), row)
    engine.dispose()
    return empty_db_url


@pytest.mark.postgres
def test_a_migration_copies_the_database_as_it_was(behind: str, second_db_url: str, tmp_path: Path) -> None:
    before = at(behind)
    done = signet("migrate", DATABASE_URL=behind, SIGNET_BACKUPS=str(tmp_path / "kept"))
    assert done.returncode == 0, done.stderr
    (copy,) = backup.copies(tmp_path / "kept")
    assert f"Database backup: {copy}\n" in done.stdout
    assert copy.name.endswith(f"-{before}.dump")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    assert at(behind) != before

    backup.restore(settings(second_db_url, tmp_path), copy)
    assert at(second_db_url) == before, "the copy was made before anything changed"
    migrate(second_db_url)

    again = signet("migrate", DATABASE_URL=behind, SIGNET_BACKUPS=str(tmp_path / "kept"))
    assert again.stdout == "The tables are up to date.\n" and backup.copies(tmp_path / "kept") == [copy]


def test_nothing_is_migrated_where_no_copy_can_be_made(
    behind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = at(behind)
    old = tmp_path / "bin" / "pg_dump"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.1'\n")
    old.chmod(0o755)
    monkeypatch.setattr(backup, "shipped", lambda: None)
    monkeypatch.setattr(backup, "ELSEWHERE", tmp_path)
    monkeypatch.setenv("PATH", str(old.parent), prepend=os.pathsep)
    given = settings(behind, tmp_path / "kept")
    with pytest.raises(
        UserError, match=r"needs `pg_dump` of Postgres \d+ or newer, and the one here is of version 9\..*--no-dump"
    ):
        migrate(behind, backup.before_migration(given))
    old.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="there is none here"):
        migrate(behind, backup.before_migration(given))
    assert at(behind) == before

    (tmp_path / "file").touch()
    monkeypatch.undo()
    with pytest.raises(UserError, match="SIGNET_BACKUPS"):
        migrate(behind, backup.before_migration(settings(behind, tmp_path / "file" / "kept")))
    assert at(behind) == before
    assert signet("migrate", "--no-dump", DATABASE_URL=behind, SIGNET_BACKUPS=str(tmp_path / "file")).returncode == 0
    assert at(behind) != before


def test_the_last_copies_stay_and_strangers_files_too(behind: str, tmp_path: Path) -> None:
    for name in ("signet-20200101T000000Z-0001.dump", "signet-20210101T000000Z-0001.dump", "signet-mine.dump", "other"):
        (tmp_path / name).touch()
    made = backup.make(settings(behind, tmp_path, backups_kept=2, backups_nights=3650))
    assert {path.name for path in tmp_path.iterdir()} == {
        "signet-20210101T000000Z-0001.dump",
        "signet-mine.dump",
        "other",
        made.name,
    }


def test_a_failed_copy_leaves_nothing_and_tells_no_secret(
    behind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that fails halfway and quotes a row, as Postgres does in the lines after its first."""
    tool = tmp_path / "bin" / "pg_dump"
    tool.parent.mkdir()
    tool.write_text(
        "#!/bin/sh\n"
        '[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.1" && exit\n'
        f'echo "$@" >{tmp_path}/said\n'
        'for word; do case $word in --file=*) echo half >"${word#--file=}";; esac; done\n'
        "echo 'pg_dump: error: it broke' >&2; echo 'DETAIL: s3cret row' >&2; exit 1\n"
    )
    tool.chmod(0o755)
    monkeypatch.setattr(backup, "shipped", lambda: None)
    monkeypatch.setattr(backup, "ELSEWHERE", tmp_path)
    monkeypatch.setenv("PATH", str(tool.parent))
    knocking = make_url(behind).update_query_dict({"password": "pa55word"})
    given = settings(knocking.render_as_string(hide_password=False), tmp_path / "kept")
    with pytest.raises(UserError, match=r"pg_dump failed, and nothing was changed: pg_dump: error: it broke$"):
        backup.make(given)
    assert list((tmp_path / "kept").iterdir()) == []
    call = (tmp_path / "said").read_text()
    assert "--dbname=" in call and "--file=" in call and "pa55word" not in call


@pytest.mark.postgres
def test_signet_plays_on_from_a_copy(empty_db_url: str, second_db_url: str, tmp_path: Path) -> None:
    """What docs/hosting.md says to do: dump, an empty database, restore, serve."""
    migrate(empty_db_url)
    links = _in_session(empty_db_url, lambda session: ensure_demo(session, Vault([KEY])))
    ours = {"SIGNET_KEY": WRITTEN_KEY, "SIGNET_BACKUPS": str(tmp_path)}
    dumped = signet("dump", DATABASE_URL=empty_db_url, **ours)
    copy = Path(dumped.stdout.strip())
    assert copy.is_file(), dumped.stderr

    fails(signet("restore", copy, DATABASE_URL=empty_db_url, **ours), 1, "not empty")
    fails(signet("restore", tmp_path / "gone", DATABASE_URL=second_db_url, **ours), 2, "There is no .*gone")
    done = signet("restore", copy, DATABASE_URL=second_db_url, **ours)
    assert (done.returncode, done.stdout) == (0, "The backup is restored and its tables are up to date.\n"), done.stderr
    asyncio.run(_alice_plays_on(second_db_url, links[1][1].rsplit("/", 1)[1]))


async def _alice_plays_on(url: str, token: str) -> None:
    app = create_app(Settings(database_url=url, key=WRITTEN_KEY))  # type: ignore[arg-type]
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://a.test", follow_redirects=True) as alice:
            alice.headers["Sec-Fetch-Site"] = "same-origin"
            home = await alice.post("/c/the-goblin-road/alice/enter", data={"_token": token})
            scene = re.search(r"/scene/[0-9a-f-]{36}", home.text)
            assert scene, home.text[:2000]
            page = await alice.get(f"/c/the-goblin-road/alice{scene[0]}")
            assert page.status_code == 200 and "Goblin" in page.text


@pytest.mark.nightly
def test_a_copy_without_its_key_is_told_at_once(empty_db_url: str, second_db_url: str, tmp_path: Path) -> None:
    migrate(empty_db_url)
    _in_session(empty_db_url, lambda session: ensure_demo(session, Vault([KEY])))
    copy = backup.make(settings(empty_db_url, tmp_path))
    other = base64.b64encode(b"another key of thirty-two bytes!").decode()
    done = signet("restore", copy, DATABASE_URL=second_db_url, SIGNET_KEY=other)
    assert done.returncode == 1
    assert "Sealed envelopes need a key that is missing here" in done.stdout


@pytest.mark.nightly
def test_a_copy_by_a_newer_tool_can_be_read_back(
    empty_db_url: str, second_db_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of version 15 where only the wheel's tools are at hand."""
    migrate(empty_db_url)
    _in_session(empty_db_url, lambda session: ensure_demo(session, Vault([KEY])))
    monkeypatch.setattr(backup, "ELSEWHERE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    copy = backup.make(settings(empty_db_url, tmp_path))
    backup.restore(settings(second_db_url, tmp_path), copy)
    assert at(second_db_url) == at(empty_db_url)
    engine = sync_engine(second_db_url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM members")) == 5
        assert connection.scalar(text("SELECT count(*) FROM scenes")) == 1
    engine.dispose()

    with sync_engine(second_db_url).begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    with pytest.raises(UserError, match=r"cannot be read|pg_restore failed"):
        backup.restore(settings(second_db_url, tmp_path), copy)
    with sync_engine(second_db_url).connect() as connection:
        tables = connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
        assert tables == 0, "all of it, or nothing"


@pytest.mark.nightly
@pytest.mark.embedded
def test_the_own_database_brings_its_own_tools(place: Path) -> None:
    data, again = place / "data", place / "again"
    assert signet("migrate", "--data", data).returncode == 0
    dumped = subprocess.run(
        [sys.executable, "-m", "app.cli", "dump", "--data", str(data)],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/nowhere", "HOME": str(place)},
        cwd=Path(__file__).parents[2],
    )
    copy = Path(dumped.stdout.strip())
    assert copy.parent == data / "backups", dumped.stderr
    again.mkdir()
    (again / "key").write_text((data / "key").read_text())
    done = signet("restore", copy, "--data", again)
    assert done.returncode == 0, done.stdout + done.stderr
    assert signet("doctor", "--data", again).stdout.endswith("Everything is in order.\n")
