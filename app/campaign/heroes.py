"""Ready-made heroes of a ruleset: characters that a player takes with one press and may change later."""

import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import characters, names
from app.engine.ruleset import Ruleset
from app.errors import NotThere
from app.models.people import Campaign, Character, Member


@dataclass(frozen=True, slots=True)
class Hero:
    """A ready-made hero as a page offers it; `line` says what the hero is good at."""

    key: str
    name: str
    line: str


def offered(rules: Ruleset[Any, Any] | None) -> tuple[Hero, ...]:
    """Returns the heroes of a ruleset in the order of its book; none for a ruleset without heroes."""
    if rules is None:
        return ()
    return tuple(
        Hero(key, getattr(sheet, "name", key), rules.hero_lines.get(key, "")) for key, sheet in rules.heroes().items()
    )


def usual_rules(campaign: Campaign) -> Ruleset[Any, Any] | None:
    """Returns the ruleset that a campaign usually plays by; None where it is not installed."""
    key = campaign.settings.get("ruleset", "")
    return next((rules for rules in rulesets.games() if rules.key == key), None)


def ruleset_of(rules: Ruleset[Any, Any] | None, key: str) -> Ruleset[Any, Any]:
    """Returns the ruleset if it has a hero of that key; raises NotThere, with the field "hero", if not."""
    if rules is None or key not in rules.heroes():
        raise NotThere("There is no ready-made hero of that name.", "Choose a hero from the page.", field="hero")
    return rules


async def take(
    session: AsyncSession,
    campaign: Campaign,
    rules: Ruleset[Any, Any],
    key: str,
    owner: Member | None,
    by: Member,
    character_id: uuid.UUID | None = None,
) -> Character:
    """Makes a character from a ready-made hero; a second one of the same name gets a number. Locks the campaign.

    The same `character_id` gives the same character, so that a form sent twice makes only one.
    """
    sheet = ruleset_of(rules, key).character.dump_python(rules.heroes()[key], mode="json")
    name = await _free_name(session, campaign, str(sheet.get("name") or key))
    if "name" in sheet:
        sheet["name"] = name
    return await characters.create(session, campaign, name, rules.key, sheet, owner, by, character_id=character_id)


async def _free_name(session: AsyncSession, campaign: Campaign, wanted: str) -> str:
    """Compares with owned characters only: a number must not tell a player of a GM's secret character."""
    known_names = await session.scalars(
        select(func.lower(Character.name)).where(
            Character.campaign_id == campaign.id, Character.owner_id.is_not(None), Character.retired_at.is_(None)
        )
    )
    return names.free_name(wanted, set(known_names))
