"""Better words for stored sentences, and chances in words."""

from fractions import Fraction
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st

from app.engine.decisions import Decision, derived
from app.engine.form_fields import FormModel
from app.engine.ruleset import SceneKind, Step
from app.engine.sentences import percent
from app.engine.wording import call_of, in_words, title_of

WORDS = {
    "Look at the pairing": "Check who fights whom",
    "Round <n>: the word": "Round <n>: rulings",
    "Say what <name>’s check is about": "Set the difficulty of <name>’s check",
}


def test_a_stored_sentence_is_read_whole() -> None:
    """Finds words that are put into a longer sentence, a name that is lost, or a name that is read as a pattern."""
    assert in_words({}, "Look at the pairing") == "Look at the pairing"
    assert in_words(WORDS, "Look at the pairing") == "Check who fights whom"
    assert in_words(WORDS, "Look at the pairing, Ann") == "Look at the pairing, Ann"
    assert in_words(WORDS, "Round 12: the word") == "Round 12: rulings"
    assert (
        in_words(WORDS, "Say what \\1 <name> (.*)’s check is about") == "Set the difficulty of \\1 <name> (.*)’s check"
    )


class Move(FormModel):
    ask: Literal["move"] = "move"


def test_words_of_a_kind_that_stores_none() -> None:
    """Finds a round's number that is lost, and words of a person in what is stored."""
    move: Decision[Any, Any, Any, Move] = Decision(
        Move,
        step=lambda state: Step(key="b1/c2/move-3", title=""),
        resolve=lambda log, answers, chance: None,
        title="Combat <n>: moves",
        call="Move the units of <seat>",
    )
    drawn: Any = SceneKind(**{**dict.fromkeys(NEEDED), **derived((move,), lambda state: ())})  # type: ignore[arg-type]
    assert title_of(drawn, "b1/c2/move-3", "") == "Combat 2: moves"
    assert title_of(drawn, "b1/c2/luck", "") == "", "no decision has that word"
    assert call_of(drawn, "move", "", "<n> & Ann") == "Move the units of <n> & Ann"
    assert title_of(drawn, "b1/c2/move-3", "As it was") == "As it was"


NEEDED = ("key", "title", "state", "event", "start", "view", "sees", "apply", "outcome")


@given(st.integers(min_value=1, max_value=10_000), st.data())
def test_a_chance_is_near_its_words_and_certain_only_if_it_is(whole: int, data: st.DataObject) -> None:
    """Finds "0 %" for what is possible, "100 %" for what is not sure, decimals from 5 % upwards, another text for the
    same chance as a float, and a text that is further off than it may be."""
    ways = data.draw(st.integers(min_value=0, max_value=whole))
    chance = Fraction(ways, whole)
    text = percent(chance)
    assert text == percent(ways / whole) == percent(1 - (whole - ways) / whole)
    assert (text == "0 %") == (ways == 0) and (text == "100 %") == (ways == whole)
    number = Fraction(text.removesuffix(" %").split()[-1])
    if text.startswith("over"):
        assert number <= 100 * chance
    elif text.startswith("under"):
        assert number > 100 * chance
    else:
        assert abs(number - 100 * chance) <= (Fraction(1, 20) if chance < Fraction(495, 10_000) else Fraction(1, 2))
        assert ("." in text) == (0 < number < 5)


def test_chances_as_pages_write_them() -> None:
    assert [percent(one) for one in (Fraction(265, 640), 0.125, 0.0249, 0.04, 0.0496, 0.0004, 0.996, 0, 1)] == [
        "41 %", "13 %", "2.5 %", "4.0 %", "5 %", "under 0.1 %", "over 99 %", "0 %", "100 %",
    ]  # fmt: skip
