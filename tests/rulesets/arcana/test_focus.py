"""A Focus over several cycles: kept up, hurt, dropped, lost (ARC-09, ARC-108, ARC-157, ARC-158)."""

from dataclasses import replace
from typing import Any

import pytest

from app.engine.chance import SeededChance
from app.engine.log import Recorder
from app.engine.ruleset import GM, Answer, Answers, Viewer
from app.rulesets.arcana.fight.declarations import HOLD, Action, Free, React, Turn
from app.rulesets.arcana.fight.fold import apply
from app.rulesets.arcana.fight.state import Held, State
from app.rulesets.arcana.phases.asks import steps
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.phases.round import resolve
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.view.check import default
from app.rulesets.arcana.view.view import View, view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike, when

KEEP = Action(do="maintain")
STEP = Action(do="considered", to=cell(1))
NEVER = React(resist="never")
SPELLS = ("slow_mend", "root", "hoist", "spell_shield", "drain", "arc_current", "mend", "spark_volley", "kindle")
MASTER = dict.fromkeys(("malediction", "restoration", "illusion", "sorcery"), "master")


def holder(key: str = "ada", **given: Any) -> Any:
    return replace(mage(key, **given), spells=SPELLS, schools=MASTER)


def table(**given: Any) -> State:
    return fight(at(holder(), 0), at(plain("ben"), 4, hp=5), at(mage("orc"), 6, side="foes", **given))


def begun(spell: str = "slow_mend", target: str = "ben", more: dict[str, int] | None = None) -> State:
    """Ada holds a Focus since the first cycle."""
    state = table()
    dice = {"ARC-148/cast/ada/1/1": 15} | ({f"ARC-71/accuracy/ada/1>{target}/1": 15} if target == "orc" else {})
    cycle(state, {"ada": major(cast(spell, target)), "orc": Turn(react=NEVER)}, dice | (more or {}))
    assert state.fighters["ada"].focus is not None
    return state


def test_it_is_kept_up_without_a_check_at_its_price() -> None:
    """ARC-157: no casting die, the price each cycle, at its distance; a considered movement may join it."""
    state = begun()
    assert (state.fighters["ben"].hp, state.fighters["ada"].fp) == (7, 16)
    told = cycle(state, {"ada": Turn(major=KEEP, minors=(STEP,)), "orc": minors(Action(do="communicate", words="ha"))})
    assert (state.fighters["ben"].hp, state.fighters["ada"].fp, state.fighters["ada"].place) == (9, 12, cell(1))
    kinds = [one.event.kind for one in told if one.event.kind in ("spoke", "healed")]
    assert kinds == ["spoke", "healed"] and of(told, "launched")[0].distance2 == 300**2
    assert of(told, "revealed")[0].turn.major.spell == "slow_mend", "what is kept up is told"


def test_whoever_says_nothing_keeps_it_up_until_the_points_run_out() -> None:
    """ARC-09, ARC-152."""
    state = begun()
    for fp in (12, 8, 4, 0):
        cycle(state, {})
        assert (state.fighters["ada"].fp, state.fighters["ada"].focus is not None) == (fp, True)
    told = cycle(state, {})
    assert [one.why for one in of(told, "broke")] == ["lets it go"] and not of(told, "healed")
    assert state.fighters["ada"].fp == 2


@pytest.mark.parametrize(
    "turn",
    [HOLD, major(strike("orc")), minors(Action(do="evade")), Turn(free=Free(drop_focus=True)),
     major(cast("mend", "ben"))],
    ids=["hold", "attack", "evade", "drop", "another"],
)  # fmt: skip
def test_anything_else_ends_it(turn: Turn) -> None:
    """ARC-157: it may be dropped freely."""
    state = begun()
    assert check(state, "ada", turn) == {}
    dice = {"ARC-148/cast/ada/1/1": 1} if turn.major and turn.major.do == "cast" else {}
    told = cycle(state, {"ada": turn}, dice)
    assert [one.why for one in of(told, "broke")] == ["lets it go"] and state.fighters["ada"].focus is None
    assert not of(told, "healed")


@pytest.mark.parametrize(
    ("turn", "field", "words"),
    [
        (Turn(major=KEEP, minors=(STEP, STEP)), "minors", "At most one considered"),
        (Turn(major=KEEP, minors=(Action(do="evade"),)), "minors", "nothing else"),
        (Turn(major=KEEP, minors=(cast("mend", "ben", quick=True),)), "minors", "nothing else"),
        (Turn(major=KEEP, free=Free(step=(1, 0))), "free.step", "considered"),
        (Turn(major=KEEP, free=Free(drop_focus=True)), "free.drop_focus", "or drop it"),
        (major(KEEP, when=when("orc", "attacks")), "when.guards", "cannot depend on a condition"),
        (minors(cast("slow_mend", "ben", quick=True), Action(do="evade")), "minors", "begin a Focus"),
    ],
)
def test_what_does_not_go_with_a_focus(turn: Turn, field: str, words: str) -> None:
    """ARC-157, ARC-39."""
    assert words in check(begun(), "ada", turn)[field]


def test_only_what_is_up_can_be_kept_up_and_paid() -> None:
    state = table()
    assert "no Focus" in check(state, "ada", major(KEEP))["major.do"]
    state = begun()
    state.fighters["ada"].fp = 3
    assert "costs 4 FP" in check(state, "ada", major(KEEP))["major.do"]
    state.fighters["ada"].statuses["no_focus"] = Held(5, 0)
    assert "cannot hold" in check(state, "ada", major(cast("root", "orc")))["major.spell"]


def hurting(face: int, at_distance: float = 6) -> tuple[State, list[Any]]:
    """The orc hits Ada, who holds a Focus on Ben, four metres from her."""
    state = begun()
    state.fighters["orc"].place = cell(at_distance)
    dice = {
        "ARC-148/cast/orc/1/1": 8, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1/1": 3,
        "ARC-128/damage/orc/1>ada/1/2": 3, "ARC-158/keep/ada/orc/1/1": face, "ARC-110/critical/orc/1>ada/1": 1,
    }  # fmt: skip
    told = cycle(state, {"ada": Turn(major=KEEP, react=NEVER), "orc": major(cast("spark_volley", "ada"))}, dice)
    return state, told


def test_hurt_it_may_slip() -> None:
    """ARC-158: 10 keeps it, 9 does not; ARC-108: whoever holds one is open."""
    state, told = hurting(10)
    assert state.fighters["ada"].focus is not None and not of(told, "broke")
    assert of(told, "damaged")[0].triggers == ("ARC-108",)
    state, told = hurting(9)
    assert state.fighters["ada"].focus is None and [one.why for one in of(told, "broke")] == ["is hurt"]
    assert len(of(told, "healed")) == 1, "it had landed already, from nearer"


def test_what_has_not_landed_is_lost() -> None:
    """ARC-158: the blow comes from nearer than the Focus reaches; its price is gone."""
    state, told = hurting(9, 3)
    assert not of(told, "healed") and state.fighters["ada"].fp == 12


def test_a_shield_keeps_the_points_it_has_left_and_ends_with_the_focus() -> None:
    """ARC-157, ARC-164."""
    state = begun("spell_shield", "", {"ARC-78/bonus/ada/1>ada/2": 3})
    state.fighters["ada"].loans = [replace(one, amount=min(one.amount, 4)) for one in state.fighters["ada"].loans]
    assert [one.amount for one in state.fighters["ada"].loans if one.stat == "shield"] == [4]
    cycle(state, {})
    assert [one.amount for one in state.fighters["ada"].loans if one.stat == "shield"] == [4]
    cycle(state, {"ada": HOLD})
    assert state.fighters["ada"].loans == []


def test_what_holds_while_held_ends_with_it() -> None:
    """ARC-157: the hoisted come down; when the holder cannot act, too."""
    state = begun("hoist", "orc")
    assert state.fighters["orc"].has("hoisted")
    cycle(state, {"orc": Turn(react=NEVER)}, {"ARC-71/accuracy/ada/1>orc/1": 15})
    assert state.fighters["orc"].has("hoisted")
    state.fighters["ada"].statuses["stunned"] = Held(3, 1)
    told = cycle(state, {})
    assert [one.why for one in of(told, "broke")] == ["cannot act"] and not state.fighters["orc"].has("hoisted")


def test_a_target_out_of_reach_ends_it() -> None:
    """ARC-157: nothing is paid for what cannot be kept up."""
    state = begun()
    state.fighters["ben"].place = cell(150)
    told = cycle(state, {})
    assert of(told, "void") and of(told, "broke") and not of(told, "paid")


def test_upkeep_may_cost_nothing() -> None:
    """ARC-139, ARC-157: Drain is free to hold, so FP come back."""
    drained = {f"ARC-128/damage/ada/1>orc/1/{n}": 2 for n in (1, 2)}
    state = begun("drain", "orc", drained)
    told = cycle(state, {"orc": Turn(react=NEVER)}, {"ARC-71/accuracy/ada/1>orc/1": 15} | drained)
    assert not [one for one in of(told, "paid") if one.fp]


def test_a_focus_that_waits_for_somebody() -> None:
    """ARC-43, ARC-51, ARC-54: begun in phase 4, held from then on."""
    state = table()
    turns = {"ada": major(cast("slow_mend", "ben"), when=when("orc", "speaks")),
             "orc": minors(Action(do="communicate", words="now"))}  # fmt: skip
    cycle(state, turns, {"ARC-148/cast/ada/1/1": 15})
    assert state.fighters["ada"].focus is not None and state.fighters["ben"].hp == 7
    cycle(state, {})
    assert state.fighters["ben"].hp == 9


def test_the_better_stance_of_the_silent() -> None:
    """ARC-09, `absent_default`."""
    strong = plain("ben", ATH=14)
    state = fight(at(plain("ada"), 0), at(strong, 3), at(plain("orc"), 6, side="foes"),
                  settings=Settings(absent_default="defend"))  # fmt: skip
    told = cycle(state, {"orc": HOLD})
    made = {one.who: [action.do for action in one.turn.minors] for one in of(told, "revealed")}
    assert made == {"ada": ["evade"], "ben": ["brace"], "orc": []}


def test_the_gms_people_go_on_before_they_follow_a_habit() -> None:
    """ARC-09: an absent GM's foes do the same."""
    state = begun()
    state.fighters["ada"].seat = str(GM)
    suggested = view(state, Viewer(seats=frozenset({GM}), gm=True)).hand
    assert suggested["ada"].major is not None and suggested["ada"].major.do == "maintain"


def eyes(state: State, seat: Any) -> View:
    return view(state, Viewer(seats=frozenset({seat}), gm=seat == GM))


def test_five_cycles_of_silence_through_the_steps_of_a_table() -> None:
    """ARC-09: everybody is away; what the rules answer for them keeps the Focus up."""
    state = begun()
    state.fighters["ada"].fp = 20
    for key in ("ben", "orc"):
        state.fighters[key].seat = str(GM)
    for number in range(5):
        step = steps(state)[0]
        answers = {ask.seat: Answer(says=default(eyes(state, ask.seat), ask), how="default") for ask in step.asks}
        log: Recorder[State, Any] = Recorder(state, apply)
        resolve(log, step, Answers(of=answers), SeededChance(bytes([number]) * 32, bytes(32)))
        assert (state.cycle, state.fighters["ben"].hp) == (3 + number, 9 + 2 * number)
    assert state.fighters["ada"].fp == 0


def test_what_is_kept_up_meets_conditions_as_what_it_does() -> None:
    """ARC-45: it heals again, but is not cast again."""
    for verb, fired in (("heals", True), ("casts", False)):
        state = begun()
        told = cycle(state, {"orc": minors(Action(do="communicate", words="ha"), when=when("ada", verb, "ben"))})
        assert bool(of(told, "spoke")) == fired


def test_a_focussed_caster_rolls_twice() -> None:
    """ARC-158, ARC-174."""
    state = begun()
    state.fighters["ada"].body = replace(state.fighters["ada"].body, skills={"focussed_caster": 1})
    dice = {
        "ARC-148/cast/orc/1/1": 8, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1/1": 3,
        "ARC-128/damage/orc/1>ada/1/2": 3, "ARC-158/keep/ada/orc/1/1": 3, "ARC-158/keep/ada/orc/1/2": 12,
        "ARC-110/critical/orc/1>ada/1": 1,
    }  # fmt: skip
    cycle(state, {"ada": Turn(major=KEEP, react=NEVER), "orc": major(cast("spark_volley", "ada"))}, dice)
    assert state.fighters["ada"].focus is not None
