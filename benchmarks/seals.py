"""Sealing over HTTP, with all checks and all encryption, against fixed statements sent by `pgbench`."""

import asyncio
import statistics
from collections.abc import Iterator

from benchmarks import ground, presses, statements, tables
from benchmarks.figures import Figure

CONNECTIONS = 16
TABLES = 100
WORKERS = 2


def figures(*, quick: bool = False, count: int = TABLES) -> Iterator[Figure]:
    """Yields seals per second, and the slowest of a hundred."""
    rounds, seconds = (1, 4.0) if quick else (3, 8.0)
    for name in ("wrk", "pgbench"):
        ground.tool(name)
    with ground.database() as url:
        ground.durability(url)
        floors, sealed, works, saved, lighter = [], [], [], [], []
        for _ in range(rounds):
            laid = asyncio.run(tables.lay_tables(url, count))
            chairs = [table.players[0] for table in laid]
            with ground.signet(url, WORKERS) as server:
                presses.look(server, chairs, 1, CONNECTIONS)  # every worker has made its connections and is warm
                before = server.work()
                sealed.append(presses.seal(server, chairs, seconds, CONNECTIONS))
                works.append((server.work() - before) / max(1, sealed[-1].count))
                before = server.work()
                saved.append(presses.save(server, [table.players[1] for table in laid], seconds, CONNECTIONS))
                lighter.append((server.work() - before) / max(1, saved[-1].count))
            floors.append(statements.pgbench(url, chairs, seconds))
    for one in (*sealed, *saved):
        if one.failed or one.refused:
            raise RuntimeError(f"of {one.count} presses {one.failed} had no answer and {one.refused} were refused")
    ratio = statistics.median(one.a_second / floor for one, floor in zip(sealed, floors, strict=True))
    rate, floor = statistics.median(one.a_second for one in sealed), statistics.median(floors)
    name = f"Seal over HTTP, {WORKERS} workers, {CONNECTIONS} at once"
    yield Figure(name=name, measured=f"{rate:,.0f}/s", floor=f"{floor:,.0f}/s (pgbench)", ratio=ratio, at_least=0.2,
                 work=statistics.median(works))  # fmt: skip
    slow, usual = (statistics.median(times) * 1000 for times in ([s.p99 for s in sealed], [s.p50 for s in sealed]))
    yield Figure(name="Seal over HTTP: slowest of a hundred", measured=f"{slow:.0f} ms", floor=f"{usual:.0f} ms median")
    rate = statistics.median(one.a_second for one in saved)
    light, whole = statistics.median(lighter), statistics.median(works)
    name = "Work of saving a quiet draft, beside a seal"
    yield Figure(name=name, measured=f"{rate:,.0f}/s", ratio=light / whole, at_most=0.3, work=light)
