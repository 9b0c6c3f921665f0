"""What the GM does to the table itself: open early, give time, pause, leave; and who sits where.

None of it goes unseen: each act leaves a notice that everybody at the table reads. Called with the scene locked.
"""

import uuid
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.models import Member, Role
from app.db.base import new_id
from app.engine.ruleset import GM
from app.table import closing, ending
from app.table.envelopes import Refused, Stale
from app.table.live import STEP, Live, public
from app.table.models import Line, Scene, SeatHolder, StepRow

MOST_SECONDS = 30 * 24 * 3600


async def open_now(session: AsyncSession, live: Live, who: Member, step_key: str) -> bool:
    """Open a step before everybody has answered; whoever is missing does the rules' default. False: it got stuck."""
    row = await _open_step(session, live, step_key)
    step = STEP.validate_python(row.spec)
    if live.row.paused_at is not None:
        raise Refused("The scene is paused. Go on first, then open.")
    if step.pace == "whenever":
        raise Refused("Nobody waits for this, so there is nothing to open.")
    if public(step):
        notice(session, live, who, f"{who.name} opened “{step.title}” early.")
    return await closing.close(session, live, row, "gm")


async def give_time(session: AsyncSession, live: Live, who: Member, step_key: str, seconds: int) -> None:
    """Give more time, or start a clock where there was none."""
    if not 1 <= seconds <= MOST_SECONDS:
        raise Refused("Give between one second and thirty days.")
    row = await _open_step(session, live, step_key)
    step = STEP.validate_python(row.spec)
    if step.pace == "whenever":
        raise Refused("Nobody waits for this, so it needs no clock.")
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


async def pause(session: AsyncSession, live: Live, who: Member) -> None:
    """Stop every clock; seals may still be laid, nothing opens until the scene goes on."""
    _running(live)
    if live.row.paused_at is not None:
        raise Stale("The scene is paused already.")
    live.row.paused_at = live.now
    for row in await _open_steps(session, live):
        if row.due_at is not None:
            row.left_seconds, row.due_at = max(1, int((row.due_at - live.now).total_seconds())), None
    live.row.next_due_at = None
    notice(session, live, who, f"{who.name} paused the scene.")


async def go_on(session: AsyncSession, live: Live, who: Member) -> None:
    """End a pause: clocks run on with what they had left, and what became complete meanwhile opens."""
    _running(live)
    if live.row.paused_at is None:
        raise Stale("The scene is not paused.")
    live.row.paused_at = None
    notice(session, live, who, f"{who.name} let the scene go on.")
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


async def leave(session: AsyncSession, live: Live, who: Member) -> None:
    """Break the scene off: sheets and decks stay as they were before it, envelopes stay with their authors."""
    _running(live)
    await ending.release(session, live, "abandoned", live.now)
    notice(session, live, who, f"{who.name} broke the scene off. Nothing of it changes any character.")


async def seat_member(session: AsyncSession, live: Live, who: Member, seat: str, to: Member) -> None:
    """Hand a seat to another member. What lies sealed there stays and may be replaced, but the new holder cannot
    read it: an envelope is readable only by who held the seat when it was laid."""
    found = next((row for row in live.seats if row.seat == seat), None)
    if found is None or seat == GM:
        raise Refused("There is no such seat to hand over.")
    if to.role == Role.SPECTATOR or to.removed_at is not None:
        raise Refused(f"{to.name} only watches; make them a player first.")
    await _vacate(session, live, seat)
    session.add(_holder(live, seat, to.id))
    notice(session, live, who, f"{found.name} is now played by {to.name}.")


async def seat_gm(session: AsyncSession, campaign: uuid.UUID, member: uuid.UUID) -> None:
    """Give a new GM the GM's seat in every open scene of the campaign."""
    scenes = await session.scalars(select(Scene.id).where(Scene.campaign_id == campaign, Scene.status == "open"))
    for scene in scenes:
        await session.merge(SeatHolder(campaign_id=campaign, scene_id=scene, seat=GM, member_id=member))


async def unseat(session: AsyncSession, campaign: uuid.UUID, member: uuid.UUID) -> None:
    """Take a removed member from every chair; seats left empty fall to the campaign's GMs."""
    held = await session.execute(
        select(SeatHolder.scene_id, SeatHolder.seat)
        .join(Scene, (Scene.campaign_id == SeatHolder.campaign_id) & (Scene.id == SeatHolder.scene_id))
        .where(SeatHolder.campaign_id == campaign, SeatHolder.member_id == member, Scene.status == "open")
    )
    gms = list(
        await session.scalars(
            select(Member.id).where(
                Member.campaign_id == campaign,
                Member.role == Role.GM,
                Member.removed_at.is_(None),
                Member.id != member,
            )
        )
    )
    for scene, seat in held.all():
        await session.execute(
            delete(SeatHolder).where(
                SeatHolder.campaign_id == campaign,
                SeatHolder.scene_id == scene,
                SeatHolder.seat == seat,
                SeatHolder.member_id == member,
            )
        )
        left = await session.scalar(
            select(SeatHolder.member_id).where(
                SeatHolder.campaign_id == campaign, SeatHolder.scene_id == scene, SeatHolder.seat == seat
            )
        )
        for gm in gms if left is None else ():
            session.add(SeatHolder(campaign_id=campaign, scene_id=scene, seat=seat, member_id=gm))
    await session.flush()


def say(session: AsyncSession, live: Live, who: Member, words: str) -> None:
    """Table talk: plain words beside the scene, seen by everybody at once."""
    words = words.strip()
    if not words:
        raise Refused("Write something first.")
    if len(words) > 2000:
        raise Refused(f"That is {len(words)} characters; say it in 2000.")
    if "\x00" in words:
        raise Refused("Some of this is no readable text. Please type it anew.")
    _line(session, live, "talk", who, words)


def notice(session: AsyncSession, live: Live, who: Member | None, words: str) -> None:
    """Put down for everybody to read what somebody did to the table."""
    _line(session, live, "notice", who, words)


def spoken(seconds: int) -> str:
    """A span in words: 60 -> "one minute", 90 -> "90 seconds"."""
    for size, one, many in ((86400, "one day", "days"), (3600, "one hour", "hours"), (60, "one minute", "minutes")):
        if seconds % size == 0 and seconds >= size:
            return one if seconds == size else f"{seconds // size} {many}"
    return f"{seconds} seconds" if seconds != 1 else "one second"


def _line(session: AsyncSession, live: Live, kind: str, who: Member | None, words: str) -> None:
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


def _running(live: Live) -> None:
    if live.row.status != "open":
        raise Stale("This scene is over.")


async def _open_steps(session: AsyncSession, live: Live) -> list[StepRow]:
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


async def _open_step(session: AsyncSession, live: Live, key: str) -> StepRow:
    _running(live)
    row = await session.get(StepRow, (live.campaign, live.id, key))
    if row is None or row.status != "open":
        raise Stale("This step is not open any more; the page shows how things stand now.")
    return row


async def _vacate(session: AsyncSession, live: Live, seat: str) -> None:
    await session.execute(
        delete(SeatHolder).where(
            SeatHolder.campaign_id == live.campaign,
            SeatHolder.scene_id == live.id,
            SeatHolder.seat == seat,
        )
    )


def _holder(live: Live, seat: str, member: uuid.UUID) -> SeatHolder:
    return SeatHolder(campaign_id=live.campaign, scene_id=live.id, seat=seat, member_id=member)
