"""The weather of a campaign's days: drawn from its secret luck with a tag of its own, and told as far as one may know.

Players know it up to today, GMs also that of the days to come.
"""

import uuid
from collections.abc import Collection, Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac.calendar_state import CalendarState
from app.calendar.weather import CLIMATES, Weather, weather
from app.crypto.vault import Vault
from app.models.almanac import Almanac
from app.models.people import Member, Role
from app.receipts.luck import digest


async def weather_by_day(
    session: AsyncSession,
    vault: Vault,
    campaign_id: uuid.UUID,
    member: Member,
    book: CalendarState,
    days: Collection[int],
) -> Mapping[int, Weather]:
    """Returns the weather by day number of those of `days` that a member may know; empty without a climate."""
    climate = CLIMATES.get(book.settings.climate) if book.settings.climate else None
    told = [day for day in days if member.role == Role.GM or day <= book.today]
    if climate is None or not told:
        return {}
    box = await session.scalar(select(Almanac.root).where(Almanac.campaign_id == campaign_id))
    if box is None:
        return {}
    luck = digest("signet-weather-1", vault.decrypt(box, books.root_place(campaign_id)))
    return {day: weather(climate, luck, book.count, day) for day in told}
