"""Gives a seat of a running scene to another member when its holder has to leave.

The character's owner stays the same; its own page hands it over for good. Only the author can read what is sealed.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seating, seats
from app.engine.ruleset import GM
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Member, Role
from app.table.loaded_scene import LoadedScene


async def give_chair(session: AsyncSession, live: LoadedScene, who: Member, seat: str, handle: str) -> None:
    """Gives a seat of this scene to another member, or to the GMs (`handle` ""); a notice tells all members."""
    if live.row.status != "open":
        raise Conflict("This scene is over.")
    chair = next((one for one in live.seats if one.seat == seat and one.seat != GM), None)
    if chair is None:
        raise Refusal("Choose one of this scene's seats.")
    to: Member | None = None
    if handle:
        try:
            to = await seats.member_by_handle(session, live.campaign, handle)
        except NotThere as missing:
            raise Refusal(missing.message) from missing
        if to.role == Role.SPECTATOR:
            raise Refusal(f"{to.name} only watches. Make them a player first, on the people page.")
    await seating.give(session, chair, to, who.name)
    live.touched.add("")
