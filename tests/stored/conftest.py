"""What lies stored from an earlier commit, laid into a database and brought to our tables."""

import base64
import json
import lzma
import tarfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url, select
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.crypto.vault import Vault
from app.db.engine import make_engine, migrate
from app.models.people import Campaign, Member
from app.play import decisions
from app.receipts.file import Receipts, parse
from app.settings import Settings
from app.table.bus import PostgresBus
from app.table.runtime import Runtime
from tests.conftest import _database

THEN = Path(__file__).parent / "3730be3"
KEY = (THEN / "dump.key").read_text().strip()


def _unpacked(name: str) -> str:
    return lzma.decompress((THEN / name).read_bytes()).decode()


SAID: dict[str, Any] = json.loads(_unpacked("scenes.json.xz"))
WAYS_IN: dict[str, Any] = SAID["ways_in"]


@dataclass(frozen=True)
class Stored:
    """A scene as it was, and what each of its people had read of it."""

    scene: uuid.UUID
    ruleset: str
    kind: str
    status: str
    told: dict[str, list[list[Any]]]
    steps: dict[str, list[str]]  # open steps, and who had sealed there
    late: str  # whoever came in while it was played

    def __repr__(self) -> str:
        return f"<{self.ruleset}/{self.kind}, {self.status}>"


SCENES = [
    Stored(uuid.UUID(one["scene"]), *(one[name] for name in ("ruleset", "kind", "status", "told", "steps", "late")))
    for one in SAID["scenes"]
]


def receipts() -> dict[str, Receipts]:
    """Every stored file of receipts: `ruleset-kind-status-who`."""
    with tarfile.open(THEN / "receipts.tar.xz") as tar:
        files = {one.name: tar.extractfile(one) for one in tar.getmembers()}
        return {name.removesuffix(".jsonl"): parse(file.read().decode()) for name, file in files.items() if file}


def settings(url: str, key: str = KEY) -> Settings:
    return Settings(database_url=url, key=key, pool_size=5, pool_overflow=25)


@pytest.fixture(scope="session")
def restored(postgres_url: str) -> Iterator[str]:
    """A database into which the dump was laid, with our migrations behind it; for looking at, not for playing."""
    with _database(postgres_url) as url:
        with psycopg.connect(url) as connection:
            connection.execute(_unpacked("dump.sql.xz").encode())
        migrate(url)
        yield url


@pytest.fixture
def copied(postgres_url: str, restored: str) -> Iterator[str]:
    """A copy of that database, to play on; dropped afterwards."""
    with _database(postgres_url, f"TEMPLATE {make_url(restored).database}") as url:
        yield url


@dataclass
class Then:
    """The stored campaign and its people, in a house of today."""

    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]


async def found(runtime: Runtime) -> Then:
    async with runtime.sessions() as session:
        campaign = (await session.scalars(select(Campaign).where(Campaign.slug == WAYS_IN["campaign"]))).one()
        rows = await session.scalars(select(Member).where(Member.campaign_id == campaign.id))
        return Then(runtime, campaign, {member.handle: member for member in rows})


@asynccontextmanager
async def housed(url: str, key: str = KEY) -> AsyncIterator[Runtime]:
    engine = make_engine(url)
    bus = PostgresBus(url)
    yield Runtime(
        async_sessionmaker(engine, expire_on_commit=False), Vault([base64.b64decode(key)]), bus, decisions.after
    )
    await bus.close()
    await engine.dispose()


@pytest.fixture
async def then(restored: str) -> AsyncIterator[Then]:
    async with housed(restored) as runtime:
        yield await found(runtime)


@pytest.fixture
async def once_more(copied: str) -> AsyncIterator[Then]:
    async with housed(copied) as runtime:
        yield await found(runtime)
