"""Foes in mid-scene, from the GM's desk: the form that brings in groups, and the buttons of a single foe."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.campaign import tokens
from app.engine import gm_desk, muster
from app.engine.ruleset import Faults, Ruleset, SceneKind
from app.errors import Conflict, NotThere, Refusal, Unfit
from app.table import foes as acts
from app.table import loaded_scene
from app.table.envelopes import unwritable
from app.table.runtime import Runtime
from app.web.desk import page as desk
from app.web.forms.reading import EMPTY, TypedPairs, nested, read
from app.web.http.seat_session import GmSeat, SeatSession, changing
from app.web.http.templating import render
from app.web.scene.plan import in_lists
from app.web.scene.table import scene_of

PAGE = "desk/foes.html"

router = APIRouter(prefix="/c/{slug}/{handle}/scene/{scene_id}/foes")


@dataclass(slots=True)
class Plan:
    """The form as typed, and its faults; `doubted` as in the form for a new scene, which asks before it has none."""

    ruleset: Ruleset[Any, Any]
    kind: SceneKind[Any, Any, Any, Any, Any, Any]
    groups: list[dict[str, str]]
    faults: Faults = field(default_factory=dict)
    doubted: bool = True


@router.get("")
async def picker(request: Request, seated: GmSeat, scene_id: str) -> Response:
    return await _show(request, seated, scene_id, EMPTY)


@router.post("")
async def bring_in(request: Request, seated: GmSeat, scene_id: str) -> Response:
    """Brings in all groups, or shows the form again as typed: with a group added, copied or removed, or its faults."""
    form = await read(request)
    if press := form.get("_muster"):
        return await _show(request, seated, scene_id, form, press=press)
    faults, status = unwritable(form.pairs), 422
    if not faults:
        try:
            await _act(request, seated, scene_id, lambda foes, view: foes.join(view, _groups(form)))
            return RedirectResponse(f"{seated.base}/desk", 303)
        except Refusal as refused:
            if refused.status not in (409, 422):
                raise
            faults, status = {"given.muster": _words(refused)}, refused.status
    return await _show(request, seated, scene_id, form, status, faults=faults)


@router.post("/{what}")
async def change(request: Request, seated: GmSeat, scene_id: str, what: str) -> Response:
    """One of the buttons of a foe: copy, show, hide, out with a `reason`, and keep for a character of its own."""
    form = await read(request)
    try:
        await _one(request, seated, scene_id, what, form)
    except Refusal as refused:
        if refused.status not in (409, 422):
            raise
        told = Conflict(_words(refused)) if refused.status == 409 else Unfit(_words(refused))
        return await desk.refused_act(request, seated, str(scene_of(scene_id)), what, form, told)
    return await desk.after_change(request, seated, desk.panel_of(form), "foe" if what == "keep" else "")


async def _one(request: Request, seated: SeatSession, scene_id: str, what: str, form: TypedPairs) -> None:
    who = form.get("who")
    match what:
        case "keep":
            await _keep(request, seated, scene_id, who, form.once)
        case "copy":
            await _act(request, seated, scene_id, lambda foes, view: [foes.copy(view, who)], who)
        case "show" | "hide":
            await _act(request, seated, scene_id, _sight(who, seen=what == "show"), who)
        case "out":
            reason = form.get("reason").strip()
            await _act(request, seated, scene_id, lambda foes, view: [gm_desk.out(who, reason)], who)
        case _:
            raise NotThere("This page has no such button.")


def _sight(who: str, *, seen: bool) -> acts.Act:
    return lambda foes, view: [gm_desk.sight(who, seen=seen) if foes.hides else None]


async def _act(request: Request, seated: SeatSession, scene_id: str, wanted: acts.Act, who: str | None = None) -> None:
    runtime: Runtime = request.app.state.runtime
    async with runtime.locked_scene(seated.campaign.id, scene_of(scene_id)) as (session, live):
        if who is not None:
            acts.foe_name(live, acts.gm_view(live), who)
        await acts.act(session, live, seated.member, wanted)


async def _keep(request: Request, seated: SeatSession, scene_id: str, who: str, once: str | None) -> None:
    runtime: Runtime = request.app.state.runtime
    async with changing(request, seated.campaign.id) as session:
        live = await loaded_scene.read(session, runtime.vault, seated.campaign.id, scene_of(scene_id))
        made = tokens.derive_id(once, f"character of a foe/{live.id}/{who}") if once else uuid.uuid4()
        await acts.keep(session, live, seated.campaign, seated.member, who, made)


async def _show(
    request: Request,
    seated: SeatSession,
    scene_id: str,
    form: TypedPairs,
    status: int = 200,
    *,
    press: str = "",
    faults: Faults | None = None,
) -> Response:
    runtime: Runtime = request.app.state.runtime
    async with runtime.repeatable_read() as session:
        live = await loaded_scene.read(session, runtime.vault, seated.campaign.id, scene_of(scene_id))
    where: dict[str, Any] = {
        "seated": seated,
        "title": live.row.title,
        "foes_at": f"{seated.base}/scene/{live.id}/foes",
    }
    foes = live.kind.foes
    if foes is None or not acts.may_act(live):
        why = acts.NO_FOES if foes is None else "This scene is over."
        return render(request, PAGE, status_code=status, foes=None, why=why, **where)
    view, rows = acts.gm_view(live), _groups(form)
    plan = Plan(live.ruleset, live.kind, muster.regrouped(rows, press) if press else rows, faults or {})
    return render(
        request,
        PAGE,
        status_code=status,
        plan=plan,
        faults=plan.faults,
        ready=foes.book(view),
        foes=foes,
        own=live.setup().own,
        in_scene=[(one.key, one.name) for one in live.kind.vitals(view)],
        called=_called,
        **where,
    )


def _groups(form: TypedPairs) -> list[dict[str, str]]:
    typed = nested((name, value) for name, value in form.pairs if not name.startswith("_"))
    return muster.groups(in_lists(typed.get("given", {})))[: muster.MOST_GROUPS]


def _called(rows: list[dict[str, str]], kinds: Mapping[str, Any]) -> list[str]:
    """No names beforehand: which numbers are free is settled when they come in."""
    return [getattr(kinds.get(row.get("kind", "")), "name", "") for row in rows]


def _words(refused: Refusal) -> str:
    """What was refused, in a sentence; of a form's faults the first."""
    faults = getattr(refused, "faults", {})
    return str(next(iter(faults.values()), refused.text))
