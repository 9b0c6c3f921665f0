"""Folders and databases for the tests of starting: real ones, gone afterwards."""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from app.db.embedded import Embedded
from app.db.engine import normal_url


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


@pytest.fixture
def empty_db(postgres_url: str) -> Iterator[str]:
    """A new database with nothing in it, on the server under test; dropped afterwards."""
    name = f"signet_e_{uuid.uuid4().hex[:10]}"
    server = make_url(postgres_url).set(drivername="postgresql", database="postgres")
    with psycopg.connect(server.render_as_string(hide_password=False), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
        yield normal_url(postgres_url).set(database=name).render_as_string(hide_password=False)
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
