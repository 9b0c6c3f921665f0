"""Prints what Signet says to people: each page of every demo for each role, and the help of each command.

    python tools/texts.py [--all]   a line that an earlier page has is left out; with --all it is printed again

Plays every demo in the tests' database (`tests/web/test_crawl.py`) and every kind of scene (`test_every_page.py`).
Needs the extra `test`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.shown import helps  # noqa: E402

WALKS = ("tests/web/test_crawl.py", "tests/web/test_every_page.py")


def pages() -> Iterator[str]:
    """Yields the lines of all pages, each page below its address; raises SystemExit where a walk fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts")
        command = [sys.executable, "-m", "pytest", "--nightly", "-q", *WALKS]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, "SIGNET_TEXTS": str(file)}, stdout=sys.stderr, check=False
        )
        if done.returncode:
            raise SystemExit(done.returncode)
        yield from file.read_text(encoding="utf-8").splitlines()


def unread(lines: Iterable[str]) -> Iterator[str]:
    """Yields the lines without those that came before, and without addresses that have nothing new."""
    known: set[str] = set()
    address = ""
    for line in lines:
        if line.startswith("== "):
            address = line
        elif line not in known:
            known.add(line)
            if address:
                yield address
                address = ""
            yield line


def main(*options: str) -> None:
    lines = pages()
    for line in lines if "--all" in options else unread(lines):
        sys.stdout.write(f"{line}\n")
    for command, text in helps():
        sys.stdout.write(f"== {command}\n{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
