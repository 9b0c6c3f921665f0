"""A free scene: no subsystem, only attempts, the checks that decide them, and motivations."""

from pydantic import TypeAdapter

from app.engine.events import sees
from app.engine.ruleset import Outcome, Pages, SceneKind
from app.rulesets.chronicle import host
from app.rulesets.chronicle.free.check import check, default
from app.rulesets.chronicle.free.declarations import DECLARATION, Desk
from app.rulesets.chronicle.free.desk import acted, enter
from app.rulesets.chronicle.free.events import EVENT
from app.rulesets.chronicle.free.inner import inner
from app.rulesets.chronicle.free.round import PHASES, WORDS, gms_desk, resolve, steps
from app.rulesets.chronicle.free.state import STATE, Given, State, apply, start
from app.rulesets.chronicle.free.view import view
from app.rulesets.chronicle.people import left_behind


def outcome(state: State) -> Outcome:
    """The characters' motivations and Driving Motivations."""
    return Outcome(sheets=left_behind(state.people), result={"end": state.end})


FREE = SceneKind(
    key="free",
    title="A free scene",
    state=STATE,
    declaration=DECLARATION,
    event=EVENT,
    given=TypeAdapter(Given),
    start=start,
    steps=steps,
    view=view,
    sees=sees,
    check=check,
    default=default,
    resolve=host.resolving(resolve, form=Desk, desk=gms_desk, view=view, check=check, done=acted),
    apply=apply,
    outcome=outcome,
    enter=enter,
    inner=inner,
    pages=Pages(
        folder="free",
        styles=("chronicle.css",),
        scripts=("tries.js",),
        envelopes="envelopes.html",
        acts_first={"own": "", "desk": "Ask for a check or change the scene"},
    ),
    phases=PHASES,
    words=WORDS,
    options=lambda view, ask: host.OPTIONS if ask.kind == "back" else {},
)
