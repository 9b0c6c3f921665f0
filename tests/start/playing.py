"""A `signet play` as a real process, driven by its terminal and its signals."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.ops.local_install import listen
from tests.forking import program

ROOT = Path(__file__).parents[2]
OURS = ("DATABASE_URL", "SIGNET_DATABASE_URL", "SIGNET_KEY", "SIGNET_KEY_FILE", "SIGNET_PUBLIC_URL", "SIGNET_DATA")
SIGNET = (sys.executable, "-u", "-m", "app.cli")


def command(*words: str | Path) -> list[str]:
    """`signet` with these words, started fast."""
    return program("app.cli", *words)


def environment(**more: str) -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if name not in OURS}, **more}


def free_port() -> int:
    with listen("127.0.0.1", 21000 + os.getpid() % 1000) as found:
        return int(found.getsockname()[1])


class Playing:
    """One `signet play`, and what it has said so far."""

    def __init__(self, data: Path, port: int, signet: Sequence[str | Path] = SIGNET, cwd: Path = ROOT) -> None:
        call = [*signet, "play", "--data", data, "--port", str(port), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            call, cwd=cwd, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C stops" in line:
                break

    @property
    def links(self) -> list[str]:
        return re.findall(r"http://127\.0\.0\.1:\d+/\S*", self.said)

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal, read what is still said, and give the exit code."""
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=30)
        self.said += out
        return self.process.returncode


@contextmanager
def playing(data: Path, signet: Sequence[str | Path] = SIGNET, cwd: Path = ROOT) -> Iterator[Playing]:
    """One that is ready, and surely gone afterwards; its database is the caller's to stop."""
    run = Playing(data, free_port(), signet, cwd)
    try:
        assert "Signet is ready." in run.said, run.said
        yield run
    finally:
        run.process.kill()
        run.process.wait()
        assert run.process.stdout is not None
        run.process.stdout.close()
