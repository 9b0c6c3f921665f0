"""What waits for a member in a campaign, as the bar on top of every page lists it: asks of scenes, and challenges."""

import uuid
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
    nudged: bool = False  # the GM has said that the table waits for it
    now: datetime | None = field(default=None, compare=False, repr=False)  # the database's clock, for the countdown

    @property
    def scene_at(self) -> str:
        """The address without the place on the page."""
        return self.at.partition("#")[0]


async def turns(session: AsyncSession, member: Member) -> tuple[Turn, ...]:
    """Returns what waits for a member: first what a GM nudged them for, then the earliest deadline, challenges last.
    Paused scenes wait for nobody."""
    if member.role == Role.SPECTATOR:
        return ()
    dare = "{} challenges {}"
    called = await challenges.called(session, member)
    dared = (Turn(dare.format(one.challenger, one.challenged), "", "/#duels") for one in called)
    return (*await of_scenes(session, member), *dared)


async def of_scenes(session: AsyncSession, member: Member, but: uuid.UUID | None = None) -> tuple[Turn, ...]:
    """Returns the asks of scenes that wait for a member, without those of the scene `but`."""
    if member.role == Role.SPECTATOR:
        return ()
    calls = [call for call in await listing.calls(session, member.campaign_id, member.id) if not call.paused]
    calls = [call for call in calls if call.scene_id != but]
    calls.sort(key=lambda call: (not call.nudged, call.due_at is None, call.due_at or call.now))
    at = "/scene/{}#{}"
    return tuple(
        Turn(one.call, one.scene, at.format(one.scene_id, one.anchor), one.due_at, one.nudged, one.now) for one in calls
    )
