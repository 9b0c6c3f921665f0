"""Work for the child process that a good converter does not do."""

import os
import tempfile

from app.errors import BadFile
from app.foreign.door import Job


def same(body: bytes) -> bytes:
    return body


def endless(body: bytes) -> bytes:
    while True:
        pass


def greedy(body: bytes) -> bytes:
    return bytes(2 << 30)[:1]


def refusing(body: bytes) -> bytes:
    raise BadFile("This is a kettle. Choose a teapot.")


def failing(body: bytes) -> bytes:
    return {b"a": b"b"}[body]


def dying(body: bytes) -> bytes:
    os._exit(7)


def number(body: bytes) -> bytes:
    return str(os.getpid()).encode()


def surroundings(body: bytes) -> bytes:
    return "\n".join(os.environ).encode()


def writing(body: bytes) -> bytes:
    with tempfile.TemporaryFile() as file:
        file.write(body)
        file.flush()
    return b"written"


def job(convert: object, seconds: float = 20, most_out: int = 1000) -> Job[bytes]:
    return Job("test file", "Take another.", convert, bytes, 1000, most_out, seconds)  # type: ignore[arg-type]
