"""What waits for a member in a campaign, as the bar on top of every page lists it: asks of scenes, and challenges."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.models.people import Member, Role
from app.play import challenges
from app.table import listing


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that waits for a member; `at` is its address below the member's own."""

    call: str
    scene: str  # its title; "" for a challenge
    at: str
    due_at: datetime | None = None
    now: datetime | None = field(default=None, compare=False, repr=False)  # the database's clock, for the countdown


async def turns(session: AsyncSession, member: Member) -> tuple[Turn, ...]:
    """Returns what waits for a member, the earliest deadline first, challenges last. Paused scenes wait for nobody."""
    if member.role == Role.SPECTATOR:
        return ()
    calls = [call for call in await listing.calls(session, member.campaign_id, member.id) if not call.paused]
    calls.sort(key=lambda call: (call.due_at is None, call.due_at or call.now))
    found = [Turn(one.call, one.scene, f"/scene/{one.scene_id}#{one.anchor}", one.due_at, one.now) for one in calls]
    dare = "{} challenges {}"
    called = await challenges.called(session, member)
    return (*found, *(Turn(dare.format(one.challenger, one.challenged), "", "/#duels") for one in called))
