"""What a campaign has settled about its rulesets' days (`Days.settings`), in the campaign's own settings."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats
from app.engine.ruleset import Days, Ruleset
from app.models.people import Campaign

DAYS = "days"
"""The key in a campaign's settings: by ruleset, what its `Days.settings` dumps."""


def settled(campaign: Campaign, key: str) -> Mapping[str, Any]:
    """What was settled for a ruleset; empty: everything as usual."""
    by_ruleset = campaign.settings.get(DAYS)
    found = by_ruleset.get(key) if isinstance(by_ruleset, dict) else None
    return found if isinstance(found, dict) else {}


def days_of(campaign: Campaign, rules: Ruleset[Any, Any]) -> Days[Any] | None:
    """What days do by these rules in this campaign; None: nothing."""
    return None if rules.days is None else rules.days.under(settled(campaign, rules.key))


async def settle(session: AsyncSession, campaign_id: uuid.UUID, chosen: Mapping[str, Any]) -> None:
    """Settle the days of some rulesets, by key. Locks the campaign."""
    held = await seats.hold(session, campaign_id)
    held.settings = {**held.settings, DAYS: {**held.settings.get(DAYS, {}), **chosen}}
