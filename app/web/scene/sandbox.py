"""Sandboxes: campaigns for one player, with the GM played by the computer and its seat closed; old ones are deleted."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import founding, seats, tokens
from app.db.lock_order import locking
from app.models.people import Campaign, Member, Role
from app.table import envelopes
from app.table.envelopes import Submission
from app.table.reading import AskSight, SceneSight, sight
from app.table.runtime import Runtime
from app.web.http import limits
from app.web.http.limits import limit
from app.web.http.seat_session import SeatSession, seat_path, set_seat_cookie
from app.web.members.browsers import label

KEPT = timedelta(days=2)  # a player can come back for so long
MOST_SWEPT = 20  # old ones are deleted in one statement, which must not take long
MOST_TURNS = 12  # most answers of the computer in a row; a scene waits for its players long before

Pairs = list[tuple[str, str]]
Hand = Callable[[SceneSight, AskSight], Awaitable[Pairs]]
"""Returns the computer's answer to an ask, as a form's pairs, from its own sight of the scene."""

Coach = Callable[[Runtime, SeatSession, SceneSight], Awaitable[Any]]
"""Returns the data that the sandbox's page shows besides the scene."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A kind of sandbox."""

    mark: str  # its name in the campaign's settings
    hand: Hand
    page: str = ""  # the template above the board
    coach: Coach | None = None  # gives that template its `desk.coach`


Open = Callable[[AsyncSession, Runtime, Campaign, Member], Awaitable[uuid.UUID]]


async def begin(request: Request, sandbox: Sandbox, title: str, ruleset: str, open_first: Open) -> Response:
    """Create a campaign with a scene, sign the browser in as its player, and let the computer answer what it can."""
    limit(request, limits.FOUND)
    runtime: Runtime = request.app.state.runtime
    async with runtime.sessions.begin() as session:
        await _sweep(session)
        campaign, you, token = await _found(session, sandbox.mark, title, ruleset, label(request))
        scene = await open_first(session, runtime, campaign, you)
    set_seat_cookie(request, campaign, you, token)
    await play(runtime, campaign.id, scene, sandbox)
    return RedirectResponse(f"{seat_path(campaign.slug, you.handle)}/scene/{scene}", status_code=303)


async def _found(
    session: AsyncSession, mark: str, title: str, ruleset: str, browser: str
) -> tuple[Campaign, Member, str]:
    new_seat = await founding.found_campaign(session, title, ruleset, "The computer", browser)
    await seats.sign_out(session, new_seat.member)
    new_seat.member.way_back = None
    campaign = await seats.hold(session, new_seat.campaign.id)
    campaign.settings = {**campaign.settings, mark: True}
    you = await seats.add_member(session, campaign, "You", Role.PLAYER)
    token = tokens.fresh()
    await seats.sit_down(session, you, browser, token)
    return campaign, you, token


async def play(runtime: Runtime, campaign: uuid.UUID, scene: uuid.UUID, sandbox: Sandbox) -> None:
    """Answer every ask that waits for the computer."""
    for _ in range(MOST_TURNS):
        async with runtime.repeatable_read() as session:
            book = await member(session, campaign)
            seen = await sight(session, runtime.vault, campaign, scene, book)
        if not seen.mine_now:
            return
        step, ask = seen.mine_now[0]
        revision = ask.mine.revision if ask.mine else 0
        laid = Submission(step.key, ask.seat, await sandbox.hand(seen, ask), revision, uuid.uuid4(), ready=True)
        async with runtime.locked_scene(campaign, scene) as (session, live):
            await envelopes.lay(session, live, book.id, laid)


async def member(session: AsyncSession, campaign: uuid.UUID) -> Member:
    """The member who holds the computer's seat."""
    found = await session.scalar(select(Member).where(Member.campaign_id == campaign, Member.role == Role.GM).limit(1))
    assert found is not None
    return found


async def _sweep(session: AsyncSession) -> None:
    """Delete some old sandboxes, which have no owner to do it, whenever a new one begins; not those that are in use."""
    tried = or_(*(Campaign.settings[mark].as_boolean().is_(True) for mark in founding.SANDBOXES))
    old = select(Campaign.id).where(tried, Campaign.made_at < func.now() - KEPT).order_by(Campaign.made_at)
    found = (await session.scalars(locking(old.limit(MOST_SWEPT), skip_locked=True))).all()
    if found:
        gone = delete(Campaign).where(Campaign.id.in_(found))
        await session.execute(gone.execution_options(synchronize_session=False))
