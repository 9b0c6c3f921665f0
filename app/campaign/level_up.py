"""Levels up a character: rolls once for each version of the sheet, and records it in the character's past."""

import os
from typing import Any

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, sheets
from app.campaign.characters import DICE
from app.engine.chance import SeededChance
from app.engine.ruleset import Ruleset
from app.errors import Conflict, NotThere, Refusal
from app.models.people import Character, Member


async def grow(session: AsyncSession, rules: Ruleset[Any, Any], character: Character, seen: int, by: Member) -> None:
    """Levels up a character with the dice of its ruleset.

    Raises Conflict where a scene holds the character or the sheet changed since version `seen`, so that no level is
    rolled twice; Refusal where there is no next level; and NotThere where the ruleset has no levels.
    """
    if rules.level_up is None:
        raise NotThere(f"There are no levels in {rules.title}.", "Edit the sheet instead.")
    held = await characters.hold(session, character, by)
    holding = (await characters.in_scenes(session, held.campaign_id)).get(held.slug)
    if holding is not None:
        raise Conflict(
            f"{held.name} is in the scene “{holding.title}” now.", "You can level up when the scene is over."
        )
    if held.version != seen:
        raise Conflict(f"The sheet has changed; {held.name} may already have gained this level.", "Look at it first.")
    try:
        sheet = rules.character.validate_python(held.sheet)
    except ValidationError:
        raise Refusal("The sheet no longer fits the rules.", "Fix it first, then come back.") from None
    try:
        grown, dice = rules.level_up(sheet, SeededChance(os.urandom(32), os.urandom(32)))
    except ValueError as none_left:
        raise Refusal(str(none_left)) from None
    await sheets.write(session, held, rules.character.dump_python(grown, mode="json"), how="grown", by=by)
    held.dice = [*(held.dice or []), *DICE.dump_python(dice, mode="json")]
