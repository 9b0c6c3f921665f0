"""Ten thousand entries: a month, the desk and time itself ask by index, and read about what they show."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, text

from app.calendar.repeat import OnDate
from app.models.almanac import Entry
from app.models.base import new_id
from app.play import next_up
from tests.almanac.small_campaign import Land

pytestmark = [pytest.mark.anyio, pytest.mark.nightly, pytest.mark.usefixtures("toy")]

KINDS = ("note", "scene", "completion", "arrival", "event", "holiday", "healing")


async def crowd(land: Land, many: int = 10_000) -> None:
    """Twenty-eight years of entries; every twentieth is a span, the past is done."""
    rows = [
        {
            "campaign_id": land.id, "id": new_id(), "made_no": number, "kind": KINDS[number % 7],
            "state": "done" if number < many * 9 // 10 else "open", "title": f"Entry {number}", "text": "words " * 20,
            "place": "", "day": number - many * 9 // 10, "author_id": land.gm.id, "people": [], "viewers": [],
            "last_day": number - many * 9 // 10 + 30 if number % 20 == 0 else None, "seen_by": "all", "data": {},
            "standing": "stop" if KINDS[number % 7] == "scene" else "pass",
        }
        for number in range(1, many + 1)
    ]  # fmt: skip
    async with land.sessions.begin() as session:
        await session.execute(insert(Entry), rows)
    async with land.sessions.begin() as session:
        await session.execute(text("ANALYZE entries"))


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    found: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, sql: str, parameters: Any, context: Any, many: bool) -> None:
        if "FROM entries" in sql and sql.startswith("SELECT"):
            found.append((sql, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def read(land: Land, asked: list[tuple[str, Any]]) -> int:
    """How many rows of the table were looked at for all these questions; never the whole of it."""
    looked = 0
    async with land.sessions() as session:
        for sql, parameters in asked:
            connection = await session.connection()
            plan = await connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters)
            found = plan.scalar_one()
            top = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
            for node in walk(top):
                assert node["Node Type"] != "Seq Scan", sql
                looked += int(node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
    return looked


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from walk(below)


async def test_a_month_among_ten_thousand_entries(land: Land) -> None:
    await land.add(land.gm, "note", "rent", 0, rule=OnDate(day=3))
    await land.between(land.ann, 0, 29)
    began = time.perf_counter()
    await land.between(land.ann, 5000, 5029)
    empty = time.perf_counter() - began
    await land.choose()
    async with land.sessions.begin() as session:
        await session.execute(text("DELETE FROM entries WHERE campaign_id = :c"), {"c": land.id})
    await crowd(land)
    with asked() as questions:
        began = time.perf_counter()
        month = await land.between(land.ann, -30, -1)
        full = time.perf_counter() - began
    assert len(month) == 32
    assert await read(land, questions) < 1500
    print(f"a month's entries: {empty * 1000:.1f} ms empty, {full * 1000:.1f} ms with 10,000")  # noqa: T201

    with asked() as questions:
        ahead = await land.preview(30)
        assert ahead.to_day == 3
        async with land.sessions() as session:
            await next_up.proposed(session, land.id, land.ann)
    assert await read(land, questions) < 6000
