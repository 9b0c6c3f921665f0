"""A log that cannot be written: reported once, and once when it can be written again; nothing is printed for each line.

The full disk is `/dev/full`, behind a link that is replaced by a real folder's file when there is room again.
"""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.observability import handlers, logs

SECRET = "s3cret-words-of-alice"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.symlink_to("/dev/full")
    return path


@pytest.fixture
def handler(file: Path) -> Iterator[handlers.File]:
    handler = handlers.File(file, maxBytes=5_000_000, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logs.Door("json"))
    yield handler
    handler.close()


def say(handler: logging.Handler, text: str = SECRET) -> None:
    handler.handle(logging.LogRecord("signet.web", logging.INFO, "x.py", 1, text, (), None))


def test_a_full_disk_is_reported_in_one_line_and_so_is_its_end(
    file: Path, handler: handlers.File, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(1000):
        say(handler)
    (said,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert said["event"] == f"The log {file} cannot be written (No space left on device). Signet goes on without it."
    file.unlink()
    file.write_text("half a li")
    for number in range(3):
        say(handler, f"line {number}")
    (over,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert over["event"] == f"The log {file} can be written again. Lines that are missing: 1000."
    half, *lines = file.read_text().splitlines()
    events = [json.loads(line)["event"] for line in lines]
    assert half == "half a li" and events == ["line 0", over["event"], "line 1", "line 2"]


def test_a_disk_that_is_full_now_and_then_is_reported_once_a_minute(
    file: Path, handler: handlers.File, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 1000.0
    handler.clock = lambda: now
    for _ in range(20):
        say(handler)
        file.unlink()
        say(handler)
        handler.close()  # so that it is opened anew
        file.unlink()
        file.symlink_to("/dev/full")
    assert len(capsys.readouterr().err.splitlines()) == 2
    now += handlers.SAME
    say(handler)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_terminal_that_takes_nothing_stops_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    """`signet serve 2>log` on a full disk."""
    with open("/dev/full", "wb", buffering=0) as full:
        handler = handlers.Terminal(io.TextIOWrapper(full, write_through=True))
        handler.setFormatter(logs.Door("json"))
        for _ in range(100):
            say(handler)
    assert capsys.readouterr().err == ""


def test_both_handlers_of_a_server_are_ours(tmp_path: Path) -> None:
    given = logs.config("lines", tmp_path / "log")["handlers"]
    assert {one["class"].rpartition(".")[0] for one in given.values()} == {handlers.__name__}
