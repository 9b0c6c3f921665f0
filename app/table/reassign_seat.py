"""Somebody has to go while a scene is being played: the chair goes on with somebody else, and nobody is kept waiting.

The character stays whose it was; for good it is handed over on its own page. What lies sealed stays its author's.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seating, seats
from app.engine.ruleset import GM
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Member, Role
from app.table.loaded_scene import LoadedScene


async def give_chair(session: AsyncSession, live: LoadedScene, who: Member, seat: str, handle: str) -> None:
    """Let another member play a seat of this scene from now on, or the GMs (`handle` ""); everybody reads it."""
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
