"""New personal links for GMs who lost theirs: the operator can always let them in again."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import founding, seats


async def new_gm_links(session: AsyncSession, slug: str | None) -> list[tuple[str, str]]:
    """Makes a new link for each GM of one campaign, or of all; returns labels and paths. The old links stop working,
    and these GMs are signed out everywhere; their open streams end within seconds, when the poller finds it."""
    made: list[tuple[str, str]] = []
    for campaign, member in await founding.campaigns(session):
        if slug in (None, campaign.slug):
            token = await seats.renew_link(session, member)
            made.append((f"{campaign.title} ({campaign.slug}): {member.name}", f"/enter/{campaign.slug}/{token}"))
    return made
