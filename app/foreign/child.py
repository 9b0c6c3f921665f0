"""The child process that works on foreign files for one server process. `app/foreign/door.py` starts and ends it.

Orders come on standard input, answers go to standard output, both as frames: eight bytes of length, then the content.
An order is two frames, the name of a function ("app.campaign.pictures:as_bytes") and a file. An answer is one frame,
a letter and the result, the words of a refusal, or the name of an unexpected error.

The process has no key, no database and no files of its own; where the system can, it is limited in memory and may not
write to a disk. It ends when its standard input ends, so also when its parent is killed.
"""

import contextlib
import importlib
import os
import queue
import signal
import struct
import sys
import threading
import traceback
from typing import IO

from app.errors import BadFile

DONE, REFUSED, NO_MEMORY, FAILED = b"d", b"r", b"m", b"f"
LENGTH = struct.Struct(">Q")
USUAL_START = 256 * 1024 * 1024  # bytes of addresses of a Python that has just started, where the system does not say


class TooLong(ValueError):
    """A frame is longer than its reader allows."""


def send(pipe: IO[bytes], *frames: bytes) -> None:
    """Writes frames. Raises OSError if the other end is gone."""
    for frame in frames:
        pipe.write(LENGTH.pack(len(frame)))
        pipe.write(frame)
    pipe.flush()


def receive(pipe: IO[bytes], most: int | None = None) -> bytes:
    """Reads a frame. Raises EOFError if the other end is gone, TooLong for one of more than `most` bytes."""
    (length,) = LENGTH.unpack(_exactly(pipe, LENGTH.size))
    if most is not None and length > most:
        raise TooLong(f"{length:,} bytes")
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return content


def answer(name: str, body: bytes) -> bytes:
    """Returns the answer to an order."""
    try:
        module, _, function = name.partition(":")
        result: bytes = getattr(importlib.import_module(module), function)(body)
        return DONE + result
    except BadFile as wrong:
        return REFUSED + str(wrong).encode("utf-8", "replace")
    except MemoryError:
        return NO_MEMORY
    except Exception as error:  # without its text, which may quote the file
        frames = traceback.extract_tb(error.__traceback__)[-8:]
        where = "".join(f"\n  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
        return FAILED + f"{type(error).__module__}.{type(error).__qualname__}{where}".encode("utf-8", "replace")


def limit(memory: int) -> None:
    """Limits this process to so many bytes of memory more than it has now, and to files of no bytes."""
    if sys.platform == "win32":
        return
    import resource

    most = _addresses() + memory
    for kind, value in ((resource.RLIMIT_AS, most), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # not on every system
            resource.setrlimit(kind, (value, value))


def _addresses() -> int:
    """Returns the bytes of addresses that this process has in use."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return USUAL_START


def main() -> None:
    """Answers orders, one after another, until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    orders: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    limit(int(sys.argv[1]))
    while True:
        said = answer(*orders.get())
        try:
            send(sys.stdout.buffer, said)
        except OSError:
            os._exit(0)
        del said


def _listen(orders: "queue.SimpleQueue[tuple[str, bytes]]") -> None:
    """Takes in orders, beside the work: the end of standard input ends the process, whatever it works on."""
    try:
        while True:
            name = receive(sys.stdin.buffer).decode()
            orders.put((name, receive(sys.stdin.buffer)))
    except BaseException:  # an order too large for the memory, too
        os._exit(0)


if __name__ == "__main__":
    main()
