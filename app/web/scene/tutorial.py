"""Two minutes to learn it: the shaman example, one person on both heroes' seats, the rules' own habits as the GM."""

import uuid
from typing import Any

from fastapi import APIRouter, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.models.people import Campaign, Member
from app.rulesets.whiskey.samples import shaman_example
from app.table.house import House
from app.table.opening import open_scene
from app.table.reading import AskSight, SceneSight
from app.web.http.seat_session import Visit
from app.web.scene import sandbox

router = APIRouter()


@router.post("/tutorial")
async def begin(request: Request) -> Response:
    return await sandbox.begin(request, "tutorial", "Two minutes to learn it", "whiskey", _open, _hand)


async def play_on(house: House, visit: Visit, scene: uuid.UUID) -> None:
    """In a tutorial the GM answers as soon as it is the GM's turn; elsewhere this does nothing."""
    if visit.campaign.settings.get("tutorial"):
        await sandbox.play(house, visit.campaign.id, scene, _hand)


async def _open(session: AsyncSession, house: House, campaign: Campaign, you: Member) -> uuid.UUID:
    sheets, brief = shaman_example()
    for sheet in sheets.values():
        await characters.create(session, campaign, sheet.name, "whiskey", sheet.model_dump(mode="json"), you)
    return await open_scene(session, house.vault, campaign.id, "whiskey", brief, {})


async def _hand(seen: SceneSight, ask: AskSight) -> sandbox.Pairs:
    """The GM's answer by habit; what the form leaves out is the rules' usual."""
    if ask.kind == "declare":
        intents: dict[str, dict[str, Any]] = seen.view.hand
        return [(f"of.{who}.{name}", str(value)) for who, one in intents.items() for name, value in one.items()]
    if ask.kind == "next":
        return [("go", "on" if len(seen.view.standing) > 1 else "end")]
    return []
