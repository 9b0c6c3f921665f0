"""The draft of the cast: all sets are rolled at once, then players take theirs in turn, snaking."""

from pydantic import TypeAdapter

from app.engine.events import sees
from app.engine.ruleset import Pages, SceneKind
from app.rulesets.chronicle.draft.declarations import DECLARATION
from app.rulesets.chronicle.draft.events import EVENT
from app.rulesets.chronicle.draft.round import PHASES, WORDS, outcome, resolve, steps
from app.rulesets.chronicle.draft.state import STATE, Given, apply, start
from app.rulesets.chronicle.draft.view import check, default, view

DRAFT = SceneKind(
    key="draft",
    title="Picking the cast",
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
    resolve=resolve,
    apply=apply,
    outcome=outcome,
    seats_are_people=True,
    pages=Pages(folder="draft", styles=("draft.css",), envelopes="envelopes.html"),
    phases=PHASES,
    words=WORDS,
)
