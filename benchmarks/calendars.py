"""A month of a campaign with ten thousand calendar entries against one with none, drawn and from the cache."""

import asyncio
import http.client
import statistics
import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from app.db.engine import make_engine
from app.models.almanac import Entry
from app.models.base import new_id
from benchmarks import ground, tables
from benchmarks.figures import Figure
from benchmarks.tables import Chair

ENTRIES = 10_000
YEARS = 20
AGAIN = 200  # of them repeat
LASTING = 500  # of them last for some days
KINDS = ("scene", "leg", "arrival", "completion", "event", "holiday", "note")


def figures(*, quick: bool = False, entries: int = ENTRIES) -> Iterator[Figure]:
    """Yields the milliseconds of a month, in turn for both campaigns, one request at a time: drawn, then from the
    cache. The cache goes by the address, so an unused parameter makes it a page to draw."""
    rounds = 15 if quick else 60
    with ground.database() as url:
        empty, full = (table.players[1] for table in asyncio.run(tables.lay_tables(url, 2)))
        asyncio.run(_fill(url, full, entries))
        with ground.signet(url) as server:
            took: dict[str, list[float]] = {"none": [], "none again": [], "all": [], "all again": []}
            for number in range(1 + rounds):  # the first warms up
                for chair, which in ((empty, "none"), (full, "all")):
                    for name in (which, f"{which} again"):
                        took[name].append(_month(server.port, chair, f"year=10&month=6&drawn={number}"))
    none, none_again, most, most_again = (statistics.median(some[1:]) * 1000 for some in took.values())
    yield Figure(name=f"A month of {entries:,} entries", measured=f"{most:.1f} ms", floor=f"{none:.1f} ms (none)",
                 ratio=most / none, at_most=3.0)  # fmt: skip
    yield Figure(name="An empty month again", measured=f"{none_again:.1f} ms", floor=f"{none:.1f} ms (drawn)",
                 ratio=none_again / none, at_most=0.5)  # fmt: skip
    yield Figure(name=f"A month of {entries:,} again", measured=f"{most_again:.1f} ms", floor=f"{most:.1f} ms (drawn)",
                 ratio=most_again / most, at_most=0.8)  # fmt: skip


async def _fill(url: str, chair: Chair, entries: int) -> None:
    engine: AsyncEngine = make_engine(url)
    rows = [_row(chair, number) for number in range(entries)]
    try:
        async with engine.begin() as connection:
            for at in range(0, len(rows), 1000):
                await connection.execute(insert(Entry), rows[at : at + 1000])
        async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            await connection.exec_driver_sql("ANALYZE entries")
    finally:
        await engine.dispose()


def _row(chair: Chair, number: int) -> dict[str, Any]:
    """Returns an entry. They are spread over all days of twenty years, and so are those that repeat or last."""
    day = number * 7919 % (YEARS * 360)
    rule = None
    if number % (ENTRIES // AGAIN) == 0:
        rule = {"kind": "days", "start": day, "until": None, "skip": [], "days": 30 + number % 331}
    return {
        "campaign_id": chair.campaign,
        "id": new_id(),
        "made_no": number + 1,
        "kind": KINDS[number % len(KINDS)],
        "state": "open",
        "title": f"What happens as number {number}",
        "text": "Some words on it.",
        "place": f"Place {number % 40}",
        "day": day,
        "last_day": day + 3 + number % 9 if number % (ENTRIES // LASTING) == 1 else None,
        "rule": rule,
        "people": ["alice"] if number % 3 == 0 else [],
        "seen_by": "gm" if number % 10 == 9 else "all",
        "viewers": [],
        "author_id": chair.member,
        "standing": "pass",
        "data": {},
    }


def _month(port: int, chair: Chair, query: str) -> float:
    """Returns the seconds for one page on a new connection, without those to connect."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.connect()
        began = time.perf_counter()
        connection.request("GET", f"{chair.base}/calendar?{query}", headers={"Cookie": chair.cookie})
        answer = connection.getresponse()
        page = answer.read()
        took = time.perf_counter() - began
    finally:
        connection.close()
    if answer.status != 200:
        raise RuntimeError(f"the month was answered with {answer.status}: {page[-300:]!r}")
    return took
