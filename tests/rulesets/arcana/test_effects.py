"""What spells, weapons and draughts do, one cycle each."""

from dataclasses import replace
from typing import Any

import pytest

from app.rulesets.arcana.fight.declarations import Action, React, Turn
from app.rulesets.arcana.fight.state import Held, Loan, State
from app.rulesets.arcana.rules.book import WEAPONS
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.body import Body, of_foe
from app.rulesets.arcana.sheet.foes import FOES
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import NOVICE, at, cast, cell, cycle, fight, mage, major, minors, of, strike

BARE = React(resist="never")
SCHOOLS = dict.fromkeys([*NOVICE, "sorcery", "forbidden"], "master")


def knows(key: str, *spells: str, **given: Any) -> Body:
    return replace(mage(key, **given), spells=spells, schools=SCHOOLS)


def one_spell(spell: str, dice: dict[str, int], target: str = "ada", pp: int = 0, **given: Any) -> tuple[State, Any]:
    """The orc, 3 m away, casts it with a d20 that shows 19; who is struck at is struck at with 15."""
    settings = given.pop("settings", None)
    ada = at(given.pop("body", plain("ada")), 0, **given)
    state = fight(ada, at(knows("orc", spell), 3, side="foes"), settings=settings)
    action = Action(do="cast", spell=spell, target=target, pp=pp, at=cell(0))
    told = cycle(state, {"orc": major(action), "ada": Turn(react=BARE)}, {"ARC-148/cast/orc/1/1": 19} | dice)
    return state, told


HIT = {"ARC-71/accuracy/orc/1>ada/1": 15}


def test_each_missile_is_aimed_by_itself() -> None:
    """ARC-131, ARC-163: three darts, one misses; an aim that fails for one says nothing of the others."""
    dice = {f"ARC-71/accuracy/orc/1>ada/{n}/1": face for n, face in ((1, 15), (2, 3), (3, 20))}
    dice |= {f"ARC-128/damage/orc/1>ada/{n}/2/1": 4 for n in (1, 3)} | {"ARC-111/natural/orc/1>ada/3/2": 2}
    state, told = one_spell("seeker_darts", dice)
    assert [one.hit for one in of(told, "struck")] == [True, False, True]
    assert state.fighters["ada"].hp == 20 - 4 - 8 and len(of(told, "changed")) == 1, "one instant, one change"


def test_an_area_is_rolled_once_and_spares_nobody() -> None:
    """ARC-131, ARC-161, ARC-162: from the origin outwards, each resists for themselves, the caster is not inside."""
    state = fight(at(knows("orc", "blast_ring"), 0, side="foes"), at(plain("ada"), 1), at(plain("ben"), 3),
                  at(plain("imp"), 2, side="foes"), at(plain("zoe"), 4))  # fmt: skip
    dice = {"ARC-148/cast/orc/1/1": 19} | {f"ARC-128/damage/orc/1/1/{n}": 1 for n in range(1, 9)}
    dice |= {f"ARC-124/resist/orc/1>{who}/1": face for who, face in (("ben", 20), ("imp", 1))}
    dice |= {f"ARC-130/rider/orc/1>{who}/1": 4 for who in ("ada", "ben", "imp")}
    told = cycle(state, {"orc": major(Action(do="cast", spell="blast_ring")), "ada": Turn(react=BARE)}, dice)
    assert [(one.target, one.amount) for one in of(told, "damaged")] == [("ada", 8), ("imp", 8), ("ben", 4)]
    assert state.fighters["zoe"].hp == state.fighters["orc"].hp == 20


def test_shields_take_what_would_get_through() -> None:
    """ARC-164: points first, no rider for what is kept off; psychic damage goes past them."""
    state = fight(at(knows("ada", "floating_shield"), 0), at(knows("orc", "kindle", "cruel_slash"), 1, side="foes"))
    cycle(state, {"ada": major(cast("floating_shield", "ada"))}, {"ARC-148/cast/ada/1/1": 19})
    assert [(loan.stat, loan.amount) for loan in state.fighters["ada"].loans] == [("block", 4), ("shield", 10)]
    told = cycle(state, {"orc": major(cast("kindle", "ada"))},
                 {"ARC-148/cast/orc/1/1": 19, "ARC-128/damage/orc/1>ada/1/1": 4} | HIT)  # fmt: skip
    assert of(told, "struck")[0].value == 12 and of(told, "damaged")[0].absorbed == 4
    assert state.fighters["ada"].hp == 20 and state.fighters["ada"].loans[-1].amount == 6


def test_a_bonus_ends_after_its_cycles() -> None:
    """ARC-78, ARC-143."""
    state = fight(at(knows("ada", "blur"), 0), at(plain("orc"), 1, side="foes"))
    cycle(state, {"ada": major(cast("blur", "ada"))}, {"ARC-148/cast/ada/1/1": 19})
    values = []
    for _ in range(4):
        told = cycle(state, {"orc": major(strike("ada"))}, {"ARC-71/accuracy/orc/1>ada/1": 2})
        values.append(of(told, "struck")[0].value)
    assert values == [10, 10, 10, 8]


def test_mending_cures_small_ills_instead_of_healing() -> None:
    """ARC-142: both ills end, no HP come back."""
    ills = {"burned_mild": Held(5, 0), "deaf": Held(2, 0)}
    state = fight(at(mage("ben"), 0), at(plain("ada"), 1, hp=12, statuses=ills), at(plain("orc"), 9, side="foes"))
    cycle(state, {"ben": major(cast("mend", "ada"))}, {"ARC-148/cast/ben/1/1": 8})
    assert (state.fighters["ada"].hp, state.fighters["ada"].statuses) == (12, {})


def test_bones_are_knit_before_healing() -> None:
    """ARC-135: no ceiling any more."""
    state, _ = one_spell("knit_bones", {"ARC-134/heal/orc/1>ada/2/1": 9}, hp=6, statuses={"major_injury": Held(0, 0)})
    assert (state.fighters["ada"].hp, state.fighters["ada"].statuses) == (15, {})


def test_somebody_stabilised_bleeds_no_more() -> None:
    """ARC-138; struck again they do."""
    state, _ = one_spell("stabilise", {}, hp=-2, statuses={"critical": Held(0, 0)})
    ada = state.fighters["ada"]
    assert list(ada.statuses) == ["stable"] and ada.hp == -2
    cycle(state, {})
    assert ada.hp == -2 and not ada.able


def test_the_worse_burn_and_the_longer_time_stay() -> None:
    """ARC-142."""
    burning = {"burned_moderate": Held(3, 0)}
    dice = HIT | {"ARC-128/damage/orc/1>ada/1/1": 1, "ARC-130/rider/orc/1>ada/1": 2}
    state, _ = one_spell("kindle", dice, statuses=burning)
    burns = state.fighters["ada"].statuses
    assert list(burns) == ["burned_moderate"] and burns["burned_moderate"].left == 10


def test_fire_hurts_the_burning_more() -> None:
    """ARC-129, ARC-132: 3 and half as much again, rounded down once."""
    burning = {"burned_mild": Held(3, 0)}
    dice = HIT | {"ARC-128/damage/orc/1>ada/1/1": 3, "ARC-130/rider/orc/1>ada/1": 6}
    _, told = one_spell("kindle", dice, statuses=burning)
    assert of(told, "damaged")[0].amount == 4


def test_riders_can_be_left_out() -> None:
    """ARC-130."""
    state, _ = one_spell("kindle", HIT | {"ARC-128/damage/orc/1>ada/1/1": 3}, settings=Settings(damage_riders="off"))
    assert state.fighters["ada"].statuses == {}


def test_acid_eats_armour() -> None:
    """ARC-170."""
    body = plain("ada", armour="warrior_robe", ATH=10)
    body = replace(body, proficient=frozenset({"medium"}))
    dice = {"ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1/1": 2}
    state, _ = one_spell("gnat_plague", dice, body=body)
    assert (state.fighters["ada"].armour_lost, state.fighters["ada"].hp) == (2, 18)


def test_cold_takes_fp_first() -> None:
    """ARC-130: six points, four of them FP, which are paid and so do not come back."""
    dice = HIT | {f"ARC-128/damage/orc/1/1/{n}": 2 for n in (1, 2, 3)}
    ada = at(plain("ada"), 1.5, fp=4)
    state = fight(ada, at(knows("orc", "frost_cone"), 3, side="foes"), at(plain("ben"), 4.5))
    cycle(
        state, {"orc": major(cast("frost_cone", "ada")), "ada": Turn(react=BARE)}, {"ARC-148/cast/orc/1/1": 19} | dice
    )
    assert (ada.hp, ada.fp, list(ada.statuses)) == (18, 0, ["frostbite_mild"]) and state.fighters["ben"].hp == 20


def test_the_undead_alone_fear_the_sun() -> None:
    """ARC-130."""
    dice = HIT | {f"ARC-128/damage/orc/1>ada/1/{n}": 6 for n in (1, 2)}
    hp = [one_spell("sun_flare", dice, body=replace(plain("ada"), undead=undead))[0].fighters["ada"].hp
          for undead in (False, True)]  # fmt: skip
    assert hp == [20, 8]


@pytest.mark.parametrize(("item", "hp", "fp"), [("healing_draught", 15, 7), ("spirit_draught", 5, 15)])
def test_draughts(item: str, hp: int, fp: int) -> None:
    """ARC-34, ARC-171: at touching distance, and FP come back in the same cycle, since none were paid."""
    ben = at(plain("ben"), 1, items={item: 1})
    state = fight(at(plain("ada"), 0, hp=5, fp=5), ben, at(plain("orc"), 9, side="foes"))
    told = cycle(state, {"ben": minors(Action(do="use", item=item, target="ada"))})
    assert (state.fighters["ada"].hp, state.fighters["ada"].fp) == (hp, fp + (2 if item == "spirit_draught" else 0))
    assert of(told, "used")
    far = fight(at(plain("ada"), 0, hp=5), at(plain("ben"), 1.5, items={item: 1}), at(plain("orc"), 9, side="foes"))
    told = cycle(far, {"ben": minors(Action(do="use", item=item, target="ada"))})
    assert of(told, "void")[0].why == "the target is out of reach"


def test_reach_range_and_firearms_beyond_it() -> None:
    """ARC-165, ARC-166, ARC-167: a pistol reaches twice as far, with disadvantage."""
    armed = replace(plain("ada"), weapons={key: WEAPONS[key] for key in ("unarmed", "pistol", "dagger", "pike")})
    state = fight(at(armed, 0), at(plain("orc"), 40, side="foes"))
    miss = {f"ARC-71/accuracy/ada/1>orc/{n}": 2 for n in (1, 2)}
    told = cycle(state, {"ada": major(strike("orc", "pistol"))}, miss)
    assert len(of(told, "struck")[0].rolls) == 2
    state.fighters["orc"].place = cell(2)
    for weapon in ("dagger", "pike"):
        state.fighters["ada"].hands = (weapon, "")
        cycle(state, {"ada": major(strike("orc", weapon))}, {"ARC-71/accuracy/ada/1>orc/1": 2})
    assert of(cycle(state, {"ada": major(strike("orc", "unarmed"))}), "void")
    state.fighters["orc"].place = cell(1)
    cycle(state, {"ada": major(strike("orc", "unarmed"))}, {"ARC-71/accuracy/ada/1>orc/1": 15})
    assert state.fighters["orc"].hp == 19


def test_shaking_off_a_stun() -> None:
    """ARC-10, ARC-144: the Resist again, against the same value."""
    stunned = {"stunned": Held(5, 0, "stun_bolt", 8)}
    state = fight(at(plain("ada"), 0, statuses=stunned), at(plain("orc"), 9, side="foes"))
    again = major(Action(do="shake_off"))
    cycle(state, {"ada": again}, {"ARC-144/shake/ada/stunned/1": 7})
    assert not state.fighters["ada"].able
    cycle(state, {"ada": again}, {"ARC-144/shake/ada/stunned/1": 8})
    assert state.fighters["ada"].able


def test_foes_have_their_own_skins() -> None:
    """ARC-132, ARC-173: half against spells; nothing below adept; a sneak attack of a redcap is fourfold."""
    spider, manticore = of_foe("ada", FOES["giant_spider"]), of_foe("ada", FOES["manticore"])
    two = HIT | {f"ARC-128/damage/orc/1>ada/1/{n}": 4 for n in (1, 2)}
    assert one_spell("spark_volley", two | {"ARC-71/accuracy/orc/1>ada/1": 19}, body=spider)[1] and [
        of(one_spell("spark_volley", two | {"ARC-71/accuracy/orc/1>ada/1": 19}, body=body)[1], "damaged")[0].amount
        for body in (spider, manticore)
    ] == [4, 0]  # fmt: skip
    redcap = of_foe("orc", FOES["redcap"])
    state = fight(at(plain("ada"), 0), at(redcap, 1, side="foes", hidden=True))
    told = cycle(state, {"orc": major(strike("ada", "cudgel"))}, {
        "ARC-99/stealth/orc/1": 20, "ARC-71/accuracy/orc/1>ada/1": 15, "ARC-128/damage/orc/1>ada/1": 1})  # fmt: skip
    assert of(told, "damaged")[0].amount == 4 * 3


def test_what_a_spell_lent_is_told_to_be_over_when_its_time_is_up() -> None:
    """ARC-22: once a spell, however much it lent; what lasts longer, or is for one cycle alone, is not spoken of."""
    loans = [
        Loan("block", 1, 1, 1, "stone_skin"),
        Loan("dodge", 1, 1, 1, "stone_skin"),
        Loan("dodge", 1, 2, 1, "wither"),
    ]
    state = fight(at(plain("ada"), 0, loans=loans), at(plain("orc"), 9, side="foes"), cycle_=2)
    told = cycle(state, {})
    assert [(one.who, one.source, one.over) for one in of(told, "lapsed")] == [("ada", "stone_skin", True)]
    assert [(loan.stat, loan.left) for loan in state.fighters["ada"].loans] == [("dodge", 1)]
    assert [one.source for one in of(cycle(state, {}), "lapsed")] == ["wither"] and not state.fighters["ada"].loans
