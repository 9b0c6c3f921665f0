"""The GM's actions on a scene (open, hold, time limits, abandon) and table talk; pauses are in pauses.py, what a GM
asks of single seats in awaited_seats.py.

Each action leaves a notice for all members, except on a hidden step. The scene must be locked.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import played
from app.engine.ruleset import GM, Seat, Step, Viewer
from app.engine.wording import title_of
from app.errors import Conflict, Refusal
from app.models.people import Member
from app.models.scenes import SeatHolder, StepRow
from app.receipts.setup import STEP
from app.table import closing, ending, recording, step_acts
from app.table.clock import open_steps as open_steps
from app.table.loaded_scene import LoadedScene, knows, public
from app.table.notices import line
from app.table.notices import notice as notice

MOST_SECONDS = 30 * 24 * 3600


async def open_now(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> bool:
    """Opens a step early, with the rules' default for missing answers. Returns False if it got stuck."""
    row, step = await _open_step(session, live, who, step_key)
    if live.row.paused_at is not None:
        raise Refusal("The scene is paused. Resume it first.")
    if step.pace == "whenever":
        raise Refusal("Nobody is being asked, so there is nothing to open.")
    if public(step):
        early = any(ask.status != "ready" for ask in await closing.asks_of(session, live, step_key))
        notice(session, live, who, f"{who.name} opened “{_title(live, step)}”{' early' if early else ''}.")
    return await closing.close(session, live, row, "gm")


async def give_time(session: AsyncSession, live: LoadedScene, who: Member, step_key: str, seconds: int) -> None:
    """Gives a step more time, or a time limit if it has none."""
    if not 1 <= seconds <= MOST_SECONDS:
        raise Refusal("Give a time between one second and thirty days.")
    row, step = await awaited_step(session, live, who, step_key)
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
    row, step = await awaited_step(session, live, who, step_key)
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
    row, step = await awaited_step(session, live, who, step_key)
    if row.due_at is None and row.left_seconds is None:
        raise Conflict("This step has no time limit.")
    row.due_at, row.left_seconds, row.seconds, row.fixed = None, None, None, False
    await _limit_changed(session, live, who, step, "removed the time limit")


async def hold(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> None:
    """Lets a step open only at a GM's word: the last seal does not open it. A time limit does, if it has one."""
    row, step = await awaited_step(session, live, who, step_key)
    if row.held:
        raise Conflict("This step already waits for the GM's word.")
    if all(ask.seat == GM for ask in step.asks):
        raise Refusal("This step asks only the GM, so it opens when you seal.")
    step_acts.hold(row)
    _tell_of_step(session, live, who, step, f"“{_title(live, step)}” opens when {who.name} says so.")


async def release(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> bool:
    """Ends a hold: the step opens as soon as all have sealed, which may be now. Returns False if it got stuck."""
    row, step = await awaited_step(session, live, who, step_key)
    if not row.held:
        raise Conflict("This step already opens as soon as all have sealed.")
    row.held = False
    _tell_of_step(session, live, who, step, f"{who.name} lets “{_title(live, step)}” open as soon as all have sealed.")
    await session.flush()
    if live.row.paused_at is None and closing.complete(row, await closing.asks_of(session, live, step_key)):
        return await closing.close(session, live, row, "gm")
    return True


async def leave(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Abandons the scene: sheets and decks stay as they were before it, envelopes stay closed."""
    must_run(live)
    if live.row.waits_for is not None:
        raise Conflict("This scene waits for another one. Finish or abandon that one first, or let this one go on.")
    await recording.ended(session, live, "abandoned", acts=await step_acts.at_the_end(session, live))
    await played.over(session, live.vault, live.campaign, live.id, whole=False)
    await ending.release(session, live, "abandoned", live.now)
    notice(session, live, who, f"{who.name} abandoned the scene. It changes no character.")


def say(session: AsyncSession, live: LoadedScene, who: Member, words: str) -> None:
    """Adds a line of table talk, which all members see at once."""
    line(session, live, "talk", who, readable(words))


def readable(words: str) -> str:
    """Returns what was said without white space around it. Raises Refusal for nothing, for more than 2,000 characters
    and for what is not text."""
    words = words.strip()
    if not words:
        raise Refusal("Write something first.")
    if len(words) > 2000:
        raise Refusal(f"That is {len(words)} characters; the limit is 2000.")
    if "\x00" in words:
        raise Refusal("Part of this is not readable text. Type it again.")
    return words


def handed_out(session: AsyncSession, live: LoadedScene, who: Member, title: str) -> None:
    """Adds a notice for all members that something was handed to everyone; pages add a link to the handouts."""
    line(session, live, "handout", who, f"{who.name} handed out “{title}”.")


def spoken(seconds: int) -> str:
    """Returns a duration in words: 60 -> "one minute", 90 -> "90 seconds"."""
    for size, one, many in ((86400, "one day", "days"), (3600, "one hour", "hours"), (60, "one minute", "minutes")):
        if seconds % size == 0 and seconds >= size:
            return one if seconds == size else f"{seconds // size} {many}"
    return f"{seconds} seconds" if seconds != 1 else "one second"


def _title(live: LoadedScene, step: Step) -> str:
    return title_of(live.kind, step.key, step.title)


async def awaited_step(session: AsyncSession, live: LoadedScene, who: Member, step_key: str) -> tuple[StepRow, Step]:
    """Returns an open step that the scene waits for and this member may know of; raises Conflict or Refusal."""
    row, step = await _open_step(session, live, who, step_key)
    if step.pace == "whenever":
        raise Refusal("Nobody has to answer this step, so nothing waits for it.")
    return row, step


async def _limit_changed(session: AsyncSession, live: LoadedScene, who: Member, step: Step, said: str) -> None:
    await closing.refresh_due(session, live)
    _tell_of_step(session, live, who, step, f"{who.name} {said}.")


def _tell_of_step(session: AsyncSession, live: LoadedScene, who: Member, step: Step, said: str) -> None:
    """All members learn it, or those who may know of a hidden step."""
    if public(step):
        notice(session, live, who, said)
    live.touch(step)


def must_run(live: LoadedScene) -> None:
    """Raises Conflict for a scene that is over."""
    if live.row.status != "open":
        raise Conflict("This scene is over.")


async def _open_step(session: AsyncSession, live: LoadedScene, who: Member, key: str) -> tuple[StepRow, Step]:
    """Returns an open step that this member may know of. Of any other step, Conflict says only that it is not open."""
    must_run(live)
    row = await session.get(StepRow, (live.campaign, live.id, key))
    if row is not None and row.status == "open":
        step, viewer = STEP.validate_python(row.spec), await viewer_of(session, live, who)
        if not step.asks or any(knows(ask.known_to, viewer) for ask in step.asks):
            return row, step
    raise Conflict("This step has closed. The page shows the current state.")


async def viewer_of(session: AsyncSession, live: LoadedScene, who: Member) -> Viewer:
    """Returns a member as the viewer of a scene, by the seats they hold."""
    held = await session.scalars(
        select(SeatHolder.seat).where(
            SeatHolder.campaign_id == live.campaign, SeatHolder.scene_id == live.id, SeatHolder.member_id == who.id
        )
    )
    return live.viewer(*(Seat(seat) for seat in held))
