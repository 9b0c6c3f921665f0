"""What passing days did, as each member may know it."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter
from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.campaign import character_visibility
from app.engine.chance import Roll
from app.models.almanac import Crossing, Happening
from app.models.people import Member, Role

ROLLS: TypeAdapter[tuple[Roll, ...]] = TypeAdapter(tuple[Roll, ...])


@dataclass(frozen=True, slots=True)
class DayRecord:
    """One thing that a day did; `rule` names a row of the rulebook of the person's rules, where there is one."""

    day: int
    kind: str
    title: str
    text: str
    rule: str
    rolls: tuple[Roll, ...]
    people: tuple[str, ...]


async def happened(
    session: AsyncSession, campaign_id: uuid.UUID, member: Member, first: int, last: int, most: int = 1000
) -> list[DayRecord]:
    """What the days from `first` to `last` did, in the order in which it happened; the newest, where there is more than
    `most`. GMs are told all, others what they may know of."""
    query = (
        select(Happening)
        .join(
            Crossing,
            and_(Crossing.campaign_id == Happening.campaign_id, Crossing.id == Happening.crossing_id),
        )
        .where(Happening.campaign_id == campaign_id, Happening.day >= first, Happening.day <= last)
        .order_by(Crossing.number.desc(), Happening.number.desc())
        .limit(most)
    )
    if member.role != Role.GM:
        book = await books.read(session, campaign_id)
        if book.edge is not None:  # a group that sets its date back has days ahead that have been before
            query = query.where(Happening.day <= book.edge)
        named = and_(Happening.seen_by == "named", Happening.viewers.contains([str(member.id)]))
        query = query.where(or_(Happening.seen_by == "all", named))
    rows: Sequence[Happening] = (await session.scalars(query)).all()
    hidden = await character_visibility.hidden(session, member)
    return [_said(row, hidden) for row in reversed(rows)]


async def done_by(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> list[DayRecord]:
    """All that one movement did, for the GM who pressed."""
    rows = await session.scalars(
        select(Happening)
        .where(Happening.campaign_id == campaign_id, Happening.crossing_id == crossing.id)
        .order_by(Happening.number)
    )
    return [_said(row, ()) for row in rows]


def _said(row: Happening, hidden: Collection[str]) -> DayRecord:
    return DayRecord(
        day=row.day,
        kind=row.kind,
        title=row.title,
        text=row.text,
        rule=row.rule,
        rolls=ROLLS.validate_python(row.rolls),
        people=tuple(slug for slug in row.people if slug not in hidden),
    )
