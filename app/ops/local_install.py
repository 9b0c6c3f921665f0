"""A local Signet: its data folder, its key, the process that runs it, and its addresses."""

import errno
import fcntl
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import psutil

from app.db.embedded import Embedded, make_private
from app.errors import UserError
from app.private_files import private
from app.settings import Settings, new_key, read_keys

TRIES = 20  # ports tried, from the wanted one upwards
NOT_A_LAN = ("lo", "docker", "br-", "veth", "virbr", "podman", "cni", "utun", "tun", "tap")


@dataclass(frozen=True, slots=True)
class Runner:
    """The `signet play` that holds a data folder."""

    pid: int
    address: str


class Household:
    """One data folder: `postgres/` and its log, `key` (0600), `signet.log`, and the lock of the `signet play` on it."""

    def __init__(self, data: Path) -> None:
        self.embedded = Embedded(data)
        self.data = self.embedded.data
        self.key_file = self.data / "key"
        self.log = self.data / "signet.log"

    @property
    def born(self) -> datetime:
        """Returns when this folder was set up: the time of its key, which is the first file written into it."""
        return datetime.fromtimestamp(self.key_file.stat().st_mtime, UTC)

    def open(self) -> str:
        """Starts or joins the database and returns its address; makes the folder and the key the first time."""
        self._key_is_there()
        return self.embedded.start()

    def settings(self, given: Settings, url: str) -> Settings:
        """Returns the given settings with this household's database, and with its key if no other was given."""
        own_key = {} if given.key or given.key_file else {"key_file": self.key_file}
        return given.model_copy(
            update={"database_url": url, "database_password_file": None, "data": self.data, **own_key}
        )

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yields the address of the running database; stops it afterwards if this call started it."""
        url = self.open()
        try:
            yield url
        finally:
            if self.embedded.started_here:
                self.embedded.stop()

    @contextmanager
    def held(self) -> Iterator["Household"]:
        """Locks this folder within the block. Raises `UserError`, which names the process that has it."""
        make_private(self.data)
        with self._lock_file() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                runner = self.runner()
                who = f"process {runner.pid}, {runner.address}" if runner else "it is starting"
                raise UserError(
                    f"Signet is already running in {self.data} ({who}). Use that one, stop it with `signet stop`, "
                    f"or start a second one in another folder with --data DIR."
                ) from None
            self.tell("")
            yield self
            self.tell(None)

    def tell(self, address: str | None) -> None:
        """Notes for other commands that this process runs here, and its address; None: no longer."""
        word = "" if address is None else json.dumps({"pid": os.getpid(), "address": address})
        with open(self.data / "playing", "w", opener=private) as file:
            file.write(word)

    def runner(self) -> Runner | None:
        """Returns the `signet play` on this folder now, or None."""
        if not (self.data / "playing.lock").exists():
            return None
        with self._lock_file() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                with suppress(OSError, ValueError, KeyError):
                    word = json.loads((self.data / "playing").read_text())
                    return Runner(word["pid"], word["address"] or "not ready yet")
        return None

    def stop(self, deadline: float = 15) -> bool:
        """Stops the app that plays here, then the database; returns False if neither ran."""
        runner = self.runner()
        if runner:
            with suppress(ProcessLookupError):
                os.kill(runner.pid, signal.SIGTERM)
            until = time.monotonic() + deadline
            while self.runner():
                if time.monotonic() > until:
                    raise UserError(f"Signet (process {runner.pid}) does not stop. See {self.log}.")
                time.sleep(0.05)
        return self.embedded.stop() or runner is not None

    def _lock_file(self) -> IO[bytes]:
        return open(self.data / "playing.lock", "a+b", opener=private)

    def _key_is_there(self) -> None:
        make_private(self.data)
        if self.embedded.status().state != "absent" and not self.key_file.exists():
            raise UserError(
                f"The key {self.key_file} is missing. Without it, nobody can open what was sealed in this database. "
                f"Restore it from your backup, or start fresh in another folder with --data DIR."
            )
        with suppress(FileExistsError):
            file = os.open(self.key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w") as writing:
                writing.write(new_key() + "\n")
                writing.flush()
                os.fsync(writing.fileno())  # a power cut must not leave sealed envelopes without their key
        read_keys(self.key_file.read_text(), str(self.key_file))


def listen(host: str, port: int) -> socket.socket:
    """Returns a listening socket on the wanted port, or on the next free one.

    Raises `UserError` where the host is not ours, or where none of twenty ports is free.
    """
    try:
        family, _, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError:
        raise UserError(
            f"{host!r} is not an address of this computer. Try --host 127.0.0.1 or --host 0.0.0.0.", code=2
        ) from None
    for number in range(port, min(port + TRIES, 65536)):
        taken = socket.socket(family, socket.SOCK_STREAM)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((where[0], number, *where[2:]))
            taken.listen(2048)
        except OSError as error:
            taken.close()
            if error.errno == errno.EADDRINUSE:
                continue
            if error.errno == errno.EACCES:
                raise UserError(
                    f"Port {number} needs root rights. Use a port above 1023, such as --port 8420.", code=2
                ) from None
            raise UserError(
                f"Signet cannot listen on {host}: {error.strerror}. Try --host 127.0.0.1.", code=2
            ) from None
        return taken
    raise UserError(f"The ports {port} to {port + TRIES - 1} are all in use. Choose a free one with --port N.")


def lan_addresses() -> list[str]:
    """Returns this computer's IPv4 addresses that others in the same network can reach; may be empty."""
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found: list[str] = []
    for name, entries in psutil.net_if_addrs().items():
        if name in up and not name.startswith(NOT_A_LAN):
            found += [entry.address for entry in entries if entry.family == socket.AF_INET]
    return [address for address in found if not address.startswith(("127.", "169.254."))]
