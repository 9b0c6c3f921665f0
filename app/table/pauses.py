"""Pauses of a scene, and the X-card: while a scene is paused, its clocks stand and nothing opens. It must be locked.

A GM's pause ends by itself after three days unless it is renewed, and after one day most of the players may end it: a
GM who is gone, or who pauses a lost battle, holds nobody up for ever. A stop by the X-card, and a pause by the
calendar, end only by the GM's hand.
"""

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import played
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Member
from app.models.scenes import SeatHolder
from app.table import closing
from app.table.clock import halt, open_steps
from app.table.gm_actions import must_run
from app.table.loaded_scene import LoadedScene
from app.table.notices import notice

LASTS = timedelta(hours=72)
PLAYERS_WAIT = timedelta(hours=24)
"""How long a pause must have lasted before the players may end it."""


async def pause(session: AsyncSession, live: LoadedScene, who: Member, *, without_end: bool = False) -> None:
    """Stops every clock; players may still seal, but nothing opens until the scene continues."""
    must_run(live)
    if live.row.waits_for is not None:
        raise Conflict("The scene waits for another one, so its clocks stand already.")
    if live.row.paused_at is not None:
        raise Conflict("The scene is already paused.")
    live.row.paused_until = None if without_end else live.now + LASTS
    live.row.paused_by = who.name
    await halt(session, live, live.now)
    notice(session, live, who, f"{who.name} paused the scene.")


async def renew(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Lets a pause last three days from now. The day after which the players may end it stays the same."""
    must_run(live)
    if live.row.paused_until is None:
        raise Conflict("There is no pause to renew: the scene is not paused, or its pause has no end.")
    live.row.paused_until = live.row.next_due_at = live.now + LASTS
    notice(session, live, who, f"{who.name} renewed the pause: it ends in three days.")


async def stop_here(session: AsyncSession, live: LoadedScene) -> bool:
    """Plays the X-card, a pause that shows that a member would like to stop. Returns False if it is played already.

    It does not receive the member, so it cannot record the name. It leaves no notice, because the time of a notice
    could show who was online. Only the page shows it.
    """
    must_run(live)
    if live.row.stopped:
        return False
    live.row.stopped = True
    live.row.paused_until, live.row.next_due_at = None, None
    live.row.resume_votes = []
    live.touched.add("")
    if live.row.paused_at is None:
        await halt(session, live, live.now.replace(hour=0, minute=0, second=0, microsecond=0))
    return True


async def go_on(session: AsyncSession, live: LoadedScene, who: Member) -> None:
    """Ends a pause: clocks continue with the time they had left, and steps that are complete by now close."""
    must_run(live)
    if live.row.paused_at is None:
        raise Conflict("The scene is not paused.")
    if live.row.waits_for is not None and not live.row.stopped:
        raise Conflict("The scene waits for another one, and goes on when that one is over.")
    notice(session, live, who, f"{who.name} resumed the scene.")
    if live.row.waits_for is not None:  # it was stopped meanwhile
        live.row.stopped = False
        return
    await resume(session, live)


async def end_if_over(session: AsyncSession, live: LoadedScene) -> bool:
    """Ends a pause whose time is up. Returns whether there was one."""
    if live.row.paused_until is None or live.row.paused_until > live.now:
        return False
    notice(session, live, None, "The pause ended by itself after three days. A GM can pause again.")
    await resume(session, live)
    return True


async def vote_to_resume(session: AsyncSession, live: LoadedScene, who: Member) -> bool:
    """Counts the vote of a player's seats for the end of a pause that has lasted a day; with more than half of all
    players' seats the scene continues. Returns whether it does. Raises Refusal before the day is over, Conflict where
    there is nothing to end, and NotThere for somebody without a seat."""
    must_run(live)
    here = (SeatHolder.campaign_id == live.campaign, SeatHolder.scene_id == live.id)
    held = (await session.execute(select(SeatHolder.seat, SeatHolder.member_id).where(*here))).all()
    seats = players(live, [seat for seat, _ in held])
    mine = [seat for seat, member in held if member == who.id and seat in seats]
    if not mine:
        raise NotThere("Only the players at this table decide that.", "Your campaign's page lists its scenes.")
    if live.row.paused_at is None or live.row.paused_until is None:
        raise Conflict("There is no pause that the players can end.")
    if not may_be_voted(live):
        raise Refusal("The players can end a pause once it has lasted a day.")
    votes = [seat for seat in seats if seat in live.row.resume_votes or seat in mine]
    if votes == live.row.resume_votes:
        raise Conflict("Your vote is counted already.")
    live.row.resume_votes = votes
    notice(session, live, who, f"{who.name} wants to go on: {len(votes)} of {len(seats)} seats.")
    if len(votes) * 2 <= len(seats):
        return False
    notice(session, live, None, "Most of the players want to go on, so the pause is over.")
    await resume(session, live)
    return True


def players(live: LoadedScene, held: Collection[str]) -> list[str]:
    """Returns the seats of players, whose majority may end a pause. `held`: the seats that somebody holds."""
    return [row.seat for row in live.seats if row.role == "player" and row.seat in held]


def may_be_voted(live: LoadedScene) -> bool:
    """Whether the players may vote now to end the pause: a GM made it, and it has lasted a day."""
    paused, until = live.row.paused_at, live.row.paused_until
    return paused is not None and until is not None and live.now >= paused + PLAYERS_WAIT


async def resume(session: AsyncSession, live: LoadedScene) -> None:
    """Lets every clock run with the time it had left, and closes the steps that are complete."""
    live.row.paused_at, live.row.paused_until, live.row.paused_by, live.row.stopped = None, None, None, False
    live.row.resume_votes = []
    await played.goes_on(session, live.vault, live.campaign, live.id)
    rows = await open_steps(session, live)
    for row in rows:
        if row.left_seconds is not None:
            row.due_at, row.left_seconds = live.now + timedelta(seconds=row.left_seconds), None
    await closing.refresh_due(session, live)
    for row in rows:
        if live.row.paused_at is not None:  # the calendar has paused it again
            return
        asks = await closing.asks_of(session, live, row.key)
        if row.status == "open" and closing.complete(row, asks) and not await closing.close(session, live, row, "all"):
            return
