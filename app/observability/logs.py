"""The server's log: one line per occurrence, made of known fields only. Anything else is dropped.

Every line, from our code or a library, passes through one formatter (`Door`), so no caller has to keep secrets out: a
field that is not listed is dropped, an exception is logged by its type and its place in the code but never by its text,
and messages of libraries lose the values that were put into them.
"""

import logging
import sys
import time
import traceback
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import structlog
from structlog.typing import EventDict, WrappedLogger

from app.errors import UserError
from app.terminal import visible

Style = Literal["json", "lines"]

FIELDS = frozenset({"at", "level", "logger", "event", "method", "route", "status", "ms", "error", "where", "pid"})
"""The fields that a line may have, all short: how often something happened and where, never what a person wrote."""

OWN = ("signet", "uvicorn.error")
"""Loggers whose messages are logged in full. Ours name places and types; uvicorn's name ports and processes."""

SAME = 60.0  # seconds in which the same problem is logged once
MOST_TROUBLES = 1000

FRAMES = 12
LONGEST = 4000


class Door(structlog.stdlib.ProcessorFormatter):
    """The formatter of every handler; `style` is json for machines, lines for people."""

    def __init__(self, style: Style = "json") -> None:
        listen_to_structlog()
        end: Any = structlog.processors.JSONRenderer(ensure_ascii=False) if style == "json" else _line
        super().__init__(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, known_only, _in_order, end],
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *CHAIN],
            use_get_message=False,  # a message and its arguments stay apart until `_worded` has checked both
        )

    def format(self, record: logging.LogRecord) -> str:
        if not hasattr(record, "_logger"):  # structlog's own are a dict of fields, which `known_only` filters
            worded = logging.makeLogRecord(record.__dict__)
            worded.msg, worded.args = _worded(record), ()
            record = worded
        return super().format(record)


class Seldom(logging.Filter):
    """Passes the same problem once a minute: one that occurs a thousand times a second must not fill the disk."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock = clock
        self._told: dict[tuple[object, ...], tuple[float, weakref.ref[logging.LogRecord]]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        now, error = self.clock(), record.exc_info[1] if record.exc_info else None
        kind, where = whereabouts(error) if error else (getattr(record, "error", ""), getattr(record, "where", ""))
        key = (record.name, record.levelno, str(record.msg), str(record.args), kind, str(where))
        if len(self._told) > MOST_TROUBLES:
            self._told.clear()
        at, told = self._told.get(key, (float("-inf"), lambda: None))
        if at <= now - SAME:
            self._told[key] = (now, weakref.ref(record))
            return True
        return told() is record  # the same record at another handler


def listen_to_structlog() -> None:
    """Routes `structlog.get_logger()` and warnings to the standard library's loggers, in this process."""
    structlog.configure(
        processors=[*CHAIN, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    warnings.showwarning = _warned


def known_only(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """Drops every field that is not listed, and every value that is not plain."""
    return {key: _plain(value) for key, value in line.items() if key in FIELDS and _is_plain(value)}


def _is_plain(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | float | bool)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return visible(value[:LONGEST], keep="\n") if isinstance(value, str) else value


def whereabouts(error: BaseException) -> tuple[str, list[str]]:
    """Returns an error without its text: the types in its chain, and the places in the code that it passed."""
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 6:
        kinds.append(f"{type(cause).__module__}.{type(cause).__qualname__}")
        cause = cause.__cause__ or cause.__context__
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return " after ".join(kinds), [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]


def _without_words(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """Replaces an exception by its type and its place."""
    given = line.pop("exc_info", None)
    line.pop("stack_info", None)
    error = given[1] if isinstance(given, tuple) else sys.exc_info()[1] if given is True else given
    if isinstance(error, BaseException):
        line["error"], line["where"] = whereabouts(error)
    return line


def _worded(record: logging.LogRecord) -> str:
    """Returns the message with the values that may be logged."""
    own = record.name.startswith(OWN)
    message = record.msg if isinstance(record.msg, str) else f"<{type(record.msg).__name__}>"
    if not own:
        message = message.partition("\n")[0][:200]  # asyncio adds a task's exception, text and all, below
    if not record.args:
        return message
    values = record.args if isinstance(record.args, tuple) else (record.args,)
    try:
        return message % tuple(_value(value, own) for value in values)
    except (TypeError, ValueError, KeyError):
        return message


def _value(value: object, own: bool) -> object:
    if isinstance(value, UserError):
        return visible(str(value))
    if isinstance(value, BaseException):
        return type(value).__name__
    if value is None or isinstance(value, int | float):
        return value
    return visible(str(value)) if own else "…"


def _warned(message: Any, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any) -> None:
    """Logs a warning's type and place, without its text: pydantic's texts quote invalid input."""
    place = {"error": category.__name__, "where": [f"{filename}:{lineno}"]}
    logging.getLogger("py.warnings").warning("a warning", extra=place)


def _in_order(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    first = ("at", "level", "logger", "event")
    return {key: line[key] for key in (*first, *sorted(line.keys() - set(first))) if key in line}


def _line(logger: WrappedLogger, name: str, line: EventDict) -> str:
    """Returns a line for people: time, level, message, then the other fields."""
    where = line.pop("where", None) or []
    head = [str(line.pop(key)) for key in ("at", "level", "event") if key in line]
    line.pop("logger", None)
    if "route" in line:  # one request: in the usual order
        head.append(f"{line.pop('method', '')} {line.pop('route')} {line.pop('status', '')} {line.pop('ms', '')} ms")
    head += [f"{key}={value}" for key, value in line.items()]
    return "\n    ".join([" ".join(head), *where])


CHAIN = (
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    _without_words,
)


def config(style: Style, file: Path | None = None) -> dict[str, Any]:
    """Returns the settings for `logging.config.dictConfig`: everything passes `Door`, to the terminal or to a file.

    With a file, only errors also go to the terminal.
    """
    handlers: dict[str, Any] = {
        "terminal": {"class": "app.observability.handlers.Terminal", "formatter": "door", "stream": "ext://sys.stderr"}
    }
    if file is not None:
        handlers["terminal"]["level"] = "ERROR"
        handlers["file"] = {"class": "app.observability.handlers.File", "filename": str(file), "formatter": "door"}
        handlers["file"] |= {"maxBytes": 5_000_000, "backupCount": 2, "encoding": "utf-8", "delay": True}
    for handler in handlers.values():
        handler["filters"] = ["seldom"]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"seldom": {"()": "app.observability.logs.Seldom"}},
        "formatters": {"door": {"()": "app.observability.logs.Door", "style": style}},
        "handlers": handlers,
        "root": {"level": "WARNING", "handlers": list(handlers)},
        "loggers": {
            "signet": {"level": "INFO"},
            "uvicorn": {"level": "INFO", "handlers": [], "propagate": True},
            "uvicorn.error": {"level": "INFO"},
            "uvicorn.access": {"level": "CRITICAL"},  # it logs whole addresses; `signet.access` replaces it
        },
    }
