"""What a GM did to steps before they closed: told by the record of a closing, never by an entry of its own."""

from pathlib import Path

import pytest

from app.models.scenes import Scene
from app.receipts.file import parse
from app.receipts.report import Report
from app.receipts.verify import check
from app.table import awaited_seats, gm_actions
from app.table.runtime import Runtime
from tests.receipts.in_javascript import wrong_in_javascript
from tests.receipts.test_gm_acts import Evening
from tests.receipts.test_receipts import file_of
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]


async def head(table: Table) -> bytes | None:
    async with table.runtime.sessions() as session:
        return (await session.get_one(Scene, (table.campaign, table.scene))).head


async def checked(table: Table) -> Report:
    return check(parse(await file_of(table, "ann")))


def said(report: Report) -> list[str]:
    return [*report.acts.values()]


async def test_a_closing_tells_what_a_gm_did_to_its_step(runtime: Runtime, tmp_path: Path) -> None:
    table = await sit_down(runtime)
    await table.open(rounds=3)
    knock, steal = Evening(table, "knock"), Evening(table, "steal")
    before = await head(table)
    await knock.gm(gm_actions.hold)
    await knock.lay("ann")
    await knock.give_back("ann")
    await knock.gm(awaited_seats.go_without, "bea")
    assert await head(table) == before, "a head that moves would tell that somebody has sealed"
    await knock.lay("ann")
    await steal.lay("cyd")  # closes at once
    assert said(await checked(table)) == []
    await knock.gm(gm_actions.release)
    assert said(await checked(table)) == ["r1/knock: held; one seal given back; went on without one seat."]
    await knock.lay("ann")
    await steal.gm(gm_actions.hold)
    await knock.give_back()
    await knock.bell(loud=True)  # withdraws the knocks, and asks anew
    assert len(said(await checked(table))) == 1, "told by the next closing"
    await knock.lay("ann")
    await knock.lay("bea")
    numbers = said(await checked(table))
    assert numbers[1:] == ["r2/knock: one seal given back."]
    await knock.gm(gm_actions.hold)
    await table.act(gm_actions.leave)
    text = await file_of(table, "ann")
    report = check(parse(text))
    assert (report.wrong, wrong_in_javascript([text], tmp_path)) == ([], [[]])
    assert sorted(said(report)) == [
        "r1/knock: held; one seal given back (ann); went on without one seat (bea).",
        "r2/knock: one seal given back (ann).",
        "r2/steal: held.",
        "r3/knock: held.",
    ]
