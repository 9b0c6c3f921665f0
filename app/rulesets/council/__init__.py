"""Deciding together: decisions of a campaign between its scenes, sealed like those of scenes."""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.rulebook import load, load_luck
from app.engine.ruleset import Pages, Ruleset, SceneKind
from app.rulesets.council import draft, roll, upcoming, vote
from app.rulesets.council.events import EVENT
from app.rulesets.council.settings import Settings


class Nobody(BaseModel):
    """Decisions are made by members; there are no sheets."""

    name: str = ""


PAGES = Pages(styles=("council.css",), opening="", seals_on_board=True)


def _kind(key: str, title: str, of: Any) -> SceneKind[Nobody, Settings, Any, Any, Any, Any]:
    return SceneKind(
        key=key,
        title=title,
        state=of.STATE,
        event=EVENT,
        given=of.GIVEN,
        start=of.start,
        view=of.view,
        sees=sees,
        apply=of.apply,
        outcome=of.outcome,
        pages=PAGES,
        **derived(of.DECISIONS, of.open_now),
    )


VOTE = replace(
    _kind("vote", "A vote", vote),
    version="2",
    reads=frozenset({"1"}),
    unnamed=vote.unnamed,
    pages=replace(PAGES, scripts=("ballots.js",)),
)
NEXT = _kind("next", "What comes next", upcoming)
ORDER = _kind("order", "A pick", draft)
ROLL = _kind("roll", "A roll", roll)

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
