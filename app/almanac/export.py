"""What of a campaign's calendar may leave it in a file: shape, date, and entries without what belongs to people."""

import uuid

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import known_to
from app.calendar.imports import ForeignEntry
from app.calendar.repeat import RULE
from app.errors import NotYours
from app.models.almanac import Entry
from app.models.people import Member, Role


async def exported(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member
) -> tuple[CalendarState, list[ForeignEntry]]:
    """Returns the calendar and its entries in the order of making, for a GM. Raises NotYours for anybody else.

    Cancelled entries stay behind, and so does what a player wrote for themselves, for GMs or for some. What a GM wrote
    for named members is for GMs alone in the file. A paused scene is an open one there, for it takes no scene along.
    """
    if member.role != Role.GM:
        raise NotYours("Only a GM can export the calendar.", "Ask a GM for the file.")
    book = await books.read(session, campaign_id)
    rows = await session.scalars(
        select(Entry)
        .join(Member, (Member.campaign_id == Entry.campaign_id) & (Member.id == Entry.author_id))
        .where(
            Entry.campaign_id == campaign_id,
            Entry.state != "dropped",
            or_(Entry.seen_by == "all", Member.role == Role.GM),
            *known_to(member, book),
        )
        .order_by(Entry.made_no)
    )
    return book, [_entry(row) for row in rows]


def _entry(row: Entry) -> ForeignEntry:
    return ForeignEntry(
        title=row.title,
        day=row.day,
        last_day=row.last_day,
        rule=None if row.rule is None else RULE.validate_python(row.rule).model_copy(update={"start": row.day}),
        minute=row.minute,
        text=row.text,
        kind=row.kind,
        hidden=row.seen_by != "all",
        place=row.place,
        standing="stop" if row.standing == "stop" else "pass",
        done=row.state == "done",
        starts_at=row.starts_at,
        minutes=row.minutes,
    )
