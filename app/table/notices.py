"""What was said at a scene's table, and notices of what people, or the calendar, did to the scene."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.models.base import new_id
from app.models.people import Member
from app.models.scenes import Line
from app.table.loaded_scene import LoadedScene


def notice(session: AsyncSession, live: LoadedScene, who: Member | None, words: str) -> None:
    """Adds a notice for all members on what a member did to the scene."""
    line(session, live, "notice", who, words)


def line(session: AsyncSession, live: LoadedScene, kind: str, who: Member | None, words: str) -> None:
    """Adds a line for all members: "talk", "notice" or "handout"; by nobody is by Signet."""
    live.touched.add("")
    session.add(
        Line(
            campaign_id=live.campaign,
            scene_id=live.id,
            id=new_id(),
            kind=kind,
            member_id=who.id if who else None,
            who=who.name if who else "Signet",
            text=words,
        )
    )
