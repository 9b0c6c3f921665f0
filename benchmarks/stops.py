"""A stop by the X-card, from the press until the last page elsewhere in the campaign has its red bar."""

import asyncio
import statistics
import time
from collections.abc import Iterator, Sequence

from benchmarks import crowds, ground, tables
from benchmarks.figures import Figure
from benchmarks.ground import Server
from benchmarks.tables import Chair, Table

PAGES = 50  # open pages of one campaign, each with a stream
WITHIN = 2.0  # seconds
SAYS = b"Someone would like to stop here"


def figures(*, quick: bool = False, pages: int = PAGES) -> Iterator[Figure]:
    """Yields the time until every open page of a campaign has the bar, against what people may wait for it."""
    with ground.database() as url:
        laid = asyncio.run(tables.lay_tables(url, 2 if quick else 6, pages))
        with ground.signet(url) as server:
            took = asyncio.run(_stops(server, laid))
    slowest = max(took)
    yield Figure(name=f"Stop: the bar on the last of {pages} pages", measured=f"{slowest * 1000:.0f} ms "
                 f"(median {statistics.median(took) * 1000:.0f})", floor=f"{WITHIN:.0f} s", ratio=slowest / WITHIN,
                 at_most=1.0)  # fmt: skip


async def _stops(server: Server, laid: Sequence[Table]) -> list[float]:
    """Returns for each table but the first, which loads the code, the seconds from Alice's press to the last bar."""
    return [await _stop(server, table) for table in laid][1:]


async def _stop(server: Server, table: Table) -> float:
    pages = (table.gm, *table.players, *table.watching)
    async with crowds.listening(server, [(f"{one.base}/stream", one.cookie) for one in pages]) as listeners:
        began = time.perf_counter()
        showing = asyncio.gather(*(_bar(server, *one) for one in zip(pages, listeners, strict=True)))
        alice = table.players[0]
        status = await crowds.ask(server, "POST", f"{alice.page}/stop", alice.cookie, b"sure=yes")
        if status != 303:
            raise RuntimeError(f"the stop was answered with {status}")
        return max(await showing) - began


async def _bar(server: Server, chair: Chair, listener: crowds.Listener) -> float:
    """Waits as a page does: for a hint, then for the bar, until it is red; returns the moment."""
    while True:
        await listener.hint()
        if SAYS in await crowds.fetch(server, f"{chair.base}/turns", chair.cookie):
            return time.perf_counter()
