"""Whole turn cycles: the ledger's examples T19 to T31 and that of its section 4.2."""

from dataclasses import replace
from typing import Any

from app.engine.chance import ScriptedChance
from app.engine.log import Recorder
from app.rulesets.arcana.fight.declarations import Action, Free, React, Turn
from app.rulesets.arcana.fight.fold import apply
from app.rulesets.arcana.fight.state import Held
from app.rulesets.arcana.phases.cycle import collided, go_on
from app.rulesets.arcana.rules.settings import Settings
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike, when

HIT = 15  # beats the plain value of 8


def test_the_cycle_of_the_ledger() -> None:
    """Section 4.2: nearer lands earlier, an evader is thrown at twice, FP are paid and come back."""
    troll = replace(plain("troll", ATH=14, FIN=8), hp_max=30, fp_max=6)
    state = fight(at(mage("dara"), 0), at(plain("elio"), 8), at(troll, 9, side="foes"))
    told = cycle(
        state,
        {
            "dara": major(cast("spark_volley", "troll", 1)),
            "elio": minors(Action(do="evade"), Action(do="communicate", words="behind you!")),
            "troll": major(strike("elio"), react=React(resist="never")),
        },
        {
            "ARC-148/cast/dara/1/1": 5, "ARC-71/accuracy/troll/1>elio/1": 11, "ARC-71/accuracy/troll/1>elio/2": 6,
            "ARC-71/accuracy/dara/1>troll/1": 12, "ARC-128/damage/dara/1>troll/1/1": 2,
            "ARC-128/damage/dara/1>troll/1/2": 4, "ARC-128/damage/dara/1>troll/1/3": 3,
        },
    )  # fmt: skip
    assert [one.event.kind for one in told if one.event.kind in ("spoke", "struck", "damaged")] == [
        "spoke", "struck", "struck", "damaged",
    ]  # fmt: skip
    club, volley = of(told, "struck")
    assert (club.kept + club.bonus, club.value, club.hit) == (5, 8, False)
    assert (volley.kept + volley.bonus, volley.value, volley.by, volley.hit) == (12, 10, "block", True)
    fighters = state.fighters
    assert (fighters["troll"].hp, fighters["dara"].fp, fighters["elio"].fp) == (21, 15, 20)


def stunners() -> Any:
    return fight(at(mage("ada"), 0), at(mage("ben"), 5, side="foes"))


def casting(who: str, face: int = 8) -> dict[str, int]:
    return {f"ARC-148/cast/{who}/1/1": face}


def hitting(who: str, target: str, face: int = HIT, slot: int = 1) -> dict[str, int]:
    return {f"ARC-71/accuracy/{who}/{slot}>{target}/1": face}


def test_two_may_stun_one_another() -> None:
    """ARC-T19, ARC-12, ARC-143: both launched, both hit; five cycles to come."""
    state = stunners()
    never = React(resist="never")
    turns = {
        "ada": major(cast("stun_bolt", "ben"), react=never), "ben": major(cast("stun_bolt", "ada"), react=never)
    }  # fmt: skip
    cycle(state, turns, casting("ada") | casting("ben") | hitting("ada", "ben") | hitting("ben", "ada"))
    assert all(one.statuses["stunned"].left == 5 and not one.able for one in state.fighters.values())
    for _ in range(4):
        cycle(state, {})
        assert not state.fighters["ada"].able
    cycle(state, {})
    assert state.fighters["ada"].able


def mending(mend_at: float, harm_at: float) -> Any:
    target = at(plain("cleo"), 0, hp=11)
    return fight(at(mage("ada"), mend_at), target, at(mage("orc"), -harm_at, side="foes"))


def heal_and_harm(state: Any) -> Any:
    """Mend heals 4 (2d4), the spell of the orc harms 5 (2d4 and 1)."""
    turns = {"ada": major(cast("mend", "cleo")), "orc": major(cast("spark_volley", "cleo", 0)),
             "cleo": Turn(react=React(resist="never"))}  # fmt: skip
    return cycle(
        state, turns,
        casting("ada") | casting("orc") | hitting("orc", "cleo") | {
            "ARC-134/heal/ada/1>cleo/2/1": 2, "ARC-134/heal/ada/1>cleo/2/2": 2,
            "ARC-128/damage/orc/1>cleo/1/1": 3, "ARC-128/damage/orc/1>cleo/1/2": 2,
        },
    )  # fmt: skip


def test_the_nearer_one_comes_first() -> None:
    """ARC-T20, ARC-T21, ARC-T22, ARC-14, ARC-15: the injury differs, which is the whole point."""
    for mend_at, harm_at, hp, injured in ((2, 6, 10, False), (6, 2, 10, True), (4, 4, 10, False)):
        state = mending(mend_at, harm_at)
        heal_and_harm(state)
        cleo = state.fighters["cleo"]
        assert (cleo.hp, cleo.has("major_injury")) == (hp, injured), (mend_at, harm_at)


def trolls() -> Any:
    troll = replace(plain("troll", FIN=0), hp_max=30)
    return fight(at(plain("ada"), 0), at(mage("ben"), 8), at(troll, 1, side="foes"), at(plain("cleo"), 1, 1))


HEAL = major(cast("mend", "ada"), when=when("troll", "attacks", "ada"))
MENDED = {"ARC-148/cast/ben/1/1": 8, "ARC-134/heal/ben/1>ada/2/1": 3, "ARC-134/heal/ben/1>ada/2/2": 3}


def test_an_answer_comes_after_the_blow() -> None:
    """ARC-T24, ARC-43."""
    state = trolls()
    told = cycle(state, {"ben": HEAL, "troll": major(strike("ada"))},
                 MENDED | hitting("troll", "ada", 14) | {"ARC-128/damage/troll/1>ada/1": 4})  # fmt: skip
    kinds = [one.event.kind for one in told]
    assert kinds.index("struck") < kinds.index("judged") < kinds.index("healed")
    (judged,) = of(told, "judged")
    assert (judged.card.verdict, judged.card.round) == ("fired", 1) and state.fighters["ada"].hp == 20


PUSH = major(cast("force_push", "troll"), when=when("troll", "attacks", "ada", mode="interrupt"))
PUSHED = casting("ben") | hitting("ben", "troll") | {
    "ARC-124/resist/ben/1>troll/1": 2, "ARC-128/damage/ben/1>troll/1/1": 3,
}  # fmt: skip


def test_who_is_in_time_forestalls_the_blow() -> None:
    """ARC-T25, ARC-49, ARC-50: the number to beat is 10 − 5 + 0; pushed away, the troll is out of reach."""
    state = fight(at(plain("ada"), 2), at(mage("ben"), -6), at(replace(plain("troll", FIN=0)), 3, side="foes"))
    told = cycle(state, {"ben": PUSH, "troll": major(strike("ada"))}, PUSHED | {"ARC-49/interrupt/ben/1": 5})
    (checked,) = [one for one in of(told, "checked") if one.what == "interrupt"]
    assert (checked.value, checked.ok) == (5, True)
    assert state.fighters["troll"].place == cell(4)
    (void,) = of(told, "void")
    assert (void.who, void.why) == ("troll", "the target is out of reach") and state.fighters["ada"].hp == 20


def test_who_is_too_late_answers() -> None:
    """ARC-50: not lost."""
    state = fight(at(plain("ada"), 2), at(mage("ben"), -6), at(replace(plain("troll", FIN=0)), 3, side="foes"))
    told = cycle(state, {"ben": PUSH, "troll": major(strike("ada"))},
                 PUSHED | {"ARC-49/interrupt/ben/1": 4} | hitting("troll", "ada", 14)
                 | {"ARC-128/damage/troll/1>ada/1": 2})  # fmt: skip
    assert state.fighters["ada"].hp == 18 and state.fighters["troll"].place == cell(4) and not of(told, "void")


def test_there_is_no_else() -> None:
    """ARC-T26, ARC-42: nothing is done, and FP come back."""
    state = trolls()
    state.fighters["ben"].fp = 10
    told = cycle(state, {"ben": HEAL, "troll": major(strike("cleo"))}, hitting("troll", "cleo", 2))
    (judged,) = of(told, "judged")
    assert (judged.card.verdict, judged.card.why) == ("not_fired", "not_met")
    assert state.fighters["ben"].fp == 12


def waiting(loops: str) -> Any:
    state = fight(at(mage("ada"), 0), at(mage("ben"), 3), at(plain("orc"), 6, side="foes"),
                  settings=Settings.model_validate({"condition_loops": loops}))  # fmt: skip
    return state, {
        "ada": major(cast("stone_skin", "ada"), when=when("ben", "casts")),
        "ben": major(cast("stone_skin", "ben"), when=when("ada", "casts")),
    }


def test_waiting_for_one_another() -> None:
    """ARC-T27, ARC-48: nothing happens, unless the GM lets it."""
    state, turns = waiting("nothing")
    assert [one.card.why for one in of(cycle(state, turns), "judged")] == ["knot", "knot"]
    state, turns = waiting("trigger")
    told = cycle(state, turns, casting("ada") | casting("ben"))
    assert [one.card.why for one in of(told, "judged")] == ["knot_let_loose", "knot_let_loose"]
    assert len(of(told, "lent")) == 2


def test_who_comes_out_of_cover_has_none() -> None:
    """ARC-T28, ARC-61, ARC-62."""
    state = fight(at(mage("ada"), 0), at(mage("ben"), 5, side="foes"), covers={"0,0": "full"})
    shot = major(cast("muddle", "ada"))
    never = React(resist="never")
    told = cycle(state, {"ben": shot, "ada": Turn(react=never)})
    assert of(told, "void")[0].why == "full cover is in the way"
    out = Turn(free=Free(emerge=True), major=cast("stone_skin", "ada"), react=never)
    told = cycle(state, {"ben": shot, "ada": out}, casting("ada") | casting("ben") | hitting("ben", "ada"))
    assert [one.hit for one in of(told, "struck")] == [True]
    back = {"ben": shot, "ada": Turn(free=Free(back=True))}
    assert of(cycle(state, back), "void"), "covered again by going back in the next cycle"


def test_failed_casts_cost_half() -> None:
    """ARC-T31, ARC-153."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 5, side="foes"))
    for pp, lost in ((0, 2), (1, 3)):
        state.fighters["ada"].fp = 20
        told = cycle(state, {"ada": major(cast("spark_volley", "orc", pp))}, casting("ada", 1))
        assert state.fighters["ada"].fp == 20 - lost and not of(told, "struck"), "and FP do not come back"


def test_criticals_add_up() -> None:
    """ARC-106, ARC-111, ARC-112: a dagger at somebody who casts, and a natural 20."""
    state = fight(at(plain("ada"), 0), at(mage("orc"), 1, side="foes"), at(plain("cleo"), 1, 2))
    told = cycle(
        state, {"ada": major(strike("orc")), "orc": major(cast("muddle", "cleo")), "cleo": Turn()},
        hitting("ada", "orc", 20) | casting("orc") | hitting("orc", "cleo", 2)
        | {"ARC-128/damage/ada/1>orc/1": 3, "ARC-110/critical/ada/1>orc": 3, "ARC-111/natural/ada/1>orc": 4},
    )  # fmt: skip
    (done,) = of(told, "damaged")
    assert (done.triggers, done.amount) == (("ARC-106", "ARC-107"), 9)


def test_from_behind_while_busy_with_another() -> None:
    """ARC-105: behind, and only while it strikes at somebody else."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 1, side="foes"), at(plain("cleo"), 2))
    told = cycle(
        state, {"ada": major(strike("orc")), "orc": major(strike("cleo"))},
        hitting("ada", "orc") | hitting("orc", "cleo", 2)
        | {"ARC-128/damage/ada/1>orc/1": 2, "ARC-110/critical/ada/1>orc": 2},
    )  # fmt: skip
    assert of(told, "damaged")[0].amount == 4


def test_a_slam_hurts_everybody_in_it() -> None:
    """ARC-20, ARC-21."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 4, side="foes"))
    go = Action(do="move", to=cell(2))
    told = cycle(state, {"ada": major(go), "orc": major(go)},
                 {"ARC-21/slam/move/ada": 3, "ARC-21/slam/move/orc": 1})  # fmt: skip
    assert [(one.place, one.hp) for one in state.fighters.values()] == [(cell(1.5), 17), (cell(2.5), 19)]
    assert len(of(told, "slammed")) == 2


def test_the_unaware_hold_whatever_their_envelope_says() -> None:
    """ARC-11: it goes back unopened."""
    orc = at(plain("orc"), 1, side="foes", hidden=True)
    state = fight(at(plain("ada"), 0), orc, unaware=frozenset({"ada"}))
    told = cycle(
        state, {"ada": major(strike("orc")), "orc": major(strike("ada"))},
        hitting("orc", "ada") | {"ARC-99/stealth/orc/1": 20, "ARC-128/damage/orc/1>ada/1": 4,
                                 "ARC-110/critical/orc/1>ada": 2},
    )  # fmt: skip
    assert of(told, "revealed")[0].turn == Turn() and of(told, "revealed")[0].how == "surprised"
    assert state.fighters["ada"].hp == 12 and state.fighters["orc"].noticed_by == {"ada"}


def test_stealth_has_to_exceed() -> None:
    """ARC-98, ARC-99: a tie is seen."""
    for face, seen in ((10, {"ada"}), (11, set[str]())):
        state = fight(at(plain("ada"), 0), at(mage("orc"), 5, side="foes", hidden=True))
        cycle(state, {"orc": major(cast("stone_skin", "orc"))}, casting("orc") | {"ARC-99/stealth/orc/1": face})
        assert state.fighters["orc"].noticed_by == seen


def test_a_search_holds_all_cycle() -> None:
    """ARC-29, ARC-T18."""
    ada = plain("ada", "Observation", PER=16, level=4)
    state = fight(at(ada, 0), at(plain("orc"), 5, side="foes", hidden=True, stealth=16))
    told = cycle(state, {"ada": major(Action(do="search"))}, {"ARC-29/search/ada/1": 8})
    (checked,) = of(told, "checked")
    assert checked.bonus + 8 == 16 and state.fighters["orc"].noticed_by == {"ada"}


def test_bleeding_dying_and_being_healed_above_nothing() -> None:
    """ARC-136, ARC-138, ARC-22: nothing in the cycle in which it came."""
    state = fight(at(plain("ada"), 0, hp=2), at(plain("orc"), 1, side="foes"), at(mage("cleo"), 3))
    cycle(state, {"orc": major(strike("ada"))}, hitting("orc", "ada") | {"ARC-128/damage/orc/1>ada/1": 4})
    ada = state.fighters["ada"]
    assert (ada.hp, ada.has("critical"), ada.able) == (-2, True, False)
    cycle(state, {})
    assert ada.hp == -3
    cycle(state, {"cleo": major(cast("mend", "ada"))},
          casting("cleo") | {"ARC-134/heal/cleo/1>ada/2/1": 4, "ARC-134/heal/cleo/1>ada/2/2": 2})  # fmt: skip
    assert (ada.hp, ada.able) == (3, True)
    ada.hp = -9
    ada.statuses["critical"] = Held(0, 0)
    cycle(state, {})
    assert ada.dead


def test_the_stunned_lose_their_answer_and_pay_nothing() -> None:
    """ARC-51: the card is blocked."""
    state = fight(at(mage("ada"), 0), at(mage("orc"), 5, side="foes"))
    answer = major(cast("spark_volley", "orc"), when=when("orc", "casts"), react=React(resist="never"))
    turns = {"orc": major(cast("stun_bolt", "ada")), "ada": answer}
    told = cycle(state, turns, casting("orc") | hitting("orc", "ada"))
    (judged,) = of(told, "judged")
    assert (judged.card.verdict, judged.card.note) == ("blocked", "cannot act") and state.fighters["ada"].fp == 20


def test_resisting_costs_and_gets_harder() -> None:
    """ARC-124 to ARC-126: at the value is enough; each try makes the next one worse; only success costs."""
    state = fight(at(mage("orc"), 0, side="foes"), at(mage("pig"), 3, 3, side="foes"), at(plain("ada"), 3))
    hush = major(cast("hush", "ada"))
    told = cycle(state, {"orc": hush, "pig": hush},
                 casting("orc") | casting("pig") | hitting("orc", "ada") | hitting("pig", "ada")
                 | {"ARC-124/resist/orc/1>ada/1": 8, "ARC-124/resist/pig/1>ada/1": 8})  # fmt: skip
    assert [(one.bonus, one.ok) for one in of(told, "resisted")] == [(0, True), (-1, False)]
    assert state.fighters["ada"].fp == 18 and state.fighters["ada"].statuses["silenced"].left == 2


def test_burns_tick_from_the_next_cycle_on_and_end() -> None:
    """ARC-130, ARC-143, ARC-22."""
    state = fight(at(mage("orc"), 0, side="foes"), at(plain("ada"), 3))
    burning = {"ARC-128/damage/orc/1>ada/1/1": 2, "ARC-130/rider/orc/1>ada/1": 1}
    cycle(state, {"orc": major(cast("kindle", "ada"))}, casting("orc") | hitting("orc", "ada") | burning)
    ada = state.fighters["ada"]
    assert (ada.hp, ada.statuses["burned_mild"].left) == (18, 10)
    cycle(state, {}, {"ARC-22/again/orc/kindle/1/1/1/1": 2})
    assert ada.hp == 18 - 1 - 3, "it burns on, and the flame comes once more"
    for _ in range(9):
        cycle(state, {})
    assert (ada.hp, ada.statuses) == (5, {"major_injury": ada.statuses["major_injury"]})


def test_two_minors_land_in_their_order() -> None:
    """ARC-17, ARC-36, ARC-38: the second never before the first, though its target is nearer; both at full price."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 9, side="foes"), at(plain("pig"), 2, side="foes"))
    quick = minors(cast("muddle", "orc", quick=True), cast("muddle", "pig", quick=True))
    dice = casting("ada") | {"ARC-148/cast/ada/2/1": 8}
    for slot, who in ((1, "orc"), (2, "pig")):
        dice |= {f"ARC-71/accuracy/ada/{slot}>{who}/{n}": 2 for n in (1, 2)}
    told = cycle(state, {"ada": quick}, dice)
    assert [one.target for one in of(told, "struck")] == ["orc", "pig"] and state.fighters["ada"].fp == 12


def test_one_side_is_left() -> None:
    """ARC-01."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 1, side="foes", hp=1))
    cycle(state, {"ada": major(strike("orc"))}, hitting("ada", "orc") | {"ARC-128/damage/ada/1>orc/1": 1})
    assert (state.stage, state.standing) == ("next", ["us"])


def test_a_question_that_came_back_after_its_answer_is_passed_over() -> None:
    """Finds a fight, stored before a mend of ARC-20, that could never go on."""
    log: Recorder[Any, Any] = Recorder(replace(stunners(), stage="collide", clash=None), apply)
    collided(log, True, "", "sealed", ScriptedChance({}))
    go_on(log, ScriptedChance({}))
    assert (log.state.stage, log.state.cycle) == ("plan", 2)
