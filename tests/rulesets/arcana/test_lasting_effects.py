"""What spells leave behind, lend, stop, throw back and drop; and statuses that bend what somebody does."""

from dataclasses import replace
from typing import Any

import pytest

from app.rulesets.arcana.effects.health import Healing, settle
from app.rulesets.arcana.fight.declarations import Action, React, Turn
from app.rulesets.arcana.fight.state import STATE, Held, State
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.rules.book import SPELLS, STATUSES, Described
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import NOVICE, at, cast, cell, cycle, fight, mage, major, minors, of, strike

BARE = React(resist="never")
SCHOOLS = dict.fromkeys([*NOVICE, "sorcery", "forbidden", "divination"], "master")


def knows(key: str, *spells: str, **given: Any) -> Body:
    return replace(mage(key, **given), spells=spells, schools=SCHOOLS)


def pair(*spells: str, far: float = 3, **given: Any) -> State:
    """The orc who knows these, and Ada, so many metres away."""
    settings = given.pop("settings", None)
    body = given.pop("body", plain("ada"))
    return fight(at(body, 0, **given), at(knows("orc", *spells), far, side="foes"), settings=settings)


def play(state: State, action: Action, dice: dict[str, int] | None = None, ada: Turn | None = None) -> list[Any]:
    ada = ada or Turn(react=BARE)
    return cycle(state, {"orc": major(action), "ada": ada}, {"ARC-148/cast/orc/1/1": 19} | (dice or {}))


HIT = {"ARC-71/accuracy/orc/1>ada/1": 15}


def test_no_spell_of_the_book_is_left_to_words() -> None:
    """ARC-161: every effect of the 71 is one that the fight does."""
    assert not [key for key, spell in SPELLS.items() for one in spell.effect if isinstance(one, Described)]


def test_a_cloud_harms_whoever_is_in_it_at_the_end_of_cycles() -> None:
    """ARC-22, ARC-143: as it comes, then at the end of each cycle after it, and nobody who went out of it."""
    state = pair("acid_cloud", far=10)
    play(state, Action(do="cast", spell="acid_cloud", at=cell(0)))
    assert state.fighters["ada"].hp == 18
    cycle(state, {})
    assert state.fighters["ada"].hp == 16 and state.remains[0].left == 39
    state.fighters["ada"].place = cell(5)
    cycle(state, {})
    assert state.fighters["ada"].hp == 16 and STATE.validate_json(STATE.dump_json(state)) == state


def test_lasting_harm_is_rolled_anew_and_ends() -> None:
    """ARC-22: Gnat Plague comes again in three cycles after its own."""
    state = pair("gnat_plague")
    play(state, cast("gnat_plague", "ada"), HIT | {"ARC-128/damage/orc/1>ada/1/1": 2})
    for face in (1, 2, 3):
        cycle(state, {}, {"ARC-22/again/orc/gnat_plague/1/1/1/1": face})
    cycle(state, {})
    assert state.fighters["ada"].hp == 20 - 2 - 6 and state.remains == []


def test_missiles_go_to_several_each_at_its_own_distance() -> None:
    """ARC-16, ARC-163: three darts in turn at two, the nearer struck first."""
    state = fight(at(knows("orc", "seeker_darts"), 0, side="foes"), at(plain("ada"), 5), at(plain("ben"), 2))
    darts = Action(do="cast", spell="seeker_darts", split=("ada", "ben"))
    assert check(state, "orc", major(darts)) == {}
    assert "split" in str(check(state, "orc", major(cast("seeker_darts", "").model_copy(update={"split": ("cat",)}))))
    dice = {f"ARC-71/accuracy/orc/1>{who}/{n}/1": 2 for who, n in (("ada", 1), ("ada", 2), ("ben", 1))}
    told = cycle(state, {"orc": major(darts)}, {"ARC-148/cast/orc/1/1": 19} | dice)
    assert [one.target for one in of(told, "struck")] == ["ben", "ada", "ada"] and len(of(told, "checked")) == 1


def test_a_chain_breaks_where_it_misses() -> None:
    """ARC-161: the second along the line is missed, the third is not reached."""
    state = fight(at(knows("orc", "chain_beam"), 0, side="foes"), at(plain("ada"), 1), at(plain("ben"), 2),
                  at(plain("cat"), 3))  # fmt: skip
    dice = {"ARC-148/cast/orc/1/1": 19, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-71/accuracy/orc/1>ben/1": 2}
    dice |= {f"ARC-128/damage/orc/1/1/{n}": 1 for n in (1, 2)}
    bare = {who: Turn(react=BARE) for who in ("ada", "ben", "cat")}
    told = cycle(state, {"orc": major(Action(do="cast", spell="chain_beam", at=cell(3))), **bare}, dice)
    assert [(one.target, one.hit) for one in of(told, "struck")] == [("ada", True), ("ben", False)]


def test_a_wither_weakens_and_is_lifted_by_a_better_casting() -> None:
    """ARC-74, ARC-148: Block sinks with Athleticism; the curse's caster has to cast anew against Lift Curse."""
    state = fight(at(plain("ada"), 0), at(knows("ben", "lift_curse"), 1), at(knows("orc", "wither"), 3, side="foes"))
    play(state, cast("wither", "ada"), HIT)
    ada = state.fighters["ada"]
    assert (ada.body.mod("ATH"), ada.body.hp_max) == (-2, 20)
    lift = {"ben": major(cast("lift_curse", "ada"))}
    contest = "ARC-148/contest/ben/1>ada/wither/orc/1"
    cycle(state, lift, {"ARC-148/cast/ben/1/1": 6, contest: 7})
    assert ada.body.mod("ATH") == -2
    cycle(state, lift, {"ARC-148/cast/ben/1/1": 7, contest: 6})
    assert ada.body.mod("ATH") == 0 and ada.loans == []


def test_what_raises_a_maximum_raises_what_there_is() -> None:
    """ARC-141: three more of both, and what is above is cut off when it ends; it does not add up."""
    state = pair("fortify", hp=15)
    for _ in range(2):
        play(state, cast("fortify", "ada"))
    ada = state.fighters["ada"]
    assert (ada.hp, ada.body.hp_max, ada.own_hp_max) == (18, 23, 20)
    ada.loans[0].left, ada.hp = 1, 23
    cycle(state, {})
    assert (ada.hp, ada.body.hp_max) == (20, 20)


def test_haste_carries_far_and_is_paid_with_rest() -> None:
    """ARC-64: half a metre for each point; when it ends, a cycle is lost."""
    state = pair("haste")
    play(state, cast("haste", "ada", pp=1))
    ada = state.fighters["ada"]
    assert check(state, "ada", major(Action(do="move", to=cell(0, 3.5)))) == {}
    ada.loans[0].left = 1
    cycle(state, {})
    assert ada.has("dazed") and not ada.able
    cycle(state, {})
    assert ada.able


def test_a_rune_wards_off_the_damage_that_was_chosen() -> None:
    """ARC-132."""
    state = pair("rune_of_resistance", "kindle")
    assert "choice" in str(check(state, "orc", major(cast("rune_of_resistance", "orc"))))
    play(state, cast("rune_of_resistance", "ada", pp=4).model_copy(update={"choice": "fire"}))
    told = play(state, cast("kindle", "ada"), HIT | {"ARC-128/damage/orc/1>ada/1/1": 4, "ARC-130/rider/orc/1>ada/1": 6})
    assert of(told, "damaged")[0].amount == 2


def test_a_glimpse_bends_the_next_attack_alone() -> None:
    """ARC-161: chosen while declaring; used up by the first strike."""
    state = fight(at(knows("ada", "glimpse"), 0), at(plain("orc"), 1, side="foes"))
    ward = Action(do="cast", spell="glimpse", choice="misses")
    cycle(state, {"ada": major(ward)}, {"ARC-148/cast/ada/1/1": 19})
    for hit in (False, True):
        told = cycle(state, {"orc": major(strike("ada"))},
                     HIT | ({"ARC-128/damage/orc/1>ada/1": 1} if hit else {}))  # fmt: skip
        assert of(told, "struck")[0].hit is hit


def test_foresight_gives_one_more_major_once_a_day() -> None:
    """ARC-23."""
    state = pair("foresight")
    both = Turn(major=Action(do="custom", words="wait"), extra=strike("orc"))
    assert "extra.do" in check(state, "ada", both)
    play(state, cast("foresight", "ada"))
    state.fighters["ada"].place = cell(2)
    assert check(state, "ada", both) == {}
    twice = Turn(major=strike("orc"), extra=strike("orc"))
    told = cycle(state, {"ada": twice}, {f"ARC-71/accuracy/ada/{n}>orc/1": 2 for n in (1, 2)})
    assert len(of(told, "struck")) == 2 and "extra.do" in check(state, "ada", both)
    assert of(play(state, cast("foresight", "ada")), "described")


def test_a_mirror_throws_back_what_it_blocks() -> None:
    """ARC-89, ARC-164: aimed anew, by somebody who knows the spell."""
    state = fight(
        at(knows("ada", "mirror_shield", "stone_spikes"), 0), at(knows("orc", "stone_spikes"), 3, side="foes")
    )
    mirror = {"ARC-148/cast/ada/1/1": 19, "ARC-78/bonus/ada/1>ada/2": 4}
    dice = {"ARC-71/accuracy/orc/1>ada/1": 6, "ARC-71/accuracy/orc/1>ada/2": 5}
    dice |= {"ARC-71/accuracy/ada<orc/1>ada>orc/1/1": 15, "ARC-128/damage/ada<orc/1>ada>orc/1/1/1": 3}
    told = play(state, cast("stone_spikes", "ada"), mirror | dice, major(Action(do="cast", spell="mirror_shield")))
    assert [(one.who, one.hit) for one in of(told, "struck")] == [("orc", False), ("ada", True)]
    assert state.fighters["orc"].hp == 17


def test_a_wall_stops_what_flies_and_nothing_else() -> None:
    """ARC-89."""
    state = fight(at(knows("ada", "stopping_wall"), 0), at(knows("orc", "debris_storm", "shadow_bolt"), 3, side="foes"))
    cycle(state, {"ada": major(Action(do="cast", spell="stopping_wall"))}, {"ARC-148/cast/ada/1/1": 19})
    keep = major(Action(do="maintain"), react=BARE)
    storm = {f"ARC-71/accuracy/orc/1>ada/{n}/1": 19 for n in range(1, 7)}
    told = play(state, cast("debris_storm", "ada"), storm, keep)
    assert {one.fate for one in of(told, "struck")} == {"stopped"} and state.fighters["ada"].hp == 20


def test_disarmed_somebody_has_to_pick_it_up() -> None:
    """ARC-161, ARC-167."""
    state = pair("disarm", body=plain("ada", weapons=plain("ada").weapons))
    dice = {"ARC-161/drop/orc/1>ada/far": 2, "ARC-161/drop/orc/1>ada/way": 3}
    told = play(state, cast("disarm", "ada"), HIT | dice)
    (fell,) = of(told, "dropped")
    assert (fell.at, [it.what for it in state.lying]) == ((0, 4), [fell.what])
    assert "major.weapon" in check(state, "ada", major(strike("orc", fell.what)))


def test_darkness_leaves_only_places_to_aim_at() -> None:
    """ARC-90: neither in nor out; smoke is awkward."""
    state = pair("dark_shroud", "smoke_veil")
    play(state, Action(do="cast", spell="dark_shroud"))
    assert "target" in str(check(state, "ada", major(strike("orc"))))
    state.remains.clear()
    play(state, Action(do="cast", spell="smoke_veil"))
    state.fighters["ada"].place = cell(2)
    told = cycle(state, {"ada": major(strike("orc"))}, {f"ARC-71/accuracy/ada/1>orc/{n}": 5 for n in (1, 2)})
    assert ("poor sight", -3) in of(told, "struck")[0].parts


def test_senses_find_the_hidden() -> None:
    """ARC-99: told to whoever senses alone."""
    state = fight(at(knows("ada", "sense_life"), 0), at(plain("orc"), 3, side="foes", hidden=True))
    told = cycle(state, {"ada": major(Action(do="cast", spell="sense_life"))}, {"ARC-148/cast/ada/1/1": 19})
    assert not state.unseen("orc", "ada") and of(told, "sensed")[0].away == (6, 0)


@pytest.mark.parametrize(("faces", "struck"), [((6,), ["orc"]), ((3,), []), ((1, 2), ["ada"]), ((2, 1, 1), ["ben"])])
def test_confusion_is_thrown_for_at_the_reveal(faces: tuple[int, ...], struck: list[str]) -> None:
    """ARC-145."""
    state = fight(at(plain("ada"), 0, statuses={"confused": Held(3, 0)}), at(plain("ben"), 0.5),
                  at(plain("orc"), 1, side="foes"))  # fmt: skip
    names = ("confused", "whom", "ally")
    dice = {f"ARC-145/{names[n]}/ada": face for n, face in enumerate(faces)}
    dice |= {f"ARC-71/accuracy/ada/1>{who}/1": 2 for who in struck}
    told = cycle(state, {"ada": major(strike("orc"))}, dice)
    assert [one.target for one in of(told, "struck")] == struck


def test_the_terrified_go_no_nearer() -> None:
    """ARC-144: not by declaring it, and not by a movement that turns out to lead there."""
    state = pair("dread")
    play(state, cast("dread", "ada"), HIT)
    near, away = (minors(Action(do="considered", to=to)) for to in (cell(1), cell(0, 1)))
    assert "minors.0.to" in check(state, "ada", near) and check(state, "ada", away) == {}
    cycle(state, {"ada": near})
    assert state.fighters["ada"].place == cell(0)


def test_the_exhausted_pay_double_and_get_nothing_back() -> None:
    """ARC-139, ARC-142."""
    state = pair("muddle", fp=10, statuses={"exhausted": Held(0, 0)})
    cycle(state, {}, {"ARC-142/exhausted/ada/1": 14})
    assert state.fighters["ada"].fp == 10 and state.fighters["ada"].tired
    cycle(state, {}, {"ARC-142/exhausted/ada/1": 15})
    assert state.fighters["ada"].fp == 12 and not state.fighters["ada"].tired


def test_hypoxia_kills_after_two_minutes() -> None:
    """ARC-142."""
    state = pair("muddle", statuses={"hypoxia": Held(0, 1)})
    state.cycle = 40
    cycle(state, {})
    assert not state.fighters["ada"].dead
    cycle(state, {})
    assert state.fighters["ada"].dead


def test_ropes_are_resisted_again_at_the_end_of_cycles_and_tie_the_arms() -> None:
    """ARC-125, ARC-144."""
    state = pair("rope_bind")
    play(state, cast("rope_bind", "ada"), HIT)
    ada = state.fighters["ada"]
    assert "do" in str(check(state, "ada", major(strike("orc"))))
    cycle(state, {}, {"ARC-144/again/ada/trapped/1": 2})
    assert ada.has("trapped")
    cycle(state, {}, {"ARC-144/again/ada/trapped/1": 19})
    assert not ada.has("trapped") and ada.fp == 18


def test_a_critical_strike_at_the_armour() -> None:
    """ARC-115: no harm, and the armour is worth less; without any it is a strike like any other."""
    body = replace(plain("ada", armour="warrior_robe"), proficient=frozenset({"medium"}))
    state = fight(at(body, 0), at(plain("orc"), 1, side="foes"))
    plan = major(strike("ada"), react=React(on_critical="armour"))
    dice = {"ARC-71/accuracy/orc/1>ada/1": 20, "ARC-128/damage/orc/1>ada/1": 4, "ARC-115/armour/orc/1>ada": 2}
    told = cycle(state, {"orc": plan}, dice)
    assert (state.fighters["ada"].hp, state.fighters["ada"].armour_lost, of(told, "damaged")) == (20, 2, [])


def test_heal_first_and_harm_first_by_setting() -> None:
    """ARC-15, ARC-T20, ARC-T21: the same numbers in another order."""
    given = {"harm": 5, "healing": [Healing(amount=10)]}
    assert settle(11, 20, Settings(equal_distance="heal_first"), **given).hp == 15
    harmed = settle(11, 20, Settings(equal_distance="harm_first"), **given)
    assert (harmed.hp, harmed.gained) == (10, True)
    assert settle(5, 20, Settings(overkill_clamp="on"), harm=30).state == "critical"


def test_speaking_wakes_who_sleeps() -> None:
    """ARC-142."""
    state = fight(
        at(plain("ada"), 0, statuses={"asleep": Held(5, 0)}), at(plain("ben"), 1), at(plain("orc"), 9, side="foes")
    )
    cycle(state, {"ben": minors(Action(do="communicate", words="Wake up!"))})
    assert not state.fighters["ada"].has("asleep") and STATUSES["asleep"].ends_by_harm
