"""Kills workers and Postgres at each point so many times: `python -m tests.kills --times 100`."""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.kills.cluster import Cluster, place_for_one
from tests.kills.fork_server import Nursery
from tests.kills.postgres import Collapse
from tests.kills.stage import Stage
from tests.kills.workers import Battlefield


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def run(cluster: Cluster, nursery: Nursery, place: Path, times: int) -> None:
    stage = await Stage.build(cluster.url)
    try:
        field = Battlefield(stage, nursery, place)
        await stage.learn(field.neighbour.url)
        await rounds("a worker", stage, field, times)
        await rounds("Postgres", stage, Collapse(stage, cluster, nursery, place), times)
    finally:
        await stage.close()


async def rounds(what: str, stage: Stage, killing: Battlefield | Collapse, times: int) -> None:
    """So many kills at each point, and what came of them as a table."""
    try:
        for _ in range(times):
            await killing.round()
        lost, left = await killing.lost(), await stage.stuck_or_waiting()
    finally:
        killing.close()
    say(f"\n| kill -9 of {what} at | kills | press kept | acknowledged | lost | page true after: nine of ten | all |")
    say("|---|---|---|---|---|---|---|")
    for point, f in killing.figures.items():
        gone = sum(seal in lost for seal in f.seals)
        say(f"| {point} | {f.kills} | {f.kept} | {f.acknowledged} | {gone} | {f.usual:.2f} s | {max(f.waits):.2f} s |")
    assert not lost and not left, f"lost: {lost}; left behind: {left}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="kills at each point (100)")
    times = parser.parse_args().times
    with place_for_one() as folder, tempfile.TemporaryDirectory() as place:
        begun = time.monotonic()
        cluster = Cluster(Path(folder)).start()
        try:
            cluster.make_tables()
            nursery = Nursery(cluster.url, Path(place) / "workers.log")
            try:
                asyncio.run(run(cluster, nursery, Path(place), times))
            finally:
                nursery.close()
        finally:
            cluster.stop()
        say(f"\n{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
