"""A GM's secret rolls in the record: they change nothing else and open as they were made; forgeries are found."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.ops.verify_command import report_lines
from app.receipts import luck
from app.receipts.draws import rolls as rolls_in
from app.receipts.file import parse
from app.receipts.report import Report
from app.receipts.verify import check
from app.table import gm_actions, hidden_rolls
from app.table.runtime import Runtime
from tests.receipts.forging import made_anew, taken_apart
from tests.receipts.test_receipts import Stamp, file_of, play, seal, stamp
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

Lines = list[dict[str, Any]]


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def test_nobody_reads_a_roll_before_it_is_shown_and_everybody_in_the_end(table: Table) -> None:
    await table.open(rounds=1)
    await table.act(hidden_rolls.roll, "canary-one", "d20", 0)
    await table.act(hidden_rolls.roll, "canary-two", "3d6-1", 1)
    await table.act(hidden_rolls.show, 2)
    for who in ("gm", "ann", "sam"):
        text = await file_of(table, who)
        report = check(parse(text))
        assert report.wrong == [] and (report.rolls, set(report.told_rolls)) == (2, {2})
        assert "canary-one" not in text and report.told_rolls[2].startswith("“canary-two”: 3d6-1 = ")
        assert any("2 rolls, 1 of them open" in line for line in report_lines("x", parse(text), report))
    await table.act(gm_actions.leave)
    report = check(parse(await file_of(table, "sam")))
    assert report.code == 0 and set(report.told_rolls) == {1, 2} and report.draws == 4
    assert [note for note in report.notes if "before any player" in note], "no player had sealed: the check says so"


async def test_the_dice_of_steps_are_the_same_with_and_without_rolls(table: Table) -> None:
    """In two scenes with the same root and the same salts."""
    drawn = []
    for rolls in (False, True):
        table.seen.clear()
        await table.open(rounds=2, held="copy")
        await _same_luck(table)
        for who, times in (("ann", 1), ("bea", 2)):
            if rolls:
                await table.act(hidden_rolls.roll, "Who hears it?", "5d100", ("ann", "bea").index(who))
            await seal(table, who, "r1/knock", {"times": times}, _stamped(table, who, times))
        entries = [json.loads(line["record"]) for line in _lines(await file_of(table, "sam")) if "record" in line]
        drawn.append(list(rolls_in([one["events"] for one in entries if one["what"] == "closing"])))
    assert drawn[0] and drawn[0] == drawn[1]


async def _same_luck(table: Table) -> None:
    async with table.runtime.locked_scene(table.campaign, table.scene) as (_, live):
        root = b"the same root in both scenes, 32"
        live.row.root = live.vault.encrypt(root, f"{live.place}/root")
        live.row.anchor = luck.chain_link(root, 0)
        live.row.thread = luck.first_thread(live.row.anchor)


def _stamped(table: Table, who: str, times: int) -> Stamp:
    return stamp(table, who, "r1/knock", {"times": times}, who.encode().ljust(32, b"."))


def _lines(text: str) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def face(lines: Lines) -> None:
    die = rolled(lines)[0]["dice"][0]
    die["face"] = die["face"] % die["size"] + 1


def other_die(lines: Lines) -> None:
    rolled(lines)[0]["dice"][0]["size"] = 12


def one_die_less(lines: Lines) -> None:
    del rolled(lines)[0]["dice"][0]


def not_opened(lines: Lines) -> None:
    del next(place for place in lines[-1]["opened"]["records"] if "roll" in place)["roll"]


def shown_otherwise(lines: Lines) -> None:
    next(line["record"] for line in lines if line.get("record", {}).get("what") == "shown")["roll"]["bonus"] = 20


def shown_twice(lines: Lines) -> None:
    at = next(n for n, line in enumerate(lines) if line.get("record", {}).get("what") == "shown")
    lines.insert(at, lines[at])
    places = lines[-1]["opened"]["records"]
    places.insert(next(n for n, place in enumerate(places) if "roll" in place) + 2, places[-1])


def numbered_otherwise(lines: Lines) -> None:
    for line in lines:
        if line.get("record", {}).get("what") in ("rolled", "shown"):
            line["record"]["n"] += 1


def rolled(lines: Lines) -> Lines:
    return [place["roll"] for place in lines[-1]["opened"]["records"] if "roll" in place]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (face, "which its luck did not give"),
        (other_die, "which its luck did not give"),
        (one_die_less, "which its luck did not give"),
        (not_opened, "is missing, or is not the one"),
        (shown_otherwise, "is missing, or is not the one"),
        (shown_twice, "shown twice"),
        (numbered_otherwise, "missing or out of order"),
    ],
)
async def test_what_is_forged_of_a_roll_is_found_with_all_hashes_made_anew(
    table: Table, change: Callable[[Lines], None], says: str
) -> None:
    await play(table, rolls=True)
    lines = taken_apart(await file_of(table, "ann"))
    assert _checked(lines).code == 0
    change(lines)
    assert any(says in wrong for wrong in _checked(lines).wrong)


def _checked(lines: Lines) -> Report:
    return check(parse(made_anew(lines)))
