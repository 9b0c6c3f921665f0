"""A Postgres of these tests' own, and a process that forks workers on it. Both are killed as one pleases."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kills.cluster import Cluster, place_for_one
from tests.kills.fork_server import Nursery
from tests.selection import nightly

TIMES = int(os.environ.get("SIGNET_KILLS") or (10 if nightly() else 1))
"""Kills at each point; `python -m tests.kills` makes a hundred."""


@pytest.fixture(scope="package")
def cluster() -> Iterator[Cluster]:
    with place_for_one() as place:
        cluster = Cluster(Path(place)).start()
        try:
            cluster.make_tables()
            yield cluster
        finally:
            cluster.stop()


@pytest.fixture(scope="package")
def nursery(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    nursery = Nursery(cluster.url, tmp_path_factory.mktemp("nursery") / "workers.log")
    yield nursery
    nursery.close()
