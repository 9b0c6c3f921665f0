"""The one door for foreign data: whatever people bring as files is read in one child process per server process.

The child is started at the first file and kept. The door lets in one file at a time, ends the child if a file takes too
long or too much memory, and lets the next one in only when the work on the last has ended.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.errors import BadFile, Refusal
from app.foreign import child

T = TypeVar("T")
log = logging.getLogger("signet")

MOST_MEMORY = 512 * 1024 * 1024
"""The most bytes of memory that the child may take beyond what it starts with, where the system can limit it."""

MOST_WAITING = 8
LONGEST_WAIT = 20.0  # seconds
KEPT_FROM_ENVIRONMENT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TZDIR", "TEMP", "TMPDIR")
"""What the child gets of the environment: not the key, not the database."""


class Busy(Refusal):
    """Too many files are waiting, or this one has waited too long."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "Signet is busy reading other files.", "Nothing was changed. Wait a minute, then send yours again."
        )


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    """Reads one kind of file: `convert` in the child, `restore` here.

    `convert` is a function of a module, from a file to the result's bytes; it raises BadFile in words for people.
    `restore` makes the result of these bytes. Files have at most `most_in` bytes, results `most_out`.
    """

    what: str  # "calendar file"
    advice: str  # what to do about one that takes too much
    convert: Callable[[bytes], bytes]
    restore: Callable[[bytes], T]
    most_in: int
    most_out: int
    seconds: float

    @property
    def name(self) -> str:
        return f"{self.convert.__module__}:{self.convert.__qualname__}"


@dataclass(frozen=True, slots=True)
class _Answer(Generic[T]):
    """`kind` is a letter of `app.foreign.child`, or b"" if the child ended without an answer."""

    kind: bytes
    words: str = ""
    result: T | None = None


class Child:
    """A running child process. Its methods block."""

    def __init__(self, memory: int) -> None:
        kept = {name: os.environ[name] for name in KEPT_FROM_ENVIRONMENT if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app.foreign.child", str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # libraries quote files
            env={**kept, "PYTHONPATH": os.pathsep.join(os.path.abspath(place) for place in sys.path)},
            start_new_session=True,  # Ctrl-C is for the server, which ends the child
        )

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def ask(self, job: Job[T], body: bytes) -> _Answer[T]:
        """Has a file read. Ends the process if it gives no proper answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            child.send(self.process.stdin, job.name.encode(), body)
            said = child.receive(self.process.stdout, job.most_out + 1)
            kind, content = said[:1], said[1:]
            if kind == child.DONE:
                return _Answer(kind, result=job.restore(content))
            if kind in (child.REFUSED, child.FAILED):
                return _Answer(kind, content.decode("utf-8", "replace"))
            self.end()  # it has run out of memory, and nobody knows what its libraries have left behind
            return _Answer(kind)
        except (OSError, EOFError, ValueError):  # gone, or not an answer
            self.end()
            return _Answer(b"", f"exit code {self.process.returncode}")

    def kill(self) -> None:
        """Kills the process; a thread that waits for its answer then gets none."""
        self.process.kill()

    def end(self) -> None:
        """Kills the process, waits until it is gone, and closes its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was not sent
                pipe.close()


class Door:
    """Reads foreign files for one server process, one at a time."""

    def __init__(
        self, *, memory: int = MOST_MEMORY, most_waiting: int = MOST_WAITING, longest_wait: float = LONGEST_WAIT
    ) -> None:
        self.memory, self.most_waiting, self.longest_wait = memory, most_waiting, longest_wait
        self.child: Child | None = None
        self._place = asyncio.Semaphore(1)
        self._waiting = 0
        self._asking: asyncio.Future[Any] | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a file is being read."""
        return self._asking is not None and not self._asking.done()

    async def read(self, job: Job[T], body: bytes) -> T:
        """Returns what a file has. Raises BadFile in words for people, Busy if too many files wait."""
        if len(body) > job.most_in:
            raise BadFile(f"This {job.what} is larger than {job.most_in:,} bytes, the most that Signet reads.")
        await self._enter()
        try:
            running = self._child()
            asking = asyncio.ensure_future(asyncio.to_thread(running.ask, job, body))
        except BaseException as none:
            self._place.release()
            if not isinstance(none, OSError):
                raise
            log.error("no child for foreign files could be started (%s)", type(none).__name__)
            raise Busy from None  # no memory or process is left for one more
        self._asking = asking
        asking.add_done_callback(lambda _: self._place.release())
        try:
            async with asyncio.timeout(job.seconds):
                said = await asyncio.shield(asking)
        except TimeoutError:
            running.kill()
            await asyncio.wait([asking])
            raise BadFile(f"This {job.what} takes too long to read. {job.advice}") from None
        except asyncio.CancelledError:
            running.kill()
            raise
        return _result(job, said)

    async def close(self) -> None:
        """Ends the child, whatever it works on, and lets nothing in any more."""
        self._closed = True
        if self.child is not None:
            self.child.kill()
            if self._asking is not None:
                await asyncio.wait([self._asking])
            await asyncio.to_thread(self.child.end)

    async def _enter(self) -> None:
        """Waits for the place. Raises Busy if too many wait, or if it takes too long."""
        if self._closed or self._waiting >= self.most_waiting:
            raise Busy
        self._waiting += 1
        try:
            async with asyncio.timeout(self.longest_wait):
                await self._place.acquire()
        except TimeoutError:
            raise Busy from None
        finally:
            self._waiting -= 1
        if self._closed:
            self._place.release()
            raise Busy

    def _child(self) -> Child:
        if self.child is None or not self.child.running:
            if self.child is not None:
                self.child.end()
            self.child = Child(self.memory)
        return self.child


def _result(job: Job[T], said: _Answer[T]) -> T:
    """Returns the result of an answer. Raises BadFile in words for people."""
    if said.result is not None:
        return said.result
    if said.kind == child.REFUSED:
        raise BadFile(said.words)
    if said.kind == child.NO_MEMORY:
        raise BadFile(f"This {job.what} takes too much memory to read. {job.advice}")
    log.error("reading a %s failed: %s", job.what, said.words)
    raise BadFile(f"Signet could not read this {job.what}: something in it is not as it should be. {job.advice}")
