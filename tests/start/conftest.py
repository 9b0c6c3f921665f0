"""Folders and databases for the tests of starting: real ones, gone afterwards."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.db.embedded import Embedded


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that Postgres' system user can walk into when the tests run as root (pytest's own are closed)."""
    folder = Path(tempfile.mkdtemp(prefix="signet-"))
    if os.geteuid() == 0:
        folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def embedded(place: Path) -> Iterator[Embedded]:
    """A Postgres not yet started, and surely stopped afterwards."""
    server = Embedded(place / "data")
    yield server
    server.stop()
