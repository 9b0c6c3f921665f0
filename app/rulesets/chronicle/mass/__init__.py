"""The mass battle: units on a hex map, quick units and intents sealed, clusters and melee worked out by the rules."""

from pydantic import TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.ruleset import Pages, SceneKind
from app.rulesets.chronicle.mass.decisions import DECISIONS, go_on, open_now
from app.rulesets.chronicle.mass.desk import inner
from app.rulesets.chronicle.mass.ending import outcome
from app.rulesets.chronicle.mass.events import EVENT
from app.rulesets.chronicle.mass.film import film
from app.rulesets.chronicle.mass.fold import apply
from app.rulesets.chronicle.mass.opening import MassOpening, needs, start
from app.rulesets.chronicle.mass.state import STATE
from app.rulesets.chronicle.mass.suggestions import suggest
from app.rulesets.chronicle.mass.view import view, vitals

MASS = SceneKind(
    key="mass",
    title="Mass battle",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(MassOpening),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    inner=inner,
    pages=Pages(folder="mass", styles=("mass.css",), scripts=("field.js",), ending="ending.html", folds_sealed=True),
    suggest=suggest,
    vitals=vitals,
    film=film,
    film_seconds=20,
    **derived(DECISIONS, open_now, settle=go_on),
)
