"""A character's page besides the sheet: condition, present time and place, and the past."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.almanac import calendar_state as books
from app.almanac import entries
from app.almanac.calendar_state import CalendarState
from app.almanac.visibility import Filter, Occurrence
from app.campaign import aid, lifecycle, notes, promoting
from app.campaign.lifecycle import LifeStretch
from app.engine.ruleset import Ruleset
from app.models.almanac import Almanac
from app.models.people import Character, Member
from app.play import next_up
from app.web.characters.changes import Change, change_lines
from app.web.forms.schema import SheetForm
from app.web.http.seat_session import SeatSession

SHOWN = 12
"""The most stretches of a life shown unfolded; the older ones are folded."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch of a life with its changes in words."""

    lived: LifeStretch
    changes: tuple[Change, ...]


def state(character: Character, changes: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """A character's condition in words for a list, with the changes that a scene has made so far; empty if the rules
    have none or cannot read the sheet."""
    try:
        rules = rulesets.find(character.ruleset)
        sheet = rules.character.validate_python({**character.sheet, **(changes or {})})
    except (LookupError, ValidationError):
        return ()
    if rules.condition is not None:
        return rules.condition(sheet)
    return rules.days.condition(sheet) if rules.days is not None else ()


async def calendar(session: AsyncSession, campaign_id: uuid.UUID) -> CalendarState | None:
    """The campaign's calendar; None if it is not used yet, so that pages need not mention dates."""
    begun = await session.scalar(select(Almanac.campaign_id).where(Almanac.campaign_id == campaign_id))
    return None if begun is None else await books.read(session, campaign_id)


async def life(
    session: AsyncSession, seated: SeatSession, character: Character, rules: Ruleset[Any, Any]
) -> dict[str, Any]:
    """The data of a character's page besides the sheet."""
    campaign_id = seated.campaign.id
    form = SheetForm(rules.character)
    past = [
        Stretch(one, tuple(change_lines(form, one.changes)))
        for one in await lifecycle.past(session, character, seated.member)
    ]
    book = await calendar(session, campaign_id)
    dead = promoting.is_dead(character)
    gone = await promoting.bereaved(session, seated.member) if dead else []
    lost = next((one for one in gone if one.character.id == character.id), None)
    return {
        "state": state(character),
        "book": book,
        "now": await _now(session, seated.member, character, book) if book is not None else [],
        "where": await _where(session, seated.member, character) if book is not None else None,
        "past": past[:SHOWN],
        "older": past[SHOWN:],
        "dead": dead,
        "lost": lost,
        "later": lost is not None and character.id in await promoting.settled(session, campaign_id, later=True),
        "dying": [one for one in await aid.dying(session, seated.member) if one.character.id == character.id],
        "successors": await promoting.offered(session, seated.member, character) if lost else [],
        "wishes": [one for one in await promoting.proposals(session, seated.member) if _about(one, character)],
        "page": await notes.read(session, campaign_id, seated.member, topic(character)) if seated.is_gm else None,
    }


def topic(character: Character) -> str:
    return f"character/{character.slug}"


def _about(one: promoting.Proposal, character: Character) -> bool:
    return character.id in (one.character.id, one.instead_of.id if one.instead_of else None)


async def _where(session: AsyncSession, member: Member, character: Character) -> next_up.Where | None:
    """The last place that the calendar has for a character."""
    return (await next_up.whereabouts(session, character.campaign_id, member, [character.slug])).get(character.slug)


async def _now(session: AsyncSession, member: Member, character: Character, book: CalendarState) -> list[Occurrence]:
    """The calendar's entries for a character on today's date."""
    want = Filter(people=frozenset({character.slug}), states=frozenset({"open", "paused"}))
    return await entries.between(session, character.campaign_id, member, book.today, book.today, want)
