"""docs/hosting.md does what it says: its blocks are run as they stand, and it leaves no setting out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from app.cli import _in_session
from app.crypto.columns import key_names
from app.crypto.vault import Vault, key_name
from app.db.engine import sync_engine
from app.play.demo import ensure_demo
from app.settings import Settings, read_keys
from app.web.http import limits
from tests.start.playing import ROOT, environment

PAGE = (ROOT / "docs/hosting.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.nightly
def test_the_servers_life_as_the_page_tells_it(empty_db_url: str, second_db_url: str, tmp_path: Path) -> None:
    """Set up, play, back up, restore, change the key: one shell from the first block to the last."""
    (tmp_path / "bin").mkdir()
    signet = tmp_path / "bin" / "signet"
    signet.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m app.cli "$@"\n')
    signet.chmod(0o755)
    ours = environment(DATABASE_URL=empty_db_url, NEW_DATABASE_URL=second_db_url)
    ours["PATH"] = f"{signet.parent}:{os.environ['PATH']}"
    ours["SIGNET_DATA"] = str(tmp_path / "data")
    set_up, back_up, restored, new_key = BLOCKS

    def run(*blocks: str) -> str:
        script = "\n".join(["set -eu", *blocks])
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=ours, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout

    said = run(set_up)
    assert "Everything is in order." in said
    assert re.search(r"^https://signet\.example\.org/new/[A-Za-z0-9_-]{43}$", said, re.MULTILINE)
    assert (tmp_path / "secrets/key").stat().st_mode & 0o077 == 0
    old = read_keys((tmp_path / "secrets/key").read_text(), "it")
    _in_session(empty_db_url, lambda session: ensure_demo(session, Vault(old)))

    settings = set_up[set_up.index("export ") :].split("\nsignet")[0]
    said = run(settings, back_up, restored)
    assert "The backup is restored" in said and "Everything is in order." in said
    assert (tmp_path / "key-kept-elsewhere").read_text() == (tmp_path / "secrets/key").read_text()

    said = run(settings, new_key)
    assert "Everything is encrypted with the first key." in said and "Everything is in order." in said
    (new,) = read_keys((tmp_path / "secrets/key").read_text(), "it")
    assert new != old[0]
    assert _keys_in_use(empty_db_url) == {key_name(new)} and _keys_in_use(second_db_url) == {key_name(old[0])}


def _keys_in_use(url: str) -> set[bytes]:
    engine = sync_engine(url)
    try:
        with engine.connect() as connection:
            return {bytes(name) for query in key_names() for name in connection.scalars(text(query))}
    finally:
        engine.dispose()


def test_every_setting_is_on_the_page_and_nothing_else() -> None:
    known = {f"SIGNET_{name.upper()}" for name in Settings.model_fields} - {"SIGNET_DATABASE_URL"}
    told = set(re.findall(r"`(SIGNET_[A-Z_]+)`", PAGE))
    assert told == known


def test_the_figures_on_the_page_are_the_programs() -> None:
    table = PAGE[PAGE.index("## Settings") : PAGE.index("## Health and metrics")]
    given = Settings(database_url=None)
    numbers = (given.acts_per_minute, given.streams_per_member, given.streams_per_address)
    for number in (*numbers, given.backups_kept, given.backups_nights):
        assert re.search(rf"\b{number}\b", table), number
    rates = re.sub(r"\s+", " ", table[table.index("**Limits**") :])
    assert f"{limits.FOUND.times} campaigns and tutorials an hour" in rates and limits.FOUND.seconds == 3600
    assert f"{limits.LOOK.times} looks at links a minute" in rates and limits.LOOK.seconds == 60
    assert f"{limits.JOIN.times} joinings and {limits.CODE.times} codes in ten minutes" in rates
    assert limits.JOIN.seconds == limits.CODE.seconds == 600
