"""How often a GM presses in a usual round from the desk, in each game’s demo, by the rules' defaults, without a table.

What is suggested is sealed by one press on the desk; anything else by two: to its form, and its seal.
"""

from collections import Counter
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Brief, Ruleset, Seat, Setup, Viewer
from app.engine.steps import round_of
from app.rulesets import RULESETS, find
from tests.hand_fight import PEOPLE

CLOSINGS = 16


def _hand_to_hand() -> tuple[Ruleset[Any, Any], dict[str, Any], Brief, dict[str, Any]]:
    """Two players against the GM's brigand: Chronicle's demo is another kind of scene."""
    given = {"sides": dict.fromkeys(PEOPLE, "a"), "muster": [{"kind": "brigand", "count": "1", "side": "b"}]}
    seats = {**{Seat(key): (key,) for key in PEOPLE}, GM: ()}
    return find("chronicle"), dict(PEOPLE), Brief(kind="hand", title="At the ford", seats=seats, given=given), {}


def _demo(rules: Ruleset[Any, Any]) -> tuple[Ruleset[Any, Any], dict[str, Any], Brief, dict[str, Any]]:
    assert rules.demo is not None
    return rules, *rules.demo.set_up(), dict(rules.demo.settings)


WITHOUT_A_GM = {"duel", "chronicle"}  # nobody but the fighters is asked; checks that are made when somebody wants one
SCENES = {
    str(rules.key): _demo(rules) for rules in RULESETS if rules.demo is not None and rules.key not in WITHOUT_A_GM
} | {"hand": _hand_to_hand()}


@pytest.mark.parametrize("name", SCENES)
def test_a_gm_presses_four_times_at_most_in_a_usual_round(name: str) -> None:
    """Finds a game whose GM presses more often in each round than at a table with cards."""
    rules, sheets, brief, given = SCENES[name]
    kind, settings = rules.kind(brief.kind), rules.settings.validate_python(given)
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
    assert presses, "the GM is asked nothing, so nothing was counted"
    assert max(presses.values()) <= 4, presses
