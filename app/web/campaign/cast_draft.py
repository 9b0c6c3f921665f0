"""The draft of the cast, begun from the campaign's home where its usual rules have one."""

from fastapi import APIRouter, Request, Response

from app.campaign import seats
from app.models.people import Role
from app.play import decisions
from app.web.campaign.decisions import Calling, opened, sent
from app.web.forms.reading import read
from app.web.http.seat_session import GmVisiting, Visit, sessions
from app.web.http.templating import piece, render

router = APIRouter(prefix="/c/{slug}/{handle}")


@router.get("/draft")
async def plan(request: Request, visit: GmVisiting, ruleset: str = "") -> Response:
    """By the campaign's usual rules, unless the address names others."""
    return await _show(request, visit, Calling(kind=ruleset or str(visit.campaign.settings.get("ruleset", ""))))


@router.post("/draft")
async def begin(request: Request, visit: GmVisiting) -> Response:
    """Open the draft, or show the form again with what is wrong and everything that was typed."""
    typed = await read(request)
    rules, kind = decisions.cast_draft(typed.get("ruleset"))
    planning = sent(rules.key, typed)
    planning.check("given", kind.given, "seconds")
    planning.check("settings", rules.settings, "cast_size")
    return await opened(request, visit, planning, decisions.draft) or await _show(request, visit, planning, 422)


async def _show(request: Request, visit: Visit, planning: Calling, status: int = 200) -> Response:
    rules, kind = decisions.cast_draft(planning.kind)
    async with sessions(request)() as session:
        people = await seats.members(session, visit.campaign.id)
    players = [one for one in people if one.role == Role.PLAYER]
    return render(
        request,
        piece(rules, kind.key, kind.pages.opening),
        status,
        visit=visit,
        rules=rules,
        form=planning.form,
        faults=planning.faults,
        players=players,
        chosen=planning.chosen(players),
        once=planning.once,
    )
