"""How often a GM presses in a usual round from the desk, in each game’s demo, by the rules' defaults, without a table.

What is suggested is sealed by one press on the desk; anything else by two: to its form, and its seal.
"""

from collections import Counter
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ruleset, Setup, Viewer
from app.engine.steps import round_of
from app.rulesets import RULESETS

CLOSINGS = 16
DEMOS = [rules for rules in RULESETS if rules.demo is not None]


@pytest.mark.parametrize("rules", DEMOS, ids=lambda rules: str(rules.key))
def test_a_gm_presses_four_times_at_most_in_a_usual_round(rules: Ruleset[Any, Any]) -> None:
    """Finds a game whose GM presses more often in each round than at a table with cards."""
    assert rules.demo is not None
    sheets, brief = rules.demo.set_up()
    kind, settings = rules.kind(brief.kind), rules.settings.validate_python(dict(rules.demo.settings))
    state, last, presses = kind.start(Setup(brief=brief, settings=settings, sheets=sheets, kept={})), 0, Counter[str]()
    for number in range(CLOSINGS):
        step = next((step for step in kind.steps(state) if step.pace != "whenever"), None)
        if step is None:
            break
        views = {
            ask.seat: kind.view(state, Viewer(seats=frozenset({ask.seat}), gm=ask.seat == GM)) for ask in step.asks
        }
        for ask in step.asks:
            if ask.seat == GM:
                presses[round_of(step.key)] += 1 if kind.suggest(views[ask.seat], ask) else 2
        of = {ask.seat: Answer(says=kind.default(views[ask.seat], ask), how="default") for ask in step.asks}
        log: Recorder[Any, Any] = Recorder(state, kind.apply, last=last)
        kind.resolve(log, step, Answers(of=of), SeededChance(bytes([number]) * 32, bytes(32), "veiled"))
        state, last = log.state, log.events[-1].number if log.events else last
    assert max(presses.values(), default=0) <= 4, presses
