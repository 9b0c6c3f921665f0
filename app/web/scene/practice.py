"""Practice duels: the computer fights from its own seat's view, and a coach shows afterwards what it considered."""

import asyncio
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app.campaign import characters
from app.engine.ruleset import GM, Brief, Seat
from app.errors import NotThere
from app.models.people import Campaign, Member
from app.practice.mind import Choice, Weighed, weigh
from app.rulesets.duel.data import ACTIONS
from app.rulesets.duel.declarations import Move
from app.rulesets.duel.opponents import OPPONENTS
from app.rulesets.duel.samples import heroes
from app.rulesets.duel.view import View
from app.table.opening import open_scene
from app.table.past import stood
from app.table.reading import AskSight, SceneSight
from app.table.runtime import Runtime
from app.web.forms.reading import read
from app.web.http.seat_session import SeatSession
from app.web.scene import sandbox

router = APIRouter()

FIGHTERS = {**heroes(), **OPPONENTS}
YOURS, ITS = "mira", "boxer"
ADDED = {"opener": "Opener", "discombobulate": "Discombobulate 1", "momentum": "Momentum 1"}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The opponent's reasoning before the last opened clash, in words and chances."""

    title: str  # of the clash
    its_name: str
    your_name: str
    its: tuple[tuple[str, float], ...]
    yours: tuple[tuple[str, float], ...]  # the moves it expected, with their shares
    chance: float  # its own chance to win, by its view
    depth: int


@dataclass(frozen=True, slots=True)
class Coaching:
    """The coach's part of a practice duel's page: the last reckoning, and the fighters and opponents on offer."""

    reckoning: Reckoning | None
    fighters: Mapping[str, str]
    opponents: Mapping[str, str]


@router.post("/practice")
async def begin(request: Request) -> Response:
    form = await read(request)
    yours, its = form.get("fighter") or YOURS, form.get("opponent") or ITS
    if yours not in FIGHTERS or its not in OPPONENTS:
        raise NotThere("There is no fighter by that name to practise with.")

    async def open_duel(session: AsyncSession, runtime: Runtime, campaign: Campaign, you: Member) -> uuid.UUID:
        sheet = FIGHTERS[yours]
        mine = await characters.create(session, campaign, sheet.name, "duel", sheet.model_dump(mode="json"), you)
        brief = Brief(
            kind="duel",
            title=f"{sheet.name} against {OPPONENTS[its].name}",
            seats={Seat("you"): (mine.slug,), GM: ()},
            given={"description": "Nobody is watching. Lose as often as you like.", "opponent": its},
        )
        return await open_scene(session, runtime.vault, campaign.id, "duel", brief, {})

    return await sandbox.begin(request, SANDBOX, "Duel practice", "duel", open_duel)


async def hand(seen: SceneSight, ask: AskSight) -> sandbox.Pairs:
    """One choice, drawn from the mixture; a stalled fight becomes a draw."""
    if ask.kind == "stalled":
        return [("go", "draw")]
    weighed = await _weighed(seen.view, ask.about[0])
    return _pairs(weighed.pick(random.SystemRandom()))


async def _weighed(view: View, who: str) -> Weighed:
    return await asyncio.to_thread(weigh, view, who)  # takes a fifth of a second, so it runs beside the event loop


def _pairs(choice: Choice) -> sandbox.Pairs:
    said = choice.model_dump(mode="json", exclude={"ask"})
    return [(name, str(value)) for name, value in said.items() if value not in ("", 0)]


async def coach(runtime: Runtime, seated: SeatSession, seen: SceneSight) -> Coaching:
    """The computer's reasoning in the last opened clash, and the choices for the next fight."""
    names = [{key: sheet.name for key, sheet in whom.items()} for whom in (FIGHTERS, OPPONENTS)]
    return Coaching(await _reckoning(runtime, seated, seen), *names)


async def _reckoning(runtime: Runtime, seated: SeatSession, seen: SceneSight) -> Reckoning | None:
    """Computed anew, not stored: the same view always gives the same mixture."""
    clashes = [chapter.step for chapter in seen.chapters if chapter.step.key.endswith(("initial", "/clash"))]
    if not clashes:
        return None
    async with runtime.repeatable_read() as session:
        book = await sandbox.member(session, seated.campaign.id)
        view: View | None = await stood(session, runtime.vault, seated.campaign.id, seen.id, clashes[-1].key, book)
    if view is None:
        return None
    who = view.mine[0]
    weighed = await _weighed(view, who)
    return Reckoning(
        title=clashes[-1].title,
        its_name=view.name(who),
        your_name=next(one.name for key, one in view.fighters.items() if key != who),
        its=tuple((_words(choice), share) for choice, share in weighed.mine if isinstance(choice, Move)),
        yours=tuple((_words(choice), share) for choice, share in weighed.theirs),
        chance=weighed.value,
        depth=weighed.depth,
    )


def _words(move: Move) -> str:
    added = f" with {ADDED[move.add]}" if move.add else ""
    return f"{ACTIONS[move.action].name}{added}" + (f", {move.rage} paid with Rage" if move.rage else "")


SANDBOX = sandbox.Sandbox(mark="practice", hand=hand, page="scene/practice.html", coach=coach)
