"""The decisions of a discussion in the order of the ledger, and how it goes on between them (steps D0 to D9)."""

from collections.abc import Sequence
from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import Step
from app.rulesets.chronicle.discussion import events as ev
from app.rulesets.chronicle.discussion.appeal import FIGHT, FRAME, HEAR, REMOVE, roll
from app.rulesets.chronicle.discussion.asks import Of, end_if_empty
from app.rulesets.chronicle.discussion.desk import BACK, DESK
from app.rulesets.chronicle.discussion.state import State
from app.rulesets.chronicle.discussion.talking import AGAIN, END, OPEN, TALK, talk_steps

DECISIONS: Sequence[Of[Any]] = (OPEN, TALK, AGAIN, FRAME, HEAR, REMOVE, FIGHT, END, BACK, DESK)
OF: dict[str, Of[Any]] = {decision.kind: decision for decision in DECISIONS}


def open_now(state: State) -> tuple[Step, ...]:
    """The talk of all who are here, or the current step of an appeal, and the GM's desk; none once it is over."""
    if state.phase == "over":
        return ()
    if state.phase != "talk":
        return OF[state.phase].step(state), BACK.step(state)
    end = (END.step(state),) if state.resting and state.talking() else ()
    return *end, *talk_steps(state), BACK.step(state)


def go_on(log: ev.DiscussionLog, chance: Chance) -> None:
    """Rolls the appeal once it is known who listens."""
    if log.state.phase == "check":
        roll(log, chance)
    end_if_empty(log)
