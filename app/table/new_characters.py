"""Characters that a scene makes: each is owned by the member who holds its seat when the scene ends."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import characters, seating
from app.engine.ruleset import NewCharacter
from app.table.loaded_scene import LoadedScene


async def make(session: AsyncSession, live: LoadedScene, made: Sequence[NewCharacter]) -> None:
    """Adds the characters in order, and each to its seat, so that this is the first scene in their history.

    The scene is locked already, so the campaign's members must not be locked any more: two picks that end at once wait
    for each other at the almanac, and a slug that is taken meanwhile gets a number (characters.add).
    """
    if not made:
        return
    await calendar_state.hold(session, live.vault, live.campaign)
    owners = await seating.sole_holders(session, live.row)
    for one in made:
        seat = next(chair for chair in live.seats if chair.seat == one.seat)
        where = (live.campaign, one.name, live.ruleset.key, dict(one.sheet), owners.get(one.seat))
        character = await characters.add(session, *where, scene=live.id)
        seating.add_character(seat, character)
    await session.flush()
