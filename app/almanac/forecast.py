"""Healing rolled ahead, where a campaign wants that (CHR-CAL-16): what is so as long as nothing changes."""

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import load_world
from app.almanac.time_walk import DayOutcome, RulesFailed, foretell
from app.crypto.vault import Vault
from app.models.almanac import Almanac

MOST_DAYS = 120
"""How far ahead is rolled."""


async def foretold(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, slug: str) -> list[DayOutcome]:
    """What the coming days will mark for a character, in order; nothing is locked or written."""
    row = await session.scalar(select(Almanac).where(Almanac.campaign_id == campaign_id))
    if row is None:
        return []  # nobody has settled or used anything here yet: there is no luck to look into
    book = books.of(row)
    root = vault.decrypt(row.root, books.root_place(campaign_id))
    loaded = await load_world.load(session, campaign_id, book, book.today, root)
    try:
        return foretell(loaded.world, slug, MOST_DAYS)
    except RulesFailed:
        return []  # the desk says so when time is to pass
