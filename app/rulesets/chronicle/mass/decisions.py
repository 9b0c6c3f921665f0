"""The decisions of a battle in the order of the ledger, and how it goes on between them (steps M0 to G2).

A part in which nobody has a choice is resolved at once.
"""

from collections.abc import Sequence
from typing import Any

from app.engine.chance import Chance
from app.engine.ruleset import Answers, Step
from app.rulesets.chronicle.mass import events as ev
from app.rulesets.chronicle.mass.after import AGREE, QUIET, TERMS, close
from app.rulesets.chronicle.mass.asks import Of
from app.rulesets.chronicle.mass.before import ARMIES, FIELD, LINE, PLACE
from app.rulesets.chronicle.mass.combat import CLUSTERS, FALL, ORDER, STEP, TARGETS, WHOM, next_fight
from app.rulesets.chronicle.mass.desk import DESK
from app.rulesets.chronicle.mass.orders import INTENT, LEAVE, MOVE, QUICK
from app.rulesets.chronicle.mass.state import State

NOBODY_SAID: Answers[Any] = Answers()


def open_now(state: State) -> tuple[Step, ...]:
    """The current step, and the GM's optional one; none once the battle is over."""
    return () if state.phase == "over" else (OF[state.phase].step(state), DESK.step(state))


def go_on(log: ev.BattleLog, chance: Chance) -> None:
    """Resolves all that needs no answer."""
    while (state := log.state).phase != "over":
        if state.phase == "fight":
            next_fight(log, chance)
        elif state.phase == "close":
            close(log, chance)
        elif OF[state.phase].step(state).asks:
            return
        else:
            OF[state.phase].resolve(log, NOBODY_SAID, chance)


DECISIONS: Sequence[Of[Any]] = (
    ARMIES, FIELD, PLACE, LINE, INTENT, LEAVE, QUICK, MOVE, CLUSTERS, TARGETS, ORDER, WHOM, FALL, STEP, QUIET, TERMS,
    AGREE, DESK,
)  # fmt: skip
OF: dict[str, Of[Any]] = {decision.kind: decision for decision in DECISIONS}
