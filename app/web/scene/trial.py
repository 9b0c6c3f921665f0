"""Trials from the front page: one person plays by a ruleset's `Trial`, and the computer plays all other seats."""

import random
import uuid
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from sqlalchemy.ext.asyncio import AsyncSession

from app import rulesets
from app.campaign import characters
from app.engine import form_text, options
from app.engine.ruleset import GM, Ask, Ruleset, SceneKind, Seat, Trial
from app.engine.unions import members
from app.errors import NotThere
from app.models.people import Campaign, Member
from app.table.opening import open_scene
from app.table.reading import AskSight, SceneSight
from app.table.runtime import Runtime
from app.web.http.templating import ruleset_template
from app.web.scene import sandbox
from app.web.scene.sandbox import Sandbox

router = APIRouter()

MARK = "tutorial"
LUCK = random.SystemRandom()


def trials() -> dict[str, Trial[Any]]:
    """All trials, by the key of their ruleset."""
    return {rules.key: rules.trial for rules in rulesets.RULESETS if rules.trial is not None}


@dataclass(frozen=True, slots=True)
class Offer:
    """A way to play a game alone: the address to post to, and its button."""

    at: str
    button: str


def offered(key: str) -> Offer | None:
    """Returns the way to play a game alone, if it has one."""
    trial = trials().get(key)
    if trial is not None:
        return Offer(f"/try/{key}", trial.button)
    return Offer("/practice", "Practise a duel") if key == "duel" else None


def sandbox_of(rules: Ruleset[Any, Any], trial: Trial[Any]) -> Sandbox:
    """The trial as a sandbox."""

    async def hand(seen: SceneSight, ask: AskSight) -> sandbox.Pairs:
        if trial.answer is None:
            return usual(rules.kind(seen.kind), seen.view, ask, at_random=trial.at_random)
        return list(trial.answer(seen.view, ask.kind, LUCK.choice).items())

    return Sandbox(mark=MARK, hand=hand, page=trial.page and ruleset_template(rules, "", trial.page))


def usual(
    kind: SceneKind[Any, Any, Any, Any, Any, Any], view: Any, sight: AskSight, *, at_random: bool = False
) -> sandbox.Pairs:
    """What a kind of scene suggests for an ask, else its default, as a form's pairs. `at_random`: its options."""
    ask = Ask(seat=Seat(sight.seat), kind=sight.kind, call=sight.call, about=tuple(sight.about))
    offered = kind.options(view, ask) if at_random else {}
    if offered:
        drawn = options.drawn(members(kind.declaration)[ask.kind], offered, LUCK.choice)
        return form_text.flatten(
            {name: value for name, value in drawn.model_dump(mode="json").items() if name != "ask"}
        )
    found = kind.suggest(view, ask)
    says = kind.declaration.dump_python(kind.default(view, ask), mode="json") if found is None else found.form
    return form_text.flatten({name: value for name, value in says.items() if name != "ask"})


@router.post("/try/{key}")
async def begin(request: Request, key: str) -> Response:
    """Open the trial of a ruleset in a new campaign."""
    trial = trials().get(key)
    if trial is None:
        raise NotThere("You cannot try these rules alone.", "The front page lists the rules you can try.")
    rules = rulesets.find(key)

    async def open_trial(session: AsyncSession, runtime: Runtime, campaign: Campaign, you: Member) -> uuid.UUID:
        sheets, brief = trial.set_up()
        for sheet in sheets.values():
            await characters.create(
                session, campaign, sheet.name, key, rules.character.dump_python(sheet, mode="json"), you
            )
        free = [seat for seat, whom in brief.seats.items() if not whom and seat != GM]
        book = await sandbox.member(session, campaign.id)
        people = dict.fromkeys(free, book) | dict.fromkeys(free[:1], you)
        return await open_scene(session, runtime.vault, campaign.id, key, brief, trial.settings, people=people)

    return await sandbox.begin(request, sandbox_of(rules, trial), trial.title, key, open_trial)
