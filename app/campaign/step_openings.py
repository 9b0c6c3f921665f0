"""A campaign's setting `steps`: whether the steps of a phase open only at the GM's word, and their time limit.

It holds for steps that open after the change. Steps that ask only the GM open with the GM's seal; of them it has one
time limit for each kind of scene.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import seats
from app.engine.ruleset import GM, SceneKind, Step
from app.engine.steps import first_word, phase_of
from app.models.people import Campaign

SETTING = "steps"
GMS = "gm"
"""Stands for all steps of a kind of scene that ask only the GM, in place of a phase."""

LIMITS = (60, 120, 300, 600, 900, 1800, 3600, 4 * 3600, 86400, 2 * 86400, 3 * 86400, 7 * 86400)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a step opens."""

    held: bool = False
    limit: int | None = None  # in seconds; 0: none; None: as the scene's own settings say

    def seconds(self, usual: int | None) -> int | None:
        return usual if self.limit is None else self.limit or None


def key(ruleset: str, kind: str, phase: str) -> str:
    """Returns the key of a phase's setting; a phase is named by the first of its words in keys of steps."""
    return f"{ruleset}.{kind}.{phase}"


def phases(kind: SceneKind[Any, Any, Any, Any, Any, Any]) -> list[tuple[str, str]]:
    """Returns the phases of a kind of scene that ask others than the GM, as (phase, words)."""
    return [(phase.steps[0], phase.words) for phase in kind.phases if not phase.gms]


def chosen(settings: Mapping[str, Any], name: str) -> Opening:
    """Returns what a campaign's settings say under the key `name`."""
    of_all = settings.get(SETTING)
    found = of_all.get(name) if isinstance(of_all, dict) else None
    return Opening(bool(found.get("held")), found.get("limit")) if isinstance(found, dict) else Opening()


async def read(session: AsyncSession, campaign: uuid.UUID) -> Mapping[str, Any]:
    """Returns a campaign's settings as they are now."""
    return await session.scalar(select(Campaign.settings).where(Campaign.id == campaign)) or {}


async def of_step(
    session: AsyncSession,
    campaign: uuid.UUID,
    ruleset: str,
    kind: SceneKind[Any, Any, Any, Any, Any, Any],
    step: Step,
) -> Opening:
    """Returns how a step of this kind of scene opens in the campaign."""
    settings = await read(session, campaign)
    if all(ask.seat == GM for ask in step.asks):
        return Opening(limit=chosen(settings, key(ruleset, kind.key, GMS)).limit)
    phase = phase_of(kind.phases, step.key)
    return chosen(settings, key(ruleset, kind.key, phase.steps[0] if phase else first_word(step.key)))


async def change(session: AsyncSession, campaign: uuid.UUID, openings: Mapping[str, Opening]) -> None:
    """Sets these openings, by key; what is usual is not stored. Locks the campaign."""
    held = await seats.hold(session, campaign)
    stored = {**held.settings.get(SETTING, {})}
    for name, one in openings.items():
        stored[name] = {"held": one.held, "limit": one.limit}
        if one == Opening():
            del stored[name]
    held.settings = {**held.settings, SETTING: stored}
