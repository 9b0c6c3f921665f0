"""Whatever Signet stores can be read by nobody but the user who runs it, with any umask."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.db.embedded import make_private
from app.observability import handlers
from app.ops import backup
from app.ops.local_install import Household
from app.settings import Settings


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The modes of a folder, as ".", and of all that is in it."""
    found = {".": folder} | {str(path.relative_to(folder)): path for path in folder.rglob("*")}
    return {name: oct(stat.S_IMODE(path.lstat().st_mode)) for name, path in found.items()}


def logged(file: Path) -> None:
    handler = handlers.File(file, delay=True)
    handler.handle(logging.makeLogRecord({"msg": "a line"}))
    handler.close()


@pytest.mark.embedded
@pytest.mark.usefixtures("open_umask")
def test_all_that_a_server_makes_is_private(place: Path) -> None:
    home = Household(place / "new" / "data")
    try:
        with home.held():
            settings = home.settings(Settings(), home.open())
            logged(home.log)
            backup.make(settings)
    finally:
        home.embedded.stop()
    found = modes(home.data)
    assert found.pop(".") == (oct(0o710) if os.geteuid() == 0 else oct(0o700))
    assert {"key", "signet.log", "playing", "playing.lock", "postgres.log", "postgres", "backups"} <= set(found)
    mine = {name: mode for name, mode in found.items() if name.partition("/")[0] != "programs"}
    assert {name: mode for name, mode in mine.items() if mode not in (oct(0o600), oct(0o700))} == {}
    assert modes(place / "new")["."] == oct(0o755), "others can enter it, as the database's own user must"


def test_what_an_older_signet_left_open_is_closed(tmp_path: Path) -> None:
    data, shared = tmp_path / "data", tmp_path / "shared"
    for folder in (data, shared):
        folder.mkdir(mode=0o755)
        for name in ("signet.log", "signet.log.1", "playing", "key"):
            (folder / name).touch(0o644)
    (shared / "my letters").touch(0o644)
    (data / "signet.log.2").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").touch(0o644)
    make_private(data)
    make_private(shared)
    assert {mode for name, mode in modes(data).items() if name not in (".", "signet.log.2")} == {oct(0o600)}
    assert modes(data)["."] == oct(0o700) and oct(stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode)) == oct(0o644)
    there = modes(shared)
    assert there["."] == oct(0o755) and there["my letters"] == oct(0o644), "not Signet's"
    assert there["signet.log"] == there["key"] == oct(0o600)
    logged(shared / "other")
    assert modes(shared)["other"] == oct(0o600)
