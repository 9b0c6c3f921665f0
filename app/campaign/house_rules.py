"""A campaign's house rules for its rulesets' days (`Days.settings`), stored in the campaign's settings."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats
from app.engine.ruleset import Days, Ruleset
from app.models.people import Campaign

DAYS = "days"
"""The key in a campaign's settings; the value is a dump of `Days.settings` by ruleset."""


def settled(campaign: Campaign, key: str) -> Mapping[str, Any]:
    """Returns the house rules for a ruleset; empty: everything as usual."""
    by_ruleset = campaign.settings.get(DAYS)
    found = by_ruleset.get(key) if isinstance(by_ruleset, dict) else None
    return found if isinstance(found, dict) else {}


def days_of(campaign: Campaign, rules: Ruleset[Any, Any]) -> Days[Any] | None:
    """Returns the ruleset's `Days` under this campaign's house rules; None if it has no days."""
    return None if rules.days is None else rules.days.under(settled(campaign, rules.key))


async def settle(session: AsyncSession, campaign_id: uuid.UUID, chosen: Mapping[str, Any]) -> None:
    """Sets the house rules of some rulesets, by key. Locks the campaign."""
    held = await seats.hold(session, campaign_id)
    held.settings = {**held.settings, DAYS: {**held.settings.get(DAYS, {}), **chosen}}
