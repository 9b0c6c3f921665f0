"""Python programs that start in a tenth of a second: forks of a process that has loaded the app already.

`program("app.cli", "doctor")` is a command for `subprocess`, in place of `python -m app.cli doctor`. The process that
it starts passes its arguments, environment, folder and open files on, and behaves as the program does: it ends as that
does, hands on the signals it gets, and takes it along when it is killed. Where this cannot be done (not Linux), the
command is the plain one.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
LOADED = (
    "app.cli",
    "app.main",
    "app.web.http.templating",
    "tests.toy",
    "uvicorn.main",
    "uvicorn.protocols.http.h11_impl",
)
HANDED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)


def program(module: str, *words: str | Path) -> list[str]:
    """The command that runs a module with these arguments."""
    if sys.platform != "linux":
        return [sys.executable, "-m", module, *map(str, words)]
    return [sys.executable, "-I", "-S", __file__, _server(), module, *map(str, words)]


@functools.cache
def _server() -> str:
    """The socket of this process' own server; it ends with this process."""
    place = tempfile.mkdtemp(prefix="sgnf")
    address = f"{place}/socket"
    command = [sys.executable, "-m", "tests.forking", address]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == b"ready\n"

    def end() -> None:
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            pipe.close()
        process.wait(10)
        os.rmdir(place)

    atexit.register(end)
    return address


def ask(address: str, module: str, *words: str) -> NoReturn:
    """Have the server run a program with all that is ours, and end as it ends."""
    order = {"module": module, "words": words, "env": dict(os.environ), "cwd": os.getcwd()}
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        socket.send_fds(line, [b"!"], [0, 1, 2])
        line.sendall(json.dumps(order).encode() + b"\n")
        for number in HANDED_ON:
            signal.signal(number, lambda number, _: line.sendall(bytes([number])))
        answer = b""
        while not answer.endswith(b"\n") and (piece := line.recv(64)):
            answer += piece
    status = int(answer or -signal.SIGKILL)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def serve(address: str) -> None:
    """Load everything, then fork for each who asks until standard input ends."""
    for name in LOADED:
        importlib.import_module(name)
    from app.main import create_app
    from app.settings import Settings, new_key
    from app.web.http import templating
    from tests import lock_watch

    lock_watch.watch()
    create_app(Settings(database_url="postgresql://nobody@127.0.0.1:1/nowhere", key=new_key()))  # loads all the pages
    for name in templating.environment().list_templates():
        templating.environment().get_template(name)
    if "SIGNET_RECORD" in os.environ:
        from tests import recording

        recording.watch()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who watch are nobody's to wait for
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen(64)
        os.write(1, b"ready\n")
        while door in select.select([door, 0], [], [])[0]:
            line, _ = door.accept()
            if not os.fork():
                door.close()
                _watch(line)
            line.close()
    os.unlink(address)


def _watch(line: socket.socket) -> NoReturn:
    """Run one program in a process of its own; pass signals to it, and its end back."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, files, _, _ = socket.recv_fds(line, 1, 3)
    order = json.loads(line.makefile("rb").readline())
    child = os.fork()
    if not child:
        line.close()
        _become(order, files)
    for file in (0, 1, 2, *files):
        os.close(file)
    end = os.pidfd_open(child)
    while end not in (ready := select.select([end, line], [], [])[0]):
        assert line in ready
        numbers = line.recv(16)
        for number in numbers or [signal.SIGKILL]:
            os.kill(child, number)
        if not numbers:
            break
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(OSError):
        line.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(order: dict[str, object], files: list[int]) -> NoReturn:
    """Be that program, as far as it can tell."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(order["env"])  # type: ignore[call-overload]
    os.chdir(str(order["cwd"]))
    sys.argv[1:] = order["words"]  # type: ignore[assignment]
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    status: object = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # runpy: the module is loaded already
            runpy.run_module(str(order["module"]), run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        status = 1
    if isinstance(status, str):
        sys.stderr.write(f"{status}\n")
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(int(status or 0))  # type: ignore[call-overload]


if __name__ == "__main__":
    serve(*sys.argv[1:]) if len(sys.argv) == 2 else ask(*sys.argv[1:])
