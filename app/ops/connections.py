"""Limits on connections: how long a request may take to come in, and how many connections may be open.

A client that sends half a request and waits costs a file descriptor. Their number is limited: without a bound, a
thousand such connections keep everybody out. Proxies have their own bounds (docs/hosting.md); these apply without one.
"""

import asyncio
import contextlib
import functools
import logging
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 20.0
"""From the start of the connection, or the last answer, to the end of a request's head."""

BODY_SECONDS = 90.0
"""From there to the end of its body: half a megabyte, or a calendar's file, over a bad line."""

OTHERS = 256
"""File descriptors reserved for everything else: the database, files, a proxy's own checks."""

WANTED = 16_384
UNKNOWN = 512  # connections, where the system does not say how many descriptors there are

log = logging.getLogger("signet.connections")


@functools.cache
def most() -> int:
    """Returns how many connections this process may hold; first raises its limit of descriptors as far as it may."""
    try:
        import resource
    except ImportError:
        return UNKNOWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(UNKNOWN // 8, min(WANTED, soft if soft != resource.RLIM_INFINITY else WANTED) - OTHERS)


class Connection(H11Protocol):
    """A connection with a time limit for each request. Beyond `most()`, the one nearest its limit is closed."""

    late: asyncio.TimerHandle | None = None
    state: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _send_at_once(transport)
        self._watch()
        if len(self.connections) > most():
            self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unset()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Runs a timer while a part of a request is missing: one for its head, one for its body."""
        state = self.conn.their_state
        if state is self.state and self.late is not None:
            return
        self._unset()
        self.state = state
        if state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing():
            seconds = HEAD_SECONDS if state is h11.IDLE else BODY_SECONDS
            self.late = self.loop.call_later(seconds, self.transport.close)

    def _unset(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None

    def _make_room(self) -> None:
        idle = {one: one.late.when() for one in self.connections if isinstance(one, Connection) and one.late}
        oldest = min(idle, key=idle.__getitem__)  # this one is among them
        log.warning("more than %d connections are open; those go that bring no request", most())
        oldest.transport.abort()
        self.connections.discard(oldest)


def _send_at_once(transport: asyncio.Transport) -> None:
    """Keeps the system from delaying a body for 40 ms, until the other side has confirmed its head. asyncio does so
    itself, but not on sockets made without a protocol number, as uvicorn makes for workers and we for `play`."""
    with contextlib.suppress(OSError):  # the other side may be gone already
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
