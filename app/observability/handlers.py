"""The log's handlers. Where a log cannot be written (a full disk, a closed pipe), that is reported once in one line on
stderr, and once more when it can be written again; the program goes on.

Python's own handlers print a traceback, with the message and its values, for each line that fails.
"""

import io
import logging
import logging.handlers
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from app.private_files import private

SAME = 60.0  # seconds between two reports: with little room, short lines fit and long ones do not


class _Reporting(logging.StreamHandler[Any]):
    """A handler that never raises, and reports its failures instead of printing them."""

    clock: Callable[[], float] = time.monotonic
    _missing = 0  # lines that could not be written since the last one that could
    _told: float | None = None  # when the present failure was reported
    _quiet_until = float("-inf")

    def emit(self, record: logging.LogRecord) -> None:
        before = self._missing
        super().emit(record)
        if before and self._missing == before:
            self._works_again(before)

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        self._missing += 1
        self._drop()
        if self._told is None and self.clock() >= self._quiet_until:
            self._told = self.clock()
            self._quiet_until = self._told + SAME
            why = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
            self._report(logging.ERROR, f"{self._what()} cannot be written ({why}). Signet goes on without it.")

    def _works_again(self, missing: int) -> None:
        self._missing, told, self._told = 0, self._told, None
        if told is not None:
            said = f"{self._what()} can be written again. Lines that are missing: {missing}."
            super().emit(_record(logging.WARNING, said))
            self._report(logging.WARNING, said)

    def _report(self, level: int, text: str) -> None:
        with suppress(OSError, ValueError):  # stderr may be on the same disk, or closed
            sys.stderr.write(self.format(_record(level, text)) + "\n")
            sys.stderr.flush()

    def _what(self) -> str:
        return "The log on the terminal"

    def _drop(self) -> None:
        """Forgets what the stream still holds of a line that failed."""


class Terminal(_Reporting):
    """Writes to stderr. Where that fails, nothing can be said until it works again."""

    def _report(self, level: int, text: str) -> None:
        pass


class File(_Reporting, logging.handlers.RotatingFileHandler):
    """Writes to a file that only its owner can read; the file is opened anew after a failure."""

    _half = False  # whether the file may end within a line

    def _open(self) -> io.TextIOWrapper:
        handle = private(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        file = os.fdopen(handle, "a", encoding=self.encoding, errors=self.errors)
        if self._half and _ends_within_a_line(self.baseFilename):
            file.write("\n")
        self._half = False
        return file

    def _what(self) -> str:
        return f"The log {self.baseFilename}"

    def _drop(self) -> None:
        broken, self.stream = self.stream, None
        self._half = True
        with suppress(OSError, ValueError):
            if broken is not None:
                broken.close()


def _ends_within_a_line(file: str) -> bool:
    with open(file, "rb") as read:
        if not read.seek(0, os.SEEK_END):
            return False
        read.seek(-1, os.SEEK_END)
        return read.read(1) != b"\n"


def _record(level: int, text: str) -> logging.LogRecord:
    return logging.LogRecord("signet.log", level, __file__, 0, text, (), None)
