"""The discussion: talk in character, appeals that give Driving Motivations, and what listeners do about them."""

from pydantic import TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.ruleset import Pages, SceneKind
from app.rulesets.chronicle import host
from app.rulesets.chronicle.discussion.decisions import DECISIONS, go_on, open_now
from app.rulesets.chronicle.discussion.desk import DESK, acted, enter, inner
from app.rulesets.chronicle.discussion.events import EVENT
from app.rulesets.chronicle.discussion.fold import apply
from app.rulesets.chronicle.discussion.opening import DiscussionOpening, needs, outcome, start
from app.rulesets.chronicle.discussion.state import STATE
from app.rulesets.chronicle.discussion.view import view, vitals

_DERIVED = derived(DECISIONS, open_now, settle=go_on)

DISCUSSION = SceneKind(
    key="discussion",
    title="Discussion",
    state=STATE,
    event=EVENT,
    given=TypeAdapter(DiscussionOpening),
    needs=needs,
    start=start,
    view=view,
    sees=sees,
    apply=apply,
    outcome=outcome,
    enter=enter,
    inner=inner,
    pages=Pages(folder="discussion", styles=("chronicle.css", "discussion.css"), scripts=("talk.js",)),
    vitals=vitals,
    **host.hosted(_DERIVED, DESK, view, acted),
)
