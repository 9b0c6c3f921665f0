"""Deletes campaigns: the delete of the row cascades to everything of the campaign."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete as gone
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats
from app.errors import NotYours, Refusal, UserError
from app.models.people import Campaign, Member, Role
from app.models.scenes import Scene, StepRow


@dataclass(frozen=True, slots=True)
class Doomed:
    """A campaign to be deleted, with enough details to tell it from a copy of the same title."""

    title: str
    slug: str
    people: int
    scenes: int
    last_played: datetime | None

    def __str__(self) -> str:
        people = "1 person" if self.people == 1 else f"{self.people} people"
        scenes = "no scenes" if not self.scenes else "1 scene" if self.scenes == 1 else f"{self.scenes} scenes"
        played = f"last played on {self.last_played:%-d %B %Y}" if self.last_played else "never played"
        return f"“{self.title}” at /c/{self.slug}: {people}, {scenes}, {played}"


async def summary(session: AsyncSession, slug: str) -> Doomed:
    """Returns the campaign with that slug; raises UserError where there is none."""
    campaign = await session.scalar(select(Campaign).where(Campaign.slug == slug))
    if campaign is None:
        raise UserError(f"There is no campaign {slug!r}. You find its name in its addresses, after /c/.", code=2)
    here = Member.campaign_id == campaign.id, Member.removed_at.is_(None)
    people = await session.scalar(select(func.count()).select_from(Member).where(*here))
    scenes = await session.scalar(select(func.count()).select_from(Scene).where(Scene.campaign_id == campaign.id))
    last = await session.scalar(select(func.max(StepRow.closed_at)).where(StepRow.campaign_id == campaign.id))
    return Doomed(campaign.title, slug, people or 0, scenes or 0, last)


async def delete(session: AsyncSession, slug: str) -> None:
    """Deletes a campaign without checks; for the operator of the server."""
    await session.execute(gone(Campaign).where(Campaign.slug == slug))


async def delete_by(session: AsyncSession, campaign: Campaign, by: Member, typed: str) -> None:
    """Deletes a campaign for a GM, who types its title to confirm. Raises NotYours unless for a GM, and Refusal where
    the title differs."""
    if by.role != Role.GM:
        raise NotYours("Only a GM of this campaign can delete it.", "Ask your GM.")
    held = await seats.hold(session, campaign.id)
    if " ".join(typed.split()).casefold() != " ".join(held.title.split()).casefold():
        raise Refusal("That is not its title.", f"Type {held.title} to delete it for good.")
    await session.execute(gone(Campaign).where(Campaign.id == held.id))
