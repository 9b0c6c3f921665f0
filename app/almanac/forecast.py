"""Healing rolled ahead, if a campaign wants that (CHR-CAL-16); valid as long as nothing changes."""

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state as books
from app.almanac import load_world
from app.almanac.time_walk import DayOutcome, RulesFailed, foretell
from app.crypto.vault import Vault
from app.models.almanac import Almanac

MOST_DAYS = 120
"""The number of days that are rolled ahead."""


async def foretold(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, slug: str) -> list[DayOutcome]:
    """Returns a character's marked outcomes of the coming days, in order; nothing is locked or written."""
    row = await session.scalar(select(Almanac).where(Almanac.campaign_id == campaign_id))
    if row is None:
        return []  # the campaign has no almanac yet, and so no luck to roll with
    book = books.of(row)
    root = vault.decrypt(row.root, books.root_place(campaign_id))
    loaded = await load_world.load(session, campaign_id, book, book.today, root)
    try:
        return foretell(loaded.world, slug, MOST_DAYS)
    except RulesFailed:
        return []  # `advance` reports it when time passes
