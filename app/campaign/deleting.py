"""A campaign is deleted: everything of it goes at once, for everything hangs on its row."""

from sqlalchemy import delete as gone
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats
from app.campaign.models import Campaign, Member, Role
from app.campaign.refusal import NotYours, Refusal
from app.trouble import Trouble


async def title_of(session: AsyncSession, slug: str) -> str:
    """What a campaign is called; `Trouble` where there is none of that name."""
    title = await session.scalar(select(Campaign.title).where(Campaign.slug == slug))
    if title is None:
        raise Trouble(f"There is no campaign {slug!r}. Its name stands in its addresses, after /c/.", code=2)
    return title


async def delete(session: AsyncSession, slug: str) -> None:
    """For whoever keeps the machine."""
    await session.execute(gone(Campaign).where(Campaign.slug == slug))


async def delete_by(session: AsyncSession, campaign: Campaign, by: Member, typed: str) -> None:
    """For GMs, who type the title to show that they mean it. `Refusal` where it differs."""
    if by.role != Role.GM:
        raise NotYours("Only a GM of this campaign can delete it.", "Ask one of them.")
    held = await seats.hold(session, campaign.id)
    if " ".join(typed.split()).casefold() != " ".join(held.title.split()).casefold():
        raise Refusal("That is not its title.", f"Type “{held.title}” to delete it for good.")
    await session.execute(gone(Campaign).where(Campaign.id == held.id))
