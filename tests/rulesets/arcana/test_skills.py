"""What skills change in a fight (ARC-174), and the wood and core of a wand."""

from dataclasses import replace
from typing import Any

import pytest

from app.engine.ruleset import Viewer
from app.rulesets.arcana.fight.casting import casting, known, price
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.roll_parts import total
from app.rulesets.arcana.fight.state import Held
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.rules.book import ARMOUR, SPELLS, WEAPONS
from app.rulesets.arcana.rules.settings import Settings
from app.rulesets.arcana.sheet.accuracy import defence, instinct
from app.rulesets.arcana.sheet.body import Body, of_sheet, transport
from app.rulesets.arcana.sheet.sheets import Sheet
from app.rulesets.arcana.view.options import can
from app.rulesets.arcana.view.view import view
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike, when

MISS = {"ARC-71/accuracy/ada/1>orc/1": 2}


def skilled(body: Body, *skills: str, **ranks: int) -> Body:
    return replace(body, skills=dict.fromkeys(skills, 1) | ranks)


def struck(ada: Body, orc: Body | None = None, action: Action | None = None, **dice: Any) -> Any:
    state = fight(at(ada, 0), at(orc or plain("orc"), 1, side="foes"))
    return of(cycle(state, {"ada": major(action or strike("orc"))}, MISS | dice), "struck")[0]


def test_what_a_sheet_brings() -> None:
    """ARC-113, ARC-156, ARC-174: Mobile, Wandwork, Ironclad, Catastrophic Critical."""
    skills = ("mobile", "wandwork", "ironclad", "catastrophic_critical", "catastrophic_critical")
    plainly = of_sheet("ada", Sheet(name="Ada", armour="vest"))
    ada = of_sheet("ada", Sheet(name="Ada", armour="vest", skills=skills, wood="sorcery", core="illusion"))
    assert transport(ada) == transport(plainly) + 100 and ada.catastrophic == 6
    assert ada.bonus("wand") and ada.at_home_in_armour and not plainly.at_home_in_armour
    assert (ada.wood, ada.core) == ("sorcery", "illusion")


def test_instincts() -> None:
    """ARC-88, ARC-174: Improved Instincts doubles once; Elegant Avoidance lets Precision serve."""
    settings = Settings()
    quick = plain("ada", "Speed")
    for body, stances, dodge in (
        (quick, (), 10), (skilled(quick, "improved_instincts"), (), 12),
        (skilled(quick, "improved_instincts"), ("evade",), 12), (plain("ada", "Precision"), (), 8),
        (skilled(plain("ada", "Precision"), "elegant_avoidance"), (), 10),
    ):  # fmt: skip
        guard = replace(at(body, 0).guard(), stances=frozenset(stances))
        assert instinct(guard, "dodge", settings, doubled="evade" in stances) == dodge


def test_parry_needs_a_weapon_one_knows_and_no_magic() -> None:
    """ARC-174."""
    ada = at(skilled(plain("ada", "simple"), "parry"), 0)
    assert instinct(ada.guard(), "block", Settings()) == 10
    assert instinct(ada.guard(magic=True), "block", Settings()) == 8
    assert instinct(at(skilled(plain("ada"), "parry"), 0).guard(), "block", Settings()) == 8


def test_moving() -> None:
    """ARC-174: Moving Target evades by moving, Shadow Walker has E on Dodge by a considered movement."""
    go = minors(Action(do="considered", to=cell(0.5)))
    for skill, bad in (("moving_target", True), ("shadow_walker", False)):
        orc = at(skilled(plain("orc"), skill), 0, side="foes", turn=go, came=cell(1))
        assert ("evade" in orc.stances) is bad
        guard = orc.guard()
        aim = defence(guard, Settings(), blockable=True, dodgeable=True, distance2=0)
        assert (aim.value, aim.disadvantage) == ((8, True) if bad else (10, False))


def test_accuracy() -> None:
    """ARC-174: Increased Accuracy counts at least as much as the value of Finesse; a natural 1 misses all the same."""
    ada = skilled(plain("ada", FIN=14), "increased_accuracy")
    assert struck(ada, **{"ARC-128/damage/ada/1>orc/1": 1}).hit and not struck(plain("ada", FIN=14)).hit
    state = fight(at(ada, 0), at(plain("orc"), 1, side="foes"))
    told = cycle(state, {"ada": major(strike("orc"))}, {"ARC-71/accuracy/ada/1>orc/1": 1})
    assert not of(told, "struck")[0].hit
    clumsy = struck(plain("ada", FIN=1))
    assert (clumsy.bonus, clumsy.parts) == (-5, (("FIN", -5),)), "below nothing it stays below nothing"


def test_weak_spot() -> None:
    """ARC-93, ARC-174: advantage against who braces takes the disadvantage away."""
    for skills, dice in (((), 2), (("weak_spot",), 1)):
        ada = skilled(plain("ada"), *skills)
        state = fight(at(ada, 0), at(plain("orc"), 1, side="foes"))
        faces = {f"ARC-71/accuracy/ada/1>orc/{n}": 2 for n in range(1, dice + 1)}
        told = cycle(state, {"ada": major(strike("orc")), "orc": minors(Action(do="brace"))}, faces)
        assert len(of(told, "struck")[0].rolls) == dice


def test_power_attack() -> None:
    """ARC-174: −n on accuracy, 2n more damage, n up to ATH and E with Strength."""
    blow = Action(do="attack", weapon="club", target="orc", power=2)
    ada = skilled(plain("ada", ATH=14), "power_attack")
    state = fight(at(ada, 0), at(plain("orc"), 1, side="foes"))
    assert check(state, "ada", major(blow)) == {}
    assert "major.power" in check(state, "ada", major(blow.model_copy(update={"power": 3})))
    told = cycle(state, {"ada": major(blow)}, {"ARC-71/accuracy/ada/1>orc/1": 15, "ARC-128/damage/ada/1>orc/1": 1})
    assert of(told, "struck")[0].bonus == -2 and state.fighters["orc"].hp == 15
    assert "major.power" in check(fight(at(plain("ada"), 0), at(plain("orc"), 1)), "ada", major(blow))


def test_confident_accuracy() -> None:
    """ARC-174: the casting surplus."""
    for skills, bonus in (((), 0), (("confident_accuracy",), 3)):
        state = fight(at(skilled(mage("ada"), *skills), 0), at(plain("orc"), 5, side="foes"))
        told = cycle(state, {"ada": major(cast("spark_volley", "orc"))}, {"ARC-148/cast/ada/1/1": 7} | MISS)
        value = of(told, "checked")[0].value
        assert of(told, "struck")[0].bonus == (7 - value if bonus else 0)


@pytest.mark.parametrize(("rank", "less"), [(1, -4), (2, -2), (3, 0)])
def test_silent_magic(rank: int, less: int) -> None:
    """ARC-144, ARC-174."""
    dumb = {"silenced": Held(9, 0)}
    spell = SPELLS["stone_skin"]
    ada = at(skilled(mage("ada"), silent_magic=rank), 0, statuses=dumb)
    assert total(casting(ada, spell)) == less
    assert check(fight(ada, at(plain("orc"), 5)), "ada", major(cast("stone_skin", "ada"))) == {}
    mute = fight(at(mage("ada"), 0, statuses=dumb), at(plain("orc"), 5))
    assert "major.do" in check(mute, "ada", major(cast("stone_skin", "ada")))


def test_wandless_magic() -> None:
    """ARC-147, ARC-174: one level lower in the school without the wand in hand."""
    spell = SPELLS["spark_volley"]
    ada = skilled(mage("ada"), "wandless_magic")
    with_wand, without = at(ada, 0), at(ada, 0, hands=("club", ""))
    assert known(with_wand, spell) and known(without, spell) is (spell.level == "beginner")
    assert "major.do" not in check(fight(without, at(plain("orc"), 5)), "ada", major(cast("spark_volley", "orc")))


def test_meditation() -> None:
    """ARC-139, ARC-174."""
    state = fight(at(skilled(plain("ada"), meditation=2), 0, fp=5), at(plain("orc"), 9, side="foes"))
    cycle(state, {})
    assert state.fighters["ada"].fp == 11


def test_wood_and_core() -> None:
    """ARC-156: +1 in the school of the wood, one cheaper in that of the core, with the wand in hand."""
    spell = SPELLS["spark_volley"]
    body = replace(mage("ada"), wood=spell.school, core=spell.school)
    held, away = at(body, 0), at(body, 0, hands=("club", ""))
    assert (total(casting(held, spell)), price(held, spell, 0)) == (1, spell.dv - 1)
    assert (total(casting(away, spell)), price(away, spell, 0)) == (0, spell.dv)


def test_emergency_care() -> None:
    """ARC-30, ARC-138: touch, the skill, d20 and Intelligence against 10."""
    dying = {"critical": Held(0, 0)}
    act = major(Action(do="use_major", item="emergency_care", target="ben"))
    for face, stable in ((10, True), (9, False)):
        ben = at(plain("ben"), 1, hp=-3, statuses=dict(dying))
        state = fight(at(skilled(plain("ada"), "emergency_care"), 0), ben, at(plain("orc"), 9, side="foes"))
        assert check(state, "ada", act) == {}
        cycle(state, {"ada": act}, {"ARC-30/care/ada/1/1": face})
        assert state.fighters["ben"].has("stable") is stable
    assert "major.item" in check(fight(at(plain("ada"), 0), at(plain("ben"), 1)), "ada", act)


def test_parry_hurts_bare_hands() -> None:
    """ARC-174: a blow of bare hands that is blocked costs its striker 1d4; one that hits or is dodged nothing."""
    orc = skilled(plain("orc", "simple", ATH=12), "parry")
    blow = {"ada": major(strike("orc", "unarmed"))}
    state = fight(at(plain("ada"), 0), at(orc, 1, side="foes"))
    cycle(state, blow, {"ARC-71/accuracy/ada/1>orc/1": 2, "ARC-174/parry/ada/1>orc": 3})
    assert state.fighters["ada"].hp == 17
    state = fight(at(plain("ada"), 0), at(orc, 1, side="foes", hands=("", "")))
    cycle(state, blow, {"ARC-71/accuracy/ada/1>orc/1": 2})
    assert state.fighters["ada"].hp == 20


def test_ironclad_twice() -> None:
    """ARC-174: Expertise off blows, in armour one is at home in."""
    dice = {"ARC-71/accuracy/ada/1>orc/1": 19, "ARC-128/damage/ada/1>orc/1": 4}
    for rank, armour, harm in ((2, "vest", 2), (1, "vest", 0), (2, "casual", 0)):
        orc = replace(plain("orc", ARMOUR[armour].group), armour=armour, skills={"ironclad": rank})
        state = fight(at(plain("ada"), 0), at(orc, 1, side="foes"))
        told = of(cycle(state, {"ada": major(strike("orc"))}, dice), "damaged")[0]
        assert told.spared == harm and state.fighters["orc"].hp == 20 - told.amount


def test_cleave() -> None:
    """ARC-174: from who falls on to the next within reach, at half the damage, then a quarter; friends are spared."""
    ada = replace(skilled(plain("ada"), "cleave"), weapons={"club": WEAPONS["club"].model_copy(update={"reach": 2.0})})
    state = fight(
        at(ada, 0), at(plain("orc"), 1, side="foes", hp=2), at(plain("imp"), 1.5, side="foes", hp=1),
        at(plain("owl"), 0, 2, side="foes"), at(plain("ben"), 0, 1), at(plain("yak"), 4, side="foes"),
    )  # fmt: skip
    dice = {
        "ARC-71/accuracy/ada/1>orc/1": 19, "ARC-128/damage/ada/1>orc/1": 4,
        "ARC-71/accuracy/ada/1/cleave1>imp/1": 19, "ARC-128/damage/ada/1/cleave1>imp/1": 4,
        "ARC-71/accuracy/ada/1/cleave2>owl/1": 19, "ARC-128/damage/ada/1/cleave2>owl/1": 4,
    }  # fmt: skip
    told = of(cycle(state, {"ada": major(strike("orc"))}, dice), "damaged")
    whole = told[0].amount
    assert [(one.target, one.amount) for one in told] == [("orc", whole), ("imp", whole // 2), ("owl", whole // 4)]
    state = fight(at(ada, 0), at(plain("orc"), 1, side="foes"), at(plain("imp"), 1.5, side="foes"))
    cycle(state, {"ada": major(strike("orc"))}, dict(list(dice.items())[:2]))
    assert state.fighters["imp"].hp == 20, "nobody fell"


def test_fast_caster() -> None:
    """ARC-174: one more spell beside a spell, and nothing else."""
    ada = skilled(mage("ada"), "fast_caster")
    state = fight(at(ada, 0), at(plain("orc"), 5, side="foes"))
    two = major(cast("stone_skin", "ada"), extra=cast("kindle", "orc"))
    assert check(state, "ada", two) == {}
    for other in (
        two.model_copy(update={"extra": strike("orc")}), two.model_copy(update={"major": strike("orc")}),
        two.model_copy(update={"when": when("orc", "attacks")}),
    ):  # fmt: skip
        assert "extra.do" in check(state, "ada", other)
    plainly = fight(at(mage("ada"), 0), at(plain("orc"), 5, side="foes"))
    assert "extra.do" in check(plainly, "ada", two) and not can(plainly, "ada").extra and can(state, "ada").extra
    told = cycle(state, {"ada": two}, {"ARC-148/cast/ada/1/1": 1, "ARC-148/cast/ada/2/1": 1})
    assert [one.about for one in of(told, "checked")] == ["stone_skin", "kindle"]


def test_surge() -> None:
    """ARC-174: one more major action, once."""
    twice = major(strike("orc"), extra=strike("orc"))
    state = fight(at(skilled(plain("ada"), "surge"), 0), at(plain("orc"), 1, side="foes"))
    assert check(state, "ada", twice) == {}
    told = cycle(state, {"ada": twice}, {f"ARC-71/accuracy/ada/{n}>orc/1": 2 for n in (1, 2)})
    assert len(of(told, "struck")) == 2 and state.fighters["ada"].surged
    assert "extra.do" in check(state, "ada", twice)
    mine = Viewer(seats=frozenset({"ada"}))
    assert "extra.do" in check(view(state, mine).known, "ada", twice)


def test_extended_range() -> None:
    """ARC-174: shots and throws go 2 m farther a rank; blows do not."""
    bow = next(one for one in WEAPONS.values() if one.range and not one.twice and one.group != "natural")
    far = bow.range + 3
    shot = major(strike("orc", bow.id))
    for rank, reached in ((0, False), (1, False), (2, True)):
        ada = replace(plain("ada"), weapons={bow.id: bow}, skills={"extended_range": rank} if rank else {})
        state = fight(at(ada, 0), at(plain("orc"), far, side="foes"))
        told = cycle(state, {"ada": shot}, {"ARC-71/accuracy/ada/1>orc/1": 1} if reached else {})
        assert bool(of(told, "struck")) is reached
        assert can(state, "ada").weapons[0].range == round(100 * bow.range) + 200 * rank
