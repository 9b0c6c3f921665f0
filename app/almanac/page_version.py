"""The version of the calendar's pages for one member: two queries show whether a page has to be drawn again.

It depends only on the rows that the member may know of, by Postgres' `xmin` of each row: if it depended on more, the
time that a page takes would reveal hidden changes (app/table/page_version.py).
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
    """Returns the version for this member: from campaign, member, almanac, entries, characters and sessions to come.

    Of the almanac's row only `version` counts, because its other counters include hidden entries.
    """
    book = await books.read(session, campaign.id)
    on_it = select(_versions("entries")).where(Entry.campaign_id == campaign.id, *known_to(member, book))
    cast = select(_versions("characters")).where(
        Character.campaign_id == campaign.id, *character_visibility.knowing(member)
    )
    soon = select(func.count()).where(  # sessions become past by time alone, without a change of a row
        Entry.campaign_id == campaign.id, Entry.kind == "session", SOON, *known_to(member, book)
    )
    parts = [one.scalar_subquery() for one in (on_it, cast, soon)]
    row = (await session.execute(select(func.now().label("now"), *parts))).one()
    who = (campaign.title, json.dumps(campaign.settings, sort_keys=True), member.role, member.name)
    return PageVersion(row.now, (*who, str(book.version), *map(str, row[1:])))


def _versions(table: str) -> ColumnElement[Decimal]:
    """Returns one number for the versions of some rows of a table, which changes when any row changes."""
    return func.sum(literal_column(f"hashtextextended({table}.id::text || {table}.xmin::text, 0)"))
