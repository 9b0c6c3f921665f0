"""Challenges: two players agree on a fight between their characters, and it begins without the GM.

Only for kinds of scenes with `SceneKind.by_challenge`. The memory `record/<character>` counts the results.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import character_visibility
from app.crypto.vault import Vault
from app.db.lock_order import lock_row
from app.engine.faults import dotted, faults_of
from app.engine.ruleset import Brief, Ruleset, SceneKind, Seat
from app.errors import Conflict, NotThere, NotYours, Over, Refusal
from app.models.base import new_id
from app.models.people import Challenge, Character, Member, Role
from app.models.scenes import CampaignMemory
from app.rulesets import RULESETS, find
from app.table.opening import BadBrief, InUse, open_scene

MOST_OPEN = 20
"""The most open challenges by one member."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A challenge as one member sees it."""

    challenge: Challenge
    challenger: str  # names
    challenged: str
    mine: bool  # the viewer made it
    to_me: bool  # the viewer may answer it


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the ladder."""

    place: int  # the same for equals
    slug: str
    name: str
    won: int
    lost: int
    drawn: int
    open: bool  # whether the viewer may read the sheet


def kind_of(ruleset: Ruleset[Any, Any]) -> SceneKind[Any, Any, Any, Any, Any, Any] | None:
    """Returns the ruleset's kind of scene for challenges, or None."""
    return next((kind for kind in ruleset.kinds if kind.by_challenge), None)


def rulesets() -> tuple[Ruleset[Any, Any], ...]:
    return tuple(ruleset for ruleset in RULESETS if kind_of(ruleset) is not None)


async def fighters(session: AsyncSession, campaign: uuid.UUID) -> list[Character]:
    """Returns the characters whose ruleset has challenges, by name, without retired ones."""
    rows = await session.scalars(
        select(Character)
        .where(
            Character.campaign_id == campaign,
            Character.ruleset.in_([ruleset.key for ruleset in rulesets()]),
            Character.retired_at.is_(None),
        )
        .order_by(Character.name)
    )
    return list(rows)


def plays(member: Member, character: Character) -> bool:
    """Whether this member plays the character; every GM plays those without an owner."""
    return character.owner_id == member.id or (character.owner_id is None and member.role == Role.GM)


async def rivals(session: AsyncSession, member: Member) -> list[tuple[str, str]]:
    """Returns slug and name of each character that this member knows by name and can challenge."""
    names = await character_visibility.known_names(session, member)
    rows = [one for one in await fighters(session, member.campaign_id) if not plays(member, one)]
    return [(one.slug, names[one.slug]) for one in rows if one.slug in names]


async def challenge(
    session: AsyncSession, by: Member, challenger: str, challenged: str, settings: Mapping[str, Any]
) -> Challenge:
    """Challenges a character with one of `by`'s own. Raises Refusal or Conflict with the field that prevents it."""
    names = await character_visibility.known_names(session, by)
    there = {one.slug: one for one in await fighters(session, by.campaign_id) if one.slug in names}
    mine, other = there.get(challenger), there.get(challenged)
    if mine is None or not plays(by, mine):
        raise Refusal("Choose one of your own characters.", field="challenger")
    if other is None or other.slug == mine.slug or other.ruleset != mine.ruleset:
        raise Refusal("Choose another player's character who fights by the same rules.", field="challenged")
    if plays(by, other):
        raise Refusal("You play both of them. Challenge another player's character.", field="challenged")
    await _not_too_many(session, by, mine, other, names[other.slug])
    row = Challenge(
        campaign_id=by.campaign_id,
        id=new_id(),
        ruleset=mine.ruleset,
        challenger=mine.slug,
        challenged=other.slug,
        made_by=by.id,
        settings=_settings(find(mine.ruleset), settings),
    )
    session.add(row)
    await session.flush()
    return row


async def _not_too_many(session: AsyncSession, by: Member, mine: Character, other: Character, name: str) -> None:
    waiting = list(
        await session.scalars(
            select(Challenge).where(
                Challenge.campaign_id == by.campaign_id, Challenge.made_by == by.id, Challenge.status == "open"
            )
        )
    )
    if any({row.challenger, row.challenged} == {mine.slug, other.slug} for row in waiting):
        raise Conflict(f"{name} has not answered {mine.name}'s last challenge yet.", field="challenged")
    if len(waiting) >= MOST_OPEN:
        raise Conflict("Too many of your challenges are waiting for an answer. Withdraw some.", field="challenged")


def _settings(ruleset: Ruleset[Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        checked = ruleset.settings.validate_python(dict(given))
    except ValidationError as wrong:
        where, words = next(iter(faults_of(wrong, dotted).items()))
        raise Refusal(words, field=f"settings.{where}") from wrong
    dumped: dict[str, Any] = ruleset.settings.dump_python(checked, mode="json")
    return dumped


async def accept(session: AsyncSession, vault: Vault, by: Member, challenge_id: uuid.UUID) -> uuid.UUID:
    """Accepts a challenge and opens the fight; returns the scene's id. Raises NotYours where `by` may not answer it,
    and Conflict where a character is in another scene; the challenge then stays open."""
    row, challenger, challenged = await _waiting(session, by, challenge_id)
    if not plays(by, challenged):
        raise NotYours("You cannot answer this challenge.")
    kind = kind_of(find(row.ruleset))
    assert kind is not None
    brief = Brief(
        kind=kind.key,
        title=f"{challenger.name} against {challenged.name}",
        seats={Seat(challenger.slug): (challenger.slug,), Seat(challenged.slug): (challenged.slug,)},
        given={},
    )
    try:
        scene = await open_scene(session, vault, row.campaign_id, row.ruleset, brief, row.settings)
    except (InUse, BadBrief) as stands:
        raise Conflict(f"The duel cannot start now: {stands.message}") from stands
    row.status, row.scene_id, row.answered_at = "accepted", scene, func.now()
    return scene


async def close(session: AsyncSession, by: Member, challenge_id: uuid.UUID) -> str:
    """Declines another member's challenge, or withdraws `by`'s own; returns "declined" or "withdrawn"."""
    row, challenger, challenged = await _waiting(session, by, challenge_id)
    if plays(by, challenged):
        row.status = "declined"
    elif row.made_by == by.id or plays(by, challenger):
        row.status = "withdrawn"
    else:
        raise NotYours("This is not your challenge.")
    row.answered_at = func.now()
    return row.status


async def _waiting(
    session: AsyncSession, by: Member, challenge_id: uuid.UUID
) -> tuple[Challenge, Character, Character]:
    row = await lock_row(session, Challenge, (by.campaign_id, challenge_id))
    if row is None:
        raise NotThere("There is no such challenge.")
    if row.status != "open":
        raise Over(f"This challenge has already been {row.status}.")
    there = {one.slug: one for one in await fighters(session, by.campaign_id)}
    challenger, challenged = there.get(row.challenger), there.get(row.challenged)
    if challenger is None or challenged is None:
        raise Over("One of the two characters has been retired.")
    return row, challenger, challenged


async def called(session: AsyncSession, member: Member) -> list[Sight]:
    """Returns open challenges that this member may answer."""
    if member.role == Role.SPECTATOR:
        return []
    return [one for one in await open_challenges(session, member) if one.to_me]


async def open_challenges(session: AsyncSession, member: Member) -> list[Sight]:
    """Returns open challenges, those that this member may answer first: their own, those to them, and those between
    characters that they know by name."""
    found = await session.scalars(
        select(Challenge)
        .where(Challenge.campaign_id == member.campaign_id, Challenge.status == "open")
        .order_by(Challenge.made_at)
    )
    rows = found.all()
    if not rows:
        return []
    there = {one.slug: one for one in await fighters(session, member.campaign_id)}
    names = await character_visibility.known_names(session, member)
    sights = []
    for row in rows:
        if row.challenger not in there or row.challenged not in there:
            continue
        mine, to_me = row.made_by == member.id, plays(member, there[row.challenged])
        called = [names.get(slug, there[slug].name) for slug in (row.challenger, row.challenged)]
        if mine or to_me or {row.challenger, row.challenged} <= names.keys():
            sights.append(Sight(row, called[0], called[1], mine, to_me))
    return sorted(sights, key=lambda one: not one.to_me)


async def ladder(session: AsyncSession, viewer: Member) -> list[Standing]:
    """Returns the ladder: by wins less losses, then by wins; equals share a place. Only characters that the viewer
    knows by name."""
    rows = await session.execute(
        select(CampaignMemory.name, CampaignMemory.body).where(
            CampaignMemory.campaign_id == viewer.campaign_id, CampaignMemory.name.startswith("record/")
        )
    )
    names, hidden = (
        await character_visibility.known_names(session, viewer),
        await character_visibility.hidden(session, viewer),
    )
    found = [
        (slug, names[slug], body["is"])
        for slug, body in ((name.removeprefix("record/"), body) for name, body in rows)
        if slug in names
    ]
    found.sort(key=lambda one: (*_worth(one[2]), one[1]))
    return [
        Standing(_place(found, of), slug, name, of["won"], of["lost"], of["drawn"], slug not in hidden)
        for slug, name, of in found
    ]


def _worth(record: Mapping[str, int]) -> tuple[int, int]:
    return record["lost"] - record["won"], -record["won"]


def _place(found: Sequence[tuple[str, str, Mapping[str, int]]], of: Mapping[str, int]) -> int:
    return 1 + sum(_worth(other) < _worth(of) for _, _, other in found)
