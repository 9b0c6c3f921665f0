"""A worker that stands still at one point for as long as the test likes."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from tests.kills.fork_server import Nursery, Worker


@dataclass
class Held:
    """A worker that stops at one point when the pipes are there."""

    point: str
    worker: Worker
    folder: Path

    @classmethod
    def start(cls, nursery: Nursery, point: str, place: Path) -> "Held":
        return cls(point, nursery.worker(SIGNET_FAILPOINT=f"{point}@{place / point}"), place / point)

    def lay_pipes(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for name in ("go", "reached"):
            (self.folder / name).unlink(missing_ok=True)
            os.mkfifo(self.folder / name)

    async def reached(self) -> None:
        async with asyncio.timeout(20):
            said = await asyncio.to_thread((self.folder / "reached").read_text)
        assert said == self.point
        (self.folder / "reached").unlink()

    def go(self) -> None:
        (self.folder / "go").write_bytes(b"")
