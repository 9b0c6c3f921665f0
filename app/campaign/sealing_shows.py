"""A campaign's setting `sealing_shows`: what members other than GMs learn about others' seals before they open."""

import uuid
from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.models.people import Campaign

SealingShows = Literal["names", "number", "nothing"]
SETTING = "sealing_shows"
CHOICES: tuple[tuple[SealingShows, str], ...] = (
    ("names", "who has sealed"),
    ("number", "how many have sealed, without names"),
    ("nothing", "nothing until everything opens"),
)


def chosen(settings: Mapping[str, Any]) -> SealingShows:
    """Returns the setting of a campaign; campaigns older than the setting show names."""
    return next((key for key, _ in CHOICES if key == settings.get(SETTING)), "names")


async def read(session: AsyncSession, campaign: uuid.UUID) -> SealingShows:
    """Returns the setting of the campaign with this id."""
    settings = await session.scalar(select(Campaign.settings).where(Campaign.id == campaign))
    return chosen(settings or {})
