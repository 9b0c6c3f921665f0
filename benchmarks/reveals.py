"""A reveal to a thousand open streams of one table, against a bare broadcast; the cost of a waiting stream."""

import asyncio
import statistics
import time
import uuid
from collections.abc import Iterator
from urllib.parse import urlencode

from benchmarks import crowds, ground, tables
from benchmarks.figures import Figure
from benchmarks.ground import Server
from benchmarks.tables import STEP, Chair, Table

STREAMS = 1_000
WATCHING = 50  # members who only watch; the streams are their tabs


def figures(*, quick: bool = False, streams: int = STREAMS) -> Iterator[Figure]:
    """Yields the hint's delay at the last stream, the time to fetch all new pages, and the memory of a stream."""
    rounds = 1 if quick else 3
    hints, bare_hints, fetches, quiet_fetches, works = [], [], [], [], []
    for _ in range(rounds):
        with ground.bare("streams") as server:
            bare_hint, bare_memory = asyncio.run(_broadcast(server, streams))
        with ground.database() as url:
            laid = asyncio.run(tables.lay_tables(url, 4, WATCHING))
            with ground.signet(url) as server:
                hint, fetched, quiet, memory, work = asyncio.run(_reveal(server, laid, streams))
        hints.append(hint)
        bare_hints.append(bare_hint)
        fetches.append(fetched)
        quiet_fetches.append(quiet)
        works.append(work)
    hint, bare_hint = statistics.median(hints), statistics.median(bare_hints)
    yield Figure(name=f"Reveal: the hint at the last of {streams:,} streams", measured=f"{hint * 1000:.0f} ms",
                 floor=f"{bare_hint * 1000:.0f} ms (bare broadcast)", ratio=hint / bare_hint, at_most=2.5)  # fmt: skip
    fetched, quiet = statistics.median(fetches), statistics.median(quiet_fetches)
    work, less = (statistics.median(each) for each in zip(*works, strict=True))
    yield Figure(name=f"Reveal: {streams:,} new pages fetched", measured=f"{fetched:.1f} s",
                 floor=f"{quiet:.1f} s (no reveal)", ratio=fetched / quiet, at_most=1.5,
                 work=work, floor_work=less)  # fmt: skip
    weighed = memory / bare_memory if bare_memory > 0 else None  # a few streams fit into memory that is already held
    yield Figure(name="Memory of a stream that waits", measured=f"{memory / 1000:.1f} kB",
                 floor=f"{bare_memory / 1000:.1f} kB (bare)", ratio=weighed, at_most=1.3)  # fmt: skip


async def _broadcast(server: Server, streams: int) -> tuple[float, float]:
    """Measures the bare app: returns seconds until the last listener has the hint, and bytes per stream."""
    async with crowds.listening(server, [("/stream", "")] * 20):
        pass  # the code for streams is loaded and has run
    before = server.memory()
    async with crowds.listening(server, [("/stream", "")] * streams) as listeners:
        await asyncio.sleep(1)
        memory = (server.memory() - before) / streams
        best = []
        for _ in range(3):
            began = asyncio.get_running_loop().create_future()
            hearing = asyncio.create_task(crowds.last_hint(listeners, began))
            await asyncio.sleep(0.1)
            began.set_result(time.perf_counter())
            await crowds.ask(server, "POST", "/hint", "")
            best.append(await hearing)
    return min(best), memory


async def _reveal(
    server: Server, tables: list[Table], streams: int
) -> tuple[float, float, float, float, tuple[float, float]]:
    """Measures a reveal to all listeners, when the last seal closes the step. Returns seconds until the last has the
    hint (the best of all tables but the first, whose reveal loads the code), seconds until all have their new pages,
    the same without a reveal, bytes per stream, processor time per page of either."""
    first, *others = tables
    for table in tables:
        for chair in (*table.players[1:-1], table.gm):
            await _seal(server, chair)
    await _seal(server, first.players[-1])
    await crowds.fetch_all(server, _pages(_tabs(others[-1], streams // 5)))
    async with crowds.listening(server, _streams(_tabs(first, 20))):
        pass
    await asyncio.sleep(0.5)
    before, hints = server.memory(), []
    for table in others:
        tabs = _tabs(table, streams)
        async with crowds.listening(server, _streams(tabs)) as listeners:
            await asyncio.sleep(1)
            if not hints:
                memory = (server.memory() - before) / streams
            began = asyncio.get_running_loop().create_future()
            hearing = asyncio.create_task(crowds.last_hint(listeners, began))
            await asyncio.sleep(0.1)
            began.set_result(time.perf_counter())
            await _seal(server, table.players[-1])
            hints.append(await hearing)
            if table is others[-1]:
                work = [server.work()]
                fetched = await crowds.fetch_all(server, _pages(tabs))
                work.append(server.work())
                quiet = await crowds.fetch_all(server, _pages(tabs))
                work.append(server.work())
    return min(hints), fetched, quiet, memory, ((work[1] - work[0]) / streams, (work[2] - work[1]) / streams)


def _tabs(table: Table, count: int) -> list[Chair]:
    return [table.watching[number % len(table.watching)] for number in range(count)]


def _streams(tabs: list[Chair]) -> list[tuple[str, str]]:
    return [(f"{tab.base}/stream", tab.cookie) for tab in tabs]


def _pages(tabs: list[Chair]) -> list[tuple[str, str]]:
    return [(f"{tab.page}/live", tab.cookie) for tab in tabs]


async def _seal(server: Server, chair: Chair) -> None:
    """Seals an empty form, whose default for everybody but Alice is to stand."""
    seat = "gm" if chair.handle == "the-gm" else chair.handle
    own = [("_step", STEP), ("_seat", seat), ("_act", "seal"), ("_revision", "0"), ("_request", str(uuid.uuid4()))]
    status = await crowds.ask(server, "POST", f"{chair.page}/lay", chair.cookie, urlencode(own).encode())
    if status != 303:
        raise RuntimeError(f"{seat}'s seal was answered with {status}")
