"""What goes to the log: one line a happening, made of known fields only. Anything else is dropped.

Everything passes through one door (`Door`): our own lines, and those of every library that logs. Nobody has to remember
to keep a secret out, for what is not on the list of fields does not get through, an exception gives its kind and its
place in the code but never its words, and strangers' messages lose the values that were put into them.
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

Style = Literal["json", "lines"]

FIELDS = frozenset({"at", "level", "logger", "event", "method", "route", "status", "ms", "error", "where", "pid"})
"""All that a line may hold, all of it short: how often something happened and where, never what somebody said."""

OWN = ("signet", "uvicorn.error")
"""Whose messages are taken with their words. Ours name places and kinds; uvicorn's name ports and processes."""

SAME = 60.0  # seconds in which the same trouble has one line
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
            use_get_message=False,  # a message and what is put into it stay apart until `_worded` has looked at both
        )

    def format(self, record: logging.LogRecord) -> str:
        if not hasattr(record, "_logger"):  # structlog's own come as a dict of fields, which the list will see to
            worded = logging.makeLogRecord(record.__dict__)
            worded.msg, worded.args = _worded(record), ()
            record = worded
        return super().format(record)


class Seldom(logging.Filter):
    """The same trouble gets one line a minute: what happens a thousand times a second must not fill the disk."""

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
        return told() is record  # another handler has it, too


def listen_to_structlog() -> None:
    """`structlog.get_logger()` goes the same way as the standard library's loggers, in this process."""
    structlog.configure(
        processors=[*CHAIN, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    warnings.showwarning = _warned


def known_only(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """Drop every field that is not on the list, and every value that is no plain one."""
    return {key: _plain(value) for key, value in line.items() if key in FIELDS and _is_plain(value)}


def _is_plain(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return value is None or isinstance(value, str | int | float | bool)


def _plain(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value


def whereabouts(error: BaseException) -> tuple[str, list[str]]:
    """An error without its words: the kinds in its chain, and the places in the code it passed."""
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 6:
        kinds.append(f"{type(cause).__module__}.{type(cause).__qualname__}")
        cause = cause.__cause__ or cause.__context__
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return " after ".join(kinds), [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]


def _without_words(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """An exception that came along becomes its kind and its place."""
    given = line.pop("exc_info", None)
    line.pop("stack_info", None)
    error = given[1] if isinstance(given, tuple) else sys.exc_info()[1] if given is True else given
    if isinstance(error, BaseException):
        line["error"], line["where"] = whereabouts(error)
    return line


def _worded(record: logging.LogRecord) -> str:
    """The message, with what may be put into it."""
    own = record.name.startswith(OWN)
    message = record.msg if isinstance(record.msg, str) else f"<{type(record.msg).__name__}>"
    if not own:
        message = message.partition("\n")[0][:200]  # asyncio writes a task's exception, words and all, below
    if not record.args:
        return message
    values = record.args if isinstance(record.args, tuple) else (record.args,)
    try:
        return message % tuple(_value(value, own) for value in values)
    except (TypeError, ValueError, KeyError):
        return message


def _value(value: object, own: bool) -> object:
    if isinstance(value, UserError):
        return str(value)
    if isinstance(value, BaseException):
        return type(value).__name__
    if value is None or isinstance(value, int | float):
        return value
    return str(value) if own else "…"


def _warned(message: Any, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any) -> None:
    """A warning's kind and place; pydantic's texts quote what did not fit."""
    place = {"error": category.__name__, "where": [f"{filename}:{lineno}"]}
    logging.getLogger("py.warnings").warning("a warning", extra=place)


def _in_order(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    first = ("at", "level", "logger", "event")
    return {key: line[key] for key in (*first, *sorted(line.keys() - set(first))) if key in line}


def _line(logger: WrappedLogger, name: str, line: EventDict) -> str:
    """For people: time, level, what happened, and the rest behind it."""
    where = line.pop("where", None) or []
    head = [str(line.pop(key)) for key in ("at", "level", "event") if key in line]
    line.pop("logger", None)
    if "route" in line:  # one request: read as people write it
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
    """For `logging.config.dictConfig`, in each process: everything through the door, to the terminal or to a file.

    With a file, only what is wrong goes to the terminal besides.
    """
    handlers: dict[str, Any] = {
        "terminal": {"class": "logging.StreamHandler", "formatter": "door", "stream": "ext://sys.stderr"}
    }
    if file is not None:
        handlers["terminal"]["level"] = "ERROR"
        handlers["file"] = {"class": "logging.handlers.RotatingFileHandler", "filename": str(file), "formatter": "door"}
        handlers["file"] |= {"maxBytes": 5_000_000, "backupCount": 2, "encoding": "utf-8"}
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
            "uvicorn.access": {"level": "CRITICAL"},  # it writes whole addresses; `signet.access` is ours
        },
    }
