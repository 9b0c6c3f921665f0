"""What lies stored from earlier commits, laid into databases and brought to our tables."""

import base64
import json
import lzma
import tarfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from functools import cached_property
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

COMMITS = ("3730be3", "48aa516")
"""Oldest first."""


@dataclass(frozen=True)
class Stored:
    """A scene as it was, and what each of its people had read of it."""

    scene: uuid.UUID
    ruleset: str
    kind: str
    status: str
    told: dict[str, list[list[Any]]]
    steps: dict[str, list[str]]  # open steps, and who had sealed there

    def __repr__(self) -> str:
        return f"<{self.ruleset}/{self.kind}, {self.status}>"


@dataclass(frozen=True, eq=False)
class Era:
    """What is stored from one commit: files in the folder of its name, and what they tell."""

    commit: str

    @property
    def folder(self) -> Path:
        return Path(__file__).parent / self.commit

    @property
    def key(self) -> str:
        return (self.folder / "dump.key").read_text().strip()

    @cached_property
    def _said(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.unpacked("scenes.json.xz"))
        return found

    @property
    def ways_in(self) -> dict[str, Any]:
        """Tokens of links and cookies, and the ids of what lies beside the scenes of every kind."""
        found: dict[str, Any] = self._said["ways_in"]
        return found

    @cached_property
    def scenes(self) -> list[Stored]:
        names = [field.name for field in fields(Stored)][1:]
        return [Stored(uuid.UUID(one["scene"]), *(one[name] for name in names)) for one in self._said["scenes"]]

    def of(self, status: str) -> list[Stored]:
        return [one for one in self.scenes if one.status == status]

    @cached_property
    def receipts(self) -> dict[str, Receipts]:
        """Every stored file of receipts by what it is of, and who got it: `duel-duel-over-ann`, `without-ann`."""
        with tarfile.open(self.folder / "receipts.tar.xz") as tar:
            files = {one.name: tar.extractfile(one) for one in tar.getmembers()}
            return {name.removesuffix(".jsonl"): parse(file.read().decode()) for name, file in files.items() if file}

    def of_spectator(self, one: Stored) -> Receipts:
        return self.receipts[f"{one.ruleset}-{one.kind}-{one.status}-sam"]

    def unpacked(self, name: str) -> str:
        return lzma.decompress((self.folder / name).read_bytes()).decode()


ERAS = {commit: Era(commit) for commit in COMMITS}


@pytest.fixture(scope="session", params=COMMITS)
def era(request: pytest.FixtureRequest) -> Era:
    return ERAS[request.param]


def settings(url: str, key: str) -> Settings:
    return Settings(database_url=url, key=key, pool_size=5, pool_overflow=25)


@pytest.fixture(scope="session")
def restored(postgres_url: str, era: Era) -> Iterator[str]:
    """A database into which the dump was laid, with our migrations behind it; for looking at, not for playing."""
    with _database(postgres_url) as url:
        with psycopg.connect(url) as connection:
            connection.execute(era.unpacked("dump.sql.xz").encode())
        migrate(url)
        yield url


@pytest.fixture
def copied(postgres_url: str, restored: str) -> Iterator[str]:
    """A copy of that database, to play on; dropped afterwards."""
    with _database(postgres_url, f"TEMPLATE {make_url(restored).database}") as url:
        yield url


@dataclass
class Then:
    """The stored campaign and its people, with a runtime of today."""

    era: Era
    runtime: Runtime
    campaign: Campaign
    people: dict[str, Member]


async def found(era: Era, runtime: Runtime) -> Then:
    async with runtime.sessions() as session:
        campaign = (await session.scalars(select(Campaign).where(Campaign.slug == era.ways_in["campaign"]))).one()
        rows = await session.scalars(select(Member).where(Member.campaign_id == campaign.id))
        return Then(era, runtime, campaign, {member.handle: member for member in rows})


@asynccontextmanager
async def housed(url: str, key: str) -> AsyncIterator[Runtime]:
    engine = make_engine(url)
    bus = PostgresBus(url)
    yield Runtime(
        async_sessionmaker(engine, expire_on_commit=False), Vault([base64.b64decode(key)]), bus, decisions.after
    )
    await bus.close()
    await engine.dispose()


@pytest.fixture
async def then(era: Era, restored: str) -> AsyncIterator[Then]:
    async with housed(restored, era.key) as runtime:
        yield await found(era, runtime)


@pytest.fixture
async def once_more(era: Era, copied: str) -> AsyncIterator[Then]:
    async with housed(copied, era.key) as runtime:
        yield await found(era, runtime)
