"""The log's door: what may pass, and that nothing else does, from wherever it comes."""

import asyncio
import json
import logging
import logging.config
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from pydantic import TypeAdapter, ValidationError

from app.errors import UserError
from app.observability import logs

SECRET = "s3cret-words-of-alice"


class Log:
    """Everything that was logged in this process while it was open."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def text(self) -> str:
        return self.file.read_text()

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.text().splitlines()]


@pytest.fixture(params=["json", "lines"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    names = ("", "signet", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")
    before = {name: (logging.getLogger(name).handlers[:], logging.getLogger(name).level) for name in names}
    shown = warnings.showwarning
    logging.config.dictConfig(logs.config(request.param, tmp_path / "log"))
    try:
        yield Log(tmp_path / "log")
    finally:
        warnings.showwarning = shown
        structlog.reset_defaults()
        for name, (handlers, level) in before.items():
            logger = logging.getLogger(name)
            for handler in set(logger.handlers) - set(handlers):
                handler.close()
            logger.handlers, logger.level = handlers, level


json_only = pytest.mark.parametrize("log", ["json"], indirect=True)


def _fails_with_words() -> None:
    raise ValueError(f"cannot read {SECRET!r}")


def test_a_field_that_is_not_on_the_list_is_dropped(log: Log) -> None:
    logging.getLogger("signet.web").info("sealed", extra={"words": SECRET, "status": 200})
    structlog.get_logger("signet.web").info("sealed", words=SECRET, title=SECRET, status=200)
    structlog.get_logger("signet.web").bind(token=SECRET).warning("sealed", status=200)
    logging.getLogger("signet.web").info(
        "sealed", extra={"route": {"nested": SECRET}, "error": [SECRET, {"x": SECRET}]}
    )
    assert SECRET not in log.text()
    assert log.text().count("sealed") == 4 and log.text().count("200") >= 3


def test_an_exceptions_words_are_never_told(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    for logger in ("signet.table", "uvicorn.error", "sqlalchemy.pool", "somebody.else"):
        try:
            try:
                _fails_with_words()
            except ValueError as cause:
                raise RuntimeError(f"because of {SECRET}") from cause
        except RuntimeError as error:
            logging.getLogger(logger).exception("it failed")
            logging.getLogger(logger).error("it failed: %s", error)
            logging.getLogger(logger).error("it failed", exc_info=error)
            structlog.get_logger(logger).exception("it failed")
    try:
        TypeAdapter(int).validate_python(SECRET)
    except ValidationError as wrong:
        logging.getLogger("signet.web").error("no number: %r", wrong, exc_info=True, stack_info=True)
    assert SECRET not in log.text() + capsys.readouterr().err
    assert "builtins.RuntimeError after builtins.ValueError" in log.text()
    assert "in _fails_with_words" in log.text() or "test_logs.py" in log.text()


def test_strangers_messages_lose_their_values(log: Log) -> None:
    other = logging.getLogger("multipart.multipart")
    other.warning("Expected boundary character %r, got %r at index %d", SECRET, SECRET.encode(), 7)
    other.error(f"Task exception was never retrieved\nfuture: <Task exception=ValueError({SECRET!r})>")
    other.error({"a": SECRET})
    other.error("%(name)s is wrong", {"name": SECRET})
    broken = logging.LogRecord("multipart", logging.ERROR, __file__, 1, "broken %d", (SECRET,), None)
    log.file.write_text(log.text() + logs.Door().format(broken) + "\n")
    assert SECRET not in log.text() and "broken %d" in log.text()
    assert "Expected boundary character '…', got '…' at index 7" in log.text()


def test_a_task_that_nobody_awaited_tells_no_words(log: Log) -> None:
    async def forgotten() -> None:
        _fails_with_words()

    async def forget() -> None:
        task = asyncio.ensure_future(forgotten())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        del task

    with warnings.catch_warnings():
        asyncio.run(forget())
    assert "Task exception was never retrieved" in log.text()
    assert SECRET not in log.text()


def test_warnings_tell_their_place_alone(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = logs._warned
        warnings.warn(f"input_value={SECRET}", UserWarning, stacklevel=1)
    assert "UserWarning" in log.text() and "test_logs.py" in log.text()
    assert SECRET not in log.text() + capsys.readouterr().err


def test_our_own_words_are_told(log: Log) -> None:
    logging.getLogger("signet.bus").warning("the bus is not heard (%s); trying again and again", "OSError")
    logging.getLogger("uvicorn.error").info("Uvicorn running on %s://%s:%d", "http", "127.0.0.1", 8420)
    logging.getLogger("uvicorn.error.postgres").error("%s", UserError("Postgres did not start."))
    for said in ("the bus is not heard (OSError)", "http://127.0.0.1:8420", "Postgres did not start."):
        assert said in log.text()


@json_only
def test_each_line_is_one_object_of_known_fields(log: Log) -> None:
    logging.getLogger("signet.access").info("request", extra={"method": "GET", "route": "/", "status": 200, "ms": 1.5})
    logging.getLogger("signet.web").error("one\ntwo")
    first, second = log.lines()
    assert {**first, "at": ""} == {
        "at": "",
        "level": "info",
        "logger": "signet.access",
        "event": "request",
        "method": "GET",
        "route": "/",
        "status": 200,
        "ms": 1.5,
    }
    assert str(first["at"]).endswith("Z") and second["event"] == "one\ntwo"
    assert set(first) | set(second) <= logs.FIELDS


def test_the_same_trouble_has_one_line_a_minute_in_each_handler() -> None:
    now = 1000.0
    seldom = logs.Seldom(lambda: now)

    def passes(text: str, *args: object, level: int = logging.ERROR, error: BaseException | None = None) -> bool:
        exc_info = (type(error), error, None) if error else None
        record = logging.LogRecord("asyncio", level, "x.py", 1, text, args, exc_info)
        first, second = seldom.filter(record), seldom.filter(record)
        assert first is second, "what the file gets, the terminal gets"
        return first

    out = OSError("too many open files")
    assert [passes("socket.accept() failed", error=out) for _ in range(1000)] == [True, *[False] * 999]
    assert passes("socket.accept() failed", error=ValueError()) and passes("scene %s is stuck", 1)
    assert passes("scene %s is stuck", 2) and not passes("scene %s is stuck", 1)
    assert [passes("sealed", level=logging.INFO) for _ in range(3)] == [True] * 3
    now += logs.SAME
    assert passes("socket.accept() failed", error=out)


@json_only
def test_trouble_that_repeats_does_not_fill_the_log(log: Log) -> None:
    for _ in range(50):
        logging.getLogger("asyncio").error("socket.accept() out of system resource")
    assert len(log.lines()) == 1
