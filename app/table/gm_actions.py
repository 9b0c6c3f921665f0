"""The GM's actions on a scene (open early, time limits, abandon) and table talk; pauses are in pauses.py.

Each action leaves a notice for all members, except on a hidden step. The scene must be locked.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import played
from app.campaign import sealing_shows
from app.engine.ruleset import Seat, Step
from app.errors import Conflict, Refusal
from app.models.base import new_id
from app.models.people import Member
from app.models.scenes import AskRow, Line, SeatHolder, StepRow
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
    """Gives a step more time, or a time limit if it has none."""
    if not 1 <= seconds <= MOST_SECONDS:
        raise Refusal("Give a time between one second and thirty days.")
    row, step = await _limited_step(session, live, who, step_key)
    fresh = row.due_at is None and row.left_seconds is None
    if live.row.paused_at is not None:
        row.left_seconds = min((row.left_seconds or 0) + seconds, MOST_SECONDS)
    else:
        row.due_at = (row.due_at or live.now) + timedelta(seconds=seconds)
    said = f"set a time limit of {spoken(seconds)}" if fresh else f"gave another {spoken(seconds)}"
    await _limit_changed(session, live, who, step, said)


async def set_deadline(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, at: datetime) -> None:
    """Sets the moment at which a step opens, sealed or not. The rules' next time limits count from this moment, not
    from the reveal, so that a table that decides at eight every evening keeps its hour. Raises Refusal for a moment
    that is past, or more than thirty days away, and while the scene is paused."""
    row, step = await _limited_step(session, live, who, step_key)
    if live.row.paused_at is not None:
        raise Refusal("The scene is paused. Resume it first, then set the deadline.")
    if at <= live.now:
        raise Refusal("That moment has passed. Pick a later one, or open now.")
    if at > live.now + timedelta(seconds=MOST_SECONDS):
        raise Refusal("That is more than thirty days away. Pick an earlier moment.")
    row.due_at, row.fixed = at, True
    await _limit_changed(session, live, who, step, f"set the deadline to {at.astimezone(UTC):%d %B %Y, %H:%M} UTC")


async def remove_limit(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> None:
    """Takes the time limit off a step: it waits for the last seal, or for the GM."""
    row, step = await _limited_step(session, live, who, step_key)
    if row.due_at is None and row.left_seconds is None:
        raise Conflict("This step has no time limit.")
    row.due_at, row.left_seconds, row.fixed = None, None, False
    await _limit_changed(session, live, who, step, "removed the time limit")


async def go_without(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str) -> bool:
    """Stops waiting for one seat: what it seals until the step opens still counts, else the rules' default. Opens the
    step if it was the last one. Returns False if that got stuck; raises Conflict for a seat that is not awaited."""
    row, step, ask = await _asked(session, live, who, step_key, seat)
    if ask.status == "ready" or not ask.awaited:
        raise Conflict("The table is not waiting for that seat.")
    ask.awaited = False
    await _tell_of_seat(session, live, who, step, f"{who.name} goes on without {_name(live, seat)}.")
    await session.flush()
    asks = await closing.asks_of(session, live, step_key)
    if live.row.paused_at is None and closing.complete(row, asks):
        return await closing.close(session, live, row, "gm")
    return True


async def wait_again(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str) -> None:
    """Waits for a seat again that the GM went on without."""
    _, step, ask = await _asked(session, live, who, step_key, seat)
    if ask.awaited:
        raise Conflict("The table is waiting for that seat already.")
    ask.awaited = True
    await _tell_of_seat(session, live, who, step, f"{who.name} waits for {_name(live, seat)} again.")


async def leave(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Abandons the scene: sheets and decks stay as they were before it, envelopes stay closed."""
    must_run(live)
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


async def _limited_step(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> tuple[StepRow, Step]:
    row, step = await _open_step(session, live, who, step_key)
    if step.pace == "whenever":
        raise Refusal("Nobody is being asked, so it needs no time limit.")
    return row, step


async def _asked(
    session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seat: str
) -> tuple[StepRow, Step, AskRow]:
    row, step = await _limited_step(session, live, who, step_key)
    viewer = live.viewer(*await _seats_of(session, live, who))
    ask = next((one for one in step.asks if one.seat == seat and knows(one.known_to, viewer)), None)
    found = await session.get(AskRow, (live.campaign, live.id, step_key, seat)) if ask is not None else None
    if found is None:
        raise Conflict("That seat is not asked in this step. The page shows the current state.")
    return row, step, found


async def _tell_of_seat(session: AsyncSession, live: LoadedScene, who: Member, step: Step, said: str) -> None:
    """Everybody learns it where the campaign shows who has sealed: it tells that this seat has not."""
    if public(step) and await sealing_shows.read(session, live.campaign) == "names":
        notice(session, live, who, said)
    live.touch(step)


def _name(live: LoadedScene, seat: str) -> str:
    return next(row.name for row in live.seats if row.seat == seat)


async def _limit_changed(session: AsyncSession, live: LoadedScene, who: Member, step: Step, said: str) -> None:
    await closing.refresh_due(session, live)
    if public(step):
        notice(session, live, who, f"{who.name} {said}.")
    live.touch(step)


def must_run(live: LoadedScene) -> None:
    """Raises Conflict for a scene that is over."""
    if live.row.status != "open":
        raise Conflict("This scene is over.")


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


async def _open_step(session: AsyncSession, live: LoadedScene, who: Member, key: str) -> tuple[StepRow, Step]:
    """Returns an open step that this member may know of. Of any other step, Conflict says only that it is not open."""
    must_run(live)
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
