"""The runtime of the table: database sessions, key and bus of a process, and the only way to change a scene."""

import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from pydantic import ValidationError
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from app import failpoints
from app.crypto.vault import Locked, Vault
from app.db.waiting import GaveUp
from app.errors import MissingRules
from app.models.people import Member, Role
from app.models.scenes import Scene, SeatHolder, StepRow
from app.table import closing, inner_scenes, pauses
from app.table.bus import EVERYBODY, Bus
from app.table.history import Histories
from app.table.loaded_scene import LoadedScene, NoScene, OldRules, lock
from app.table.past import PastStates
from app.table.queues import Queues

log = logging.getLogger("signet.table")

UNREADABLE = (Locked, LookupError, NoScene, ValidationError)
"""Errors of reading a scene that was encrypted with another key or whose rules are missing. Logs name only their type:
their texts may quote the scene."""

WITHOUT_RULES = timedelta(minutes=10)
"""The pause before a due scene is tried again if its rules, or their version, are missing."""

DO_NOT_WAIT = text("SET LOCAL lock_timeout = '200ms'")
"""For the clock: a scene whose closing has to wait is tried again half a second later, and holds up no other."""

AfterEnd = Callable[[AsyncSession, LoadedScene], Awaitable[None]]


@dataclass(slots=True)
class Runtime:
    """The runtime, one for each process."""

    sessions: async_sessionmaker[AsyncSession]
    vault: Vault
    bus: Bus
    after_end: AfterEnd
    """Called when a scene has ended, for the consequences beyond the table, in the same transaction; never fails."""
    histories: Histories = field(default_factory=Histories)
    past: PastStates = field(default_factory=PastStates)
    queues: Queues = field(default_factory=Queues)
    read_sessions: async_sessionmaker[AsyncSession] = field(init=False)
    """Sessions for reading, in autocommit: each statement sees the newest data, without a transaction. A quiet draft
    is saved in one, by its one statement."""
    repeatable_read: async_sessionmaker[AsyncSession] = field(init=False)
    """Sessions for reading one snapshot: they see a reveal either completely or not at all."""

    def __post_init__(self) -> None:
        engine = self.sessions.kw["bind"]
        self.read_sessions = async_sessionmaker(
            engine.execution_options(isolation_level="AUTOCOMMIT"), expire_on_commit=False
        )
        moment = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.repeatable_read = async_sessionmaker(moment, expire_on_commit=False)

    @asynccontextmanager
    async def locked_scene(
        self, campaign: uuid.UUID, scene: uuid.UUID
    ) -> AsyncIterator[tuple[AsyncSession, LoadedScene]]:
        """Opens a transaction with the scene's row locked. Steps whose time is up are closed first. Commits at the end
        and sends hints to members who have something new to see."""
        async with self.queues.place(scene):
            while True:
                async with self.sessions.begin() as session:
                    live = await lock(session, self.vault, campaign, scene)
                    assert live is not None
                    if await close_due(session, live):
                        # Committed on its own: the caller may refuse a late answer, and the step stays closed.
                        await self._wake(session, live)
                        continue
                    failpoints.hit("scene-locked")
                    yield session, live
                    await self._wake(session, live)
                    failpoints.hit("before-commit")
                failpoints.hit("committed")
                break
        await self._wake_outer(live)

    @asynccontextmanager
    async def joined(self, session: AsyncSession, campaign: uuid.UUID, scene: uuid.UUID) -> AsyncIterator[LoadedScene]:
        """Locks a scene in a transaction that changes other things as well, so that all of it is stored, or nothing.
        Steps whose time is up stay as they are."""
        live = await lock(session, self.vault, campaign, scene)
        assert live is not None
        yield live
        await self._wake(session, live)

    async def close_if_due(self, campaign: uuid.UUID, scene: uuid.UUID) -> None:
        """Closes the scene's steps whose time is up, so that no page shows them as open."""
        async with self.read_sessions() as session:
            due = await session.scalar(
                select(Scene.id).where(
                    Scene.campaign_id == campaign,
                    Scene.id == scene,
                    Scene.next_due_at <= func.statement_timestamp(),
                )
            )
        if due is not None:
            with suppress(GaveUp):  # as where another transaction has locked the scene
                await self._sweep_scene(campaign, scene)

    async def sweep(self, most: int = 50) -> int:
        """Closes every step whose time is up, in at most `most` scenes, and lets scenes go on that waited for one which
        has come back; returns the number of scenes it changed.

        Candidates are read without a lock; a scene that another transaction has locked is skipped, and one whose
        closing would have to wait for other rows is left to the next sweep.
        """
        async with self.read_sessions() as session:
            due = await session.execute(
                select(Scene.campaign_id, Scene.id)
                .where(Scene.next_due_at <= func.statement_timestamp())
                .order_by(Scene.next_due_at)
                .limit(most)
            )
            candidates = [(campaign, scene) for campaign, scene in due]
            waiting = await session.execute(inner_scenes.TO_WAKE.limit(most))
            candidates += [(campaign, scene) for campaign, scene in waiting if (campaign, scene) not in candidates]
        touched = 0
        for campaign, scene in candidates:
            try:
                touched += await self._sweep_scene(campaign, scene)
            except UNREADABLE as error:
                log.error("a scene cannot be read, so its clock is not kept (%s)", type(error).__name__)
            except GaveUp:
                log.info("a closing waits for another change; it is tried again")
        return touched

    async def _sweep_scene(self, campaign: uuid.UUID, scene: uuid.UUID) -> bool:
        async with self.sessions.begin() as session:
            try:
                live = await lock(session, self.vault, campaign, scene, skip_locked=True)
            except (OldRules, MissingRules):
                await self._ask_later(session, campaign, scene)
                return False
            if live is None:
                return False
            await session.execute(DO_NOT_WAIT)
            touched = await close_due(session, live) or await inner_scenes.wake(session, live)
            await self._wake(session, live)
        await self._wake_outer(live)
        return touched

    async def _wake_outer(self, live: LoadedScene) -> None:
        """Lets the scene go on that waited for this one, if this one has come back. If that fails, the sweep does."""
        outer = live.row.outer_id
        if outer is None or live.row.returned is None:
            return
        try:
            await self._sweep_scene(live.campaign, outer)
        except (*UNREADABLE, GaveUp) as error:
            log.info("a scene that waited is woken later (%s)", type(error).__name__)

    async def _ask_later(self, session: AsyncSession, campaign: uuid.UUID, scene: uuid.UUID) -> None:
        """Puts off the clock of a scene whose rules are missing: they may be installed again."""
        row = await session.get(Scene, (campaign, scene))
        if row is not None:
            row.next_due_at = func.now() + WITHOUT_RULES

    async def _wake(self, session: AsyncSession, live: LoadedScene) -> None:
        """Counts the change in this transaction, and publishes hints, which are sent after the commit. For a scene that
        has just ended, `after_end` is called first."""
        campaign = live.campaign
        if live.ended:
            await self.after_end(session, live)
        if "" in live.touched | live.touched_by_seal:
            live.row.changes += 1
            if "" not in live.touched:
                live.row.seals += 1
            await self.bus.publish(session, campaign, EVERYBODY, counted=True)
            failpoints.hit("hint-given")
            return
        holders = await self._holders(session, live)
        for member in sorted(holders | await self._gms(session, live)):
            await self.bus.publish(session, campaign, str(member), counted=member in holders)

    async def _gms(self, session: AsyncSession, live: LoadedScene) -> set[uuid.UUID]:
        """Returns the GMs, if they have something new to look at: they see seals that other members do not."""
        if not live.touched_gms:
            return set()
        gms = await session.scalars(
            select(Member.id).where(Member.campaign_id == live.campaign, Member.role == Role.GM)
        )
        return set(gms)

    async def _holders(self, session: AsyncSession, live: LoadedScene) -> set[uuid.UUID]:
        """Counts the change on the holders of touched seats, not on the scene, for only they may notice it. Returns
        the holders."""
        touched = live.touched | live.touched_by_seal
        if not touched:
            return set()
        members = await session.scalars(
            update(SeatHolder)
            .where(
                SeatHolder.campaign_id == live.campaign,
                SeatHolder.scene_id == live.id,
                SeatHolder.seat.in_(touched),
            )
            .values(changes=SeatHolder.changes + 1)
            .returning(SeatHolder.member_id)
            .execution_options(synchronize_session=False)
        )
        return set(members)


async def close_due(session: AsyncSession, live: LoadedScene) -> bool:
    """Ends a pause and closes every open step whose time was up when the lock was requested, the earliest first.
    Returns whether there was one."""
    if live.row.next_due_at is None or live.row.next_due_at > live.now:
        return False
    touched = await pauses.end_if_over(session, live)
    while (row := await _due_step(session, live)) is not None:
        touched = True
        if not await closing.close(session, live, row, "due"):
            break
    return touched


async def _due_step(session: AsyncSession, live: LoadedScene) -> StepRow | None:
    if live.row.paused_at is not None or live.row.status != "open":
        return None
    return await session.scalar(
        select(StepRow)
        .where(
            StepRow.campaign_id == live.campaign,
            StepRow.scene_id == live.id,
            StepRow.status == "open",
            StepRow.due_at <= live.now,
        )
        .order_by(StepRow.due_at, StepRow.key)
        .limit(1)
    )


@dataclass(frozen=True, slots=True)
class Retried:
    """The result for a stuck step that was tried again; `why` is the reason if it could not be tried."""

    title: str  # of the scene
    key: str
    closed: bool
    why: str = ""


async def retry_stuck(runtime: Runtime) -> list[Retried]:
    """Tries every stuck step again, after the rules were fixed. A scene that cannot be read does not hold up others."""
    async with runtime.sessions() as session:
        rows = await session.execute(
            select(StepRow.campaign_id, StepRow.scene_id, StepRow.key, Scene.title)
            .join(Scene, (Scene.campaign_id == StepRow.campaign_id) & (Scene.id == StepRow.scene_id))
            .where(StepRow.status == "stuck")
            .order_by(StepRow.campaign_id, StepRow.scene_id, StepRow.position)
        )
        stuck = [tuple(row) for row in rows]
    done = []
    for campaign, scene, key, title in stuck:
        try:
            async with runtime.locked_scene(campaign, scene) as (session, live):
                row = await session.get(StepRow, (campaign, scene, key))
                if row is None or row.status != "stuck":
                    continue
                row.status = "open"
                await session.flush()
                done.append(Retried(title, key, await closing.close(session, live, row, "gm")))
        except (OldRules, MissingRules) as old:
            done.append(Retried(title, key, False, str(old)))
        except UNREADABLE as error:
            log.error("a scene with a stuck step cannot be read (%s)", type(error).__name__)
            done.append(Retried(title, key, False, "This scene cannot be read; see the log."))
    return done
