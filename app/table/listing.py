"""The scenes of a campaign, as its home page lists them, and what in them waits for a member."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.engine.wording import in_words
from app.models.people import Member
from app.models.scenes import Scene
from app.rulesets import find


@dataclass(frozen=True, slots=True)
class SceneLine:
    """One scene on the home page; `calls` names the asks that wait for the member."""

    id: uuid.UUID
    title: str
    ruleset: str
    utility: bool  # a decision, no scene of the story
    status: str  # open, over, abandoned
    paused: bool
    stopped: bool  # paused by the X-card
    waits: bool  # for a scene that was opened out of it
    made_at: datetime
    ended_at: datetime | None
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """An ask that waits for a member."""

    scene_id: uuid.UUID
    scene: str
    call: str  # in today's words
    stored: str  # as it was first written, and never changes
    due_at: datetime | None
    paused: bool
    anchor: str  # of the ask on the scene's page
    now: datetime
    nudged: bool  # a GM has said that the table waits for it


@dataclass(frozen=True, slots=True)
class Stop:
    """An open scene that the X-card has stopped."""

    scene_id: uuid.UUID
    scene: str


async def scenes(session: AsyncSession, campaign: uuid.UUID, member: Member) -> list[SceneLine]:
    """Returns a campaign's scenes: open ones first, of them those that the X-card has stopped, then those that wait for
    the member; the newest first."""
    awaited: dict[uuid.UUID, list[str]] = {}
    for call in await calls(session, campaign, member.id):
        awaited.setdefault(call.scene_id, []).append(call.call)
    rows = await session.scalars(select(Scene).where(Scene.campaign_id == campaign).order_by(Scene.made_at.desc()))
    lines = [
        SceneLine(
            id=row.id,
            title=row.title,
            ruleset=_title(row.ruleset),
            utility=_utility(row.ruleset),
            status=row.status,
            paused=row.paused_at is not None,
            stopped=row.stopped,
            waits=row.waits_for is not None,
            made_at=row.made_at,
            ended_at=row.ended_at,
            calls=tuple(awaited.get(row.id, ())),
        )
        for row in rows
    ]
    return sorted(lines, key=lambda line: (line.status != "open", not line.stopped, not line.calls))


# The asks that wait for a member in a campaign's open scenes; their page version (page_version.py) reads the same.
WAITING = """FROM scenes AS other
          JOIN seat_holders AS mine ON (mine.campaign_id, mine.scene_id) = (other.campaign_id, other.id)
          JOIN asks ON (asks.campaign_id, asks.scene_id, asks.seat) = (mine.campaign_id, mine.scene_id, mine.seat)
          JOIN steps ON (steps.campaign_id, steps.scene_id, steps.key)
                      = (asks.campaign_id, asks.scene_id, asks.step_key)
         WHERE other.campaign_id = :campaign AND other.status = 'open' AND mine.member_id = :member
           AND steps.status = 'open' AND asks.awaited AND asks.status <> 'ready'"""

# The open scenes that the X-card has stopped. Every member may know of every scene (`scenes`).
STOPPED = """FROM scenes AS other WHERE other.campaign_id = :campaign AND other.status = 'open' AND other.stopped"""

_CALLS_AND_STOPS = text(f"""
    SELECT other.id, other.title, asks.call, other.ruleset, other.kind, steps.due_at, asks.step_key, asks.seat,
           other.paused_at IS NOT NULL AS paused, statement_timestamp() AS now, asks.nudged_at IS NOT NULL AS nudged,
           steps.opened_at AS since, steps.position
      {WAITING}
     UNION ALL
    SELECT other.id, other.title, NULL, NULL, NULL, NULL, NULL, NULL, TRUE, NULL, FALSE, other.made_at, 0
      {STOPPED}
     ORDER BY since, position""")


async def calls(session: AsyncSession, campaign: uuid.UUID, member: uuid.UUID) -> list[Call]:
    """Returns the asks of a campaign that wait for a member, those of the earliest step first."""
    return (await calls_and_stops(session, campaign, member))[0]


async def calls_and_stops(
    session: AsyncSession, campaign: uuid.UUID, member: uuid.UUID
) -> tuple[list[Call], list[Stop]]:
    """Returns `calls`, and the campaign's stopped scenes, those first that were opened first, by one statement."""
    rows = list(await session.execute(_CALLS_AND_STOPS, {"campaign": campaign, "member": member}))
    stops = [Stop(row.id, row.title) for row in rows if row.call is None]
    return [_call(row) for row in rows if row.call is not None], stops


def _call(row: Any) -> Call:
    return Call(
        scene_id=row.id,
        scene=row.title,
        call=in_words(_words(row.ruleset, row.kind), row.call),
        stored=row.call,
        due_at=row.due_at,
        paused=row.paused,
        anchor=ask_anchor(row.step_key, row.seat),
        now=row.now,
        nudged=row.nudged,
    )


def ask_anchor(step_key: str, seat: str) -> str:
    """Returns the id that an ask has on its scene's page."""
    return f"ask-{step_key.replace('/', '-')}-{seat}"


def _words(ruleset: str, kind: str) -> Mapping[str, str]:
    try:
        return find(ruleset).kind(kind).words
    except LookupError:
        return {}


def _utility(key: str) -> bool:
    try:
        return find(key).utility
    except LookupError:
        return False


def _title(key: str) -> str:
    try:
        return find(key).title
    except LookupError:
        return key
