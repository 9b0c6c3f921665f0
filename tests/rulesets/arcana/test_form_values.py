"""What a form sends becomes a declaration: only what was chosen, only what belongs to it, faults at the fields."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.rulesets.arcana.fight.declarations import HOLD, Action, Free, React, Turn, When
from app.rulesets.arcana.phases.legal import check, sealed
from tests.rulesets.arcana.plain import plain
from tests.rulesets.arcana.ring import at, cast, cycle, fight, mage, major, strike, when

BLANK: dict[str, Any] = {"do": "", "target": "", "at": "", "weapon": "", "spell": "", "pp": "", "to": "",
                         "gait": "walk", "item": "", "words": "", "attr": "FIN"}  # fmt: skip


def form(**given: Any) -> Turn:
    """A form in which nothing was chosen but what is given."""
    blank = {
        "free": {"step": "", "face": ""},
        "major": BLANK,
        "minors": {"0": BLANK, "1": BLANK},
        "when": {"who": "", "verb": "", "whom": "", "at": "", "using": "", "words": "", "mode": "answer",
                 "guards": "all"},
        "react": {"resist": "always", "on_critical": "damage"},
    }  # fmt: skip
    return Turn.model_validate({**blank, **given})


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        ({}, HOLD),
        ({"what": "hold", "major": {**BLANK, "do": "search"}}, HOLD),
        ({"major": {**BLANK, "do": "search", "target": "orc", "words": "left over"}}, Turn(major=Action(do="search"))),
        (
            {"what": "major", "major": {**BLANK, "do": "attack", "weapon": "club", "target": "orc", "spell": "mend"},
             "minors": {"0": {**BLANK, "do": "evade"}}},
            Turn(major=Action(do="attack", weapon="club", target="orc")),
        ),
        (
            {"what": "minors", "major": {**BLANK, "do": "hide"},
             "minors": {"0": BLANK, "1": {**BLANK, "do": "considered", "to": " 3, 4 "}}},
            Turn(minors=(Action(do="considered", to=(3, 4)),)),
        ),
        ({"what": "keep", "keep": {"to": ""}}, Turn(major=Action(do="maintain"))),
        (
            {"what": "keep", "keep": {"to": "1,1"}},
            Turn(major=Action(do="maintain"), minors=(Action(do="considered", to=(1, 1)),)),
        ),
        (
            {"what": "minors", "minors": {"0": {**BLANK, "do": "use", "item": "antidote", "words": "for no eyes"},
                                          "1": {**BLANK, "do": "use", "item": "Rope", "words": "I tie it."}}},
            Turn(minors=(Action(do="use", item="antidote"), Action(do="use", item="Rope", words="I tie it."))),
        ),
        (
            {"what": "minors", "minors": {"0": {**BLANK, "do": "drop", "item": "antidote", "lay": "Rope"}, "1": BLANK}},
            Turn(minors=(Action(do="drop", item="Rope"),)),
        ),
        ({"what": "again", "react": {"resist": "never"}}, Turn(like="last", react=React(resist="never"))),
        ({"what": "habit"}, Turn(like="habit")),
        ({"free": {"step": "1,0", "face": "", "emerge": "yes"}}, Turn(free=Free(step=(1, 0), emerge=True))),
        (
            {"what": "major", "major": {**BLANK, "do": "search"},
             "when": {"who": "orc", "verb": "moves_to", "whom": "place", "at": "3, 4", "guards": "2"}},
            Turn(major=Action(do="search"), when=When(who="orc", verb="moves_to", whom="place:3,4")),
        ),
        (
            {"major": {**BLANK, "do": "search"}, "when": {"who": "orc", "verb": "text", "words": "it rains"}},
            Turn(major=Action(do="search"), when=When(verb="text", words="it rains")),
        ),
    ],
)  # fmt: skip
def test_what_was_chosen(given: dict[str, Any], turn: Turn) -> None:
    assert form(**given) == turn


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"major": {"do": "fly"}}, "major.do", "Choose what to do."),
        ({"what": "major", "major": BLANK}, "major.do", "Choose what to do."),
        ({"what": "minors", "minors": {"0": BLANK, "1": BLANK}}, "minors.0.do", "Choose what to do."),
        ({"major": {"do": "cast", "pp": "many"}}, "major.pp", "Enter a whole number from 0 to 20."),
        ({"major": {"do": "cast", "pp": "21"}}, "major.pp", "Enter a whole number from 0 to 20."),
        ({"major": {"do": "cast", "pp": "9" * 5000}}, "major.pp", "Enter a whole number from 0 to 20."),
        ({"major": {"do": "move", "to": "there"}}, "major.to", "Write a place like 12,4"),
        ({"major": {"do": "move", "to": "1,2,3"}}, "major.to", "Write a place like 12,4"),
        ({"major": {"do": "move", "to": "99999,1"}}, "major.to", "Write a place like 12,4"),
        ({"major": {"do": "attack", "target": "x" * 1000}}, "major.target", "Choose something from the list."),
        ({"minors": {"0": {"do": "communicate", "words": "x" * 1000}}}, "minors.0.words", "400 characters"),
        ({"when": {"who": "orc", "verb": "attacks", "mode": "never"}}, "when.mode", "before or after it"),
        ({"when": {"who": "orc", "verb": "attacks", "guards": "3"}}, "when.guards", "which actions wait for it"),
        ({"react": {"resist": "perhaps"}}, "react.resist", "what you resist"),
    ],
)
def test_what_cannot_be_read(given: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        form(**given)
    found = {".".join(str(part) for part in one["loc"]): one["msg"] for one in wrong.value.errors()}
    assert words in found.get(field, ""), found


def test_the_same_again() -> None:
    """A deed comes again with today's reactions; who only waited in between still may (ARC-03)."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 0.5, side="foes"))
    assert check(state, "ada", Turn(like="last")) == {}  # nothing, again
    blow = major(strike("orc"), react=React(resist="never"))
    cycle(state, {"ada": blow}, {"ARC-71/accuracy/ada/1>orc/1": 1})
    cycle(state, {"ada": Turn(react=React(resist="ask"))})
    assert state.fighters["ada"].last == major(strike("orc"), react=React(resist="ask"))
    assert sealed(state, "ada", Turn(like="last", react=React(on_critical="armour"))) == major(
        strike("orc"), react=React(on_critical="armour")
    )
    state.fighters["orc"].dead = True
    assert check(state, "ada", Turn(like="last")) == {"what": "You cannot do this again. That target is already dead."}


def test_a_spell_that_needs_no_target_has_none() -> None:
    """Else conditions would be met by what a form had left over (ARC-45)."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 3, side="foes"))
    assert sealed(state, "ada", major(cast("wail", "orc"))) == major(cast("wail", ""))
    assert sealed(state, "ada", major(cast("mend", "orc"))) == major(cast("mend", "orc"))


def test_places_and_own_words_as_conditions() -> None:
    """ARC-44."""
    state = fight(at(mage("ada"), 0), at(plain("orc"), 3, side="foes"))
    state.width, state.height = 20, 10
    blow = strike("orc")
    assert check(state, "ada", major(blow, when=when("orc", "moves_to", "place:19,9"))) == {}
    for place in ("place:20,9", "place:here", "place:", "place:-1,0"):
        assert "a place" in check(state, "ada", major(blow, when=when("orc", "moves_to", place)))["when.whom"], place
    assert check(state, "ada", major(blow, when=when("", "text", words="it rains"))) == {}
    assert "when.words" in check(state, "ada", major(blow, when=when("", "text", words=" ")))
    state.settings = state.settings.model_copy(update={"free_text_conditions": "off"})
    assert "when.verb" in check(state, "ada", major(blow, when=when("", "text", words="it rains")))
