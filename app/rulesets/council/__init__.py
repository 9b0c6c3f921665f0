"""Deciding together: decisions of a campaign between its scenes, sealed like those of scenes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, TypeAdapter

from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Pages, Phase, Ruleset, SceneKind, Viewer
from app.rulesets.council import draft, roll, upcoming, vote
from app.rulesets.council.declarations import DECLARATION
from app.rulesets.council.events import EVENT, Event
from app.rulesets.council.luck import WORDS
from app.rulesets.council.settings import Settings


class Nobody(BaseModel):
    """Decisions are made by members; there are no sheets."""

    name: str = ""


PAGES = Pages(styles=("council.css",), opening="", seals_on_board=True)


def sees(event: Event, viewer: Viewer) -> bool:
    """All events are public; a secret ballot's votes are in no event."""
    return True


def _kind(
    key: str, title: str, of: Any, *phases: Phase, words: Mapping[str, str] | None = None
) -> SceneKind[Nobody, Settings, Any, Any, Any, Any]:
    return SceneKind(
        key=key,
        title=title,
        state=of.STATE,
        declaration=DECLARATION,
        event=EVENT,
        given=of.GIVEN,
        start=of.start,
        steps=of.steps,
        view=of.view,
        sees=sees,
        check=of.check,
        default=of.default,
        resolve=of.resolve,
        apply=of.apply,
        outcome=of.outcome,
        pages=PAGES,
        phases=phases,
        words=words or {},
    )


VOTE = replace(
    _kind("vote", "A vote", vote, Phase(words="The vote", steps=("vote",), default="abstain")),
    version="2",
    reads=frozenset({"1"}),
    unnamed=vote.unnamed,
    pages=replace(PAGES, scripts=("ballots.js",)),
)
NEXT = _kind(
    "next", "What comes next", upcoming, Phase(words="Marks", steps=("next",), default="be marked as the settings say")
)
ORDER = _kind(
    "order",
    "A pick",
    draft,
    Phase(words="The order", steps=("ready",), default="get a place by the other seats’ luck"),
    Phase(words="Picks", steps=("pick",), default="get the lowest number left"),
    words=WORDS,
)
ROLL = _kind(
    "roll",
    "A roll",
    roll,
    Phase(words="The dice", steps=("ready",), default="have no hand in the roll"),
    words=WORDS,
)

RULESET = Ruleset(
    key="council",
    package=__name__,
    title="Deciding together",
    blurb="Votes, picks, public rolls, and what comes next. Everyone seals, everything opens at once, "
    "and nobody who is away holds up the rest.",
    version="1",
    character=TypeAdapter(Nobody),
    settings=TypeAdapter(Settings),
    kinds=(VOTE, NEXT, ORDER, ROLL),
    rulebook=load(__name__),
    luck=load_luck(__name__),
    utility=True,
)
