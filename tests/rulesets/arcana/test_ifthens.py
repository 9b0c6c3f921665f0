"""What if-thens see of a cycle: each verb of the menu, and the sentence that is read back."""

import pytest

from app.rulesets.arcana.fight.declarations import Action, Free, Turn
from app.rulesets.arcana.fight.ifthens import VERBS, clause, menu
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cell, cycle, fight, mage, major, minors, of, strike, when

GO = Action(do="move", to=cell(2))
DONE = {
    "attacks": major(strike("zoe")),
    "casts": major(cast("stone_skin", "imp")),
    "heals": major(cast("mend", "imp")),
    "targets": minors(Action(do="use", item="antidote", target="zoe")),
    "uses": minors(Action(do="use", item="antidote")),
    "moves": major(GO),
    "moves_to": major(GO),
    "moves_away_from": major(GO),
    "leaves_cover": Turn(free=Free(emerge=True), minors=(Action(do="brace"),)),
    "defends": minors(Action(do="evade")),
    "speaks": minors(Action(do="communicate", words="over there")),
    "trades_with": major(Action(do="trade", target="zoe")),
    "searches": major(Action(do="search")),
    "holds": Turn(),
}
WHOM = {"targets": "zoe", "moves_to": "ada", "moves_away_from": "zoe"}
DICE = {
    "attacks": {"ARC-71/accuracy/imp/1>zoe/1": 2},
    "casts": {"ARC-148/cast/imp/1/1": 8},
    "heals": {"ARC-148/cast/imp/1/1": 8, "ARC-134/heal/imp/1>imp/2/1": 1, "ARC-134/heal/imp/1>imp/2/2": 1},
    "searches": {"ARC-29/search/imp/1": 9},
}


@pytest.mark.parametrize("done", sorted(VERBS))
@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_verb_is_met_by_what_it_names_and_by_nothing_else(verb: str, done: str) -> None:
    """ARC-44, ARC-45: all pairs of verb and deed; some deeds answer to several verbs."""
    away = {"leaves_cover"}  # the imp stands in half cover when it begins to move
    also = {"heals": {"casts"}, "attacks": {"targets"}, "targets": {"uses"}, "leaves_cover": {"defends"},
            "trades_with": {"targets"},
            "moves": away, "moves_to": away, "moves_away_from": away}  # fmt: skip
    met = verb == done or verb in also.get(done, set())
    if {verb, done} <= {"moves", "moves_to", "moves_away_from"}:
        met = True
    state = fight(at(plain("ada"), 1), at(mage("imp"), 4, side="foes"), at(plain("zoe"), 4.5, side="foes"),
                  covers={"8,0": "half"})  # fmt: skip
    answer = major(Action(do="hide"), when=when("imp", verb, WHOM.get(verb, "")))
    hide = {"ARC-30/hide/ada/1": 10} if met else {}
    told = cycle(state, {"ada": answer, "imp": DONE[done]}, DICE.get(done, {}) | hide)
    (judged,) = of(told, "judged")
    assert (judged.card.verdict == "fired") is met


def test_a_chain_in_the_rounds_of_a_cycle() -> None:
    """ARC-46: a chain of three runs in three rounds, each after the one before."""
    state = fight(*[at(mage(key), n) for n, key in enumerate(("ada", "ben", "cleo"))], at(mage("orc"), 9, side="foes"))
    turns = {
        "orc": major(cast("stone_skin", "orc")),
        "ada": major(cast("stone_skin", "ada"), when=when("orc", "casts")),
        "ben": major(cast("stone_skin", "ben"), when=when("ada", "casts")),
        "cleo": major(cast("stone_skin", "cleo"), when=when("ben", "casts")),
    }
    told = cycle(state, turns, {f"ARC-148/cast/{who}/1/1": 8 for who in turns})
    assert [(one.who, one.card.round) for one in of(told, "judged")] == [("ada", 1), ("ben", 2), ("cleo", 3)]
    assert [one.who for one in of(told, "lent")] == ["orc", "ada", "ben", "cleo"]


def test_the_sentence() -> None:
    state = fight(at(plain("ada"), 0), at(plain("orc"), 3, side="foes"), at(plain("imp"), 4, side="foes", hidden=True))
    words = menu(state, "ada")
    read = words.read_back(clause(when("orc", "casts", "me", using="mend")), "I evade")
    assert read == "If Orc casts Mend on me, then I evade."
    assert "imp" not in words.people, "no menu tells of somebody hidden"
