"""Calling a decision: a vote, a draft, a public roll, or the question of what comes after a scene."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import TypeAdapter

from app.campaign import seats, tokens
from app.errors import NotThere, NotYours
from app.models.people import Member, Role
from app.play import decisions
from app.rulesets import find
from app.table.envelopes import unwritable
from app.web.forms.reading import Form, FormValues, Place, TypedPairs, faults_in, nested, read
from app.web.http.seat_session import CurrentSeat, GmSeat, SeatSession, changing, sessions
from app.web.http.templating import render

router = APIRouter(prefix="/c/{slug}/{handle}")

Call = Callable[..., Awaitable[uuid.UUID]]
MAIN = {"vote": "options", "order": "things", "roll": "dice"}  # the main field of each decision's form


@dataclass(slots=True)
class Calling(Form[Any]):
    """The form of a decision or of the cast's draft. `kind` is a kind of the council's scenes, or a ruleset's key."""

    kind: str = ""
    form: FormValues = field(default_factory=FormValues)

    @property
    def who(self) -> list[str]:
        return [one for one in self.form.get("who", []) if isinstance(one, str)]

    @property
    def once(self) -> str:
        return self.typed.once or tokens.fresh()

    def part(self, name: str) -> dict[str, Any]:
        return dict(self.form.get(name, {}))

    def check(self, name: str, adapter: TypeAdapter[Any], main: str) -> None:
        """Add the faults in a part of the form; those of the part as a whole go to its field `main`."""

        def at(place: Place) -> str:
            inside = ".".join(str(part) for part in place[: 2 if place[:1] == ("most",) else 1])
            return f"{name}.{inside or main}"

        self.faults |= faults_in(adapter, self.part(name), at)

    def chosen(self, players: Sequence[Member]) -> set[str]:
        """The handles that are ticked: all of them until the form is sent."""
        return set(self.who) if self.form else {one.handle for one in players}


def decision_form(kind: str, typed: TypedPairs) -> Calling:
    return Calling(typed, faults=unwritable(typed.pairs), kind=kind, form=nested(typed.pairs))


@router.get("/decide/vote")
async def put_a_question(request: Request, seated: CurrentSeat) -> Response:
    return await _show(request, seated, Calling(kind="vote"))


@router.get("/decide/order")
async def plan_a_draft(request: Request, seated: CurrentSeat) -> Response:
    return await _show(request, seated, Calling(kind="order"))


@router.get("/decide/roll")
async def plan_a_roll(request: Request, seated: CurrentSeat) -> Response:
    return await _show(request, seated, Calling(kind="roll"))


@router.post("/decide/vote")
async def vote(request: Request, seated: CurrentSeat) -> Response:
    return await _call(request, seated, "vote")


@router.post("/decide/order")
async def draft(request: Request, seated: CurrentSeat) -> Response:
    return await _call(request, seated, "order")


@router.post("/decide/roll")
async def roll(request: Request, seated: CurrentSeat) -> Response:
    return await _call(request, seated, "roll")


@router.post("/decide/ways")
async def ways(request: Request, seated: GmSeat) -> Response:
    """Set whether players may call decisions, and whether every scene ends with the question of what comes next."""
    typed = await read(request)
    async with changing(request, seated.campaign.id) as session:
        campaign = await seats.hold(session, seated.campaign.id)
        chosen = {name: typed.get(name) == "yes" for name in (decisions.ANYBODY, decisions.ALWAYS)}
        campaign.settings = {**campaign.settings, **chosen}
    return RedirectResponse(f"{seated.base}/?did=ways#deciding", 303)


@router.post("/scene/{scene_id}/next")
async def ask_next(request: Request, seated: GmSeat, scene_id: str) -> Response:
    """Ask the owners of a finished scene's characters what comes next; a second press leads to the same question."""
    try:
        over = uuid.UUID(scene_id)
    except ValueError as wrong:
        raise NotThere("There is no such scene in this campaign.") from wrong
    async with changing(request, seated.campaign.id) as session:
        scene = await decisions.ask_next(session, request.app.state.runtime.vault, seated.campaign.id, over)
    return RedirectResponse(f"{seated.base}/scene/{scene}", 303)


async def _call(request: Request, seated: SeatSession, kind: str) -> Response:
    """Open the decision, or show the form again with its faults and everything that was typed."""
    _may(seated)
    rules, calling = find(decisions.RULES), decision_form(kind, await read(request))
    calling.check("given", rules.kind(kind).given, MAIN[kind])
    calling.check("settings", rules.settings, "majority")
    return await opened(request, seated, calling, decisions.call) or await _show(request, seated, calling, 422)


async def opened(request: Request, seated: SeatSession, calling: Calling, call: Call) -> Response | None:
    """Open the scene and redirect to it; None if the form has faults or is refused, with the reason in the form."""
    if calling.faults:
        return None
    vault, part = request.app.state.runtime.vault, calling.part
    with calling.refusing(NotThere, at=lambda name: name or "who"):
        async with changing(request, seated.campaign.id) as session:
            campaign = await seats.hold(session, seated.campaign.id)
            what = (calling.kind, calling.who, part("given"), part("settings"), calling.typed.get("_once"))
            scene = await call(session, vault, campaign, seated.member, *what)
        return RedirectResponse(f"{seated.base}/scene/{scene}", 303)
    return None


def _may(seated: SeatSession) -> None:
    if not decisions.may_call(seated.campaign, seated.member):
        raise NotYours("In this campaign, only GMs can start votes, picks and rolls.", "Ask your GM to start one.")


async def _show(request: Request, seated: SeatSession, calling: Calling, status: int = 200) -> Response:
    _may(seated)
    async with sessions(request)() as session:
        people = await seats.members(session, seated.campaign.id)
    players = [one for one in people if one.role == Role.PLAYER]
    return render(
        request,
        "campaign/call.html",
        status,
        seated=seated,
        calling=calling,
        form=calling.form,
        faults=calling.faults,
        players=players,
        chosen=calling.chosen(players),
        with_gm=bool(calling.form.get("given", {}).get("gm")) if calling.form else calling.kind == "vote",
        once=calling.once,
    )
