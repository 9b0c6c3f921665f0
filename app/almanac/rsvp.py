"""Sessions, which are dates of the real world, and members' answers on whether they can come."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import entries
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Occurrence, known_to, occurrence
from app.campaign import character_visibility
from app.errors import NotYours, Refusal
from app.models.almanac import Entry, Reply
from app.models.people import Member, Role

Answer = Literal["yes", "maybe", "no"]
SOON = Entry.starts_at > func.now() - func.make_interval(0, 0, 0, 0, 12)
"""The condition that a session is still to come, or began less than twelve hours ago."""


@dataclass(frozen=True, slots=True)
class Coming:
    """A member and their answer; "" where there is none yet."""

    name: str
    answer: str
    mine: bool


async def answer(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, entry_id: uuid.UUID, said: Answer
) -> None:
    """Records whether a member can come, replacing an earlier answer. Raises NotYours for spectators, NotThere where
    the member may not know of the entry, and Refusal where it is no open session."""
    if member.role == Role.SPECTATOR:
        raise NotYours("Spectators cannot answer.", "Ask a GM to make you a player.")
    entry = await entries.get_entry(session, campaign_id, member, entry_id)
    if entry.kind != "session" or entry.state != "open":
        raise Refusal("Only sessions ask who can come.", "Reload the calendar: it may have changed.")
    row = {"campaign_id": campaign_id, "entry_id": entry_id, "member_id": member.id, "answer": said}
    await session.execute(
        insert(Reply)
        .values(row)
        .on_conflict_do_update(
            index_elements=[Reply.campaign_id, Reply.entry_id, Reply.member_id],
            set_={"answer": said, "at": func.now()},
        )
    )


async def who_comes(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, some: Collection[Occurrence]
) -> dict[uuid.UUID, list[Coming]]:
    """Returns, for each of these sessions, the players and GMs who may know of it, in the order of joining."""
    if not some:
        return {}
    given = await session.execute(
        select(Reply.entry_id, Reply.member_id, Reply.answer).where(
            Reply.campaign_id == campaign_id, Reply.entry_id.in_([one.id for one in some])
        )
    )
    said = {(entry, who): text for entry, who, text in given}
    here = await session.scalars(
        select(Member)
        .where(Member.campaign_id == campaign_id, Member.removed_at.is_(None), Member.role != Role.SPECTATOR)
        .order_by(Member.joined_at, Member.id)
    )
    people = here.all()
    return {
        one.id: [
            Coming(who.name, said.get((one.id, who.id), ""), who.id == member.id)
            for who in people
            if _invited(one, who)
        ]
        for one in some
    }


async def meetings(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, book: CalendarState, most: int = 4
) -> list[Occurrence]:
    """Returns the next `most` open sessions, soonest first, with those that began less than twelve hours ago."""
    rows = await session.scalars(
        select(Entry)
        .where(
            Entry.campaign_id == campaign_id,
            Entry.kind == "session",
            Entry.state == "open",
            SOON,
            *known_to(member, book),
        )
        .order_by(Entry.starts_at, Entry.made_no)
        .limit(most)
    )
    hidden = await character_visibility.hidden(session, member)
    return [occurrence(entry, member, entry.day, hidden) for entry in rows]


def _invited(one: Occurrence, who: Member) -> bool:
    """Whether a member may know of a session; GMs and its author always may."""
    if one.seen_by == "all" or who.role == Role.GM or who.id == one.author_id:
        return True
    return one.seen_by == "named" and str(who.id) in one.viewers
