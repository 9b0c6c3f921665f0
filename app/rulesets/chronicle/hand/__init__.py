"""Hand-to-hand combat: footwork, secret actions, defences, lasting wounds (chapter 4)."""

from pydantic import TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.ruleset import Pages, SceneKind, Viewer
from app.rulesets.chronicle.hand.desk import enter
from app.rulesets.chronicle.hand.ending import outcome
from app.rulesets.chronicle.hand.events import EVENT
from app.rulesets.chronicle.hand.film import film
from app.rulesets.chronicle.hand.foes import FOES as IN_FIGHT
from app.rulesets.chronicle.hand.foes import vitals
from app.rulesets.chronicle.hand.fold import apply
from app.rulesets.chronicle.hand.muster import FOES, GIVEN, needs, start
from app.rulesets.chronicle.hand.round import DECISIONS, go_on, open_now
from app.rulesets.chronicle.hand.state import STATE, State
from app.rulesets.chronicle.hand.suggestions import suggest
from app.rulesets.chronicle.hand.view import view


def as_gm_knows(state: State, gm: Viewer) -> State:
    """The fight with the standing choices of the GM's own fighters only."""
    own = {key for key, one in state.fight.fighters.items() if one.seat in gm.seats}
    return State(state.fight, {key: stands for key, stands in state.standing.items() if key in own})


HAND = SceneKind(
    key="hand",
    title="Hand-to-hand combat",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(GIVEN),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    enter=enter,
    as_gm_knows=as_gm_knows,
    presets=FOES,
    by_challenge=True,
    pages=Pages(folder="hand", styles=("body.css", "hand.css"), ending="ending.html"),
    suggest=suggest,
    vitals=vitals,
    foes=IN_FIGHT,
    film=film,
    **derived(DECISIONS, open_now, settle=go_on),
)
