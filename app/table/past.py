"""Past views of a scene: before a step closed, or after some steps had closed, for one member."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cachetools import LRUCache
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.log import fold
from app.engine.ruleset import LoggedEvent, Seat, Viewer
from app.models.people import Member, Role
from app.models.scenes import EventRow, SeatHolder
from app.table.loaded_scene import LoadedScene, read, read_event

MOST_STATES = 64
LARGEST_STATE = 1_000_000  # bytes


async def stood(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, step_key: str, member: Member
) -> Any:
    """Returns the view for this member's seats before the step's first event; None while it has no event."""
    here = (EventRow.campaign_id == campaign, EventRow.scene_id == scene)
    first = await session.scalar(select(func.min(EventRow.number)).where(*here, EventRow.step_key == step_key))
    if first is None:
        return None
    return await _view(session, await read(session, vault, campaign, scene), member, first - 1)


async def view_after(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, steps: Sequence[str], member: Member
) -> Any:
    """Returns the view for this member's seats once all these steps had closed; without steps, at the start."""
    here = (EventRow.campaign_id == campaign, EventRow.scene_id == scene)
    last = await session.scalar(select(func.max(EventRow.number)).where(*here, EventRow.step_key.in_(steps)))
    return await _view(session, await read(session, vault, campaign, scene), member, last or 0)


async def _view(session: AsyncSession, live: LoadedScene, member: Member, last: int) -> Any:
    """Returns the view after the event with the number `last`."""
    state = fold(live.kind.start(live.setup()), live.kind.apply, await log_between(session, live, 0, last))
    return live.kind.view(state, await viewer_of(session, live, member))


@dataclass(slots=True)
class PastStates:
    """One past state of each scene whose films were played last, so that the next film does not fold the log from its
    start: many readers ask for the newest step, one step after the other."""

    _of: LRUCache[uuid.UUID, tuple[int, bytes]] = field(default_factory=lambda: LRUCache(MOST_STATES))

    async def after(self, session: AsyncSession, live: LoadedScene, last: int) -> bytes:
        """Returns a scene's state after the event with the number `last`, as JSON."""
        number, state = self._of.get(live.id, (0, b""))
        if number > last:
            number, state = 0, b""
        begun = live.kind.state.validate_json(state) if number else live.kind.start(live.setup())
        fold(begun, live.kind.apply, await log_between(session, live, number, last))
        text = live.kind.state.dump_json(begun)
        if last > self._of.get(live.id, (0, b""))[0] and len(text) <= LARGEST_STATE:
            self._of[live.id] = (last, text)
        return text


async def log_between(session: AsyncSession, live: LoadedScene, first: int, last: int) -> list[LoggedEvent[Any]]:
    """Returns the events of a scene after the number `first` up to the number `last`."""
    here = (EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id)
    between = (EventRow.number > first, EventRow.number <= last)
    rows = await session.scalars(select(EventRow).where(*here, *between).order_by(EventRow.number))
    return [read_event(live, row) for row in rows]


async def viewer_of(session: AsyncSession, live: LoadedScene, member: Member) -> Viewer:
    """Returns a member as the viewer of a scene, by the seats they hold. By the current role, as in `reading.sight`: a
    GM of that time may no longer be a GM."""
    held = await session.scalars(
        select(SeatHolder.seat).where(
            SeatHolder.campaign_id == live.campaign,
            SeatHolder.scene_id == live.id,
            SeatHolder.member_id == member.id,
        )
    )
    return Viewer(seats=frozenset(map(Seat, held)), gm=member.role == Role.GM)
