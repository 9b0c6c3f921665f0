"""The demo's battle, played to its end by what is suggested, and by nobody at all."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Ask, Setup
from app.rulesets.chronicle.mass import MASS
from app.rulesets.chronicle.mass.sample import DEMO
from app.rulesets.chronicle.mass.settings import MassSettings
from app.rulesets.chronicle.mass.state import State
from app.rulesets.chronicle.mass.troops import TROOPS
from app.rulesets.chronicle.mass.view import View
from tests.rulesets.chronicle.mass.battles import read_form, viewer

MOST = 400  # closings
Says = Callable[[View, Ask], Answer[Any]]


def suggested(view: View, ask: Ask) -> Answer[Any]:
    """What the form is filled in with; the rules' default where a person has to choose."""
    found = MASS.suggest(view, ask)
    if found is None:
        return Answer(says=MASS.default(view, ask))
    says = read_form(ask.kind, dict(found.form))
    assert not MASS.check(view, ask, says), (ask, says)
    return Answer(says=says)


def silent(view: View, ask: Ask) -> Answer[Any]:
    return Answer(says=MASS.default(view, ask), how="default")


def begin() -> Recorder[State, Any]:
    sheets, brief = DEMO.set_up()
    return Recorder(MASS.start(Setup(brief=brief, settings=MassSettings(), sheets=sheets, kept={})), MASS.apply)


def play(says: Says, seed: int = 1) -> Recorder[State, Any]:
    """The battle up to its end."""
    log, rng = begin(), Random(seed)
    for _ in range(MOST):
        step = next((step for step in MASS.steps(log.state) if step.pace != "whenever"), None)
        if step is None:
            return log
        of = {ask.seat: says(MASS.view(log.state, viewer(ask.seat)), ask) for ask in step.asks}
        MASS.resolve(log, step, Answers(of=of), SeededChance(rng.randbytes(32), rng.randbytes(32)))
    raise AssertionError("the battle does not end")


def rounds(log: Recorder[State, Any], kind: str) -> Counter[int]:
    """How many events of a kind there were, by round."""
    found, now = Counter[int](), 0
    for event in (one.event for one in log.events):
        now = event.round if event.kind == "began" else now
        found[now] += event.kind == kind
    return +found


def test_it_begins_with_one_question_that_has_a_good_answer() -> None:
    log = begin()
    step, desk = MASS.steps(log.state)
    (ask,) = step.asks
    assert (step.key, ask.seat, desk.pace) == ("place/b", "anselm", "whenever")
    view = MASS.view(log.state, viewer(ask.seat))
    assert MASS.suggest(view, ask) is not None and not MASS.check(view, ask, MASS.default(view, ask))
    assert {seat for one in MASS.steps(log.state) for seat in (a.seat for a in one.asks)} == {"anselm", GM}


def test_all_kinds_of_troops_are_there_eight_units_against_nine() -> None:
    state = begin().state
    assert [len(state.of(side)) for side in ("a", "b")] == [8, 9]
    assert {unit.troop for unit in state.units.values()} == set(TROOPS)


def test_both_sides_are_in_the_fight_by_round_3_and_somebody_wins() -> None:
    log = play(suggested)
    fights, lost = rounds(log, "fought"), rounds(log, "lost")
    assert min(fights) <= 3 and fights[3] >= 4 and lost[3]
    assert log.state.end == "no-units" and log.state.winner and 6 <= log.state.round <= 30


def test_a_battle_that_nobody_plays_is_over_after_six_quiet_rounds() -> None:
    log = play(silent)
    assert (log.state.end, log.state.winner, log.state.round) == ("quiet", "", 6)
    assert not rounds(log, "fought") and not rounds(log, "shot")


@pytest.mark.nightly
def test_neither_side_has_to_win() -> None:
    wins = Counter(play(suggested, seed).state.winner for seed in range(60))
    assert min(wins["a"], wins["b"]) >= 15, wins
