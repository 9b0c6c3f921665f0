"""Limits: rates for addresses that strangers may try, sizes of bodies, numbers of open streams.

Rates are counted in this process: with several workers the real limit is that many times higher, which is still far
below the number of tries needed for guessing.
"""

import hashlib
import ipaddress
import re
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
"""The most bytes of a request body. The largest honest form is a declaration of 64 kB: sent as fields and again as the
hashed text, with three characters for each byte of letters beyond English."""

FILE = 2_200_000
"""The most bytes for forms that take a calendar of a megabyte, as a file, as text, or both."""
FILES = "/calendar/shape/import"

PICTURE = 9_000_000
"""The most bytes for forms that take a picture (app/campaign/pictures.py) and a text beside it."""
PICTURES = re.compile(r"/handouts/(?:new|[^/]+/change)$")

DRAIN = 64 * 1024 * 1024
"""The most bytes of a too large body to read and throw away, so that the browser shows the response: more than the
files that people choose by mistake."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `times` within `seconds`, all at once or spread out."""

    name: str
    times: int
    seconds: float


LOOK = Rate("look", 60, 60)  # opening a join or enter link
FOUND = Rate("found", 20, 3600)
JOIN = Rate("join", 30, 600)
WAIT = Rate("wait", 600, 60)  # the page of people who wait to be let in asks every two seconds
ENTER = Rate("enter", 60, 600)
CODE = Rate("code", 10, 600)
CARD = Rate("card", 10, 600)  # the X-card: enough for a bad evening, too few to block a table
BOUND = Rate("bound", 60, 600)
PRESENCE = Rate("presence", 60, 60)  # by member, for all open pages together
FEED = Rate("feed", 120, 60)  # calendar services fetch for many people from one address


STREAMS_WAIT = 10.0  # seconds after which a browser may try again


@dataclass(slots=True)
class Meter:
    """Rate counters by key, each a single number: the moment at which the key would be unused again."""

    clock: Callable[[], float] = time.monotonic
    most_keys: int = 50_000
    _free_at: dict[str, float] = field(default_factory=dict)

    def wait(self, rate: Rate, key: str) -> float:
        """Counts a use and returns 0, or counts nothing and returns the seconds to wait."""
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
    """Count this request. Raises `TooMany` if its sender exceeds the rate; `who` replaces the sender's address."""
    state = request.app.state
    if not hasattr(state, "meter"):
        state.meter = Meter()
    wait = state.meter.wait(rate, who or _sender(request))
    if wait:
        raise TooMany(wait)


def limit_act(request: Request, what: str, member: uuid.UUID) -> None:
    """Count an act of a member at the table: by member, as a whole table may share one address."""
    limit(request, Rate(what, request.app.state.settings.acts_per_minute, 60), str(member))


def limit_unnamed(request: Request, rate: Rate, device: uuid.UUID) -> None:
    """Count by browser, under a hash keyed with a secret of this process, so that the counter identifies no browser."""
    state = request.app.state
    if not hasattr(state, "unnamed"):
        state.unnamed = secrets.token_bytes(32)
    limit(request, rate, hashlib.blake2b(device.bytes, key=state.unnamed).hexdigest())


@contextmanager
def one_stream(request: Request, member: uuid.UUID) -> Iterator[None]:
    """Count one more open stream for this member and this address while the block runs. Checks and counts without
    awaiting in between, so simultaneous requests cannot exceed the limit.

    Raises `TooMany` if the member or the address already has the most streams allowed. This computer's own addresses
    are not counted: all clients behind a proxy that SIGNET_PROXIES does not name come from there.
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
    """Refuses bodies above `most` bytes with an error page, whether or not their length was announced."""

    def __init__(self, app: ASGIApp, most: int = BODY) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = _most(scope["path"], self.most)
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


def _most(path: str, usual: int) -> int:
    if PICTURES.search(path):
        return PICTURE
    return FILE if path.endswith(FILES) else usual


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
