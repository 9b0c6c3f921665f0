"""A scene to play once more: its kind, settings and opening, with the characters it had at the end or at its start."""

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.crypto.vault import Vault
from app.engine.ruleset import GM
from app.errors import NotThere
from app.models.scenes import Scene, SeatRow
from app.receipts.setup import read_brief
from app.table.opening import Start


@dataclass(frozen=True, slots=True)
class Repeat:
    """What a new scene takes from an old one. Only GMs may read it: it names hidden foes."""

    id: uuid.UUID  # of the old scene
    ruleset: str
    kind: str
    title: str  # of the old scene
    settings: Mapping[str, Any]
    given: JsonValue
    characters: tuple[str, ...]  # slugs, in the order of their seats

    @property
    def next_title(self) -> str:
        """The old title with the next number: "Battle 3" becomes "Battle 4", "The gate" becomes "The gate 2"."""
        found = re.fullmatch(r"(.*) (\d{1,4})", self.title)
        return f"{found[1]} {int(found[2]) + 1}" if found else f"{self.title} 2"


async def read_repeat(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> Repeat:
    """Reads an old scene. Raises NotThere if the campaign has none with that id."""
    mine = (SeatRow.campaign_id == campaign_id, SeatRow.scene_id == scene_id, SeatRow.seat != GM)
    scene, setup = await _setup(session, vault, campaign_id, scene_id)
    brief = read_brief(setup)
    seats = await session.scalars(select(SeatRow.characters).where(*mine).order_by(SeatRow.position))
    slugs = dict.fromkeys(slug for some in seats for slug in some)
    return Repeat(scene.id, scene.ruleset, scene.kind, scene.title, scene.settings, brief.given, tuple(slugs))


async def read_start(session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID) -> Start:
    """Reads what an old scene began with. No page may hold it: decks lie in it in their order. Raises NotThere."""
    scene, setup = await _setup(session, vault, campaign_id, scene_id)
    raw = json.loads(setup)
    return Start(raw["sheets"], raw["kept"], scene.carried or {})


async def _setup(
    session: AsyncSession, vault: Vault, campaign_id: uuid.UUID, scene_id: uuid.UUID
) -> tuple[Scene, bytes]:
    scene = await session.scalar(select(Scene).where(Scene.campaign_id == campaign_id, Scene.id == scene_id))
    if scene is None:
        raise NotThere("There is no such scene in this campaign.")
    return scene, vault.decrypt(scene.setup, f"{campaign_id}/{scene_id}/setup")
