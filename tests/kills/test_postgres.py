"""Postgres is killed while workers stand at each point: they answer in words, find it again, and nothing is lost."""

from pathlib import Path

import pytest

from app.failpoints import POINTS
from tests.kills.cluster import Cluster
from tests.kills.conftest import TIMES
from tests.kills.fork_server import Nursery
from tests.kills.postgres import Collapse
from tests.kills.stage import Stage
from tests.selection import nightly

pytestmark = [pytest.mark.anyio, pytest.mark.embedded, pytest.mark.nightly]


async def test_kill_9_of_postgres_at_each_point(cluster: Cluster, nursery: Nursery, tmp_path: Path) -> None:
    stage = await Stage.build(cluster.url)
    collapse = Collapse(stage, cluster, nursery, tmp_path)
    try:
        await stage.learn(collapse.held[0].worker.url)
        for _ in range(TIMES):
            await collapse.round()
        assert {point: figures.kills for point, figures in collapse.figures.items()} == dict.fromkeys(POINTS, TIMES)
        assert await collapse.lost() == [] and await stage.stuck_or_waiting() == []
        slow = {point: (f.usual, max(f.read_sessions)) for point, f in collapse.figures.items() if f.slow}
        assert slow == {} or not nightly(), "pages are true one second after the database is there again"
        log = nursery.log.read_text()
        assert "Traceback" not in log and "I shout" not in log and "is stuck" not in log
    finally:
        collapse.close()
        await stage.close()
