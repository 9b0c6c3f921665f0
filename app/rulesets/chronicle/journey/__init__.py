"""The journey against opposition: hidden routes and paces, contact, and what comes of a meeting (CHR-TRV)."""

from pydantic import TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.ruleset import Pages, SceneKind
from app.rulesets.chronicle import host
from app.rulesets.chronicle.hand.muster import FOES
from app.rulesets.chronicle.journey.decisions import DECISIONS, go_on, open_now
from app.rulesets.chronicle.journey.desk import DESK, acted, inner
from app.rulesets.chronicle.journey.ending import outcome
from app.rulesets.chronicle.journey.events import EVENT
from app.rulesets.chronicle.journey.fold import apply
from app.rulesets.chronicle.journey.opening import GIVEN, needs, start
from app.rulesets.chronicle.journey.state import STATE
from app.rulesets.chronicle.journey.view import as_gm_knows, view, vitals

_DERIVED = derived(DECISIONS, open_now, settle=go_on)

JOURNEY = SceneKind(
    key="journey",
    title="Contested journey",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(GIVEN),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    inner=inner,
    as_gm_knows=as_gm_knows,
    presets=FOES,
    pages=Pages(folder="journey", styles=("chronicle.css", "journey.css"), ending="ending.html"),
    vitals=vitals,
    leg=lambda state: state.leg if state.long else 0,
    **host.hosted(_DERIVED, DESK, view, acted),
)
