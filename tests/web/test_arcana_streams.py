"""Streams of a wizards' fight in a real server: event for event the same, whatever somebody hidden does."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy.ext.asyncio import async_sessionmaker

from app.campaign import seats, tokens
from app.crypto.vault import Vault
from tests.arcana_fight import lay
from tests.server import KEY, Server, servers
from tests.web.browser import Browser
from tests.web.seated_fight import Fight
from tests.web.test_arcana_secrets import AT, BUSY, HOLD, LURKER, STURDY, TROLL, Night, Typed, of
from tests.web.theatre import Stream

pytestmark = [pytest.mark.anyio, pytest.mark.nightly]

OUTSIDE = ("ada", "ben", "sam")
DOES: tuple[Typed, ...] = (BUSY[1], BUSY[3], BUSY[5])
"""One deed of the hidden one's in each cycle: it moves, it casts, it waits for something."""


@pytest.fixture
def server(db_url: str, tmp_path: Path) -> Iterator[Server]:
    with servers(db_url, tmp_path) as running:
        yield running[0]


def told(streams: dict[str, Stream]) -> dict[str, int]:
    return {who: stream.got.count(b"data: changed") for who, stream in streams.items()}


def settle(streams: dict[str, Stream], quiet: float = 0.4) -> dict[str, int]:
    """How many events each stream has had, once there are no more for a while."""
    last, since = told(streams), time.monotonic()
    while time.monotonic() - since < quiet:
        time.sleep(0.02)
        if (now := told(streams)) != last:
            last, since = now, time.monotonic()
    return last


async def begin(server: Server, sessions: async_sessionmaker[Any], vault: Vault, **given: Any) -> tuple[Night, Any]:
    """A fight with a browser and an open stream for everybody."""
    browsers, streams = {}, {}
    async with sessions.begin() as session:
        laid = await lay(session, vault, STURDY, {"at": AT, **given})
        for who, member in laid.people.items():
            token = tokens.fresh()
            await seats.sit_down(session, member, "test", token)
            head = {"Cookie": f"signet={token}"}
            browsers[who] = Browser(httpx2.AsyncClient(base_url=server.url, headers=head, timeout=30))
            streams[who] = Stream(f"{server.url}/c/{laid.campaign.slug}/{who}/stream", token)
    for stream in streams.values():
        stream.start()
    for stream in streams.values():
        stream.wait()
    settle(streams, 1)
    return Night(Fight(f"/c/{laid.campaign.slug}/{{who}}/scene/{laid.scene}", browsers)), streams


async def play(night: Night, streams: dict[str, Stream], does: tuple[Typed, ...]) -> dict[str, list[int]]:
    """How many events each stream was told after each thing that somebody sent, and what came over it."""
    heard: dict[str, list[int]] = {who: [] for who in streams}
    before = settle(streams)

    def listen() -> None:
        nonlocal before
        now = settle(streams)
        for who in streams:
            heard[who].append(now[who] - before[who])
        before = now

    for number, typed in enumerate(does, 1):
        step = f"c{number}/plan"
        sent = of("lurker", typed) if typed else {}
        if typed and typed is not HOLD:  # the GM does something unseen, too
            put = {"what": "place", "who": "lurker", "at": f"24,{18 + number}"}
            await night.send("gm", f"gm/{number}", put)
        listen()
        await night.send("gm", step, sent, "draft")
        listen()
        await night.send("gm", step, sent)
        listen()
        for who in ("ada", "ben"):
            await night.send(who, step, of(who, HOLD))
            listen()
    return heard


async def test_streams_are_silent_about_a_hidden_foe(
    server: Server, sessions: async_sessionmaker[Any], vault: Vault
) -> None:
    assert vault.keys[0] == KEY, "the server reads what was laid here"
    tables = (([TROLL, LURKER], DOES), ([TROLL, LURKER], (HOLD,) * 3), ([TROLL], ({},) * 3))
    heard = []
    for foes, does in tables:
        night, streams = await begin(server, sessions, vault, foes=foes)
        heard.append((await play(night, streams, does), {who: stream.got for who, stream in streams.items()}))
        for browser in night.table.browsers.values():
            await browser.http.aclose()
    for counts, _ in heard[1:]:
        assert {who: counts[who] for who in OUTSIDE} == {who: heard[0][0][who] for who in OUTSIDE}
    for counts, got in heard:
        assert sum(counts["sam"]) >= 9, "each seal, and what was opened"
        lines = {line for text in got.values() for line in text.splitlines() if line.startswith(b"data:")}
        assert lines == {b"data: changed"}
