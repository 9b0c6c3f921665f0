"""An open stream ends with the right to it, whatever ends that, and in whichever process."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text, update

from app.models.people import Device
from app.table.runtime import Runtime
from tests.server import Server, servers
from tests.table.test_workers import Player, links
from tests.web.browser import Browser, Page
from tests.web.test_scene_pages import ROAD

__all__ = ["links"]
pytestmark = pytest.mark.anyio
SOON = 30  # seconds; a busy machine is slow now and then


@pytest.fixture
def pair(db_url: str, tmp_path: Path) -> Iterator[list[Server]]:
    with servers(db_url, tmp_path, 2) as running:
        yield running


@pytest.fixture
async def stack() -> AsyncIterator[contextlib.AsyncExitStack]:
    async with contextlib.AsyncExitStack() as stack:
        yield stack


def heard(player: Player) -> list[str]:
    """What the stream has said since it was asked last."""
    found = []
    while not player.hints.empty():
        found.append(player.hints.get_nowait())
    return found


async def ends(player: Player) -> None:
    """The stream ends, and its last word says so."""
    assert player.listening is not None
    await asyncio.wait_for(player.listening, SOON)
    assert heard(player)[-1] == "closed"


def goes_on(*players: Player) -> None:
    for player in players:
        assert player.listening is not None and not player.listening.done()
        assert "closed" not in heard(player)


async def there(player: Player, server: Server, stack: contextlib.AsyncExitStack) -> Browser:
    """The same browser at the other server."""
    other = await stack.enter_async_context(type(player.http)(base_url=server.url, timeout=SOON))
    other.cookies.update(player.http.cookies)
    return Browser(other)


def devices(page: Page) -> list[str]:
    return re.findall(r"/you/devices/([0-9a-f-]{36})/close", page.html)


async def test_a_stream_ends_with_its_seat_its_browser_or_its_campaign(
    stack: contextlib.AsyncExitStack, pair: list[Server], links: dict[str, str], runtime: Runtime
) -> None:
    """Every act falls in the other process. Finds an act that ends no stream, or the stream of somebody else."""
    near, far = pair

    async def come(name: str) -> Player:
        return await Player(near, stack).come(links[name])

    gm, alice, bob, charlie, sam = [await come(name) for name in ("gm", "alice", "bob", "charlie", "sam")]
    gms, alices = await there(gm, far, stack), await there(alice, far, stack)

    # One browser of several, then all the others.
    second = await come("alice")
    mine = await (await there(second, far, stack)).get(f"{ROAD}/alice/you")
    this = re.search(r"/you/devices/([0-9a-f-]{36})/close", mine.html)
    assert this and len(devices(mine)) == 2
    newest = await newest_device(runtime, "alice")
    await alices.post(f"{ROAD}/alice/you/devices/{newest}/close")
    await ends(second)
    third = await come("alice")
    await alices.post(f"{ROAD}/alice/you/devices/close-others")
    await ends(third)
    # All others once more, since somebody may have seen the link.
    fourth = await come("alice")
    await alices.post(f"{ROAD}/alice/you/link")
    await ends(fourth)
    goes_on(gm, alice, bob, charlie, sam)

    # Removed by the GM.
    await gms.post(f"{ROAD}/gm/people/of/bob/remove")
    await ends(bob)
    # The seat is handed over to somebody new.
    shown = await gms.post(f"{ROAD}/gm/people/of/charlie/invite")
    link = next(value for value in shown.values.values() if "/join/" in value)
    fresh = Browser(await stack.enter_async_context(type(gm.http)(base_url=far.url, timeout=SOON)))
    joining = await fresh.get(link[link.index("/join/") :])
    assert (await fresh.send(joining, joining.forms[0].action, {"name": "Dora", "me": "yes"})).status == 200
    await ends(charlie)
    goes_on(gm, alice, sam)
    # Out of one's own seat.
    await alices.post(f"{ROAD}/alice/you/devices/{await newest_device(runtime, 'alice')}/close")
    await ends(alice)
    # Deleted.
    await gms.post(f"{ROAD}/gm/delete", {"typed": "The Goblin Road"})
    await ends(gm)
    await ends(sam)


async def newest_device(runtime: Runtime, handle: str) -> str:
    async with runtime.sessions() as session:
        found = await session.execute(
            text(
                "SELECT sessions.id FROM sessions JOIN members ON members.id = sessions.member_id"
                " WHERE handle = :handle AND revoked_at IS NULL ORDER BY sessions.made_at DESC LIMIT 1"
            ),
            {"handle": handle},
        )
        return str(found.scalar_one())


async def test_what_nobody_announces_ends_it_before_the_next_hint(
    stack: contextlib.AsyncExitStack, pair: list[Server], links: dict[str, str], runtime: Runtime
) -> None:
    """The rows change and nobody says so; then something else happens. Finds a stream that passes that on."""
    sam, alice = [await Player(pair[0], stack).come(links[name]) for name in ("sam", "alice")]
    await alice.quiet()
    heard(sam)
    async with runtime.sessions.begin() as session:
        member = (await session.execute(text("SELECT id FROM members WHERE handle = 'sam'"))).scalar_one()
        await session.execute(update(Device).where(Device.member_id == member).values(seen_at=text("'2020-01-01'")))
        campaign = (await session.execute(text("SELECT id FROM campaigns"))).scalar_one()
    async with runtime.sessions.begin() as session:
        await runtime.bus.publish(session, campaign, "all")
    assert await alice.hint() == "changed"
    assert sam.listening is not None
    await asyncio.wait_for(sam.listening, SOON)
    assert heard(sam) == ["closed"]
