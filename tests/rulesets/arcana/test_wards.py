"""Wards on beings and on places (ARC-160)."""

from dataclasses import replace
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Viewer
from app.rulesets.arcana.fight import events as ev
from app.rulesets.arcana.fight.declarations import Action, Turn
from app.rulesets.arcana.fight.fold import apply, sees
from app.rulesets.arcana.fight.state import State
from app.rulesets.arcana.phases.cycle import go_on, go_to, reveal
from app.rulesets.arcana.phases.questions import rule
from app.rulesets.arcana.phases.visibility import audience
from app.rulesets.arcana.rules.rulings import Ruling
from app.rulesets.arcana.sheet.body import Body
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike

SNARE = major(Action(do="cast", spell="snare_ward", at=cell(5)))
LAID = {"ARC-148/cast/ada/1/1": 8}
HARM = {"ARC-128/damage/ward/w1/1/1/1": 3, "ARC-128/damage/ward/w1/1/1/2": 4}


def warder(key: str = "ada") -> Body:
    return replace(mage(key), spells=("snare_ward", "lesser_ward"))


def go(x: float, y: float = 0) -> Turn:
    return major(Action(do="move", to=cell(x, y)))


def snared(*others: Any) -> State:
    state = fight(at(warder(), 0), *others)
    cycle(state, {"ada": SNARE}, LAID)
    return state


def test_a_ward_on_a_being_stays() -> None:
    """ARC-160, ARC-164: fifteen points for a day."""
    ada, orc = at(warder(), 0), at(plain("orc"), 1, side="foes")
    state = fight(ada, orc)
    cycle(state, {"ada": major(cast("lesser_ward", "ada"))}, LAID)
    cycle(state, {})
    dice = {"ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1": 3}
    told = cycle(state, {"orc": major(strike("ada"))}, dice)
    assert of(told, "damaged")[0].absorbed == of(told, "damaged")[0].amount > 0
    assert state.fighters["ada"].hp == 20 and state.fighters["ada"].loans[0].left > 28_000


def test_who_moves_in_is_harmed_and_trapped_once_a_cycle() -> None:
    """ARC-124, ARC-160: half of it for a Resist; a step out and in again in one cycle strikes once."""
    state = snared(at(plain("orc"), 8, side="foes"))
    told = cycle(state, {"orc": go(6)}, {"ARC-124/resist/ward/w1/1>orc/1": 2} | HARM)
    assert len(of(told, "snared")) == 1 and state.fighters["orc"].hp == 13
    assert state.fighters["orc"].has("trapped") and state.wards[0].times == 1
    state.fighters["orc"].statuses.clear()
    cycle(state, {"orc": go(8.5)})
    again = {key.replace("w1/1", "w1/2"): face for key, face in HARM.items()}
    cycle(state, {"orc": go(6)}, {"ARC-124/resist/ward/w1/2>orc/1": 20} | again)
    assert state.fighters["orc"].hp == 10


def test_who_stands_there_is_spared_and_friends_are_not() -> None:
    """ARC-160, ARC-162: two who come at once share the dice, who was inside before moves about freely."""
    state = snared(at(plain("orc"), 5, side="foes"), at(plain("ben"), 8), at(plain("cleo"), 8, 1))
    told = cycle(
        state, {"orc": minors(Action(do="considered", to=cell(5.5))), "ben": go(6.5), "cleo": go(6, 1)},
        {"ARC-124/resist/ward/w1/1>ben/1": 2, "ARC-124/resist/ward/w1/1>cleo/1": 2} | HARM,
    )  # fmt: skip
    assert [one.target for one in of(told, "snared")] == ["ben", "cleo"]
    assert (state.fighters["orc"].hp, state.fighters["ben"].hp, state.fighters["cleo"].hp) == (20, 13, 13)


def test_the_way_through_and_pushes_count() -> None:
    """ARC-19, ARC-160."""
    state = snared(at(plain("orc", ATH=20), 2.5, side="foes"), at(mage("ben"), 9))
    state.fighters["orc"].body = replace(state.fighters["orc"].body, speed=1000)
    cycle(state, {"orc": go(7.5)}, {"ARC-124/resist/ward/w1/1>orc/1": 2} | HARM)
    assert state.fighters["orc"].hp == 13 and state.fighters["orc"].place == cell(7.5)
    state = snared(at(plain("orc"), 8, side="foes"), at(mage("ben"), 10))
    dice = HARM | {
        "ARC-148/cast/ben/1/1": 8, "ARC-71/accuracy/ben/1>orc/1": 19, "ARC-124/resist/ben/1>orc/1": 1,
        "ARC-128/damage/ben/1>orc/1/1": 1,
        "ARC-124/resist/ward/w1/1>orc/1": 2,
    }  # fmt: skip
    told = cycle(state, {"ben": major(cast("force_push", "orc"))}, dice)
    assert [one.how for one in of(told, "moved")] == ["push"] and len(of(told, "snared")) == 1


def test_only_its_own_side_knows_until_it_strikes() -> None:
    """ARC-160, ledger 1.7."""
    state = snared(at(plain("ben"), 1), at(plain("orc"), 8, side="foes"))
    foe, friend, gm = (Viewer(seats=frozenset({seat}), gm=seat == GM) for seat in ("orc", "ben", GM))
    assert [len(view(state, who).known.wards) for who in (foe, friend, gm)] == [0, 1, 1]
    told = [one.event for one in cycle(fight(at(warder(), 0), at(plain("orc"), 8, side="foes")), {"ada": SNARE}, LAID)]
    laid = next(one for one in told if one.kind == "warded")
    laid = replace(laid, to=audience(state, laid))
    assert [sees(laid, who) for who in (foe, friend, gm)] == [False, True, True]
    cycle(state, {"orc": go(6)}, {"ARC-124/resist/ward/w1/1>orc/1": 2} | HARM)
    assert len(view(state, foe).known.wards) == 1


def test_two_across_each_other() -> None:
    """ARC-160: the GM is asked about similar wards of two casters; by default both stay, else both collapse."""
    for yes, left in ((False, 2), (True, 0)):
        state = fight(at(warder(), 0), at(warder("ben"), 0, 2), at(plain("orc"), 20, side="foes"))
        cycle(state, {"ada": SNARE}, LAID)
        chance = ScriptedChance({"ARC-148/cast/ben/1/1": 8})
        log: Recorder[State, ev.Event] = Recorder(state, apply)
        reveal(log, {"ben": major(Action(do="cast", spell="snare_ward", at=cell(8)))}, {}, chance)
        assert [question.key for question in state.questions] == ["wards/ben/ada"] and state.stage == "rule"
        rule(log, {"wards/ben/ada": Ruling(yes=True)} if yes else {}, "sealed")
        go_to(log, "steps")
        go_on(log, chance)
        assert len(state.wards) == left and len(of(log.events, "collapsed")) == yes
    state = fight(at(warder(), 0), at(warder("ben"), 0, 2), at(plain("orc"), 20, side="foes"))
    far = major(Action(do="cast", spell="snare_ward", at=cell(10)))
    told = cycle(state, {"ada": SNARE, "ben": far}, LAID | {"ARC-148/cast/ben/1/1": 8})
    assert not of(told, "questioned") and len(state.wards) == 2
