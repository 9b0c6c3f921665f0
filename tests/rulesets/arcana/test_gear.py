"""What is carried, in which hand it is, and how it changes hands."""

from dataclasses import replace

import pytest

from app.rulesets.arcana import outcome
from app.rulesets.arcana.fight.declarations import Action
from app.rulesets.arcana.fight.hands import holding, wields
from app.rulesets.arcana.fight.state import Held, Lying
from app.rulesets.arcana.phases.legal import check
from app.rulesets.arcana.rules.book import WEAPONS
from app.rulesets.arcana.view.options import can
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, minors, of, strike


def armed(key: str, *arms: str, **given: object):  # type: ignore[no-untyped-def]
    return replace(plain(key), weapons={one: WEAPONS[one] for one in ("unarmed", *arms)}, **given)


def trade(target: str, *gives: str, accepts: tuple[str, ...] = ()) -> Action:
    return Action(do="trade", target=target, gives=gives, accepts=accepts)


def test_giving_needs_two() -> None:
    """ARC-28, ARC-T30: the giver trades, the receiver attacks: nothing moves, the giver's major is gone."""
    state = fight(at(plain("ada"), 0, items={"antidote": 2}), at(plain("ben"), 1), at(plain("orc"), 2, side="foes"))
    told = cycle(state, {"ada": major(trade("ben", "antidote")), "ben": major(strike("orc"))},
                 {"ARC-71/accuracy/ben/1>orc/1": 2})  # fmt: skip
    assert not of(told, "gave") and of(told, "void")[0].do == "trade"
    assert state.fighters["ada"].items == {"antidote": 2}


@pytest.mark.parametrize(("metres", "accepts", "moved"), [(1, (), True), (1, ("club",), False), (1.5, (), False)])
def test_both_name_each_other_within_touch(metres: float, accepts: tuple[str, ...], moved: bool) -> None:
    """ARC-28: exactly a metre counts; what is not accepted stays."""
    ada, ben = at(plain("ada"), 0, items={"antidote": 2}), at(armed("ben", "rapier"), metres)
    state = fight(ada, ben, at(plain("orc"), 9, side="foes"))
    told = cycle(state, {"ada": major(trade("ben", "antidote")), "ben": major(trade("ada", "rapier", accepts=accepts))})
    assert state.fighters["ben"].items == ({"antidote": 1} if moved else {})
    swapped = metres == 1
    assert ("rapier" in state.fighters["ada"].body.weapons) is swapped
    assert ("rapier" in state.fighters["ben"].body.weapons) is not swapped
    assert len(of(told, "gave")) == (2 if swapped else 0)
    assert not wields(state.fighters["ada"], "rapier"), "what one is given is not drawn yet"


def test_nobody_gives_what_they_do_not_carry() -> None:
    """ARC-08, ARC-28."""
    state = fight(at(plain("ada"), 0), at(plain("ben"), 1), at(plain("orc"), 9, side="foes"))
    assert "gives" in str(check(state, "ada", major(trade("ben", "antidote"))))
    assert "target" in str(check(state, "ada", major(trade("ada"))))
    assert check(state, "ada", major(trade("ben", "club"))) == {}


def test_draughts_run_out() -> None:
    """ARC-34, ARC-171: one less with each; two minors need two."""
    drink = Action(do="use", item="healing_draught")
    state = fight(at(plain("ada"), 0, hp=5, items={"healing_draught": 1}), at(plain("orc"), 9, side="foes"))
    assert "only one" in str(check(state, "ada", minors(drink, drink)))
    cycle(state, {"ada": minors(drink)})
    assert state.fighters["ada"].hp == 15 and state.fighters["ada"].items == {}
    assert "carry" in str(check(state, "ada", minors(drink)))


def test_an_antidote_gives_back_what_poison_took() -> None:
    """ARC-171: five HP at most."""
    poisoned = {"poisoned_mild": Held(9, 0)}
    state = fight(at(plain("ada"), 0, statuses=poisoned, items={"antidote": 1}), at(plain("orc"), 9, side="foes"))
    for _ in range(4):
        cycle(state, {})
    assert state.fighters["ada"].hp == 12
    cycle(state, {"ada": minors(Action(do="use", item="antidote"))})
    assert state.fighters["ada"].hp == 17


def test_what_somebody_comes_with() -> None:
    """ARC-147, ARC-167: the wand of who casts, else the first weapon; a shield takes the other hand."""
    for body, hands in (
        (mage("ada"), ("wand", "club")), (armed("ada", "greatsword"), ("greatsword", "greatsword")),
        (armed("ada", "greatsword", "club", shield="small_shield"), ("club", "small_shield")), (armed("ada"), ("", "")),
    ):  # fmt: skip
        assert holding(at(body, 0)) == hands


def test_the_other_hand() -> None:
    """ARC-95: −2, unless one is ambidextrous."""
    for skills, bonus in (({}, -2), ({"ambidextrous": 1}, 0)):
        state = fight(at(replace(mage("ada"), skills=skills), 0), at(plain("orc"), 1, side="foes"))
        told = cycle(state, {"ada": major(strike("orc"))}, {"ARC-71/accuracy/ada/1>orc/1": 2})
        assert of(told, "struck")[0].bonus == bonus


def test_drawing_is_a_major_and_puts_the_rest_away() -> None:
    """ARC-26, ARC-167: two hands for a greatsword, and the shield does not help meanwhile."""
    body = armed("ada", "club", "greatsword", shield="small_shield")
    state = fight(at(body, 0), at(plain("orc"), 1, side="foes"))
    assert "not in your hand" in str(check(state, "ada", major(strike("orc", "greatsword"))))
    assert can(state, "ada").draws == {"greatsword": "Greatsword"}
    cycle(state, {"ada": major(Action(do="use_major", item="greatsword"))})
    ada = state.fighters["ada"]
    assert (ada.hands, ada.body.shield, ada.slung) == (("greatsword", "greatsword"), "", "small_shield")
    assert check(state, "ada", major(strike("orc", "greatsword"))) == {}
    cycle(state, {"ada": major(Action(do="use_major", item="small_shield"))})
    ada = state.fighters["ada"]
    assert (ada.hands, ada.body.shield, ada.slung) == (("", "small_shield"), "small_shield", "")
    cycle(state, {"ada": major(Action(do="use_major", item="club", hand="other"))})
    assert state.fighters["ada"].hands == ("", "club")


def test_no_spell_without_the_wand_in_the_better_hand() -> None:
    """ARC-147: refused while sealing, void at the launch."""
    state = fight(at(mage("ada"), 0, hands=("club", "wand")), at(plain("orc"), 1, side="foes"))
    turn = major(cast("stone_skin", "ada"))
    assert "dominant hand" in str(check(state, "ada", turn))
    assert of(cycle(state, {"ada": turn}), "void")[0].why == "does not have it in hand"
    skilled = replace(mage("ada"), skills={"ambidextrous": 1})
    state = fight(at(skilled, 0, hands=("club", "wand")), at(plain("orc"), 1, side="foes"))
    assert check(state, "ada", turn) == {}


def test_what_is_left_goes_back_to_the_sheet() -> None:
    """ARC-28, ARC-171: draughts always, weapons if some changed hands."""
    ada = at(armed("ada", "club"), 0, items={"antidote": 1}, character="ada")
    state = fight(ada, at(armed("ben", "rapier"), 1), at(plain("orc"), 9, side="foes"))
    sheet = outcome(state).sheets["ada"]
    assert isinstance(sheet, dict) and sheet["items"] == {"antidote": 1} and "weapons" not in sheet
    cycle(state, {"ada": major(trade("ben", "antidote")), "ben": major(trade("ada", "rapier"))})
    sheet = outcome(state).sheets["ada"]
    assert isinstance(sheet, dict) and sheet["items"] == {} and sheet["weapons"] == ["club", "rapier"]


def test_large_things_in_words() -> None:
    """ARC-26."""
    state = fight(at(plain("ada"), 0), at(plain("orc"), 9, side="foes"))
    told = cycle(state, {"ada": major(Action(do="use_major", words="I prise the door open."))})
    assert of(told, "described")[0].words == "I prise the door open."


def test_what_fell_is_picked_up() -> None:
    """ARC-26, ARC-167: a major, within touch; then it is in hand."""
    lying = Lying("rapier", (2, 0), WEAPONS["rapier"])
    state = fight(at(plain("ada"), 0), at(plain("orc"), 9, side="foes"))
    state.lying.append(lying)
    assert can(state, "ada").draws == {"rapier": "Rapier, from the ground"}
    cycle(state, {"ada": major(Action(do="use_major", item="rapier"))})
    assert wields(state.fighters["ada"], "rapier") and state.lying == []
    far = fight(at(plain("ada"), 0), at(plain("orc"), 9, side="foes"))
    far.lying.append(Lying("rapier", (3, 0), WEAPONS["rapier"]))
    assert "item" in str(check(far, "ada", major(Action(do="use_major", item="rapier"))))
