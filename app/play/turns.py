"""What a member has to know at once in a campaign, as the bar on top of every page lists it: scenes that somebody has
stopped, asks of scenes, and challenges."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.models.people import Member, Role
from app.play import challenges
from app.table import listing

STOPPED = "Someone would like to stop here"


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that waits for a member, or a stopped scene; `at` is its address below the member's own."""

    call: str
    scene: str  # its title; "" for a challenge
    at: str
    due_at: datetime | None = None
    nudged: bool = False  # the GM has said that the table waits for it
    now: datetime | None = field(default=None, compare=False, repr=False)  # the database's clock, for the countdown
    stop: bool = False  # the X-card has stopped the scene

    @property
    def scene_at(self) -> str:
        """The address without the place on the page."""
        return self.at.partition("#")[0]


async def turns(session: AsyncSession, member: Member) -> tuple[Turn, ...]:
    """Returns the stopped scenes, for every member alike, then what waits for this one: first what a GM nudged them
    for, then the earliest deadline, challenges last. Paused scenes wait for nobody."""
    scenes = await of_scenes(session, member)
    if member.role == Role.SPECTATOR:
        return scenes
    dare = "{} challenges {}"
    called = await challenges.called(session, member)
    dared = (Turn(dare.format(one.challenger, one.challenged), "", "/#duels") for one in called)
    return (*scenes, *dared)


async def of_scenes(session: AsyncSession, member: Member, but: uuid.UUID | None = None) -> tuple[Turn, ...]:
    """Returns the stopped scenes and the asks of scenes that wait for a member, without those of the scene `but`."""
    found, stops = await listing.calls_and_stops(session, member.campaign_id, member.id)
    calls = [call for call in found if not call.paused and call.scene_id != but and member.role != Role.SPECTATOR]
    calls.sort(key=lambda call: (not call.nudged, call.due_at is None, call.due_at or call.now))
    at = "/scene/{}#{}"
    return (
        *(Turn(STOPPED, one.scene, at.format(one.scene_id, "stopped"), stop=True)
          for one in stops if one.scene_id != but),
        *(Turn(one.call, one.scene, at.format(one.scene_id, one.anchor), one.due_at, one.nudged, one.now)
          for one in calls),
    )  # fmt: skip
