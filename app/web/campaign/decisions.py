"""Calling a decision: a vote, a draft, a roll for all to see, and the question what comes after a scene."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import TypeAdapter, ValidationError

from app.campaign import seats, tokens
from app.engine.faults import explain
from app.engine.ruleset import Faults
from app.errors import NotThere, NotYours, Refusal
from app.models.people import Role
from app.play import decisions
from app.rulesets import find
from app.table.envelopes import unwritable
from app.table.opening import BadBrief
from app.web.forms.reading import EMPTY, Shown, Typed, nested, read
from app.web.http.seat_session import GmVisiting, Visit, Visiting, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}")

MAIN = {"vote": "options", "order": "things", "roll": "dice"}  # the field that a decision is mostly about


@dataclass(slots=True)
class Calling:
    """The form as it was typed, and what is wrong with it. `kind` is one of the council's kinds of scene."""

    kind: str
    typed: Typed = EMPTY
    form: Shown = field(default_factory=Shown)
    faults: Faults = field(default_factory=dict)

    @property
    def who(self) -> list[str]:
        found = self.form.get("who", [])
        return [one for one in found if isinstance(one, str)]

    def part(self, name: str) -> dict[str, Any]:
        return dict(self.form.get(name, {}))


@router.get("/decide/vote")
async def put_a_question(request: Request, visit: Visiting) -> Response:
    return await _show(request, visit, Calling("vote"))


@router.get("/decide/order")
async def plan_a_draft(request: Request, visit: Visiting) -> Response:
    return await _show(request, visit, Calling("order"))


@router.get("/decide/roll")
async def plan_a_roll(request: Request, visit: Visiting) -> Response:
    return await _show(request, visit, Calling("roll"))


@router.post("/decide/vote")
async def vote(request: Request, visit: Visiting) -> Response:
    return await _call(request, visit, "vote")


@router.post("/decide/order")
async def draft(request: Request, visit: Visiting) -> Response:
    return await _call(request, visit, "order")


@router.post("/decide/roll")
async def roll(request: Request, visit: Visiting) -> Response:
    return await _call(request, visit, "roll")


@router.post("/decide/ways")
async def ways(request: Request, visit: GmVisiting) -> Response:
    """Whether players may call decisions, and whether what comes next is asked after every scene."""
    typed = await read(request)
    async with changing(request, visit.campaign.id) as session:
        campaign = await seats.hold(session, visit.campaign.id)
        chosen = {name: typed.get(name) == "yes" for name in (decisions.ANYBODY, decisions.ALWAYS)}
        campaign.settings = {**campaign.settings, **chosen}
    return RedirectResponse(f"{visit.base}/?did=ways#deciding", 303)


@router.post("/scene/{scene_id}/next")
async def ask_next(request: Request, visit: GmVisiting, scene_id: str) -> Response:
    """Ask the owners of a finished scene's characters what comes next; a second press leads to the same question."""
    try:
        over = uuid.UUID(scene_id)
    except ValueError as wrong:
        raise NotThere("There is no such scene in this campaign.") from wrong
    async with changing(request, visit.campaign.id) as session:
        scene = await decisions.ask_next(session, request.app.state.house.vault, visit.campaign.id, over)
    return RedirectResponse(f"{visit.base}/scene/{scene}", 303)


async def _call(request: Request, visit: Visit, kind: str) -> Response:
    """Open it, or show the form again with what is wrong and everything that was typed."""
    _may(visit)
    calling = _read(kind, await read(request))
    if not calling.faults:
        try:
            async with changing(request, visit.campaign.id) as session:
                campaign = await seats.hold(session, visit.campaign.id)
                scene = await decisions.call(
                    session,
                    request.app.state.house.vault,
                    campaign,
                    visit.member,
                    kind,
                    calling.who,
                    calling.part("given"),
                    calling.part("settings"),
                    calling.typed.get("_once"),
                )
            return RedirectResponse(f"{visit.base}/scene/{scene}", 303)
        except NotYours:
            raise
        except BadBrief as wrong:
            calling.faults["who"] = wrong.says
        except Refusal as refusal:
            calling.faults[refusal.field] = f"{refusal.says} {refusal.now}".strip()
    return await _show(request, visit, calling, 422)


def _may(visit: Visit) -> None:
    if not decisions.may_call(visit.campaign, visit.member):
        raise NotYours("Decisions are called by the GM of this campaign.", "Ask them to put it.")


def _read(kind: str, typed: Typed) -> Calling:
    calling = Calling(kind, typed, nested(typed.pairs), unwritable(typed.pairs))
    rules = find(decisions.RULES)
    calling.faults |= field_faults(rules.kind(kind).given, calling.part("given"), "given", MAIN[kind])
    calling.faults |= field_faults(rules.settings, calling.part("settings"), "settings", "majority")
    return calling


def field_faults(adapter: TypeAdapter[Any], value: Mapping[str, Any], prefix: str, main: str) -> Faults:
    """Faults by field, those of the whole at the field `main`."""
    try:
        adapter.validate_python(value)
    except ValidationError as wrong:
        found: Faults = {}
        for fault in wrong.errors(include_url=False):
            where = ".".join(str(part) for part in fault["loc"][: 2 if fault["loc"][:1] == ("most",) else 1])
            found.setdefault(f"{prefix}.{where or main}", explain(fault))
        return found
    return {}


async def _show(request: Request, visit: Visit, calling: Calling, status: int = 200) -> Response:
    _may(visit)
    async with sessions(request)() as session:
        people = await seats.members(session, visit.campaign.id)
    players = [one for one in people if one.role == Role.PLAYER]
    once = calling.typed.get("_once")
    return render(
        request,
        "campaign/call.html",
        status,
        visit=visit,
        calling=calling,
        form=calling.form,
        faults=calling.faults,
        players=players,
        chosen=set(calling.who) if calling.form else {one.handle for one in players},
        with_gm=bool(calling.form.get("given", {}).get("gm")) if calling.form else calling.kind == "vote",
        once=once if tokens.well_formed(once) else tokens.fresh(),
    )
