"""Characters that a scene makes: each is owned by whoever holds its seat as the scene ends."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.almanac import calendar_state
from app.campaign import characters, seating
from app.engine.ruleset import NewCharacter
from app.table.loaded_scene import LoadedScene


async def make(session: AsyncSession, live: LoadedScene, made: Sequence[NewCharacter]) -> None:
    """Make them in their order; their seats keep them from now on, so that this scene is the first of their lives.

    The scene is locked, the campaign's people are not and may not be any more: two drafts that end at once wait for
    each other at the almanac, and an address that is taken meanwhile is counted up (characters.add).
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
