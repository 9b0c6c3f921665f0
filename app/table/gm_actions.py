"""The GM's actions on a scene (open early, give time, pause, abandon), the X-card and table talk.

Each action leaves a notice for all members, except on a hidden step; the X-card, which any member may play, shows on
the page instead. The scene must be locked.
"""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import played
from app.engine.ruleset import Seat, Step
from app.errors import Conflict, Refusal
from app.models.base import new_id
from app.models.people import Member
from app.models.scenes import Line, SeatHolder, StepRow
from app.receipts.setup import STEP
from app.table import closing, ending, recording
from app.table.loaded_scene import LoadedScene, knows, public

MOST_SECONDS = 30 * 24 * 3600


async def open_now(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> bool:
    """Opens a step early, with the rules' default for missing answers. Returns False if it got stuck."""
    row, step = await _open_step(session, live, who, step_key)
    if live.row.paused_at is not None:
        raise Refusal("The scene is paused. Resume it first.")
    if step.pace == "whenever":
        raise Refusal("Nobody is being asked, so there is nothing to open.")
    if public(step):
        notice(session, live, who, f"{who.name} opened “{step.title}” early.")
    return await closing.close(session, live, row, "gm")


async def give_time(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seconds: int) -> None:
    """Gives a step more time, or starts its clock if it has none."""
    if not 1 <= seconds <= MOST_SECONDS:
        raise Refusal("Give a time between one second and thirty days.")
    row, step = await _open_step(session, live, who, step_key)
    if step.pace == "whenever":
        raise Refusal("Nobody is being asked, so it needs no clock.")
    fresh = row.due_at is None and row.left_seconds is None
    if live.row.paused_at is not None:
        row.left_seconds = min((row.left_seconds or 0) + seconds, MOST_SECONDS)
    else:
        row.due_at = (row.due_at or live.now) + timedelta(seconds=seconds)
    await closing.refresh_due(session, live)
    if public(step):
        said = "set a clock of" if fresh else "gave another"
        notice(session, live, who, f"{who.name} {said} {spoken(seconds)}.")
    live.touch(step)


async def pause(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Stops every clock; players may still seal, but nothing opens until the scene continues."""
    _running(live)
    if live.row.paused_at is not None:
        raise Conflict("The scene is already paused.")
    await _halt(session, live, live.now)
    notice(session, live, who, f"{who.name} paused the scene.")


async def stop_here(session: AsyncSession, live: LoadedScene) -> bool:
    """Plays the X-card, a pause that shows that a member would like to stop. Returns False if it is played already.

    It does not receive the member, so it cannot record the name. It leaves no notice, because the time of a notice
    could show who was online. Only the page shows it.
    """
    _running(live)
    if live.row.stopped:
        return False
    live.row.stopped = True
    live.touched.add("")
    if live.row.paused_at is None:
        await _halt(session, live, live.now.replace(hour=0, minute=0, second=0, microsecond=0))
    return True


async def go_on(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Ends a pause: clocks continue with the time they had left, and steps that are complete by now close."""
    _running(live)
    if live.row.paused_at is None:
        raise Conflict("The scene is not paused.")
    live.row.paused_at, live.row.stopped = None, False
    notice(session, live, who, f"{who.name} resumed the scene.")
    rows = await _open_steps(session, live)
    for row in rows:
        if row.left_seconds is not None:
            row.due_at, row.left_seconds = live.now + timedelta(seconds=row.left_seconds), None
    await closing.refresh_due(session, live)
    for row in rows:
        asks = await closing.asks_of(session, live, row.key)
        complete = row.status == "open" and asks and all(ask.status == "ready" for ask in asks)
        if complete and not await closing.close(session, live, row, "all"):
            return


async def leave(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Abandons the scene: sheets and decks stay as they were before it, envelopes stay closed."""
    _running(live)
    await recording.ended(session, live, "abandoned")
    await played.over(session, live.vault, live.campaign, live.id, whole=False)
    await ending.release(session, live, "abandoned", live.now)
    notice(session, live, who, f"{who.name} abandoned the scene. It changes no character.")


def say(session: AsyncSession, live: LoadedScene, who: Member, words: str) -> None:
    """Adds a line of table talk, which all members see at once."""
    words = words.strip()
    if not words:
        raise Refusal("Write something first.")
    if len(words) > 2000:
        raise Refusal(f"That is {len(words)} characters; the limit is 2000.")
    if "\x00" in words:
        raise Refusal("Part of this is not readable text. Type it again.")
    _line(session, live, "talk", who, words)


def notice(session: AsyncSession, live: LoadedScene, who: Member | None, words: str) -> None:
    """Adds a notice for all members on what a member did to the scene."""
    _line(session, live, "notice", who, words)


def spoken(seconds: int) -> str:
    """Returns a duration in words: 60 -> "one minute", 90 -> "90 seconds"."""
    for size, one, many in ((86400, "one day", "days"), (3600, "one hour", "hours"), (60, "one minute", "minutes")):
        if seconds % size == 0 and seconds >= size:
            return one if seconds == size else f"{seconds // size} {many}"
    return f"{seconds} seconds" if seconds != 1 else "one second"


def _line(session: AsyncSession, live: LoadedScene, kind: str, who: Member | None, words: str) -> None:
    live.touched.add("")
    session.add(
        Line(
            campaign_id=live.campaign,
            scene_id=live.id,
            id=new_id(),
            kind=kind,
            member_id=who.id if who else None,
            who=who.name if who else "Signet",
            text=words,
        )
    )


async def _halt(session: AsyncSession, live: LoadedScene, at: datetime) -> None:
    """Stops every clock and stores the time that is left. `at` only marks the scene as paused."""
    live.row.paused_at = at
    for row in await _open_steps(session, live):
        if row.due_at is not None:
            row.left_seconds, row.due_at = max(1, int((row.due_at - live.now).total_seconds())), None
    live.row.next_due_at = None


def _running(live: LoadedScene) -> None:
    if live.row.status != "open":
        raise Conflict("This scene is over.")


async def _open_steps(session: AsyncSession, live: LoadedScene) -> list[StepRow]:
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


async def _open_step(session: AsyncSession, live: LoadedScene, who: Member, key: str) -> tuple[StepRow, Step]:
    """Returns an open step that this member may know of. Of any other step, Conflict says only that it is not open."""
    _running(live)
    row = await session.get(StepRow, (live.campaign, live.id, key))
    if row is not None and row.status == "open":
        step, viewer = STEP.validate_python(row.spec), live.viewer(*await _seats_of(session, live, who))
        if not step.asks or any(knows(ask.known_to, viewer) for ask in step.asks):
            return row, step
    raise Conflict("This step has closed. The page shows the current state.")


async def _seats_of(session: AsyncSession, live: LoadedScene, who: Member) -> list[Seat]:
    held = await session.scalars(
        select(SeatHolder.seat).where(
            SeatHolder.campaign_id == live.campaign, SeatHolder.scene_id == live.id, SeatHolder.member_id == who.id
        )
    )
    return [Seat(seat) for seat in held]
