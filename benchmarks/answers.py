"""The delay of an answer on an open connection, from `signet serve` with two workers, against a bare page."""

import asyncio
import http.client
import statistics
import time
from collections.abc import Iterator

from benchmarks import ground, tables
from benchmarks.figures import Figure
from benchmarks.ground import Server

WARM = 50
"""Warm-up requests: after them the page is drawn, and the system no longer confirms each packet at once."""

Asked = tuple[Server, str, str]


def figures(*, quick: bool = False, count: int | None = None) -> Iterator[Figure]:
    """Yields the median of many requests in sequence, in turn with the floor."""
    rounds, count = (3, count or 100) if quick else (9, count or 200)
    with ground.database() as url:
        (table,) = asyncio.run(tables.lay_tables(url, 1))
        chair = table.players[1]
        with ground.signet(url, workers=2) as server:
            for name, path in (("/health/live", "/health/live"), ("A kept scene page", chair.page)):
                asked = server, path, chair.cookie
                with ground.bare("page", SIZE=str(_size(asked))) as bare:
                    taken = [(_median(asked, count), _median((bare, "/page", ""), count)) for _ in range(rounds)]
                ours, floor = (statistics.median(at for at, _ in each) for each in zip(*taken, strict=True))
                work, less = (statistics.median(of for _, of in each) for each in zip(*taken, strict=True))
                yield Figure(name=f"{name}, two workers, one after the other", measured=f"{ours * 1000:.2f} ms",
                             floor=f"{floor * 1000:.2f} ms (bare page)", ratio=ours / floor, at_most=10.0,
                             work=work, floor_work=less)  # fmt: skip


def _size(asked: Asked) -> int:
    server, path, cookie = asked
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        return len(_answer(connection, path, cookie))
    finally:
        connection.close()


def _median(asked: Asked, count: int) -> tuple[float, float]:
    """Returns the median seconds from a request to the end of its answer, on one connection, and its processor time."""
    server, path, cookie = asked
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    taken, before = [], server.work()
    try:
        for _ in range(WARM + count):
            began = time.perf_counter()
            _answer(connection, path, cookie)
            taken.append(time.perf_counter() - began)
    finally:
        connection.close()
    return statistics.median(taken[WARM:]), (server.work() - before) / len(taken)


def _answer(connection: http.client.HTTPConnection, path: str, cookie: str) -> bytes:
    connection.request("GET", path, headers={"Cookie": cookie})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200 or answer.will_close:
        raise RuntimeError(f"{path} was answered with {answer.status}, and then closed: {answer.will_close}")
    return body
