"""Worker processes in a tenth of a second: a process that has loaded the app already and forks one for each order.

`python -m tests.kills.fork_server` reads orders from its standard input, a line of JSON each, and answers with one:
{"port": 0} keeps a listening socket, as the parent of `signet serve --workers` does; {"serve": P, "env": {…}} forks a
worker on it, with that much more in its environment; {"gone": PID} waits for a worker's end.
"""

import base64
import datetime
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uuid_utils.compat
import uvicorn
from fastapi import FastAPI

from tests.server import KEY, ROOT

OVERDUE = 1000  # no process ends with this


class Nursery:
    """The test's end of it."""

    def __init__(self, database_url: str, log: Path) -> None:
        self.log = log
        self.environment = {
            "DATABASE_URL": database_url,
            "SIGNET_KEY": base64.b64encode(KEY).decode(),
            "SIGNET_FAILPOINTS_ALLOWED": "yes",
            "SIGNET_ACTS_PER_MINUTE": "1000000",  # our Charlie seals more often than any hand could
            "SIGNET_STREAMS_PER_MEMBER": "1000",
        }
        env = {**os.environ, **self.environment}
        command = [sys.executable, "-m", "tests.kills.fork_server"]
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file
            )

    def order(self, **order: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the nursery ended:\n{self.log.read_text()[-3000:]}"
        answered: dict[str, Any] = json.loads(answer)
        return answered

    def worker(self, **env: str) -> "Worker":
        worker = Worker(self, int(self.order(port=0)["port"]))
        worker.start(**env)
        return worker

    def close(self) -> None:
        """Ends the workers, too."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@dataclass
class Worker:
    """One port, and the process that serves it now. Whoever comes while none does waits in the socket's queue."""

    nursery: Nursery
    port: int
    pid: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, **env: str) -> None:
        assert not self.pid
        self.pid = int(self.nursery.order(serve=self.port, env=env)["pid"])

    def gone(self) -> int:
        """Wait until the process has ended; a negative number is the signal that ended it."""
        pid, self.pid = self.pid, 0
        return int(self.nursery.order(gone=pid)["status"])

    def end(self, number: int = signal.SIGTERM) -> int:
        if not self.pid:
            return 0
        os.kill(self.pid, number)
        return self.gone()


def serve(app: FastAPI, port: socket.socket, env: Mapping[str, str]) -> None:
    """Be a worker until a signal comes.

    SIGNET_FUSE names a file: failpoints do nothing before it exists. SIGNET_CLOCK is how many seconds this process'
    clock is ahead of the world's.
    """
    os.environ.update(env)
    if "SIGNET_CLOCK" in env:
        set_clock(float(env["SIGNET_CLOCK"]))
    from app import failpoints

    importlib.reload(failpoints)
    real, fuse = failpoints.hit, env.get("SIGNET_FUSE")
    if fuse:
        failpoints.hit = lambda name: real(name) if os.path.exists(fuse) else None
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3)).run(sockets=[port])


def set_clock(ahead: float) -> None:
    """Put everything right or wrong that tells this process the time of day; spans of time go on as before."""
    right, right_uuid7, real = time.time, uuid_utils.compat.uuid7, datetime.datetime

    class Wrong(real):
        @classmethod
        def hint(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
            return real.now(tz) + datetime.timedelta(seconds=ahead)

        @classmethod
        def utcnow(cls) -> datetime.datetime:
            return real.now(datetime.UTC).replace(tzinfo=None) + datetime.timedelta(seconds=ahead)

    def wrong_uuid7() -> uuid.UUID:
        return uuid.UUID(int=right_uuid7().int + (int(ahead * 1000) << 80))  # its first 48 bits are milliseconds

    time.time = lambda: right() + ahead
    time.time_ns = lambda: int((right() + ahead) * 1e9)
    uuid_utils.compat.uuid7 = wrong_uuid7
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("app", "uvicorn", "starlette", "fastapi", "sse_starlette"):
            for held, value in list(vars(module).items()):
                if value is real:
                    setattr(module, held, Wrong)
                elif value is right:
                    setattr(module, held, time.time)


def end_of(pid: int) -> int:
    """How a worker ended; `OVERDUE` if it did not, and had to be ended."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return OVERDUE


def main() -> None:
    from app.main import create_app
    from app.web.http import templating

    app = create_app()
    for name in templating.environment().list_templates():
        templating.environment().get_template(name)
    ports: dict[int, socket.socket] = {}
    workers: set[int] = set()
    for line in sys.stdin:
        order = json.loads(line)
        if "port" in order:
            held = socket.create_server(("127.0.0.1", 0), backlog=512)
            ports[held.getsockname()[1]] = held
            answer = {"port": held.getsockname()[1]}
        elif "serve" in order:
            pid = os.fork()
            if not pid:
                sys.stdin.close()
                os.dup2(2, 1)
                serve(app, ports[order["serve"]], order["env"])
                os._exit(0)
            workers.add(pid)
            answer = {"pid": pid}
        else:
            workers.discard(order["gone"])
            answer = {"status": end_of(order["gone"])}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
