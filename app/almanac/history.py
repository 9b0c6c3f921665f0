"""The happenings of past days, as each member may know them."""

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
    """One happening of a day; `rule` is a rule id in the rulebook of the character's ruleset, or ""."""

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
    """Returns the happenings of the days from `first` to `last` in order, at most the newest `most`: for GMs all of
    them, for others those that they may know of."""
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
        if book.edge is not None:  # after the date was set back, days ahead have happenings too
            query = query.where(Happening.day <= book.edge)
        named = and_(Happening.seen_by == "named", Happening.viewers.contains([str(member.id)]))
        query = query.where(or_(Happening.seen_by == "all", named))
    rows: Sequence[Happening] = (await session.scalars(query)).all()
    hidden = await character_visibility.hidden(session, member)
    return [_said(row, hidden) for row in reversed(rows)]


async def done_by(session: AsyncSession, campaign_id: uuid.UUID, crossing: Crossing) -> list[DayRecord]:
    """Returns all happenings of one movement of time; for GMs."""
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
