"""A worker is killed at each point around the reveal: nothing acknowledged is lost, nothing is half done or doubled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.failpoints import POINTS, armed
from tests.kills.cluster import Cluster
from tests.kills.conftest import TIMES
from tests.kills.fork_server import Nursery
from tests.kills.stage import Stage
from tests.kills.workers import Battlefield
from tests.selection import nightly
from tests.server import ROOT

pytestmark = [pytest.mark.anyio, pytest.mark.embedded]

KILLED_AT = POINTS if nightly() else ("envelope-written", "events-written")
"""With a commit a seal and a closing are killed, by night every point of both."""


async def test_kill_9_of_a_worker_at_each_point(cluster: Cluster, nursery: Nursery, tmp_path: Path) -> None:
    stage = await Stage.build(cluster.url)
    field = Battlefield(stage, nursery, tmp_path, KILLED_AT)
    try:
        await stage.learn(field.neighbour.url)
        for _ in range(TIMES):
            await field.round()
        assert {point: figures.kills for point, figures in field.figures.items()} == dict.fromkeys(KILLED_AT, TIMES)
        assert await field.lost() == [] and await stage.stuck_or_waiting() == []
        slow = {point: (f.usual, max(f.read_sessions)) for point, f in field.figures.items() if f.slow}
        assert slow == {} or not nightly(), "pages are true one second after they are connected again"
    finally:
        field.close()
        await stage.close()


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"SIGNET_FAILPOINT": "before-commit"},
        {"SIGNET_FAILPOINT": "before-commit", "SIGNET_FAILPOINTS_ALLOWED": "no"},
        {"SIGNET_FAILPOINTS_ALLOWED": "yes"},
    ],
)
def test_points_do_nothing_unless_both_variables_say_so(env: dict[str, str]) -> None:
    """In a process of its own: were it wrong, the process would not come to its last word."""
    program = "from app import failpoints\nfor p in failpoints.POINTS: failpoints.hit(p)\nprint('alive')"
    clean = {name: value for name, value in os.environ.items() if "FAILPOINT" not in name}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=clean | env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "alive\n", done.stderr
    assert ("does nothing without SIGNET_FAILPOINTS_ALLOWED=yes" in done.stderr) == ("SIGNET_FAILPOINT" in env)


def test_a_point_that_is_not_there_is_no_point() -> None:
    with pytest.raises(ValueError, match="scene-locked, envelope-written"):
        armed({"SIGNET_FAILPOINT": "somewhere", "SIGNET_FAILPOINTS_ALLOWED": "yes"})
