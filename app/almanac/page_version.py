"""Whether the calendar still looks to one member as it did: two questions instead of reading all that is on it.

The version is made of the rows that the member may know of, by Postgres' own name for each version of a row (`xmin`),
and of nothing else: were it made of more, the time that a page takes would tell of hidden things
(app/table/page_version.py).
"""

import json
from decimal import Decimal

from sqlalchemy import ColumnElement, func, literal_column, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.rsvp import SOON
from app.almanac.visibility import known_to
from app.campaign import character_visibility
from app.db.page_version import PageVersion
from app.models.almanac import Entry
from app.models.people import Campaign, Character, Member


async def version(session: AsyncSession, campaign: Campaign, member: Member) -> PageVersion:
    """How the calendar stands for this member: who asks, its days, what is on them, and who is there.

    Of the almanac's own row only what counts changes of its days: hidden entries are counted in that row, too.
    """
    book = await books.read(session, campaign.id)
    on_it = select(_versions("entries")).where(Entry.campaign_id == campaign.id, *known_to(member, book))
    cast = select(_versions("characters")).where(
        Character.campaign_id == campaign.id, *character_visibility.knowing(member)
    )
    soon = select(func.count()).where(  # the hour takes them away, and changes no row
        Entry.campaign_id == campaign.id, Entry.kind == "session", SOON, *known_to(member, book)
    )
    parts = [one.scalar_subquery() for one in (on_it, cast, soon)]
    row = (await session.execute(select(func.now().label("now"), *parts))).one()
    who = (campaign.title, json.dumps(campaign.settings, sort_keys=True), member.role, member.name)
    return PageVersion(row.now, (*who, str(book.version), *map(str, row[1:])))


def _versions(table: str) -> ColumnElement[Decimal]:
    """One number for the versions of some rows of a table; another one as soon as any of them is another."""
    return func.sum(literal_column(f"hashtextextended({table}.id::text || {table}.xmin::text, 0)"))
