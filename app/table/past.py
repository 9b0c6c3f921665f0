"""A scene as it stood: what one member could see when a step, closed by now, was about to be decided."""

import uuid
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.models import Member, Role
from app.engine.ruleset import Seat
from app.engine.tale import fold
from app.table.live import read, read_event
from app.table.models import EventRow, SeatHolder
from app.table.vault import Vault


async def stood(
    session: AsyncSession, vault: Vault, campaign: uuid.UUID, scene: uuid.UUID, step_key: str, member: Member
) -> Any:
    """The ruleset's view for this member's seats before the step's first event; None if it has brought none yet."""
    live = await read(session, vault, campaign, scene)
    here = (EventRow.campaign_id == campaign, EventRow.scene_id == scene)
    first = await session.scalar(select(func.min(EventRow.number)).where(*here, EventRow.step_key == step_key))
    if first is None:
        return None
    rows = await session.scalars(select(EventRow).where(*here, EventRow.number < first).order_by(EventRow.number))
    state = fold(live.kind.start(live.setup()), live.kind.apply, [read_event(live, row) for row in rows])
    held = await session.scalars(
        select(SeatHolder.seat).where(
            SeatHolder.campaign_id == campaign, SeatHolder.scene_id == scene, SeatHolder.member_id == member.id
        )
    )
    viewer = live.viewer(*map(Seat, held))
    assert viewer.gm == (member.role == Role.GM)
    return live.kind.view(state, viewer)
