"""The draft of the cast, opened from the campaign's home page if its usual rules have one."""

from fastapi import APIRouter, Request, Response

from app.campaign import seats
from app.models.people import Role
from app.play import decisions
from app.web.campaign.decisions import Calling, decision_form, opened
from app.web.forms.reading import read
from app.web.http.seat_session import GmSeat, SeatSession, sessions
from app.web.http.templating import render, ruleset_template

router = APIRouter(prefix="/c/{slug}/{handle}")


@router.get("/draft")
async def plan(request: Request, seated: GmSeat, ruleset: str = "") -> Response:
    """The form; uses the campaign's usual rules unless the address names others."""
    return await _show(request, seated, Calling(kind=ruleset or str(seated.campaign.settings.get("ruleset", ""))))


@router.post("/draft")
async def begin(request: Request, seated: GmSeat) -> Response:
    """Open the draft, or show the form again with its faults and everything that was typed."""
    typed = await read(request)
    rules, kind = decisions.cast_draft(typed.get("ruleset"))
    planning = decision_form(rules.key, typed)
    planning.check("given", kind.given, "seconds")
    planning.check("settings", rules.settings, "cast_size")
    return await opened(request, seated, planning, decisions.draft) or await _show(request, seated, planning, 422)


async def _show(request: Request, seated: SeatSession, planning: Calling, status: int = 200) -> Response:
    rules, kind = decisions.cast_draft(planning.kind)
    async with sessions(request)() as session:
        people = await seats.members(session, seated.campaign.id)
    players = [one for one in people if one.role == Role.PLAYER]
    return render(
        request,
        ruleset_template(rules, kind.key, kind.pages.opening),
        status,
        seated=seated,
        rules=rules,
        form=planning.form,
        faults=planning.faults,
        players=players,
        chosen=planning.chosen(players),
        once=planning.once,
    )
