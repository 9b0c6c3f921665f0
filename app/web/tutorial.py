"""Two minutes to learn it: the shaman example, one person on both heroes' seats, the rules' own habits as the GM."""

import uuid
from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters, founding, seats, tokens
from app.campaign.models import Campaign, Member, Role
from app.rulesets.whiskey.samples import shaman_example
from app.table import envelopes
from app.table.envelopes import Laid
from app.table.house import House
from app.table.opening import open_scene
from app.table.reading import AskSight, SceneSight, sight
from app.web import limits
from app.web.browsers import label
from app.web.limits import limit
from app.web.visit import Visit, keep_seat, seat_path

router = APIRouter()

KEPT = timedelta(days=2)  # how long somebody can come back to a tutorial
MOST_TURNS = 12  # of the GM's in a row; a battle waits for its players long before


@router.post("/tutorial")
async def begin(request: Request) -> Response:
    """A campaign of one's own with the example in it; the browser sits down at once."""
    limit(request, limits.FOUND)
    house: House = request.app.state.house
    async with house.sessions.begin() as session:
        await _sweep(session)
        campaign, you, token = await _found(session, label(request))
        scene = await _open(session, house, campaign, you)
    keep_seat(request, campaign, you, token)
    await _play(house, campaign.id, scene)
    return RedirectResponse(f"{seat_path(campaign.slug, you.handle)}/scene/{scene}", status_code=303)


async def play_on(house: House, visit: Visit, scene: uuid.UUID) -> None:
    """In a tutorial the GM answers as soon as it is the GM's turn; elsewhere this does nothing."""
    if visit.campaign.settings.get("tutorial"):
        await _play(house, visit.campaign.id, scene)


async def _found(session: AsyncSession, browser: str) -> tuple[Campaign, Member, str]:
    seated = await founding.found(session, "Two minutes to learn it", "whiskey", "The book", browser)
    await seats.sign_out(session, seated.member)  # nobody sits in the GM's chair: the rules play it
    seated.member.way_back = None
    campaign = await seats.hold(session, seated.campaign.id)
    campaign.settings = {**campaign.settings, "tutorial": True}
    you = await seats.add_member(session, campaign, "You", Role.PLAYER)
    token = tokens.fresh()
    await seats.sit_down(session, you, browser, token)
    return campaign, you, token


async def _open(session: AsyncSession, house: House, campaign: Campaign, you: Member) -> uuid.UUID:
    sheets, brief = shaman_example()
    for sheet in sheets.values():
        await characters.create(session, campaign, sheet.name, "whiskey", sheet.model_dump(mode="json"), you)
    return await open_scene(session, house.vault, campaign.id, "whiskey", brief, {})


async def _play(house: House, campaign: uuid.UUID, scene: uuid.UUID) -> None:
    for _ in range(MOST_TURNS):
        async with house.snapshots() as session:
            gm = await session.scalar(
                select(Member).where(Member.campaign_id == campaign, Member.role == Role.GM).limit(1)
            )
            assert gm is not None
            seen = await sight(session, house.vault, campaign, scene, gm)
        if not seen.mine_now:
            return
        step, ask = seen.mine_now[0]
        revision = ask.mine.revision if ask.mine else 0
        laid = Laid(step.key, ask.seat, _hand(seen, ask), revision, uuid.uuid4(), ready=True)
        async with house.scene(campaign, scene) as (session, live):
            await envelopes.lay(session, live, gm.id, laid)


def _hand(seen: SceneSight, ask: AskSight) -> list[tuple[str, str]]:
    """The GM's answer by habit, as a form spells it; what the form leaves out is the rules' usual."""
    if ask.kind == "declare":
        intents: dict[str, dict[str, Any]] = seen.view.hand
        return [(f"of.{who}.{name}", str(value)) for who, one in intents.items() for name, value in one.items()]
    if ask.kind == "next":
        return [("go", "on" if len(seen.view.standing) > 1 else "end")]
    return []


async def _sweep(session: AsyncSession) -> None:
    """Tutorials are nobody's campaign: old ones go when a new one begins."""
    old = Campaign.settings["tutorial"].as_boolean().is_(True) & (Campaign.made_at < func.now() - KEPT)
    await session.execute(delete(Campaign).where(old).execution_options(synchronize_session=False))
