"""Quiet drafts: what was chosen and not sealed counts when time is up, and nobody learns of it before."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select, text

from app.errors import Conflict, NotThere, Refusal
from app.models.scenes import AskRow, Draft, Envelope, StepRow
from app.table import awaited_seats, gm_actions, quiet_drafts, reassign_seat
from app.table.envelopes import Illegal
from app.table.runtime import Runtime
from tests.table.table import Table, sit_down

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy")]

KNOCK = "r1/knock"
NOBODY: Any = (0, "default")
NOW = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
async def table(runtime: Runtime) -> Table:
    return await sit_down(runtime)


async def opened(table: Table, step: str = KNOCK) -> dict[str, Any]:
    """Lets time run out, and returns what each seat is heard to knock, and how it came about."""
    await table.age(step)
    await table.runtime.sweep()
    chapters = (await table.sight("sam")).chapters
    told = next(one.events for one in chapters if one.step.key == step)
    return {e.event.seat: (e.event.times, e.event.how) for e in told if e.event.kind == "knocked"}


async def count(table: Table, model: Any = Draft) -> int:
    async with table.runtime.sessions() as session:
        return await session.scalar(select(func.count()).select_from(model).filter_by(scene_id=table.scene)) or 0


async def test_the_last_choice_counts_when_time_is_up_and_leaves_the_table(table: Table) -> None:
    await table.open(thief=False)
    await table.choose("ann", KNOCK, {"times": 1})
    last = await table.choose("ann", KNOCK, {"times": 3, "note": "softly"})
    assert (await count(table), await count(table, Envelope)) == (1, 0)
    assert await opened(table) == {"ann": (3, "draft"), "bea": NOBODY}
    assert await count(table) == 0
    async with table.runtime.sessions() as session:
        (laid,) = await session.scalars(select(Envelope).filter_by(scene_id=table.scene))
        asks = {a.seat: (a.how, a.quiet) for a in await session.scalars(select(AskRow).filter_by(step_key=KNOCK))}
    assert (laid.commitment, laid.salted_by, laid.ready, laid.box) == (last, "browser", False, None)
    assert laid.opened is not None and asks == {"ann": ("draft", True), "bea": ("default", False)}


@pytest.mark.parametrize("before", ["sealed", "taken back", "given back", "a draft without its tick"])
async def test_whoever_has_laid_an_envelope_has_no_quiet_draft(table: Table, before: str) -> None:
    """One that was saved before is passed over, and none is saved afterwards."""
    await table.open(thief=False)
    await table.choose("ann", KNOCK, {"times": 4})
    await table.lay("ann", KNOCK, {"times": 2}, ready=before != "a draft without its tick")
    if before == "taken back":
        await table.take_back("ann", KNOCK)
    elif before == "given back":
        await table.act(awaited_seats.give_back, KNOCK, "ann")
    with pytest.raises(Conflict):
        await table.choose("ann", KNOCK, {"times": 1})
    assert (await opened(table))["ann"] == ((2, "sealed") if before == "sealed" else NOBODY)
    assert await count(table) == 0


async def test_an_illegal_one_gives_way_and_one_that_cannot_be_kept_is_refused(table: Table) -> None:
    await table.open(thief=False)
    await table.choose("ann", KNOCK, {"times": 5})
    await table.choose("bea", KNOCK, {"times": "many"})
    for words in ({"times": 1, "note": "a\x00b"}, {"times": 1, "note": "x" * 70000}):
        with pytest.raises(Illegal):
            await table.choose("ann", KNOCK, words)
    assert await opened(table) == {"ann": NOBODY, "bea": NOBODY}
    assert (await count(table), await count(table, Envelope)) == (0, 0)


async def test_only_for_ones_own_seat_in_an_open_step_that_has_a_limit_or_is_awaited(table: Table) -> None:
    await table.open()
    for who, step, member in (
        ("ann", KNOCK, "bea"),
        ("ann", KNOCK, "gm"),
        ("ann", KNOCK, "sam"),
        ("cyd", "r1/steal", "ann"),
        ("ann", "r9/knock", "ann"),
    ):
        with pytest.raises(NotThere):
            await table.choose(who, step, {"times": 1}, member)
    with pytest.raises(Conflict):  # asked whenever
        await table.choose("gm", "bell/0", {"loud": "yes"})
    await table.age(KNOCK)
    with pytest.raises(Conflict):  # the time is up, though nothing has closed it yet
        await table.choose("ann", KNOCK, {"times": 1})
    await table.runtime.sweep()
    with pytest.raises(Conflict):
        await table.choose("ann", KNOCK, {"times": 1})
    assert await count(table) == 0


async def test_a_browsers_hash_has_to_fit(table: Table) -> None:
    await table.open(thief=False)
    async with table.runtime.sessions.begin() as session:
        stamp = quiet_drafts.Stamp('[["times","1"]]', bytes(32), bytes(32))
        saved = quiet_drafts.Saved(table.campaign, KNOCK, "ann", "knock", stamp)
        with pytest.raises(Refusal, match="does not match"):
            await quiet_drafts.save(
                session, table.runtime.vault, table.campaign, table.scene, table.people["ann"], saved
            )


async def test_nobody_who_switched_it_off_and_no_former_holder_is_spoken_for(table: Table) -> None:
    await table.open(thief=False)
    await table.choose("ann", KNOCK, {"times": 1})
    await table.choose("bea", KNOCK, {"times": 2})
    async with table.runtime.sessions.begin() as session:
        await quiet_drafts.switch(session, table.people["bea"], False)
    assert await count(table) == 1
    with pytest.raises(Conflict):
        await table.choose("bea", KNOCK, {"times": 2})
    await table.act(reassign_seat.give_chair, "ann", "cyd")
    assert await opened(table) == {"ann": NOBODY, "bea": NOBODY}


async def test_a_withdrawn_step_and_an_ended_scene_keep_none(table: Table) -> None:
    await table.open()
    await table.choose("ann", KNOCK, {"times": 1})
    await table.choose("cyd", "r1/steal", {"what": "a spoon"})
    await table.lay("gm", "bell/0", {"loud": "yes"})
    assert await count(table) == 1, "the bell withdraws the knocks"
    await table.act(gm_actions.leave)
    assert await count(table) == 0


async def test_steps_that_were_open_before_know_no_quiet_drafts(table: Table) -> None:
    await table.open(thief=False)
    async with table.runtime.sessions.begin() as session:
        await session.execute(text("UPDATE steps SET quiet = false"))
    with pytest.raises(Conflict):
        await table.choose("ann", KNOCK, {"times": 1})


async def test_it_is_no_sign_of_life_for_the_clock_that_waits(table: Table) -> None:
    await table.open(seconds=600, rounds=9, thief=False)
    await table.choose("ann", KNOCK, {"times": 1})
    await opened(table)
    await table.choose("ann", "r2/knock", {"times": 1})
    await opened(table, "r2/knock")
    step = next(step for step in (await table.sight("ann")).steps if step.key == "r3/knock")
    assert step.clock_waits


async def test_a_save_changes_nothing_that_anybody_sees(table: Table) -> None:
    """Neither of others nor of its author: no number, no lock, no hint."""
    await table.open(thief=False)

    async def everything() -> list[str]:
        async with table.runtime.sessions() as session:
            rows = [
                (await session.execute(text(f"SELECT {name}::text FROM {name} ORDER BY 1"))).scalars().all()
                for name in ("scenes", "steps", "asks", "seat_holders", "envelopes", "hints", "members", "records")
            ]
        return [repr(rows), *[repr(replace(await table.sight(who), now=NOW)) for who in table.people]]

    before = await everything()
    async with table.runtime.locked_scene(table.campaign, table.scene):
        await asyncio.wait_for(table.choose("ann", KNOCK, {"times": 1}), 20)
    assert await everything() == before


@pytest.mark.postgres
async def test_a_save_that_races_with_the_reveal_is_in_or_refused(table: Table) -> None:
    await table.open(thief=False, rounds=40)
    for number in range(1, 13):
        step = f"r{number}/knock"

        async def save(step: str = step) -> int:
            """How many of these saves were taken: the last of them counts."""
            for times in range(1, 5):
                try:
                    await table.choose("ann", step, {"times": times})
                except Conflict:
                    return times - 1
            return 4

        _, taken = await asyncio.gather(table.act(gm_actions.open_now, step), save())
        told = next(one.events for one in (await table.sight("sam")).chapters if one.step.key == step)
        heard = next(e.event for e in told if e.event.kind == "knocked" and e.event.seat == "ann")
        assert (heard.times, heard.how) == ((taken, "draft") if taken else NOBODY)
    assert await count(table) == 0
    async with table.runtime.sessions() as session:
        assert not list(await session.scalars(select(StepRow).filter_by(status="stuck")))
