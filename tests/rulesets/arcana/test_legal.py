"""What may be sealed, and what is said to somebody who may not (ARC-08)."""

from typing import Any

import pytest

from app.rulesets.arcana.fight.declarations import Action, Free, Turn
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.phases.legal import check
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, fight, mage, major, minors, strike, when

EVADE, BRACE = Action(do="evade"), Action(do="brace")
STEP = Action(do="considered", to=cell(1))


def table(**given: Any) -> State:
    ada = at(mage("ada"), 0, **given)
    return fight(ada, at(plain("ben"), 3), at(plain("orc"), 6, side="foes"),
                 at(plain("imp"), 7, side="foes", hidden=True))  # fmt: skip


@pytest.mark.parametrize(
    "turn",
    [
        Turn(),
        major(strike("orc")),
        major(cast("mend", "ada")),
        minors(EVADE, BRACE),
        minors(STEP, cast("muddle", "orc", quick=True)),
        major(Action(do="move", to=cell(2.5))),
        minors(STEP, cast("mend", "ben", quick=True), when=when("orc", "attacks", "ben", guards="2")),
        major(strike("them"), when=when("any_enemy", "moves_to", "me")),
        Turn(free=Free(step=(1, 0)), major=strike("orc")),
    ],
)
def test_what_may_be_sealed(turn: Turn) -> None:
    """A target that is too far away may come nearer; that is found out at the launch (ARC-19)."""
    assert check(table(), "ada", turn) == {}


@pytest.mark.parametrize(
    ("turn", "field", "words"),
    [
        (Turn(major=strike("orc"), minors=(EVADE,)), "minors", "not both"),
        (minors(EVADE, BRACE, EVADE), "minors", "At most two minor actions"),
        (minors(STEP, STEP), "minors", "At most one considered movement"),
        (minors(strike("orc")), "minors.0.do", "major action"),
        (major(EVADE), "major.do", "minor action"),
        (major(strike("nobody")), "major.target", "someone you know about"),
        (major(strike("imp")), "major.target", "someone you know about"),
        (major(strike("them")), "major.target", "waits for the condition"),
        (major(strike("orc", "rifle")), "major.weapon", "a weapon you have"),
        (major(strike("orc", "wand")), "major.weapon", "a weapon you have"),
        (major(cast("wish", "orc")), "major.spell", "a spell you know"),
        (major(cast("mend", "")), "major.target", "someone"),
        (major(cast("mend", "ada", 18)), "major.pp", "23 FP, and you have 20"),
        (minors(cast("mend", "ada", 7, quick=True), cast("mend", "ada", 7, quick=True)), "minors.1.pp", "you have 8"),
        (major(Action(do="move", to=cell(20))), "major.to", "you can go 2.5 m"),
        (major(Action(do="move", to=cell(2), gait="special")), "major.to", "you can go 1 m"),
        (minors(Action(do="considered", to=cell(2))), "minors.0.to", "you can go 1 m"),
        (minors(Action(do="considered")), "minors.0.to", "where"),
        (minors(Action(do="communicate")), "minors.0.words", "Enter"),
        (minors(Action(do="use", item="ring")), "minors.0.item", "carry"),
        (major(Action(do="stand")), "major.do", "standing"),
        (Turn(free=Free(step=(2, 0))), "free.step", "0.5 m"),
        (Turn(free=Free(step=(1, 0)), major=Action(do="move", to=cell(1))), "free.step", "whole cycle"),
        (major(strike("orc"), when=when("ada", "attacks")), "when.who", "someone else"),
        (major(strike("orc"), when=when("imp", "attacks")), "when.who", "whom to watch"),
        (major(strike("orc"), when=when("orc", "wins")), "when.verb", "wait for"),
        (major(strike("orc"), when=when("orc", "targets")), "when.whom", "whom"),
        (Turn(when=when("orc", "attacks")), "when.guards", "what you do"),
        (minors(EVADE, when=when("orc", "attacks")), "when.guards", "take effect from the reveal"),
        (major(strike("orc"), when=when("orc", "attacks", guards="1")), "when.guards", "what you do"),
    ],
)
def test_what_may_not(turn: Turn, field: str, words: str) -> None:
    """ARC-03, ARC-08, ARC-25, ARC-39, ARC-41, ARC-60, ARC-63, ARC-66, ARC-147, ARC-152."""
    faults = check(table(), "ada", turn)
    assert words in faults.get(field, ""), faults


@pytest.mark.parametrize(
    ("status", "turn", "field"),
    [
        ("silenced", major(cast("mend", "ada")), "major.do"),
        ("silenced", minors(Action(do="communicate", words="hey")), "minors.0.do"),
        ("bound", major(strike("orc")), "major.do"),
        ("trapped", minors(STEP), "minors.0.do"),
        ("trapped", Turn(free=Free(step=(1, 0))), "free.step"),
        ("prone", minors(STEP), "minors.0.do"),
        ("stunned", major(strike("orc")), ""),
    ],
)
def test_what_statuses_forbid(status: str, turn: Turn, field: str) -> None:
    """ARC-10, ARC-144."""
    assert field in check(table(statuses={status: Held(3, 0)}), "ada", turn)


def test_who_cannot_act_may_hold_and_shake_it_off() -> None:
    stunned = table(statuses={"stunned": Held(3, 0, "stun_bolt", 10)})
    assert check(stunned, "ada", Turn()) == {} == check(stunned, "ada", major(Action(do="shake_off")))


def test_a_school_has_to_be_learned() -> None:
    """ARC-147."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 3, side="foes"))
    body = state.fighters["ada"].body
    object.__setattr__(body, "schools", {})
    assert "novice" in check(state, "ada", major(cast("mend", "ada")))["major.spell"]
