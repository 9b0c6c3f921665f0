"""Past views of a scene: before a step closed, or after some steps had closed, for one member."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.log import fold
from app.engine.ruleset import LoggedEvent, Seat, Viewer
from app.models.people import Member, Role
from app.models.scenes import EventRow, SeatHolder
from app.table.loaded_scene import LoadedScene, read, read_event


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
    state = fold(live.kind.start(live.setup()), live.kind.apply, await log_until(session, live, last))
    return live.kind.view(state, await viewer_of(session, live, member))


async def log_until(session: AsyncSession, live: LoadedScene, last: int) -> list[LoggedEvent[Any]]:
    """Returns all events of a scene up to the number `last`."""
    here = (EventRow.campaign_id == live.campaign, EventRow.scene_id == live.id)
    rows = await session.scalars(select(EventRow).where(*here, EventRow.number <= last).order_by(EventRow.number))
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
