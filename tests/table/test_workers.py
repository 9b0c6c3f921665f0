"""Two server processes on one database, as `signet serve --workers 2` or two hosts have them, over each bus."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest
from sqlalchemy import text

from app.play.demo import ensure_demo
from app.table.runtime import Runtime
from tests.server import Server, servers
from tests.table.carriers import POSTGRES_FIRST, carried
from tests.web.browser import Browser, Page

pytestmark = pytest.mark.anyio

SOON = 4.5  # seconds: the look takes longer, and would not hit three times running
PLANS = {"alice": "sword-goblin", "bob": "red-axe", "charlie": "old-axe"}


@pytest.fixture(params=POSTGRES_FIRST)
def pair(request: pytest.FixtureRequest, db_url: str, tmp_path: Path) -> Iterator[list[Server]]:
    carrier = carried(request.param, db_url)
    with servers(db_url, tmp_path, 2, **({"SIGNET_BUS_URL": carrier.address} if carrier.address else {})) as running:
        yield running


@pytest.fixture
async def links(runtime: Runtime) -> dict[str, str]:
    async with runtime.sessions.begin() as session:
        return {re.split(r"\W", label)[0].lower(): path for label, path in await ensure_demo(session, runtime.vault)}


class Player:
    """Somebody at one of the two servers, with a page's stream open."""

    def __init__(self, server: Server, stack: contextlib.AsyncExitStack) -> None:
        self.http = httpx2.AsyncClient(base_url=server.url, timeout=30)
        self.browser = Browser(self.http)
        self.hints: asyncio.Queue[str] = asyncio.Queue()
        self.scene = ""
        self.listening: asyncio.Task[None] | None = None  # done once the stream has ended
        self._stack = stack
        stack.push_async_callback(self.http.aclose)

    async def come(self, link: str) -> "Player":
        page = await self.browser.get(link)
        page = await self.browser.send(page, page.forms[0].action)
        home = page.path.rstrip("/")
        found = re.search(r'href="([^"]*/scene/[0-9a-f-]+)"', page.html)
        assert page.status == 200 and found is not None
        self.scene = urljoin(page.path, found[1])
        task = self.listening = asyncio.create_task(self._listen(f"{home}/stream"))
        self._stack.push_async_callback(self._end, task)
        assert await self.hint() == "changed", "a stream's first word"
        return self

    async def _listen(self, address: str) -> None:
        async with self.http.stream("GET", address) as answer:
            assert answer.status_code == 200
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    self.hints.put_nowait(line.removeprefix("data:").strip())

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, httpx2.HTTPError):  # its server may be gone by now
            await task

    async def hint(self) -> str:
        async with asyncio.timeout(SOON):
            return await self.hints.get()

    async def quiet(self) -> None:
        """Take what has been said so far, until there is silence."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(0.5):
                    await self.hints.get()

    async def page(self) -> Page:
        return await self.browser.get(self.scene)

    async def seal(self, typed: dict[str, str] | None = None) -> Page:
        page = await self.page()
        form = next(form for form in page.forms if form.action.endswith("/lay") and len(form.names) > 4)
        typed = typed or {}
        fields = [(name, value) for name, value in form.fields if name not in typed]
        return await self.browser.post(form.action, [*fields, *typed.items(), ("_act", "seal")])


@pytest.fixture
async def stack() -> AsyncIterator[contextlib.AsyncExitStack]:
    async with contextlib.AsyncExitStack() as stack:
        yield stack


async def test_a_round_over_two_servers(
    stack: contextlib.AsyncExitStack, pair: list[Server], links: dict[str, str], runtime: Runtime
) -> None:
    """Each seal at one server wakes the pages at the other; the last one, wherever it falls, opens the round once."""
    places = {"gm": 0, "alice": 0, "bob": 1, "charlie": 1, "sam": 1}
    people = {name: await Player(pair[at], stack).come(links[name]) for name, at in places.items()}
    gm, sam = people["gm"], people["sam"]
    await gm.seal({"description": "Rain. The goblins wait."})
    await gm.seal()
    for player in people.values():
        await player.quiet()
    for name, target in PLANS.items():
        far = people["sam" if places[name] == 0 else "gm"]
        page = await people[name].seal({f"of.{name}.attack": target})
        assert page.status == 200
        assert await far.hint() == "changed", f"{name}'s seal is heard at the other server"
        await asyncio.gather(*(player.quiet() for player in people.values()))
    for player in (gm, sam):
        page = await player.page()
        assert "Round 1, opened together" in page.text and "Alice attacks the sword goblin." in page.text
    async with runtime.sessions() as session:
        closed = await session.scalars(text("SELECT key FROM steps WHERE status = 'closed' AND closed_by = 'all'"))
        keys = list(closed)
    assert keys and len(keys) == len(set(keys))


async def test_when_one_server_dies_its_players_go_on_at_the_other(
    stack: contextlib.AsyncExitStack, pair: list[Server], links: dict[str, str]
) -> None:
    gm = await Player(pair[0], stack).come(links["gm"])
    await gm.seal({"description": "Rain. The goblins wait."})
    assert "Sealed at" in (await gm.seal()).text
    pair[0].kill()
    again = await Player(pair[1], stack).come(links["gm"])
    assert "Sealed at" in (await again.page()).text
