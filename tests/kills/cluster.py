"""A Postgres of the kill tests' own, with real durability, that can be killed and started again."""

import os
import signal
import tempfile
from pathlib import Path

import psutil

from app.db.embedded import Embedded
from app.db.engine import migrate


class Cluster:
    def __init__(self, place: Path) -> None:
        self.embedded = Embedded(place / "pg")
        self.url = ""

    def start(self) -> "Cluster":
        self.url = self.embedded.start()
        return self

    def make_tables(self) -> None:
        migrate(self.url)

    def kill(self) -> int:
        """kill -9 of the postmaster and of every process it has; returns how many there were."""
        postmaster = psutil.Process(int((self.embedded.cluster / "postmaster.pid").read_text().split()[0]))
        assert "postgres" in postmaster.name()
        processes = [postmaster, *postmaster.children(recursive=True)]
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
        return len(processes)

    def stop(self) -> None:
        self.embedded.stop()


def place_for_one() -> tempfile.TemporaryDirectory[str]:
    """A folder that Postgres' own user can reach, when we are root."""
    place = tempfile.TemporaryDirectory(prefix="sgk", ignore_cleanup_errors=True)
    os.chmod(place.name, 0o755)
    return place
