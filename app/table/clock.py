"""The clocks of a scene's steps: which one waits, and stopping them all.

After a round without any answer in time, the next step opens without a deadline.
"""

from collections.abc import AsyncIterator
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.engine.ruleset import GM, Step
from app.models.scenes import AskRow, StepRow
from app.receipts.setup import STEP
from app.table.loaded_scene import LoadedScene, public

AT_ONCE = 8  # closed steps that are read at a time


async def waits(session: AsyncSession, live: LoadedScene, step: Step) -> bool:
    """Whether the clock of a step that opens waits for the GM: all seats it asks, and those that answered last, have
    let time run out since. Only public steps count, so that hidden ones do not show; rulings never wait, so that an
    absent GM holds up no player."""
    asked = {ask.seat for ask in step.asks}
    if step.pace != "plan" or not asked - {GM} or not public(step):
        return False
    absent = set[str]()
    async for row in _closed(session, live):
        if not public(STEP.validate_python(row.spec)):
            continue
        hows = await _hows(session, live, row.key)
        there = {seat for seat, how in hows.items() if how != "default"}
        if there or row.closed_by != "due":
            return asked | (there - {GM}) <= absent
        absent |= set(hows)
    return asked <= absent


async def _closed(session: AsyncSession, live: LoadedScene) -> AsyncIterator[StepRow]:
    """Yields the steps that closed, the newest first, without those that closed by themselves."""
    newest_first = (
        select(StepRow)
        .where(StepRow.campaign_id == live.campaign, StepRow.scene_id == live.id)
        .where(StepRow.status == "closed", StepRow.closed_by != "itself")
        .order_by(StepRow.closed_at.desc(), StepRow.position.desc())
        .limit(AT_ONCE)
    )
    begin = 0
    while rows := list(await session.scalars(newest_first.offset(begin))):
        for row in rows:
            yield row
        begin += len(rows)


async def _hows(session: AsyncSession, live: LoadedScene, key: str) -> dict[str, str | None]:
    """Returns how each seat answered. Whose quiet draft counted may have left long ago, and has answered nothing."""
    rows = await session.execute(
        select(AskRow.seat, AskRow.how, AskRow.quiet).where(
            AskRow.campaign_id == live.campaign, AskRow.scene_id == live.id, AskRow.step_key == key
        )
    )
    return {seat: "default" if quiet else how for seat, how, quiet in rows}


async def halt(session: AsyncSession, live: LoadedScene, at: datetime) -> None:
    """Stops every clock and stores the time that is left. `at` only marks the scene as paused."""
    live.row.paused_at = at
    live.row.resume_votes = []
    for row in await open_steps(session, live):
        if row.due_at is not None:
            row.left_seconds, row.due_at = max(1, int((row.due_at - live.now).total_seconds())), None
            row.fixed = False
    live.row.next_due_at = live.row.paused_until


async def open_steps(session: AsyncSession, live: LoadedScene) -> list[StepRow]:
    """Returns the open steps of a scene, in the order in which they were opened."""
    rows = await session.scalars(
        select(StepRow)
        .where(
            StepRow.campaign_id == live.campaign,
            StepRow.scene_id == live.id,
            StepRow.status == "open",
        )
        .order_by(StepRow.position)
    )
    return list(rows)
