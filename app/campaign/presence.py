"""Who is at the table now: each open page of a member says now and then that it is there.

A member has `PAGES` rows at most, one for each number that a page may choose for itself, so that many tabs neither
overwrite one another nor fill the table. Nothing here wakes anyone: open pages read it when they send their own sign.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import case, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign.sealing_shows import SealingShows
from app.models.people import Member, Presence

PageState = Literal["front", "behind", "closed"]
PAGES = 64
HERE_FOR = timedelta(seconds=75)  # a page in front sends a sign every 30 seconds
AWAY_FOR = timedelta(minutes=11)  # a page behind others sends one every five minutes, if its browser lets it
WRITE_EVERY = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Person:
    """A present member, and whether they are at the table."""

    name: str
    state: Literal["here", "away", "offline"]
    since: datetime | None  # of "offline": the last sign; None where there was none


@dataclass(frozen=True, slots=True)
class WhoIsHere:
    """What a member may know of it: names, a number, or nothing."""

    here: int | None = None
    people: tuple[Person, ...] | None = None


async def note(session: AsyncSession, member: Member, page: int, state: PageState) -> None:
    """Stores a page's sign. The same sign of the same page is stored at most every five seconds."""
    sign = insert(Presence).values(campaign_id=member.campaign_id, member_id=member.id, page=page, state=state)
    await session.execute(
        sign.on_conflict_do_update(
            index_elements=[Presence.campaign_id, Presence.member_id, Presence.page],
            set_={"state": state, "seen_at": func.now()},
            where=or_(Presence.state != state, Presence.seen_at < func.now() - WRITE_EVERY),
        )
    )


async def forget(session: AsyncSession, member: Member) -> None:
    """Deletes a member's signs, for one who is removed."""
    await session.execute(
        delete(Presence).where(Presence.campaign_id == member.campaign_id, Presence.member_id == member.id)
    )


async def who_is_here(session: AsyncSession, campaign: uuid.UUID, shows: SealingShows) -> WhoIsHere:
    """Returns who is at the table, as far as `shows` lets the reader know; nothing where there is only one member."""
    people = await _people(session, campaign)
    if shows == "nothing" or len(people) < 2:
        return WhoIsHere()
    here = sum(person.state == "here" for person in people)
    return WhoIsHere(here, tuple(people) if shows == "names" else None)


async def _people(session: AsyncSession, campaign: uuid.UUID) -> Sequence[Person]:
    """A page in front wins over pages behind, which win over closed ones and those that fell silent."""
    front = (Presence.state == "front") & (Presence.seen_at > func.now() - HERE_FOR)
    behind = (Presence.state == "behind") & (Presence.seen_at > func.now() - AWAY_FOR)
    state = case((func.bool_or(front), "here"), (func.bool_or(behind), "away"), else_="offline")
    rows = await session.execute(
        select(Member.name, state, func.max(Presence.seen_at))
        .outerjoin(Presence, (Presence.campaign_id == Member.campaign_id) & (Presence.member_id == Member.id))
        .where(Member.campaign_id == campaign, Member.removed_at.is_(None))
        .group_by(Member.campaign_id, Member.id)
        .order_by(Member.joined_at, Member.id)
    )
    return [Person(name, now, seen if now == "offline" else None) for name, now, seen in rows]
