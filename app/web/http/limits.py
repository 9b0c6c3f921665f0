"""How often and how much: rates for doors that strangers may try, and the size of what anybody may send.

Rates are kept in this process: with several workers the real limit is that many times higher, which is still far
below what guessing would need.
"""

import hashlib
import ipaddress
import secrets
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import TooMany, TooMuch
from app.web.http.errors import problem

BODY = 512 * 1024
"""Bytes a request may bring. The largest honest form is a declaration of 64 kB: sent as fields and as the one text that
was hashed, and letters beyond English take three signs for each byte."""

FILE = 2_200_000
"""Bytes where a form takes a calendar's file of a megabyte, or its text, or both."""
FILES = "/calendar/shape/import"

DRAIN = 64 * 1024 * 1024
"""How much of a too large body is read and thrown away, so that the browser gets to see the answer: more than the files
that people have by them and choose by mistake."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`times` in `seconds`, all at once or spread out."""

    name: str
    times: int
    seconds: float


LOOK = Rate("look", 60, 60)  # opening a join or enter link
FOUND = Rate("found", 20, 3600)
JOIN = Rate("join", 30, 600)
ENTER = Rate("enter", 60, 600)
CODE = Rate("code", 10, 600)
CARD = Rate("card", 10, 600)  # the X-card: enough for a bad evening, too few to hold a table up
BOUND = Rate("bound", 60, 600)
FEED = Rate("feed", 120, 60)  # calendar services ask for many people from one address


STREAMS_WAIT = 10.0  # seconds after which one more stream may be tried


@dataclass(slots=True)
class Meter:
    """Counts by key with one number each: the moment at which the key would be unused again."""

    clock: Callable[[], float] = time.monotonic
    most_keys: int = 50_000
    _free_at: dict[str, float] = field(default_factory=dict)

    def wait(self, rate: Rate, key: str) -> float:
        """0 and counted, or the seconds until it would be."""
        now, each = self.clock(), rate.seconds / rate.times
        place = f"{rate.name} {key}"
        free_at = max(self._free_at.get(place, now), now)
        if free_at + each - now > rate.seconds + 1e-9:
            return free_at + each - now - rate.seconds
        if len(self._free_at) >= self.most_keys:
            self._free_at = {name: at for name, at in self._free_at.items() if at > now}
        self._free_at[place] = free_at + each
        return 0.0


def limit(request: Request, rate: Rate, who: str = "") -> None:
    """Count this request; `TooMany` where its sender (an address, unless it is said who) does this too often."""
    state = request.app.state
    if not hasattr(state, "meter"):
        state.meter = Meter()
    wait = state.meter.wait(rate, who or _sender(request))
    if wait:
        raise TooMany(wait)


def limit_act(request: Request, what: str, member: uuid.UUID) -> None:
    """Count what a member does at the table: by member, for a whole table may sit behind one address."""
    limit(request, Rate(what, request.app.state.settings.acts_per_minute, 60), str(member))


def limit_unnamed(request: Request, rate: Rate, device: uuid.UUID) -> None:
    """Count by browser under a name made with a secret of this process, so that what is counted names nobody."""
    state = request.app.state
    if not hasattr(state, "unnamed"):
        state.unnamed = secrets.token_bytes(32)
    limit(request, rate, hashlib.blake2b(device.bytes, key=state.unnamed).hexdigest())


@contextmanager
def one_stream(request: Request, member: uuid.UUID) -> Iterator[None]:
    """Meanwhile one more stream is open for this member and this address; looked at and counted in one go, so that
    of many that come at once not one too many gets in.

    `TooMany` where a member or an address has as many as there may be. This computer's own addresses are not counted:
    who is behind a proxy that SIGNET_PROXIES does not name all come from there.
    """
    settings, streams, sender = request.app.state.settings, _streams(request), _sender(request)
    keys = (f"member {member}", f"address {sender}")
    full = streams[keys[0]] >= settings.streams_per_member
    if full or (streams[keys[1]] >= settings.streams_per_address and not _here(sender)):
        raise TooMany(STREAMS_WAIT)
    streams.update(keys)
    try:
        yield
    finally:
        for key in keys:
            streams[key] -= 1
            if streams[key] <= 0:
                del streams[key]


def _streams(request: Request) -> Counter[str]:
    state = request.app.state
    if not hasattr(state, "streams"):
        state.streams = Counter()
    streams: Counter[str] = state.streams
    return streams


def _here(sender: str) -> bool:
    return sender.startswith("127.") or sender == "::/64"


def _sender(request: Request) -> str:
    host = request.client.host if request.client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:  # one household has a whole /64
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


class BodyLimit:
    """Refuses bodies above `most` bytes with a page that says so, whether their length was announced or not."""

    def __init__(self, app: ASGIApp, most: int = BODY) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = FILE if scope["path"].endswith(FILES) else self.most
        if _announced(scope) > most:
            await _drain(receive)
            await problem(Request(scope), TooMuch(most))(scope, receive, send)
            return
        got, started = 0, False

        async def counted() -> Message:
            nonlocal got
            message = await receive()
            if message["type"] == "http.request":
                got += len(message.get("body", b""))
                if got > most:
                    if message.get("more_body", False):
                        await _drain(receive)
                    raise TooMuch(most)
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except TooMuch as too_much:
            if not started:
                await problem(Request(scope), too_much)(scope, receive, send)


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and len(value) < 20:
            return int(value)
    return 0


async def _drain(receive: Receive) -> None:
    left, more = DRAIN, True
    while more and left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
