"""The decisions of a journey in the order of the ledger, and how it goes on between them (steps T1 to T9)."""

from collections.abc import Sequence
from typing import Any

from app.engine.ruleset import Step
from app.rulesets.chronicle.journey.asks import Of
from app.rulesets.chronicle.journey.desk import BACK, DESK
from app.rulesets.chronicle.journey.meeting import SEE, STANCE, after_spotting
from app.rulesets.chronicle.journey.state import State
from app.rulesets.chronicle.journey.travelling import ORDERS

DECISIONS: Sequence[Of[Any]] = (ORDERS, SEE, STANCE, BACK, DESK)
OF: dict[str, Of[Any]] = {decision.kind: decision for decision in DECISIONS}

go_on = after_spotting


def open_now(state: State) -> tuple[Step, ...]:
    """The step at hand, and the GM's desk; none once the journey is over."""
    return () if state.phase == "over" else (OF[state.phase].step(state), BACK.step(state))
