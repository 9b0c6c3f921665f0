"""The draft of the cast, begun from the campaign's home where its usual rules have one."""

from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.campaign import seats, tokens
from app.engine.ruleset import Faults
from app.errors import NotYours, Refusal
from app.models.people import Role
from app.play import decisions
from app.table.envelopes import unwritable
from app.table.opening import BadBrief
from app.web.campaign.decisions import field_faults
from app.web.forms.reading import EMPTY, Shown, Typed, nested, read
from app.web.http.seat_session import GmVisiting, Visit, changing, sessions
from app.web.http.templating import piece, render

router = APIRouter(prefix="/c/{slug}/{handle}")


@dataclass(slots=True)
class Planning:
    """The form as it was typed, and what is wrong with it."""

    ruleset: str
    typed: Typed = EMPTY
    form: Shown = field(default_factory=Shown)
    faults: Faults = field(default_factory=dict)

    @property
    def who(self) -> list[str]:
        return [one for one in self.form.get("who", []) if isinstance(one, str)]

    def part(self, name: str) -> dict[str, Any]:
        found = self.form.get(name, {})
        return dict(found) if isinstance(found, dict) else {}


@router.get("/draft")
async def plan(request: Request, visit: GmVisiting, ruleset: str = "") -> Response:
    """By the campaign's usual rules, unless the address names others."""
    return await _show(request, visit, Planning(ruleset or str(visit.campaign.settings.get("ruleset", ""))))


@router.post("/draft")
async def begin(request: Request, visit: GmVisiting) -> Response:
    """Open the draft, or show the form again with what is wrong and everything that was typed."""
    typed = await read(request)
    rules, kind = decisions.cast_draft(typed.get("ruleset"))
    planning = Planning(rules.key, typed, nested(typed.pairs), unwritable(typed.pairs))
    planning.faults |= field_faults(kind.given, planning.part("given"), "given", "seconds")
    planning.faults |= field_faults(rules.settings, planning.part("settings"), "settings", "cast_size")
    if not planning.faults:
        try:
            async with changing(request, visit.campaign.id) as session:
                campaign = await seats.hold(session, visit.campaign.id)
                what = (rules.key, planning.who, planning.part("given"), planning.part("settings"), typed.get("_once"))
                scene = await decisions.draft(session, request.app.state.house.vault, campaign, visit.member, *what)
            return RedirectResponse(f"{visit.base}/scene/{scene}", 303)
        except NotYours:
            raise
        except BadBrief as wrong:
            planning.faults["who"] = wrong.says
        except Refusal as refusal:
            planning.faults[refusal.field] = f"{refusal.says} {refusal.now}".strip()
    return await _show(request, visit, planning, 422)


async def _show(request: Request, visit: Visit, planning: Planning, status: int = 200) -> Response:
    rules, kind = decisions.cast_draft(planning.ruleset)
    async with sessions(request)() as session:
        people = await seats.members(session, visit.campaign.id)
    players = [one for one in people if one.role == Role.PLAYER]
    once = planning.typed.get("_once")
    return render(
        request,
        piece(rules, kind.key, kind.pages.opening),
        status,
        visit=visit,
        rules=rules,
        form=planning.form,
        faults=planning.faults,
        players=players,
        chosen=set(planning.who) if planning.form else {one.handle for one in players},
        once=once if tokens.well_formed(once) else tokens.fresh(),
    )
