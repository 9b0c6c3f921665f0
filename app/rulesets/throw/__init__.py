"""Rock, paper, scissors with stakes: a whole ruleset on a few pages, as docs/add-a-ruleset.md writes it."""

from pydantic import TypeAdapter

from app.engine.decisions import derived
from app.engine.events import sees
from app.engine.rulebook import load
from app.engine.ruleset import Brief, Outcome, Pages, Pick, Ruleset, SceneKind, Seat, Trial
from app.rulesets.throw import rules

THROW = SceneKind(
    key="throw",
    title="A few throws",
    state=TypeAdapter(rules.State),
    event=TypeAdapter(rules.Event),
    start=rules.start,
    view=rules.view,
    sees=sees,
    apply=rules.apply,
    outcome=lambda state: Outcome(result=dict(state.chips)),
    pages=Pages(opening=""),
    **derived((rules.THROW,), rules.open_now),
)
TABLE = Brief(kind="throw", title="You against the computer", seats={Seat("you"): (), Seat("book"): ()})


def answer(view: rules.State, ask: str, pick: Pick) -> dict[str, str]:
    """The book throws any hand, for any stake it can pay."""
    return {"hand": pick(list(rules.BEATS)), "stake": str(pick(range(1, view.chips["book"] + 1)))}


RULESET = Ruleset(
    key="throw",
    package=__name__,
    title="Rock, paper, scissors",
    blurb="Both players seal a hand and a stake, and both open at once. The winner takes the chips on the table.",
    version="1",
    character=TypeAdapter(dict[str, str]),
    settings=TypeAdapter(rules.Settings),
    kinds=(THROW,),
    rulebook=load(__name__),
    trial=Trial(title="A few throws", button="Try a round", set_up=lambda: ({}, TABLE), answer=answer, in_front=False),
    utility=True,
)
